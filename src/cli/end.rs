//! The verb that ends: stop (G17), and what it takes away.

use crate::app::desk::Desk;
use crate::app::error::AppError;
use crate::app::ports::{CheckpointView, StoreError};
use crate::app::reply::{Outcome, Reply};
use crate::domain::actor::Actor;
use crate::domain::command::{Command, Ending};
use crate::domain::decide::produced_something;
use crate::domain::drift::Verification;
use crate::domain::refusal::Refusal;
use crate::domain::session::{Phase, Session};

use super::{Manner, args, conversation, production};

/// `git grill stop`
pub(super) fn stop(desk: &mut Desk<'_>, args: &args::Stop, manner: Manner) -> Result<Reply, AppError> {
    let ended = match desk.pointed_to() {
        Ok(session) => session,
        Err(AppError::Store(error)) if hides_the_session(&error) => return abandon(desk, args, manner, error),
        Err(AppError::NoSession) => {
            // A start that was killed before there was a session has armed the hooks, and no other verb takes them away.
            desk.guardian.disarm()?;
            return Err(AppError::NoSession);
        }
        Err(other) => return Err(other),
    };
    if ended.is_closed() {
        return leave(desk, Outcome::nothing(ended));
    }
    let session = desk.session()?;
    let ending = if args.without_output { Ending::WithoutOutput } else { ending(&session) };
    let said = args.without_output || ending == Ending::AfterOutputs;
    if !said && manner == Manner::Conversation && !matches!(session.phase, Phase::Production(_)) {
        let opened = production::open_gate(desk, &session)?;
        return conversation::go_on(desk, super::interview::happened(opened), manner);
    }
    if !said && !matches!(desk.actor, Actor::Agent(_)) {
        return Err(AppError::NeedsPerson {
            deed: "choosing between an output and none".to_owned(),
            why: "nothing was said about outputs".to_owned(),
            hint: "git grill stop --without-output ends it; git grill select design-doc chooses an output".to_owned(),
        });
    }
    end(desk, &session, ending)
}

/// How a session ends when nothing is said about it: after outputs, if there are any.
pub(super) fn ending(session: &Session) -> Ending {
    if produced_something(session) { Ending::AfterOutputs } else { Ending::WithoutOutput }
}

/// Whether the session that this worktree points to can be neither read nor ended.
fn hides_the_session(error: &StoreError) -> bool {
    match error {
        StoreError::NoSuchSession(_)
        | StoreError::NewerFormat { .. }
        | StoreError::Corrupt { .. }
        | StoreError::BadPointer { .. }
        | StoreError::Io { .. }
        | StoreError::Git { .. } => true,
        StoreError::ActiveElsewhere { .. }
        | StoreError::NoSuchVersion { .. }
        | StoreError::Busy { .. }
        | StoreError::Unsigned { .. }
        | StoreError::Unsupported { .. }
        | StoreError::TooLarge { .. }
        | StoreError::View { .. } => false,
    }
}

/// Leaves a session that cannot be read: nothing is recorded or rewritten, but nobody is held by a broken session. An
/// agent is: it could break one to be let out.
fn abandon(desk: &mut Desk<'_>, args: &args::Stop, manner: Manner, why: StoreError) -> Result<Reply, AppError> {
    if matches!(desk.actor, Actor::Agent(_)) {
        return Err(AppError::Refused(Refusal::SelectionRequired));
    }
    if !args.without_output && manner == Manner::Single {
        return Err(AppError::Store(why));
    }
    if !args.without_output {
        let question = format!("{why}. Leave it as it is and free this worktree?");
        let granted = desk.prompter.confirm(&question).answered().map_err(conversation::not_answered("stopping"))?;
        if !granted {
            return Err(AppError::Cancelled("stopping"));
        }
    }
    let warnings = free_the_worktree(desk, None)?;
    Ok(Reply::Abandoned { why: why.to_string(), warnings })
}

/// Ends the session and takes everything away that only served it.
pub(super) fn end(desk: &mut Desk<'_>, session: &Session, ending: Ending) -> Result<Reply, AppError> {
    desk.name_drift(session);
    let outcome = desk.handle(&session.id, Command::Stop { ending, summary: None })?;
    if !outcome.after.is_closed() {
        return Err(production::waits_for_a_person(desk, "ending the session without output"));
    }
    leave(desk, outcome)
}

/// Takes away what served an ended session. Bears being called again after a crash.
pub(super) fn leave(desk: &mut Desk<'_>, outcome: Outcome) -> Result<Reply, AppError> {
    let warnings = free_the_worktree(desk, Some(&outcome.after))?;
    Ok(Reply::Left { outcome: Box::new(outcome), warnings })
}

/// Takes the view, the hooks, the baseline and the pointer away, the pointer last: as long as it stands, `stop` can be
/// typed again. A baseline from which something drifted stays, since it can still be brought back.
pub(super) fn free_the_worktree(desk: &mut Desk<'_>, ended: Option<&Session>) -> Result<Vec<String>, AppError> {
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
