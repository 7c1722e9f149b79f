//! What a command from inside of a read-only run is given outside: a caller in there can send anything.

use super::ids::{AnswerId, ObjectId};

/// A command from inside that is not decided on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BadWish(pub String);

impl BadWish {
    /// What a person decides, or only git grill itself records.
    pub fn ours(deed: &str) -> Self {
        Self(format!("{deed} is not done from inside a run"))
    }
}

/// What is made outside, whatever a command brings.
pub struct Outside<'a> {
    /// Makes an answer's id.
    pub answer: &'a dyn Fn() -> AnswerId,
    /// The blob id of a text.
    pub blob: &'a dyn Fn(&str) -> Option<ObjectId>,
}
