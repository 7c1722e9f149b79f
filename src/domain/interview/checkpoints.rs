//! Deciding on updates of the checkpoint, wherever they come from: a tool, the editor, an older version, the working tree.

use super::answering::Interviewing;
use super::{Event, Refusal as Own};
use crate::domain::checkpoint::{Checkpoint, CheckpointSource};
use crate::domain::rebase::{Rebased, rebase};
use crate::domain::session::Session;
use crate::domain::text::Line;

/// A new version is welcome in every phase (G25); the same text again is nothing to do, unless an agent says with it
/// that the last answer is taken in. An update of a text that changed since is merged or refused; one of the working tree
/// keeps both sides, since no one is there to make it again.
pub(super) fn update(
    session: &Session,
    base: &Checkpoint,
    new: &Checkpoint,
    summary: &Line,
    source: CheckpointSource,
    due: bool,
) -> Interviewing {
    let now = &session.checkpoint;
    let (checkpoint, merged) = match (rebase(base, now, new), source) {
        (Rebased::AsItIs(text), _) => (text, false),
        (Rebased::Merged(text), _) => (text, true),
        (Rebased::Overlapping(both), CheckpointSource::WorkingTree) => {
            (Checkpoint::parse(&both).map_err(|_| Own::CheckpointMoved)?, true)
        }
        (
            Rebased::Overlapping(_),
            CheckpointSource::Interviewer
            | CheckpointSource::Tool
            | CheckpointSource::Editor
            | CheckpointSource::Restored
            | CheckpointSource::Debate,
        ) => return Err(Own::CheckpointMoved.into()),
    };
    let settles = due && matches!(source, CheckpointSource::Interviewer | CheckpointSource::Tool);
    if checkpoint == *now && !settles {
        return Ok(vec![]);
    }
    Ok(vec![Event::CheckpointUpdated { checkpoint, summary: summary.clone(), source, merged }])
}
