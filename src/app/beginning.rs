//! Beginning: a session is created and protected, or one that exists is made the active one here (G1 to G6).

use std::collections::BTreeSet;

use crate::domain::actor::Actor;
use crate::domain::facts::Inspection;
use crate::domain::ids::SessionId;
use crate::domain::posture::Fencing;
use crate::domain::refusal::Refusal;
use crate::domain::session::Session;
use crate::domain::settings::{Approval, Interviewer, Research, Settings};
use crate::domain::text::{Line, Topic};

use super::context::Context;
use super::dispatcher::Beginning;
use super::ending::free_the_worktree;
use super::error::{AppError, not_answered};
use super::ports::Listed;
use super::prompt::Choice;
use super::reply::{Arrival, Outcome, Protection, Reply};
use super::topics::{self, Confirmed};

/// What somebody wants to begin with.
pub struct Wanted {
    /// What it is about; with `None`, topics are proposed and a person chooses one.
    pub topic: Option<Topic>,
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
    Asks,
    Refuses,
}

/// Said where an agent begins a session and the configuration lets others than a person approve.
pub(super) const PERSON_APPROVES: &str =
    "a person approves in this session, whatever grill.approval is set to, because an agent started it";

/// Begins a session, or goes on with the one that is meant (G1 to G3).
pub fn begin(context: &mut Context<'_>, wanted: Wanted, doubt: Doubt) -> Result<Reply, AppError> {
    let Wanted { topic, settings, allowed, fencing, reported } = wanted;
    let active = match context.session() {
        Ok(session) => Some(session),
        Err(AppError::NoSession) => None,
        Err(other) => return Err(other),
    };
    let pointed_to = context.dispatcher.store.active()?;
    let topic = match (active, topic) {
        (Some(session), None) => return arrive(context, &session.id, fencing),
        (Some(session), Some(topic)) if session.topic.normalised() == topic.normalised() => {
            return arrive(context, &session.id, fencing);
        }
        (Some(session), Some(topic)) => match which_is_meant(context, &session, &topic, doubt)? {
            Meant::Active => return arrive(context, &session.id, fencing),
            Meant::New => topic,
        },
        (None, Some(topic)) => topic,
        (None, None) => match topics::confirm(context)? {
            // The unfinished sessions were listed too, so a topic sent from there begins a new one.
            Confirmed::Topic(topic) => {
                let new = New { topic, settings, allowed, fencing, reported, fetched: None, no_interview: false };
                return create(context, new, pointed_to.as_ref());
            }
            Confirmed::Unfinished(id) => return arrive(context, &id, fencing),
        },
    };
    let (own, fetched) = unfinished(context, &topic)?;
    if let Some(own) = own {
        return arrive(context, &own, fencing);
    }
    let new = New { topic, settings, allowed, fencing, reported, fetched, no_interview: false };
    create(context, new, pointed_to.as_ref())
}

/// Begins a session without an interview: nothing is asked in it, nothing is looked at, and a person may stop it at any
/// time (P13). Whatever began it says how tightly it holds the worktree; until then nothing may change.
pub fn begin_without_interview(context: &mut Context<'_>, topic: Topic) -> Result<Reply, AppError> {
    let settings = Settings { interviewer: Interviewer::BuiltIn, research: Research::Off, ..context.defaults.clone() };
    let (allowed, fencing) = (BTreeSet::new(), context.fencing);
    let new = New { topic, settings, allowed, fencing, reported: None, fetched: None, no_interview: true };
    create(context, new, None)
}

enum Meant {
    Active,
    New,
}

/// Another topic while one is active asks which is meant; where nobody can be asked it is refused (G3).
fn which_is_meant(context: &mut Context<'_>, active: &Session, topic: &Topic, doubt: Doubt) -> Result<Meant, AppError> {
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
    let chosen = context.prompter.choose(question, &choices).answered();
    Ok(match chosen.map_err(not_answered("starting"))? {
        0 => Meant::Active,
        _ => Meant::New,
    })
}

/// The unfinished session about the same topic, and one that was only fetched: anybody may have chosen the topic of that
/// one, so that it takes its id to go on with it. One that is active in another worktree is refused by name (G3).
fn unfinished(context: &Context<'_>, topic: &Topic) -> Result<(Option<SessionId>, Option<SessionId>), AppError> {
    let wanted = topic.normalised();
    let store = context.dispatcher.store;
    let mut ids = store.ids()?;
    ids.retain(|id| id.may_be_about(topic));
    let found = store.list_entries(&ids)?.into_iter().filter(|listed| {
        listed.state.as_ref().is_ok_and(|state| state.phase != "closed" && state.topic.normalised() == wanted)
    });
    let (own, fetched): (Vec<Listed>, Vec<Listed>) = found.partition(|listed| is_own(context, listed));
    let first = |listed: Vec<Listed>| listed.into_iter().next().map(|one| one.id);
    Ok((first(own), first(fetched)))
}

/// Whether a session is this clone's. One that was adopted may have nothing recorded yet.
pub fn is_own(context: &Context<'_>, listed: &Listed) -> bool {
    listed.active_in.is_some() || context.dispatcher.store.recorded_here(&listed.id)
}

/// What a new session begins with.
struct New {
    topic: Topic,
    settings: Settings,
    allowed: BTreeSet<Inspection>,
    fencing: Fencing,
    reported: Option<Line>,
    /// A session about the same topic that was only fetched.
    fetched: Option<SessionId>,
    /// True for a session without an interview.
    no_interview: bool,
}

/// Creates a session and makes it the active one in the place of `replaced`.
fn create(
    context: &mut Context<'_>,
    New { topic, settings, allowed, fencing, reported, fetched, no_interview }: New,
    replaced: Option<&SessionId>,
) -> Result<Reply, AppError> {
    let approval = approval_mode(context, settings.approval)?;
    let lowered = approval != settings.approval;
    let settings = Settings { approval, ..settings };
    let inspect = context.permitted(settings.research, allowed)?;
    let facts = context.find(&topic, &inspect, None);
    // A git that runs just now is waited for while nothing has been made yet.
    context.guardian.ready(fencing)?;
    // Before anything is armed, so that nothing of ours is in it.
    let snapped = context.baseline.take()?;
    // Armed first: without an active session the hooks let everything pass, so a failure from here on leaves nothing
    // refused, while the other order could leave a session that nothing protects.
    let _ = context.guardian.arm()?;
    let normalised = topic.normalised();
    let beginning = Beginning { topic, settings, branch: context.branch.clone(), facts, reported, no_interview };
    // Looking at the repository and asking for permission take time, in which somebody else may have begun. Who loses
    // has made nothing yet.
    let created = context.dispatcher.store.claim().map_err(AppError::from).and_then(|_claim| {
        if let Some(meanwhile) = begun_meanwhile(context, replaced)? {
            return Ok(Created::Meanwhile(Box::new(meanwhile)));
        }
        let outcome = context.dispatcher.create(&context.actor, beginning)?;
        context.keep_baseline(&snapped, &outcome.after.id)?;
        context.dispatcher.store.activate(&outcome.after.id)?;
        Ok(Created::Ours(Box::new(outcome)))
    });
    let outcome = match created {
        Ok(Created::Ours(outcome)) => *outcome,
        // It is the session of this topic, which is gone on with, as if we had come a moment later.
        Ok(Created::Meanwhile(session)) if session.topic.normalised() == normalised => {
            return arrive(context, &session.id, fencing);
        }
        Ok(Created::Meanwhile(session)) => {
            return Err(AppError::Refused(Refusal::AnotherActive { topic: session.topic.to_string() }));
        }
        Err(error) => {
            // Another process may have been faster: the hooks are its session's then, also when it began only now.
            if let Ok(None) = context.dispatcher.store.active() {
                context.guardian.disarm()?;
                if let Ok(Some(_)) = context.dispatcher.store.active() {
                    context.guardian.arm()?;
                }
            }
            return Err(error);
        }
    };
    // The fence comes after the state that says whose it is. The hooks are armed once more, for a process that failed to
    // start meanwhile and took them away before it could see us; and then git tries what must be refused.
    let mut protection = held(context, &outcome.after, fencing)?;
    if lowered {
        protection.warnings.push(PERSON_APPROVES.to_owned());
    }
    if let Some(id) = fetched {
        protection.warnings.push(format!(
            "{id} has the same topic and was only fetched, so a new session begins; git grill resume {id} continues that one"
        ));
    }
    context.watch(&outcome);
    let outcome = advance(context, outcome)?;
    Ok(Reply::Arrived { arrival: Arrival::Started, outcome: Box::new(outcome), protection })
}

/// What became of a session that was to be created.
enum Created {
    /// It is active.
    Ours(Box<Outcome>),
    /// Another process was faster, and this one is.
    Meanwhile(Box<Session>),
}

/// The session that somebody made the active one here since it was `seen` which is. Asked while the right to change that
/// is held.
fn begun_meanwhile(context: &Context<'_>, seen: Option<&SessionId>) -> Result<Option<Session>, AppError> {
    match context.dispatcher.store.active()? {
        Some(active) if seen != Some(&active) => Ok(Some(context.dispatcher.store.load(&active)?.session)),
        Some(_) | None => Ok(None),
    }
}

/// Protects a session that became active just now. One that cannot be protected is left again: it stays unfinished,
/// and `git grill resume` goes on with it.
fn held(context: &mut Context<'_>, session: &Session, fencing: Fencing) -> Result<Protection, AppError> {
    context.guardian.hold(session, fencing).map_err(|mut error| {
        // What was wrong in the first place is what has to be said. The pointer goes first: without it what protects lets
        // everything pass, also if it cannot be taken away; and where the pointer cannot be (in a reftable repository that
        // takes room), what protects stays.
        let left = context.dispatcher.store.deactivate().is_ok();
        if left {
            let _ = free_the_worktree(context, None);
        }
        if let AppError::Environment { causes, .. } = &mut error {
            causes.push(if left {
                format!("so it is not active, and nothing is refused; git grill resume {} goes on with it", session.id)
            } else {
                "and it could not be left again: git grill stop --without-output does that".to_owned()
            });
        }
        error
    })
}

/// The approval mode that a session may begin with (G30). Another than `person` takes a person's yes at a terminal, or the
/// word of the account's or the system's configuration, and an agent never has it: it would begin a session in which it
/// approves for itself.
fn approval_mode(context: &mut Context<'_>, wanted: Approval) -> Result<Approval, AppError> {
    let configured = context.defaults.approval;
    let hint = "git config --global grill.approval script allows it for every session that no agent starts";
    match (&context.actor, wanted) {
        (_, Approval::Person) => Ok(wanted),
        // Nobody asked for it: the agent that starts is not who the setting is for.
        (Actor::Agent(_), _) if wanted == configured => Ok(Approval::Person),
        (Actor::Agent(name), _) => Err(AppError::NeedsPerson {
            deed: "letting a script or an agent approve".to_owned(),
            why: format!("{name} is an agent, and in a session that an agent starts a person approves"),
            hint: format!("a person can start it at a terminal: git grill start --approval {wanted}"),
        }),
        (Actor::Human | Actor::Unattended | Actor::System, _) if wanted == configured => Ok(wanted),
        (Actor::Human | Actor::Unattended | Actor::System, _) => {
            context.need_person("letting a script or an agent approve", hint)?;
            let question = format!("Approvals in this session may then come from {wanted}s instead of you. Allow it?");
            let allowed = context.prompter.confirm(&question).answered().map_err(not_answered("starting"))?;
            if allowed { Ok(wanted) } else { Err(AppError::Cancelled("starting")) }
        }
    }
}

/// Makes an existing session the active one here.
pub fn arrive(context: &mut Context<'_>, id: &SessionId, fencing: Fencing) -> Result<Reply, AppError> {
    // A pointer that cannot be read is set anew.
    let seen = context.dispatcher.store.active().ok().flatten();
    let session = context.dispatcher.store.load(id)?.session;
    if session.is_closed() {
        return Err(AppError::Refused(Refusal::SessionClosed { deed: "resuming" }));
    }
    let snapped = context.snap(id)?;
    let protection = if seen.as_ref() == Some(id) {
        if let Some(snapped) = snapped {
            context.keep_baseline(&snapped, id)?;
        }
        // Whatever goes wrong now, what protects it already goes on doing so.
        context.guardian.hold(&session, fencing)?
    } else {
        context.guardian.ready(fencing)?;
        take_over(context, id, seen.as_ref())?;
        if let Some(snapped) = snapped {
            context.keep_baseline(&snapped, id)?;
        }
        held(context, &session, fencing)?
    };
    context.watch(&Outcome::nothing(session));
    let session = context.session()?;
    let outcome = advance(context, Outcome::nothing(session))?;
    Ok(Reply::Arrived { arrival: Arrival::Resumed, outcome: Box::new(outcome), protection })
}

/// Makes an existing session the active one in the place of the one that was `seen`, and of no other.
fn take_over(context: &Context<'_>, id: &SessionId, seen: Option<&SessionId>) -> Result<(), AppError> {
    let store = context.dispatcher.store;
    let _claim = store.claim()?;
    if let Ok(Some(active)) = store.active()
        && Some(&active) != seen
        && active != *id
    {
        let topic = store.load(&active)?.session.topic.to_string();
        return Err(AppError::Refused(Refusal::AnotherActive { topic }));
    }
    Ok(store.activate(id)?)
}

fn advance(context: &mut Context<'_>, outcome: Outcome) -> Result<Outcome, AppError> {
    let id = outcome.after.id.clone();
    Ok(outcome.then(context.advance(&id)?))
}
