//! Ending: the session is closed, and what only served it is taken away (G17).

use crate::domain::command::{Command, Ending};
use crate::domain::decide::produced_something;
use crate::domain::drift::Verification;
use crate::domain::ids::SessionId;
use crate::domain::session::Session;

use super::desk::Desk;
use super::error::{AppError, waits_for_a_person};
use super::outside;
use super::ports::{CheckpointView, Code, Finding, Severity};
use super::reply::{Outcome, Reply};

/// How a session ends when nothing is said about it: after outputs, if there are any.
pub fn ending(session: &Session) -> Ending {
    if produced_something(session) { Ending::AfterOutputs } else { Ending::WithoutOutput }
}

/// Ends the session and takes everything away that only served it.
pub fn end(desk: &mut Desk<'_>, session: &Session, ending: Ending) -> Result<Reply, AppError> {
    let (session, changed) = outside::look(desk, session)?;
    if !changed.is_empty() {
        desk.voice.say(&Reply::Outside(changed))?;
    }
    desk.name_drift(&session);
    let outcome = desk.handle(&session.id, Command::Stop { ending, summary: None })?;
    if !outcome.after.is_closed() {
        return Err(waits_for_a_person(&desk.actor, "ending the session without output"));
    }
    leave(desk, outcome)
}

/// Takes away what served an ended session. Bears being called again after a crash.
pub fn leave(desk: &mut Desk<'_>, outcome: Outcome) -> Result<Reply, AppError> {
    let warnings = free_the_worktree(desk, Some(&outcome.after))?;
    Ok(Reply::Left { outcome: Box::new(outcome), warnings })
}

/// Takes the view, the hooks, the baseline and the pointer away, the pointer last: as long as it stands, `stop` can be
/// typed again. A baseline from which something drifted stays, since it can still be brought back. Where another session
/// was begun in the place of the one that ended, nothing is taken from it.
pub fn free_the_worktree(desk: &mut Desk<'_>, ended: Option<&Session>) -> Result<Vec<String>, AppError> {
    let store = desk.dispatcher.store;
    let _claim = match ended {
        Some(_) => Some(store.claim()?),
        // What cannot be read is left whoever else is at it, and whether or not a file can be made.
        None => None,
    };
    if let (Some(ended), Ok(Some(active))) = (ended, store.active())
        && active != ended.id
    {
        return Ok(Vec::new());
    }
    let view = desk.view.map_or(Ok(()), CheckpointView::remove);
    let mut warnings = desk.guardian.disarm()?;
    warnings.extend(view.err().map(|error| error.to_string()));
    if let Some(session) = ended {
        desk.shown.forget(&session.id);
        let clean = session.verified.as_ref().is_some_and(Verification::is_clean);
        // Where it stays, the hooks that were just taken away are none of its drift.
        let settled = if clean {
            desk.forget_baseline(&session.id)
        } else {
            // What an agent may have changed was named with the rest.
            let ended = desk.unwatch(&session.id);
            desk.baseline.settle_settings(&session.id).map_err(AppError::from).and(ended)
        };
        warnings.extend(settled.err().map(|error| error.to_string()));
    }
    store.deactivate()?;
    Ok(warnings)
}

/// Takes away what served a session that is over and is still pointed to here, if there is one: its end was cut off.
pub fn leave_what_ended(desk: &mut Desk<'_>) -> Option<Finding> {
    let session = desk.pointed_to().ok().filter(|session| session.is_closed() && desk.dispatcher.outside.is_none())?;
    match free_the_worktree(desk, Some(&session)) {
        Ok(_) => Some(of_ended(&session.id, "this worktree")),
        Err(error) => {
            desk.voice.warn(&error);
            None
        }
    }
}

/// That a worktree points to a session that is over.
pub fn of_ended(id: &SessionId, place: &str) -> Finding {
    let what = format!("GRILL_HEAD in {place} names session {id}, which is over");
    let why = "a stop was cut off there, and not all that served the session was taken away";
    Finding::new(Code::PointerEnded, Severity::Warning, what, why).fixable().of(id)
}
