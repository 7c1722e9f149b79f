//! Ending: the session is closed, and what only served it is taken away (G17).

use crate::domain::command::{Command, Ending};
use crate::domain::decide::produced_something;
use crate::domain::drift::Verification;
use crate::domain::session::Session;

use super::desk::Desk;
use super::error::{AppError, waits_for_a_person};
use super::ports::CheckpointView;
use super::reply::{Outcome, Reply};

/// How a session ends when nothing is said about it: after outputs, if there are any.
pub fn ending(session: &Session) -> Ending {
    if produced_something(session) { Ending::AfterOutputs } else { Ending::WithoutOutput }
}

/// Ends the session and takes everything away that only served it.
pub fn end(desk: &mut Desk<'_>, session: &Session, ending: Ending) -> Result<Reply, AppError> {
    desk.name_drift(session);
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
/// typed again. A baseline from which something drifted stays, since it can still be brought back.
pub fn free_the_worktree(desk: &mut Desk<'_>, ended: Option<&Session>) -> Result<Vec<String>, AppError> {
    let view = desk.view.map_or(Ok(()), CheckpointView::remove);
    let mut warnings = desk.guardian.disarm()?;
    warnings.extend(view.err().map(|error| error.to_string()));
    if let Some(session) = ended {
        let clean = session.verified.as_ref().is_some_and(Verification::is_clean);
        // Where it stays, the hooks that were just taken away are none of its drift.
        let settled =
            if clean { desk.baseline.forget(&session.id) } else { desk.baseline.settle_settings(&session.id) };
        warnings.extend(settled.err().map(|error| error.to_string()));
    }
    desk.dispatcher.store.deactivate()?;
    Ok(warnings)
}
