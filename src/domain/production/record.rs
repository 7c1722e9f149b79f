//! What finished output phases left behind (G34).

use serde::{Deserialize, Serialize};

use super::super::ids::ObjectId;
use super::super::settings::Destination;
use super::super::tracker::TrackerRepository;
use super::draft::Draft;
use super::target::{IssueSlot, TargetPath};

/// A file that was written; stays in the session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Produced {
    pub destination: Destination,
    pub path: TargetPath,
    pub blob: ObjectId,
    /// What stood there before; none when there was no file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replaced: Option<ObjectId>,
    /// The output phase that it was written in.
    #[serde(default)]
    pub round: u64,
    /// True if another clone wrote it: then it cannot be undone here.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub elsewhere: bool,
}

impl Produced {
    /// A draft that was written in this output phase; none for what is no file.
    pub fn of(draft: &Draft, round: u64) -> Option<Self> {
        Some(Self {
            destination: draft.destination.clone(),
            path: draft.path()?.clone(),
            blob: draft.blob.clone(),
            replaced: draft.replaces.clone(),
            round,
            elsewhere: false,
        })
    }
}

/// That an issue came to be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Creation {
    pub slot: IssueSlot,
    /// The draft that it was made of.
    pub blob: ObjectId,
    /// The tracker's number.
    pub number: u64,
    pub url: String,
    /// Whether its body names all that it depends on by number; earlier versions created some before that.
    pub linked: bool,
}

/// An issue that was created; stays in the session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CreatedIssue {
    pub repository: TrackerRepository,
    pub slot: IssueSlot,
    /// The tracker's number.
    pub number: u64,
    pub url: String,
    /// The draft that it was made of.
    pub blob: ObjectId,
    /// The output phase that it was created in.
    pub round: u64,
}

/// A written file that can be brought back to what stood there before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undo {
    pub path: TargetPath,
    /// What was written last, and has to stand there still.
    pub written: ObjectId,
    /// What stood there before the first of it; none when there was no file.
    pub replaced: Option<ObjectId>,
}
