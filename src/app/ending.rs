//! Ending: the session is closed, and what only served it is taken away (G17).

use crate::domain::command::{Command, Ending};
use crate::domain::decide::{decide, produced_something};
use crate::domain::drift::Verification;
use crate::domain::event::Event;
use crate::domain::ids::SessionId;
use crate::domain::posture::Posture;
use crate::domain::session::{Grip, Session};

use super::context::Context;
use super::error::{AppError, waits_for_a_person};
use super::outside;
use super::ports::{CheckpointView, Code, Finding, Severity, StoreError};
use super::reply::{Outcome, Reply};

/// How a session ends when nothing is said about it: after outputs, if there are any.
pub fn ending(session: &Session) -> Ending {
    if produced_something(session) { Ending::AfterOutputs } else { Ending::WithoutOutput }
}

/// Ends the session and takes everything away that only served it.
pub fn end(context: &mut Context<'_>, session: &Session, ending: Ending) -> Result<Reply, AppError> {
    let (session, changed) = outside::look(context, session)?;
    if !changed.is_empty() {
        context.voice.say(&Reply::Outside(changed))?;
    }
    // What changed while nothing was refused is no drift.
    let session = if Posture::of(&session.phase).refuses_nothing() { session } else { context.name_drift(&session).0 };
    let command = Command::Stop { ending, summary: None };
    let outcome = match context.handle(&session.id, command.clone()) {
        // A full disk does not let an agent out that may not end the session.
        Err(error) if error.lacks_room() && closes(context, &session, &command) => {
            match context.dispatcher.store.load(&session.id) {
                // The end was recorded; only something next to it found no room.
                Ok(loaded) if loaded.session.is_closed() => {
                    context.voice.warn(&error);
                    Outcome::nothing(loaded.session)
                }
                Ok(_) | Err(_) => return Err(free_without_room(context, &session, error)),
            }
        }
        handled => handled?,
    };
    if !outcome.after.is_closed() {
        return Err(waits_for_a_person(&context.actor, "ending the session without output"));
    }
    leave(context, outcome)
}

/// Whether this command would end the session if this caller sent it.
fn closes(context: &Context<'_>, session: &Session, command: &Command) -> bool {
    let decided = decide(session, &context.actor, context.dispatcher.clock.now(), command);
    decided.is_ok_and(|events| events.iter().any(|event| matches!(event, Event::Closed { .. })))
}

/// The error code when the end could not be recorded but git was unblocked anyway.
pub const END_NOT_RECORDED: &str = "end_not_recorded";

/// Unblocks git when a full disk keeps the end of a session from being recorded; removing files needs no space. The
/// session stays unfinished, as last `seen`, and is no longer active here. After any other failure the session may be
/// going on, so nothing is removed. The same holds if the session has changed since, or if another session is active.
///
/// Returns the error that reports all this.
pub fn free_without_room(context: &mut Context<'_>, seen: &Session, why: AppError) -> AppError {
    let store = context.dispatcher.store;
    // If there is no room for the lock files, no other process can take these locks either.
    let locks = (store.claim(), store.lock(&seen.id));
    let other_reason = |error: &StoreError| !error.lacks_room();
    if locks.0.as_ref().is_err_and(other_reason) || locks.1.as_ref().is_err_and(other_reason) {
        return why;
    }
    let stands = matches!(store.load(&seen.id), Ok(loaded) if loaded.session.seq == seen.seq);
    if !stands || !matches!(store.active(), Ok(Some(active)) if active == seen.id) {
        return why;
    }
    // The pointer goes first: without it the hooks allow everything, even hooks that cannot be removed. In a reftable
    // repository removing the pointer needs space, so everything stays: git cannot write a ref either, and the active
    // session stays protected.
    if store.deactivate().is_err() {
        return why;
    }
    let mut causes = vec![why.to_string()];
    causes.extend(why.causes());
    let view = context.view.map_or(Ok(()), CheckpointView::remove);
    causes.extend(view.err().map(|error| error.to_string()));
    causes.push("the session is unfinished and no longer active here; everything that was recorded is kept".to_owned());
    match context.guardian.disarm() {
        Ok(kept) => {
            causes.extend(kept);
            causes.push("git is as free as before: the hooks and the fence of this worktree are gone".to_owned());
        }
        Err(error) => {
            causes.push(error.to_string());
            causes.extend(error.causes());
            causes.push("once there is space, git grill stop removes the rest of the hooks and the fence".to_owned());
        }
    }
    let stop = match ending(seen) {
        Ending::AfterOutputs => "git grill stop",
        Ending::WithoutOutput => "git grill stop --without-output",
    };
    AppError::Environment {
        code: END_NOT_RECORDED,
        message: format!("could not record the end of session {}: no space is left on the disk", seen.id),
        causes,
        hint: Some(format!("once there is space: git grill resume {}, then {stop}", seen.id)),
    }
}

/// Takes away what served an ended session. Bears being called again after a crash.
pub fn leave(context: &mut Context<'_>, outcome: Outcome) -> Result<Reply, AppError> {
    // Later, after a crash, it is not known any more what the session ended with.
    if !outcome.events.is_empty()
        && !is_clean(&outcome.after)
        && let Err(error) = context.note_end(&outcome.after.id)
    {
        context.voice.warn(&error);
    }
    let warnings = free_the_worktree(context, Some(&outcome.after))?;
    Ok(Reply::Left { outcome: Box::new(outcome), warnings })
}

/// Whether the session has no drift. The last comparison with the baseline found none; or the session refused nothing
/// when it ended, so that every change was allowed.
fn is_clean(session: &Session) -> bool {
    let lifted = session.is_closed() && matches!(session.own.hold(), Grip::Lifted { .. });
    lifted || session.verified.as_ref().is_some_and(Verification::is_clean)
}

/// Takes the view, the hooks, the baseline and the pointer away, the pointer last: as long as it stands, `stop` can be
/// typed again. A baseline from which something drifted stays, since it can still be brought back. Where another session
/// was begun in the place of the one that ended, nothing is taken from it.
pub fn free_the_worktree(context: &mut Context<'_>, ended: Option<&Session>) -> Result<Vec<String>, AppError> {
    let store = context.dispatcher.store;
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
    let view = context.view.map_or(Ok(()), CheckpointView::remove);
    let mut warnings = context.guardian.disarm()?;
    warnings.extend(view.err().map(|error| error.to_string()));
    if let Some(session) = ended {
        context.shown.forget(&session.id);
        // Nothing is taken back any more.
        if let Some(files) = context.targets {
            files.end_back();
        }
        // What was found earlier does not tell what changed since the record of the start was lost.
        let clean = is_clean(session) && !context.is_lost(&session.id);
        // Where it stays, the hooks that were just taken away are none of its drift.
        let settled = if clean {
            context.forget_baseline(&session.id)
        } else {
            // What an agent may have changed was named with the rest.
            let ended = context.unwatch(&session.id);
            context.baseline.settle_settings(&session.id).map_err(AppError::from).and(ended)
        };
        warnings.extend(settled.err().map(|error| error.to_string()));
    }
    store.deactivate()?;
    Ok(warnings)
}

/// Takes away what served a session that is over and is still pointed to here, if there is one: its end was cut off.
pub fn leave_what_ended(context: &mut Context<'_>) -> Option<Finding> {
    let session =
        context.pointed_to().ok().filter(|session| session.is_closed() && context.dispatcher.outside.is_none())?;
    match free_the_worktree(context, Some(&session)) {
        Ok(_) => Some(of_ended(&session.id, "this worktree")),
        Err(error) => {
            context.voice.warn(&error);
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
