//! Failures of a turn or a session: a code for machines, and a reason for people.

use serde::{Deserialize, Serialize};

use crate::domain::text::Line;

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
