//! Expected refusals: code, sentence and a way out, side by side.

use super::actor::Actor;
use super::subsystem;

/// The command by which a person approves what waits.
pub const APPROVE: &str = "git grill approve";
/// The command by which a person chooses outputs, or other ones than those of the open output phase.
pub const SELECT: &str = "git grill select";

/// Why something did not happen, though nothing went wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("the session has ended; {deed} is not possible any more")]
    SessionClosed { deed: &'static str },
    #[error("{deed} is not possible in the {phase} phase")]
    WrongPhase { deed: &'static str, phase: &'static str, way_out: &'static str },
    /// Only a person decides this (G30).
    #[error("{deed} needs a person's word, and {} cannot give it", by.in_words())]
    ApprovalRequired {
        deed: &'static str,
        by: Actor,
        /// The command by which a person gives it.
        command: &'static str,
    },
    #[error("{deed} is not for {}", by.in_words())]
    NotYours { deed: &'static str, by: Actor },
    /// An agent ends a session through the selection phase alone (G17).
    #[error("an agent ends a session through the output selection only")]
    SelectionRequired,
    /// Nothing was produced, so the session cannot end as if something was.
    #[error("nothing was produced in this session, and ending it without output has to be said")]
    NothingProduced,
    /// Another session is active in this worktree (G3).
    #[error("a session about \"{topic}\" is active in this worktree")]
    AnotherActive { topic: String },
    #[error(transparent)]
    Of(#[from] subsystem::Refusal),
}

impl Refusal {
    /// The code that machines compare.
    pub fn code(&self) -> &'static str {
        match self {
            Self::SessionClosed { .. } => "session_closed",
            Self::WrongPhase { .. } => "wrong_phase",
            Self::ApprovalRequired { .. } => "approval_required",
            Self::NotYours { .. } => "not_yours",
            Self::SelectionRequired => "selection_required",
            Self::NothingProduced => "nothing_produced",
            Self::AnotherActive { .. } => "another_active",
            Self::Of(refusal) => refusal.code(),
        }
    }

    /// What can be done about it; for people it is a command to type.
    pub fn hint(&self) -> String {
        match self {
            Self::SessionClosed { .. } => "git grill start \"<topic>\" begins a new one".to_owned(),
            Self::WrongPhase { way_out, .. } => (*way_out).to_owned(),
            Self::ApprovalRequired { command, .. } => format!("a person runs {command} at a terminal"),
            Self::NotYours { .. } => "git grill status shows what is possible now".to_owned(),
            Self::SelectionRequired => "open the output selection, and let the person choose there".to_owned(),
            Self::NothingProduced => {
                "git grill stop --without-output ends it; git grill select chooses an output".to_owned()
            }
            Self::AnotherActive { .. } => {
                "git grill next goes on with it; git grill stop --without-output ends it first".to_owned()
            }
            Self::Of(refusal) => refusal.hint(),
        }
    }
}
