//! Questions and permission requests of an agent, and what became of each (A18, A35).

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::domain::text::Line;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AskKind {
    Question,
    Permission,
}

/// Something that an agent asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ask {
    /// Position among all that the session asked, from 1.
    pub number: u32,
    pub kind: AskKind,
    /// The question, or the call that permission is asked for.
    pub words: Line,
}

/// An ask that has no answer yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenAsk {
    pub ask: Ask,
    pub since: Timestamp,
}

/// Answer to an ask. Each gets exactly one; a later one is void.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "by")]
pub enum AskAnswer {
    Person {
        words: Line,
    },
    /// The rules answered without asking a person, for this reason.
    Policy {
        why: Line,
    },
    /// The time limit ran out. It is a refusal, and no person's.
    Nobody,
    /// The turn was cancelled, or the process that asked is gone.
    Cancelled,
}
