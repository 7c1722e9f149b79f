//! Beginning: a session is created and protected, or one that exists is made the active one here (G1 to G6).

use std::collections::BTreeSet;

use crate::domain::facts::Inspection;
use crate::domain::ids::SessionId;
use crate::domain::posture::Fencing;
use crate::domain::refusal::Refusal;
use crate::domain::session::Session;
use crate::domain::settings::{Approval, Settings};
use crate::domain::text::{Line, Topic};

use super::desk::Desk;
use super::dispatcher::Beginning;
use super::ending::free_the_worktree;
use super::error::{AppError, not_answered};
use super::prompt::{Choice, ReplyPrompt};
use super::reply::{Arrival, Outcome, Protection, Reply};

/// What somebody wants to begin with.
pub struct Wanted {
    /// What it is about; `None` is inferred.
    pub topic: Option<Topic>,
    /// The settings of a new session.
    pub settings: Settings,
    /// What may be looked at without asking, under research `ask`.
    pub allowed: BTreeSet<Inspection>,
    /// Whether git's locks are held as well.
    pub fencing: Fencing,
    /// What the person said to the topic, as an agent reports it.
    pub reported: Option<Line>,
}

/// What is done where another session is active, and which one is meant is not clear.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doubt {
    /// The person is asked.
    Asks,
    /// It is refused.
    Refuses,
}

/// Begins a session, or goes on with the one that is meant (G1 to G3).
pub fn begin(desk: &mut Desk<'_>, wanted: Wanted, doubt: Doubt) -> Result<Reply, AppError> {
    let Wanted { topic, settings, allowed, fencing, reported } = wanted;
    let active = match desk.session() {
        Ok(session) => Some(session),
        Err(AppError::NoSession) => None,
        Err(other) => return Err(other),
    };
    let pointed_to = desk.dispatcher.store.active()?;
    let topic = match (active, topic) {
        (Some(session), None) => return arrive(desk, &session.id, fencing),
        (Some(session), Some(topic)) if session.topic.normalised() == topic.normalised() => {
            return arrive(desk, &session.id, fencing);
        }
        (Some(session), Some(topic)) => match which_is_meant(desk, &session, &topic, doubt)? {
            Meant::Active => return arrive(desk, &session.id, fencing),
            Meant::New => topic,
        },
        (None, Some(topic)) => topic,
        (None, None) => confirm_inferred(desk)?,
    };
    if let Some(unfinished) = unfinished(desk, &topic)? {
        return arrive(desk, &unfinished, fencing);
    }
    create(desk, New { topic, settings, allowed, fencing, reported }, pointed_to.as_ref())
}

enum Meant {
    Active,
    New,
}

/// Another topic while one is active asks which is meant; where nobody can be asked it is refused (G3).
fn which_is_meant(desk: &mut Desk<'_>, active: &Session, topic: &Topic, doubt: Doubt) -> Result<Meant, AppError> {
    if doubt == Doubt::Refuses {
        return Err(AppError::Refused(Refusal::AnotherActive { topic: active.topic.to_string() }));
    }
    let choices = [
        Choice::of("active", &format!("go on with \"{}\"", active.topic), "it is active in this worktree"),
        Choice::of(
            "new",
            &format!("begin \"{topic}\""),
            "the active one is set aside; git grill resume brings it back",
        ),
    ];
    let question = "Another session is active here. Which is meant?";
    let chosen = desk.prompter.choose(question, &choices).answered();
    Ok(match chosen.map_err(not_answered("starting"))? {
        0 => Meant::Active,
        _ => Meant::New,
    })
}

/// A topic that nobody typed is inferred, shown, and confirmed or edited (G2).
fn confirm_inferred(desk: &mut Desk<'_>) -> Result<Topic, AppError> {
    desk.need_person("choosing a topic", "git grill start \"<topic>\"")?;
    let (draft, source) = (desk.inference)().unwrap_or_default();
    let prompt = ReplyPrompt {
        heading: "a new interview".to_owned(),
        question: "What is it about?".to_owned(),
        draft,
        keys: "Enter starts, Esc cancels".to_owned(),
        help: source,
        ..ReplyPrompt::default()
    };
    let text = desk.prompter.reply(&prompt).answered().map_err(not_answered("starting"))?.text;
    if text.trim().is_empty() {
        return Err(AppError::Cancelled("starting"));
    }
    Ok(Topic::parse(&text)?)
}

/// An unfinished session about the same topic; one that is active in another worktree is refused by name (G3).
fn unfinished(desk: &Desk<'_>, topic: &Topic) -> Result<Option<SessionId>, AppError> {
    let wanted = topic.normalised();
    let found = desk.dispatcher.store.list()?.into_iter().find(|listed| {
        listed.state.as_ref().is_ok_and(|state| state.phase != "closed" && state.topic.normalised() == wanted)
    });
    Ok(found.map(|listed| listed.id))
}

/// What a new session begins with.
struct New {
    topic: Topic,
    settings: Settings,
    allowed: BTreeSet<Inspection>,
    fencing: Fencing,
    reported: Option<Line>,
}

/// Creates a session and makes it the active one in the place of `replaced`.
fn create(
    desk: &mut Desk<'_>,
    New { topic, settings, allowed, fencing, reported }: New,
    replaced: Option<&SessionId>,
) -> Result<Reply, AppError> {
    confirm_approval_mode(desk, settings.approval)?;
    let inspect = desk.permitted(settings.research, allowed)?;
    let facts = desk.find(&topic, &inspect, None);
    // A git that runs just now is waited for while nothing has been made yet.
    desk.guardian.ready(fencing)?;
    // Before anything is armed, so that nothing of ours is in it.
    let snapped = desk.baseline.take()?;
    // Armed first: without an active session the hooks let everything pass, so a failure from here on leaves nothing
    // refused, while the other order could leave a session that nothing protects.
    let _ = desk.guardian.arm()?;
    // Looking at the repository and asking for permission take time, in which somebody else may have begun.
    if let Some(active) = desk.dispatcher.store.active()?
        && replaced != Some(&active)
    {
        let topic = desk.dispatcher.store.load(&active)?.session.topic.to_string();
        return Err(AppError::Refused(Refusal::AnotherActive { topic }));
    }
    let beginning = Beginning { topic, settings, branch: desk.branch.clone(), facts, reported };
    let created = desk.dispatcher.create(&desk.actor, beginning).and_then(|outcome| {
        desk.baseline.keep(&snapped, &outcome.after.id)?;
        desk.dispatcher.store.activate(&outcome.after.id)?;
        Ok(outcome)
    });
    let outcome = match created {
        Ok(outcome) => outcome,
        Err(error) => {
            // Another process may have been faster: the hooks are its session's then, also when it began only now.
            if let Ok(None) = desk.dispatcher.store.active() {
                desk.guardian.disarm()?;
                if let Ok(Some(_)) = desk.dispatcher.store.active() {
                    desk.guardian.arm()?;
                }
            }
            return Err(error);
        }
    };
    // The fence comes after the state that says whose it is. The hooks are armed once more, for a process that failed to
    // start meanwhile and took them away before it could see us; and then git tries what must be refused.
    let protection = held(desk, &outcome.after, fencing)?;
    desk.watch(&outcome);
    let outcome = advance(desk, outcome)?;
    Ok(Reply::Arrived { arrival: Arrival::Started, outcome: Box::new(outcome), protection })
}

/// Protects a session that became active just now. One that cannot be protected is left again: it stays unfinished,
/// and `git grill resume` goes on with it.
fn held(desk: &mut Desk<'_>, session: &Session, fencing: Fencing) -> Result<Protection, AppError> {
    desk.guardian.hold(session, fencing).map_err(|mut error| {
        // What was wrong in the first place is what has to be said.
        let _ = free_the_worktree(desk, None);
        if let AppError::Environment { causes, .. } = &mut error {
            causes.push(format!(
                "so it is not active, and nothing is refused; git grill resume {} goes on with it",
                session.id
            ));
        }
        error
    })
}

/// Anything but a person's own approval takes a person's yes, or the user's own configuration (G30).
fn confirm_approval_mode(desk: &mut Desk<'_>, approval: Approval) -> Result<(), AppError> {
    if approval == Approval::Person || approval == desk.defaults.approval {
        return Ok(());
    }
    desk.need_person(
        "letting somebody else approve",
        "git config --global grill.approval script allows it for every session of yours",
    )?;
    let question = format!("Approvals in this session may come from a {approval} instead of you. Allow it?");
    let allowed = desk.prompter.confirm(&question).answered().map_err(not_answered("starting"))?;
    if allowed { Ok(()) } else { Err(AppError::Cancelled("starting")) }
}

/// Makes an existing session the active one here.
pub fn arrive(desk: &mut Desk<'_>, id: &SessionId, fencing: Fencing) -> Result<Reply, AppError> {
    let session = desk.dispatcher.store.load(id)?.session;
    if session.is_closed() {
        return Err(AppError::Refused(Refusal::SessionClosed { deed: "resuming" }));
    }
    let snapped = desk.snap(id)?;
    let protection = if desk.dispatcher.store.active().is_ok_and(|active| active.as_ref() == Some(id)) {
        if let Some(snapped) = snapped {
            desk.baseline.keep(&snapped, id)?;
        }
        // Whatever goes wrong now, what protects it already goes on doing so.
        desk.guardian.hold(&session, fencing)?
    } else {
        desk.guardian.ready(fencing)?;
        desk.dispatcher.store.activate(id)?;
        if let Some(snapped) = snapped {
            desk.baseline.keep(&snapped, id)?;
        }
        held(desk, &session, fencing)?
    };
    desk.watch(&Outcome::nothing(session));
    let session = desk.session()?;
    let outcome = advance(desk, Outcome::nothing(session))?;
    Ok(Reply::Arrived { arrival: Arrival::Resumed, outcome: Box::new(outcome), protection })
}

fn advance(desk: &mut Desk<'_>, outcome: Outcome) -> Result<Outcome, AppError> {
    let id = outcome.after.id.clone();
    Ok(outcome.then(desk.advance(&id)?))
}
