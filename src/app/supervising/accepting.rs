//! Accepting an agent's work: who may, where, what a person is asked, and one step that can be taken back (A16, A23, A39).

use std::collections::BTreeSet;

use crate::app::context::Context;
use crate::app::error::AppError;
use crate::app::ports::{AcceptFate, AcceptOutcome, AcceptStep, Offer, OfferedFile, Supervising, ToUndo};
use crate::app::reply::Reply;
use crate::domain::actor::Actor;
use crate::domain::agents::AgentHandle;
use crate::domain::agents::acceptance::{AcceptedBy, MayAccept};
use crate::domain::agents::overlap::{Overlap, overlaps};
use crate::domain::agents::refusal::Refusal;
use crate::domain::agents::state::SessionState;
use crate::domain::harmless::on_one_line;
use crate::domain::ids::ObjectId;
use crate::domain::session::{Grip, Phase};
use crate::domain::text::Line;

use super::conflicts::{clashes, conflicting};
use super::lent::Loan;
use super::naming::{again, named};
use super::{choosing, committing};
use super::{replied, supervising};

pub(super) const DEED: &str = "accepting the work of an agent";
/// What brings back what was there, as a choice says it.
const UNDOES: &str = "--undo brings back what was there";
const UNDOES_COMMIT: &str = "git revert takes the commit back";
const NOT_ACCEPTED: &str = "nothing was accepted";
const UNDO: &str = "undoing an accept";

/// Accepts what a person chooses of the files of these names, or of all: as `changes` lists them, or folders above them.
pub fn accept(
    context: &mut Context<'_>,
    session: AgentHandle,
    names: &[String],
    commit: Option<&[String]>,
) -> Result<Reply, AppError> {
    let port = supervising(context)?;
    let by = match who(context, port, DEED, &again(session, names, commit)) {
        Ok(by) => by,
        // No person is needed to say that there is nothing to accept, or that no person can accept it either.
        Err(refused) => {
            let nothing = nothing(port, session)?;
            allowed(context, DEED)?;
            return nothing.ok_or(refused);
        }
    };
    // A commit that cannot be is refused before anything is asked.
    let branch = commit.map(|_| committing::ready(context, &[])).transpose()?;
    settles(port, session, &by, DEED)?;
    let (offer, allowed) = {
        let _claim = context.dispatcher.store.claim()?;
        let allowed = allowed(context, DEED)?;
        committing::tidy(context);
        (port.offer(session)?, allowed)
    };
    if let Some(step) = &offer.undone {
        let older = older_commits(context, port, session, step);
        context.voice.say(&taken_back(context, session, step.clone(), older, true))?;
    }
    let offer = named(session, offer, names, commit)?;
    within(offer.files.iter(), allowed.as_ref())?;
    let files: Vec<&OfferedFile> = offer.files.iter().filter(|file| file.fate != AcceptFate::Already).collect();
    if files.is_empty() {
        return settled(port, session, &offer);
    }
    let clashes = clashes(&files);
    if !clashes.is_empty() {
        return Err(conflicting(context, session, &offer, &clashes, commit)?);
    }
    if let Some(message) = commit {
        committing::can_hold(context, session, &files, message)?;
    }
    let chosen = match &by {
        AcceptedBy::Person => {
            context.voice.say(&replied(offered(port, session, &offer)?))?;
            let undo = if commit.is_some() { UNDOES_COMMIT } else { UNDOES };
            choosing::asked(context, port, session, &offer, &files, undo)?
        }
        AcceptedBy::Host { .. } | AcceptedBy::Unrecorded => without_cautions(session, &files)?,
    };
    if chosen.is_empty() {
        return Err(AppError::Cancelled(DEED));
    }
    if commit.is_some() {
        let now = committing::ready(context, &chosen)?;
        committing::still_on(branch.as_deref(), &now)?;
    }
    match accepted(context, port, session, &chosen, &by)? {
        AcceptOutcome::Accepted { paths, shown, kept, rest, unrecorded } => {
            told(context, session, unrecorded);
            let commit = match commit {
                Some(given) if !paths.is_empty() => {
                    let agent = port.session(session)?.session.started.agent;
                    Some(committing::commit(context, session, agent.as_str(), &paths, given)?)
                }
                Some(_) | None => None,
            };
            Ok(replied(Loan::Accepted { session, paths: shown, kept, rest, commit }))
        }
        AcceptOutcome::Conflicts(conflicts) => Err(conflicting(context, session, &offer, &conflicts, commit)?),
    }
}

/// Accepts files, if they still may change: a session may have begun while the person was choosing. None begins meanwhile.
fn accepted(
    context: &Context<'_>,
    port: &dyn Supervising,
    session: AgentHandle,
    files: &[&OfferedFile],
    by: &AcceptedBy,
) -> Result<AcceptOutcome, AppError> {
    let _claim = context.dispatcher.store.claim()?;
    within(files.iter().copied(), allowed(context, DEED)?.as_ref())?;
    port.accept(session, files, by)
}

/// Takes the newest accept of a session back.
pub fn undo(context: &mut Context<'_>, session: AgentHandle) -> Result<Reply, AppError> {
    let port = supervising(context)?;
    let command = format!("git grill agent accept {session} --undo");
    let by = match who(context, port, UNDO, &command) {
        Ok(by) => by,
        Err(refused) => {
            allowed(context, UNDO)?;
            let seen = port.session(session)?;
            if seen.session.accepts.is_empty() && !seen.half_done {
                // It refuses, and says why.
                port.to_undo(session)?;
            }
            return Err(refused);
        }
    };
    let _claim = context.dispatcher.store.claim()?;
    let allowed = allowed(context, UNDO)?;
    settles(port, session, &by, UNDO)?;
    committing::tidy(context);
    let (step, accepted_by) = match port.to_undo(session)? {
        ToUndo::CutOff(step) => {
            let older = older_commits(context, port, session, &step);
            return Ok(taken_back(context, session, step, older, true));
        }
        ToUndo::Step(step, accepted_by) => (step, accepted_by),
    };
    if let Some(path) = allowed.and_then(|allowed| step.paths.iter().find(|path| !allowed.contains(*path))) {
        return Err(not_approved(UNDO, path));
    }
    if matches!(by, AcceptedBy::Host { .. }) && !matches!(accepted_by, Some(AcceptedBy::Host { .. })) {
        return Err(AppError::NeedsPerson {
            deed: UNDO.to_owned(),
            why: "this one was accepted by a person".to_owned(),
            hint: format!("{command}, at a terminal"),
        });
    }
    if let Some(commits) = context.commits.filter(|_| step.differs) {
        committing::not_committed_since(commits, &step, &command)?;
    }
    let step = port.take_back(session, step.number, &by)?;
    told(context, session, step.unrecorded.clone());
    let older = older_commits(context, port, session, &step);
    Ok(taken_back(context, session, step, older, false))
}

/// The commits that have the files of the newest accept that is left, the newest first; none where that cannot be told.
fn older_commits(
    context: &Context<'_>,
    port: &dyn Supervising,
    session: AgentHandle,
    step: &AcceptStep,
) -> Vec<ObjectId> {
    if step.others == 0 {
        return Vec::new();
    }
    match (context.commits, port.to_undo(session)) {
        (Some(commits), Ok(ToUndo::Step(older, _))) if older.differs => {
            commits.commits_at(&older.head, &older.paths).unwrap_or_default()
        }
        (Some(_) | None, Ok(ToUndo::Step(..) | ToUndo::CutOff(_)) | Err(_)) => Vec::new(),
    }
}

fn taken_back(
    context: &Context<'_>,
    session: AgentHandle,
    step: AcceptStep,
    committed: Vec<ObjectId>,
    cut_off: bool,
) -> Reply {
    // What the index had before the accept is the person's, and may be nowhere else.
    let staged = context.commits.and_then(|commits| commits.staged_at(&step.restaged).ok()).unwrap_or_default();
    let named = step.paths.iter().zip(&step.shown).filter(|(path, _)| staged.contains(path));
    let staged = named.map(|(path, shown)| (path.clone(), shown.clone())).collect();
    let (older, work) = (step.others, step.work);
    replied(Loan::TakenBack { session, paths: step.shown, older, committed, cut_off, work, staged })
}

/// Refuses a host where an accept was cut off: whose it was is not known, and it would be undone.
fn settles(port: &dyn Supervising, session: AgentHandle, by: &AcceptedBy, deed: &str) -> Result<(), AppError> {
    if *by != AcceptedBy::Person && port.session(session)?.half_done {
        return Err(AppError::NeedsPerson {
            deed: deed.to_owned(),
            why: "an accept or undo was interrupted: some of its files are written, others are not".to_owned(),
            hint: format!("git grill agent accept {session} --undo, at a terminal"),
        });
    }
    Ok(())
}

/// Says that the ledger does not tell of a step, which stands all the same.
fn told(context: &mut Context<'_>, session: AgentHandle, unrecorded: Option<String>) {
    if let Some(why) = unrecorded {
        context.voice.warn(&AppError::Environment {
            code: "ledger",
            message: format!("the log of {session} does not tell of it yet: {why}"),
            causes: Vec::new(),
            hint: Some(format!("git grill agent accept {session} records it when it is typed again")),
        });
    }
}

/// Who accepts: the person at the terminal, or a host that they put in charge.
fn who(
    context: &Context<'_>,
    port: &dyn Supervising,
    deed: &'static str,
    command: &str,
) -> Result<AcceptedBy, AppError> {
    if let Actor::Agent(name) = &context.actor
        && port.may_accept()? == MayAccept::Host
    {
        return Ok(AcceptedBy::Host { name: Line::clipped(name) });
    }
    context.need_person(deed, &format!("{command}, at a terminal"))?;
    match &context.actor {
        Actor::Human => Ok(AcceptedBy::Person),
        Actor::Agent(_) | Actor::Unattended | Actor::System => Err(AppError::NeedsPerson {
            deed: deed.to_owned(),
            why: format!("this was typed by {}", context.actor.in_words()),
            hint: format!("{command}, at a terminal"),
        }),
    }
}

/// The paths that may change now; none where all may (A23).
fn allowed(context: &Context<'_>, deed: &'static str) -> Result<Option<BTreeSet<Vec<u8>>>, AppError> {
    let session = match context.pointed_to() {
        Ok(session) => session,
        Err(AppError::NoSession) => return Ok(None),
        Err(error) => return Err(error),
    };
    let refused = |why: &str| AppError::Declined {
        code: "phase_forbids",
        message: format!("{deed} was refused: {why}"),
        causes: Vec::new(),
        hint: "git grill status shows where it stands; git grill stop ends it".to_owned(),
    };
    match &session.phase {
        Phase::Closed { .. } | Phase::NoInterview { hold: Grip::Lifted { .. } } => Ok(None),
        Phase::Interview(_) => Err(refused("an interview is active, and nothing changes before it ends")),
        Phase::Selection(_) => Err(refused("the output selection is open, and nothing changes before it is made")),
        Phase::NoInterview { hold: Grip::ReadOnly } => Err(refused("a session holds this worktree read-only")),
        Phase::Production(production) => {
            let drafts = production.approved().chain(production.written());
            Ok(Some(drafts.filter_map(|draft| Some(draft.path()?.as_str().as_bytes().to_vec())).collect()))
        }
    }
}

fn not_approved(deed: &str, path: &[u8]) -> AppError {
    AppError::Declined {
        code: "phase_forbids",
        message: format!("{deed} was refused: {} is not an approved path of the output phase", shown(path)),
        causes: Vec::new(),
        hint: "git grill stop ends the session; then everything can be accepted".to_owned(),
    }
}

/// A path as the person reads and types it.
fn shown(path: &[u8]) -> String {
    on_one_line(&String::from_utf8_lossy(path))
}

/// In the output phase, what it may change.
fn within<'f>(
    mut files: impl Iterator<Item = &'f OfferedFile>,
    allowed: Option<&BTreeSet<Vec<u8>>>,
) -> Result<(), AppError> {
    let Some(allowed) = allowed else { return Ok(()) };
    match files.find(|file| !allowed.contains(&file.path)) {
        Some(file) => Err(not_approved(DEED, &file.path)),
        None => Ok(()),
    }
}

/// What is offered, and which of it another session changed as well.
fn offered(port: &dyn Supervising, session: AgentHandle, offer: &Offer) -> Result<Loan, AppError> {
    let (seen, _) = port.sessions()?;
    let is_ours = |one: &Overlap| {
        one.sessions.contains(&session)
            && offer.files.iter().any(|file| String::from_utf8_lossy(&file.path) == one.path.as_str())
    };
    let overlaps = overlaps(seen.iter().map(|seen| &seen.session)).into_iter().filter(is_ours).collect();
    Ok(Loan::Offered { session, offer: offer.clone(), overlaps })
}

/// The answer of a session in which nothing can be accepted, by its ledger; none where a person has something to choose.
fn nothing(port: &dyn Supervising, session: AgentHandle) -> Result<Option<Reply>, AppError> {
    let seen = port.session(session)?;
    let now = &seen.session;
    if !now.started.profile.needs_worktree() || now.state == SessionState::Cleaned {
        // It refuses, and says why.
        port.offer(session)?;
    }
    if let Some(turn) = now.active_turn().map(|turn| turn.handle) {
        return Err(Refusal::TurnActive { deed: NOT_ACCEPTED, handle: session, turn }.into());
    }
    now.need_decided(NOT_ACCEPTED)?;
    let is_settled = now.open_turns().next().is_none() && !seen.half_done;
    let is_all = is_settled && now.changed.count() == 0;
    Ok(is_all.then(|| replied(Loan::Offered { session, offer: Offer::default(), overlaps: Vec::new() })))
}

/// Nothing differs from what stands here.
fn settled(port: &dyn Supervising, session: AgentHandle, offer: &Offer) -> Result<Reply, AppError> {
    if offer.files.is_empty() {
        return Ok(replied(offered(port, session, offer)?));
    }
    Ok(replied(Loan::Accepted { session, paths: Vec::new(), kept: None, rest: None, commit: None }))
}

/// What a host may accept: nothing that needs a yes of its own.
fn without_cautions<'f>(session: AgentHandle, files: &[&'f OfferedFile]) -> Result<Vec<&'f OfferedFile>, AppError> {
    let careful: Vec<&&OfferedFile> = files.iter().filter(|file| !file.cautions.is_empty()).collect();
    if careful.is_empty() {
        return Ok(files.to_vec());
    }
    let named = |file: &&&OfferedFile| format!("{}: {}", on_one_line(&file.file.path), file.cautions.join("; "));
    Err(AppError::Declined {
        code: "needs_person",
        message: "nothing was accepted: some files need a separate yes, which only a person can give".to_owned(),
        causes: careful.iter().map(named).collect(),
        hint: format!("git grill agent accept {session}, at a terminal; other files can be named and accepted alone"),
    })
}
