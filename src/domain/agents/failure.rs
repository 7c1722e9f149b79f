//! Failures of a turn or a session: a code for machines, and a reason for people.

use serde::{Deserialize, Serialize};

use crate::domain::harmless::on_one_line;
use crate::domain::text::{Line, within};

/// Characters of a reason that an error and a row tell; the log has all of it.
const TOLD: usize = 300;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailureCode {
    /// The agent gave no sign of activity for too long (A5).
    BackendSilent,
    /// A step of the handshake, or a prompt, took too long (A5).
    TimeLimit,
    /// What the agent sent is not the protocol (A5).
    ProtocolFailure,
    /// The agent's process ended.
    AgentGone,
    /// The supervisor's process ended without an end of its turn (A10).
    SupervisorGone,
    /// The agent or its provider answered with an error.
    Refused,
    /// The agent was not started, or its session was not opened.
    NotStarted,
    /// The worktree is not the one that was proved (A14).
    WorktreeUnproved,
    /// The command of `grill.agent.setup` failed (A29).
    SetupFailed,
    /// The agent takes no pictures, and was sent nothing (A19).
    EmbeddedContextUnsupported,
    /// The session's own record was removed while its agent ran.
    LedgerGone,
    /// A picture that was to be sent is not there any more, or is another one.
    MediaLost,
}

impl FailureCode {
    pub const fn name(self) -> &'static str {
        match self {
            Self::BackendSilent => "backend_silent",
            Self::TimeLimit => "time_limit",
            Self::ProtocolFailure => "protocol_failure",
            Self::AgentGone => "agent_gone",
            Self::SupervisorGone => "supervisor_gone",
            Self::Refused => "refused",
            Self::NotStarted => "not_started",
            Self::WorktreeUnproved => "worktree_unproved",
            Self::SetupFailed => "setup_failed",
            Self::EmbeddedContextUnsupported => "embedded_context_unsupported",
            Self::LedgerGone => "ledger_gone",
            Self::MediaLost => "media_lost",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    pub code: FailureCode,
    pub why: Line,
}

impl Failure {
    /// The reason for people, harmless and bounded: it may be in the words of an agent.
    pub fn reason(&self) -> String {
        on_one_line(&within(self.why.as_str(), TOLD))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a44_the_reason_of_a_failure_is_harmless_and_bounded() {
        let of =
            |why: &str| Failure { code: FailureCode::Refused, why: Line::parse("a reason", why).unwrap() }.reason();
        assert_eq!(of("quota exceeded,\ntry\u{1b} at 5pm"), "quota exceeded, try␛ at 5pm");
        assert_eq!(of(&"x".repeat(4_000)).chars().count(), TOLD);
    }
}
