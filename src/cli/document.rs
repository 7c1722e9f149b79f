//! The checkpoint's verbs: show, edit, diff, log, restore (G18).

use crate::app::context::{Context, Subject};
use crate::app::error::AppError;
use crate::app::rebasing::explained;
use crate::app::reply::{Outcome, Reply};
use crate::app::revising::kept;
use crate::domain::checkpoint::{Checkpoint, CheckpointSource};
use crate::domain::command::Command;
use crate::domain::interview;
use crate::domain::text::Line;

use super::interview::happened;

/// `git grill checkpoint show`
pub(super) fn show(context: &mut Context<'_>, version: Option<&str>) -> Result<Reply, AppError> {
    let session = context.session()?;
    Ok(Reply::Checkpoint(match version {
        Some(version) => context.dispatcher.store.checkpoint_at(&session.id, version)?,
        None => session.checkpoint,
    }))
}

/// `git grill checkpoint edit`. Emptied keeps the old one; unchanged changes nothing.
pub(super) fn edit(context: &mut Context<'_>) -> Result<Reply, AppError> {
    let session = context.session()?;
    context.need_person("editing the checkpoint", "edit .grill/checkpoint.md; the next command takes it in")?;
    let subject = Subject::checkpoint();
    let edited = context.editor.edit(&subject, session.checkpoint.as_str())?;
    if edited.trim().is_empty() {
        context.editor.forget(&subject);
        return Err(AppError::Cancelled("editing the checkpoint"));
    }
    let base = session.checkpoint;
    let summary = Line::clipped("Checkpoint edited by user");
    let taken = Checkpoint::parse(&edited).map_err(AppError::from).and_then(|checkpoint| {
        let source = CheckpointSource::Editor;
        let command: Command =
            interview::Command::UpdateCheckpoint { checkpoint, base: base.clone(), summary, source, answer: None }
                .into();
        context.handle(&session.id, command).map_err(|error| explained(context, &session.id, &base, error))
    });
    // What was written is kept in a file that no later edit takes.
    let outcome = taken.map_err(|error| kept(context, &subject, &edited, error))?;
    context.editor.forget(&subject);
    Ok(happened(outcome))
}

/// `git grill checkpoint diff [A [B]]`; without versions, the newest text against the one before it.
pub(super) fn diff(context: &mut Context<'_>, from: Option<&str>, to: Option<&str>) -> Result<Reply, AppError> {
    let session = context.session()?;
    let store = context.dispatcher.store;
    let (to_name, new) = match to {
        Some(version) => (version.to_owned(), store.checkpoint_at(&session.id, version)?),
        None => ("now".to_owned(), session.checkpoint.clone()),
    };
    let (from_name, old) = match from {
        Some(version) => (version.to_owned(), store.checkpoint_at(&session.id, version)?),
        None => ("before".to_owned(), store.previous_checkpoint(&session.id)?),
    };
    Ok(Reply::CheckpointDiff { from: from_name, old, to: to_name, new, in_passing: false })
}

/// `git grill checkpoint log`
pub(super) fn log(context: &mut Context<'_>, limit: usize) -> Result<Reply, AppError> {
    let session = context.session()?;
    let versions = context.dispatcher.store.versions(&session.id, limit)?;
    Ok(Reply::Versions { session: session.id.to_string(), versions })
}

/// `git grill checkpoint restore`: an earlier text becomes the newest version; nothing is rewound.
pub(super) fn restore(context: &mut Context<'_>, version: &str) -> Result<Reply, AppError> {
    let session = context.session()?;
    let checkpoint = context.dispatcher.store.checkpoint_at(&session.id, version)?;
    if checkpoint == session.checkpoint {
        return Ok(happened(Outcome::nothing(session)));
    }
    let summary = Line::clipped(&format!("Checkpoint restored from {version}"));
    let (base, source) = (session.checkpoint, CheckpointSource::Restored);
    let command: Command =
        interview::Command::UpdateCheckpoint { checkpoint, base: base.clone(), summary, source, answer: None }.into();
    context.handle(&session.id, command).map(happened).map_err(|error| explained(context, &session.id, &base, error))
}
