//! The question that the user is asked next, and the debate and round that it belongs to.

use serde::{Deserialize, Serialize};

use super::round::{Asked, Hearing};

/// A round of one debate of the session: what the user says belongs to the one that they were shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DebateRound {
    pub debate: u32,
    pub round: u32,
}

/// The question that the user is asked next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Due<'r> {
    Hearing(Hearing),
    /// One of a role, with its number from 1.
    Role(u32, &'r Asked),
}

impl Due<'_> {
    /// As `1.2-agree` in round 2 of debate 1, or `1.2-q3` for the third question of a role.
    pub fn name(&self, turn: DebateRound) -> String {
        let DebateRound { debate, round } = turn;
        match self {
            Self::Hearing(hearing) => format!("{debate}.{round}-{}", hearing.name()),
            Self::Role(number, _) => format!("{debate}.{round}-q{number}"),
        }
    }

    pub fn question(&self) -> &str {
        match self {
            Self::Hearing(hearing) => hearing.question(),
            Self::Role(_, asked) => asked.question.as_str(),
        }
    }
}
