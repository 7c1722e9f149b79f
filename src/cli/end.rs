//! The verb that ends: stop (G17), and what it takes away.

use crate::app::context::Context;
use crate::app::ending::{end, ending, free_the_worktree, free_without_room, leave};
use crate::app::error::AppError;
use crate::app::gate::{confirm, open_gate};
use crate::app::ports::{CheckpointView, StoreError};
use crate::app::reply::{Outcome, Reply};
use crate::domain::actor::Actor;
use crate::domain::command::Ending;
use crate::domain::refusal::Refusal;
use crate::domain::session::Phase;

use super::{Manner, args, conversation};

/// Why the output selection opens where the session was to be ended.
pub(super) const NOTHING_YET: &str =
    "nothing was produced yet; git grill stop --without-output ends the session without output";

pub(super) fn stop(context: &mut Context<'_>, args: &args::Stop, manner: Manner) -> Result<Reply, AppError> {
    let ended = match context.pointed_to() {
        Ok(session) => session,
        Err(AppError::Store(error)) if hides_the_session(&error) => return abandon(context, args, manner, error),
        Err(AppError::NoSession) => {
            // A start that was killed before there was a session has armed the hooks, and no other verb takes them away.
            context.guardian.disarm()?;
            context.dispatcher.store.tidy()?;
            // A view that could not be taken away when its session ended was told of then.
            let _ = context.view.map(CheckpointView::remove);
            return Err(AppError::NoSession);
        }
        Err(other) => return Err(other),
    };
    if ended.is_closed() {
        return leave(context, Outcome::nothing(ended));
    }
    let session = match context.session() {
        Ok(session) => session,
        // There is no room for an edit of the checkpoint, which stays in its file.
        Err(error) if error.lacks_room() && args.without_output && !matches!(context.actor, Actor::Agent(_)) => {
            return Err(free_without_room(context, &ended, error));
        }
        Err(other) => return Err(other),
    };
    let ending = if args.without_output { Ending::WithoutOutput } else { ending(&session) };
    let said = args.without_output || ending == Ending::AfterOutputs || session.phase.asks_nothing();
    if let Some((number, _)) = session.own.debate.open().filter(|_| !said && !matches!(context.actor, Actor::Agent(_)))
    {
        return Err(AppError::Declined {
            code: "debate_open",
            message: format!("the session was not ended: debate {number} goes on"),
            causes: Vec::new(),
            hint:
                "git grill debate next goes on with it; git grill stop --without-output kills it and ends the session"
                    .to_owned(),
        });
    }
    if !said && manner == Manner::Conversation && !matches!(session.phase, Phase::Production(_)) {
        let opened = match open_gate(context, &session) {
            Ok(opened) => opened,
            // The output selection offers to stop without output. If it cannot be opened, ask here.
            Err(error) if error.lacks_room() => {
                confirm(
                    context,
                    "The disk is full: git grill cannot record the end. Unblock git and leave the session unfinished?",
                    "stopping",
                )?;
                let session = context.pointed_to()?;
                return Err(free_without_room(context, &session, error));
            }
            Err(other) => return Err(other),
        };
        context.voice.say(&Reply::Text(NOTHING_YET.to_owned()))?;
        return conversation::go_on(context, super::interview::happened(opened), manner);
    }
    if !said && manner == Manner::Conversation {
        confirm(context, "No chosen output has been written. End the session anyway?", "stopping")?;
        return end(context, &session, ending);
    }
    if !said && !matches!(context.actor, Actor::Agent(_)) {
        return Err(AppError::NeedsPerson {
            deed: "choosing between an output and none".to_owned(),
            why: "nothing was said about outputs".to_owned(),
            hint: "git grill stop --without-output ends it; git grill select design-doc chooses an output".to_owned(),
        });
    }
    end(context, &session, ending)
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
        | StoreError::RunWrites { .. }
        | StoreError::Unsigned { .. }
        | StoreError::TooLarge { .. }
        | StoreError::View { .. } => false,
    }
}

/// Leaves a session that cannot be read: nothing is recorded or rewritten, but nobody is held by a broken session. An
/// agent is: it could break one to be let out.
fn abandon(context: &mut Context<'_>, args: &args::Stop, manner: Manner, why: StoreError) -> Result<Reply, AppError> {
    if matches!(context.actor, Actor::Agent(_)) {
        return Err(AppError::Refused(Refusal::SelectionRequired));
    }
    if !args.without_output && manner == Manner::Single {
        return Err(AppError::Store(why));
    }
    if !args.without_output {
        confirm(context, &format!("{why}. Leave it as it is and free this worktree?"), "stopping")?;
    }
    let warnings = free_the_worktree(context, None)?;
    Ok(Reply::Abandoned { why: why.to_string(), warnings })
}
