//! States of turns and of sessions, and every transition that there is, as data (A7). What is not in a table is
//! refused.

use serde::{Deserialize, Serialize};

/// State of one turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TurnState {
    /// Its prompt waits behind another turn, or for the agent.
    Queued,
    /// Its prompt was written to the agent.
    Sent,
    /// The agent works on it.
    Streaming,
    Completed,
    Failed,
    Cancelled,
    /// Its prompt never reached the agent.
    Dropped,
}

impl TurnState {
    pub const ALL: [Self; 7] =
        [Self::Queued, Self::Sent, Self::Streaming, Self::Completed, Self::Failed, Self::Cancelled, Self::Dropped];

    /// Every transition of a turn.
    pub const MOVES: &[(Self, Self)] = &[
        (Self::Queued, Self::Sent),
        (Self::Sent, Self::Streaming),
        (Self::Streaming, Self::Completed),
        (Self::Queued, Self::Failed),
        (Self::Queued, Self::Cancelled),
        (Self::Queued, Self::Dropped),
        (Self::Sent, Self::Failed),
        (Self::Sent, Self::Cancelled),
        (Self::Sent, Self::Dropped),
        (Self::Streaming, Self::Failed),
        (Self::Streaming, Self::Cancelled),
        (Self::Streaming, Self::Dropped),
    ];

    pub fn may_become(self, next: Self) -> bool {
        Self::MOVES.contains(&(self, next))
    }

    /// Whether the agent has the prompt and the turn goes on.
    pub fn is_active(self) -> bool {
        match self {
            Self::Sent | Self::Streaming => true,
            Self::Queued | Self::Completed | Self::Failed | Self::Cancelled | Self::Dropped => false,
        }
    }

    /// Whether nothing comes after this state.
    pub fn is_over(self) -> bool {
        Self::MOVES.iter().all(|(from, _)| *from != self)
    }

    pub const fn name(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Sent => "sent",
            Self::Streaming => "streaming",
            Self::Completed => "completed",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
            Self::Dropped => "dropped",
        }
    }

    /// The same as the end of a sentence about a turn.
    pub(super) const fn has_become(self) -> &'static str {
        match self {
            Self::Queued => "is queued",
            Self::Sent => "was sent to the agent",
            Self::Streaming => "is running",
            Self::Completed => "has completed",
            Self::Failed => "has failed",
            Self::Cancelled => "was cancelled",
            Self::Dropped => "was dropped",
        }
    }

    /// The verb by which a turn gets into this state.
    pub(super) const fn deed(self) -> &'static str {
        match self {
            Self::Queued => "queue",
            Self::Sent => "send",
            Self::Streaming => "run",
            Self::Completed => "complete",
            Self::Failed => "fail",
            Self::Cancelled => "cancel",
            Self::Dropped => "drop",
        }
    }
}

/// State of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SessionState {
    /// The agent's own session is not open yet.
    Starting,
    TurnActive,
    Idle,
    Failed,
    Cancelled,
    /// What the session had made was removed.
    Cleaned,
}

impl SessionState {
    pub const ALL: [Self; 6] =
        [Self::Starting, Self::TurnActive, Self::Idle, Self::Failed, Self::Cancelled, Self::Cleaned];

    /// Every transition of a session.
    pub const MOVES: &[(Self, Self)] = &[
        (Self::Starting, Self::Idle),
        (Self::Idle, Self::TurnActive),
        (Self::TurnActive, Self::Idle),
        (Self::Starting, Self::Failed),
        (Self::Idle, Self::Failed),
        (Self::TurnActive, Self::Failed),
        (Self::Starting, Self::Cancelled),
        (Self::Idle, Self::Cancelled),
        (Self::TurnActive, Self::Cancelled),
        (Self::Idle, Self::Cleaned),
        (Self::Failed, Self::Cleaned),
        (Self::Cancelled, Self::Cleaned),
    ];

    pub fn may_become(self, next: Self) -> bool {
        Self::MOVES.contains(&(self, next))
    }

    /// Whether the session takes no prompt any more (A8).
    pub fn is_terminal(self) -> bool {
        match self {
            Self::Failed | Self::Cancelled | Self::Cleaned => true,
            Self::Starting | Self::TurnActive | Self::Idle => false,
        }
    }

    pub const fn name(self) -> &'static str {
        match self {
            Self::Starting => "starting",
            Self::TurnActive => "turn_active",
            Self::Idle => "idle",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
            Self::Cleaned => "cleaned",
        }
    }

    /// The same as the end of a sentence about a session.
    pub(super) const fn has_become(self) -> &'static str {
        match self {
            Self::Starting => "is starting",
            Self::TurnActive => "has a running turn",
            Self::Idle => "is idle",
            Self::Failed => "has failed",
            Self::Cancelled => "was cancelled",
            Self::Cleaned => "was cleaned up",
        }
    }
}

/// What an agent does as seen from outside (A34). Version 1 of the protocol ends a turn by the prompt's answer, version
/// 2 by an update of this state; both are turned into it on the wire, and the ledger knows nothing else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Foreground {
    Running,
    Idle,
    /// It waits for an answer to what it asked.
    Waits,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every pair, as a row for each state and a column for each next one.
    fn grid<S: Copy>(all: &[S], may_become: fn(S, S) -> bool) -> Vec<String> {
        let row = |from: S| all.iter().map(|to| if may_become(from, *to) { 'x' } else { '.' }).collect();
        all.iter().map(|from| row(*from)).collect()
    }

    #[test]
    fn a7_every_pair_of_turn_states_is_allowed_or_refused_as_the_contract_says() {
        let grid = grid(&TurnState::ALL, TurnState::may_become);
        let expected = [
            // queued, sent, streaming, completed, failed, cancelled, dropped
            ".x..xxx", // queued
            "..x.xxx", // sent
            "...xxxx", // streaming
            ".......", // completed
            ".......", // failed
            ".......", // cancelled
            ".......", // dropped
        ];
        assert_eq!(grid, expected);
        for state in TurnState::ALL {
            assert_eq!(state.is_over(), !state.is_active() && state != TurnState::Queued, "{state:?}");
        }
    }

    #[test]
    fn a7_every_pair_of_session_states_is_allowed_or_refused() {
        let grid = grid(&SessionState::ALL, SessionState::may_become);
        let expected = [
            // starting, turn_active, idle, failed, cancelled, cleaned
            "..xxx.", // starting
            "..xxx.", // turn_active
            ".x.xxx", // idle
            ".....x", // failed
            ".....x", // cancelled
            "......", // cleaned
        ];
        assert_eq!(grid, expected);
        for (from, to) in SessionState::MOVES {
            assert!(!from.is_terminal() || *to == SessionState::Cleaned, "{from:?} {to:?}");
        }
    }
}
