//! The version that an update of the checkpoint was made from, and the report where the text changed since.

use crate::domain::checkpoint::Checkpoint;
use crate::domain::event::Event;
use crate::domain::ids::{ObjectId, SessionId};
use crate::domain::interview;
use crate::domain::rebase::difference;
use crate::domain::session::Session;

use super::context::Context;
use super::error::{AppError, CHECKPOINT_MOVED};
use super::ports::{SessionStore, StoreError};
use super::reply::Outcome;

/// Number of versions searched for the authors of a change.
const FURTHEST: usize = 100;

/// The version of a text, as replies name it.
pub(super) fn version(store: &dyn SessionStore, text: &Checkpoint) -> Option<ObjectId> {
    let id = store.blob_id(text.as_str().as_bytes()).ok()?;
    ObjectId::parse(id.short()).ok()
}

/// The text that an agent was last shown or wrote, else the first one.
fn known(context: &Context<'_>, session: &Session, agent: &str) -> Checkpoint {
    context.shown.last(&session.id, agent).unwrap_or_else(|| Checkpoint::first(&session.topic))
}

/// Tells if an agent was shown the checkpoint as it is, or wrote it.
pub(super) fn is_known(context: &Context<'_>, session: &Session, agent: &str) -> bool {
    known(context, session, agent) == session.checkpoint
}

/// The text that an agent's update was made from: the version that it names, else the text that it was last shown or
/// wrote, else the first one.
pub(super) fn base(
    context: &Context<'_>,
    session: &Session,
    agent: &str,
    named: Option<&ObjectId>,
) -> Result<Checkpoint, AppError> {
    let store = context.dispatcher.store;
    let Some(named) = named else { return Ok(known(context, session, agent)) };
    let now = store.blob_id(session.checkpoint.as_str().as_bytes())?;
    if now.as_str().starts_with(named.as_str()) {
        return Ok(session.checkpoint.clone());
    }
    Ok(store.checkpoint_at(&session.id, named.as_str())?)
}

/// Changes to the checkpoint since the text was `base`, the newest first: author and subject.
fn changed_by(store: &dyn SessionStore, id: &SessionId, base: &Checkpoint) -> Result<Vec<String>, StoreError> {
    let versions = store.versions(id, FURTHEST)?;
    let mut changes = Vec::new();
    let mut newer: Option<(Checkpoint, String)> = None;
    for version in versions {
        let text = store.checkpoint_at(id, version.commit.as_str())?;
        if let Some((_, change)) = newer.take().filter(|(newer, _)| *newer != text) {
            changes.push(change);
        }
        if text == *base {
            break;
        }
        newer = Some((text, format!("{}: {}", version.author, version.subject)));
    }
    Ok(changes)
}

/// The error of an update that cannot be taken, since the text changed in the same place: who changed it, and how it
/// differs from the one that the update was made from. What can be done is said to those who made it.
pub(super) fn moved(context: &Context<'_>, id: &SessionId, base: &Checkpoint) -> AppError {
    let store = context.dispatcher.store;
    let now = match store.load(id) {
        Ok(loaded) => loaded.session.checkpoint,
        Err(error) => return error.into(),
    };
    // Where the history cannot be read that far, the difference says it all the same.
    let mut causes = changed_by(store, id, base).unwrap_or_default();
    causes.push(format!("changes since then:\n{}", difference(base, &now).trim_end()));
    let version = version(store, &now).map(|version| version.to_string()).unwrap_or_default();
    AppError::CheckpointMoved { version, causes }
}

/// The same error, where the rules refused the update for that reason, here or outside of a read-only run.
pub fn explained(context: &Context<'_>, id: &SessionId, base: &Checkpoint, error: AppError) -> AppError {
    if error.code() == CHECKPOINT_MOVED { moved(context, id, base) } else { error }
}

/// Report of the changes that an update was merged with; `None` if it was recorded unmerged.
pub(super) fn merged_with(context: &Context<'_>, outcome: &Outcome, base: &Checkpoint) -> Option<String> {
    let is_merged =
        |event: &Event| matches!(event.interview(), Some(interview::Event::CheckpointUpdated { merged: true, .. }));
    let before = outcome.before.as_ref().filter(|_| outcome.events.iter().any(|one| is_merged(&one.event)))?;
    let id = &outcome.after.id;
    // The newest change is this update itself.
    let others: Vec<String> =
        changed_by(context.dispatcher.store, id, base).unwrap_or_default().into_iter().skip(1).collect();
    let by = if others.is_empty() { String::new() } else { format!(" by {}", others.join("; ")) };
    Some(format!(
        "the checkpoint had changed{by} since the version that this was made from; it now contains both changes. The \
         other changes:\n{}",
        difference(base, &before.checkpoint).trim_end()
    ))
}
