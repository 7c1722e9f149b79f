//! Expected refusals of an agent session: code, sentence and a way out, side by side.

use super::ask::Ask;
use super::handle::{AgentHandle, TurnHandle};
use super::limits::{LONGEST_PATH, MOST_ASKS, MOST_QUEUED, MOST_TURNS};
use super::media::MOST_MEDIA;
use super::state::{SessionState, TurnState};
use crate::domain::harmless::on_one_line;
use crate::domain::text::Line;

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("{deed}: there is no agent session {handle}")]
    SessionNotFound { deed: &'static str, handle: AgentHandle },
    #[error("{deed}: session {handle} {}", .state.has_become())]
    SessionTerminal { deed: &'static str, handle: AgentHandle, state: SessionState },
    #[error("session {handle} did not become {}: it is {}", .to.name(), .from.name())]
    SessionTransition { handle: AgentHandle, from: SessionState, to: SessionState },
    #[error("cannot {} {turn} of {handle}: it {}", .to.deed(), .from.has_become())]
    TurnTransition { handle: AgentHandle, turn: TurnHandle, from: TurnState, to: TurnState },
    #[error("session {handle} has no turn {turn}")]
    TurnNotFound { handle: AgentHandle, turn: TurnHandle },
    #[error("{deed}: turn {turn} of {handle} is not over")]
    TurnActive { deed: &'static str, handle: AgentHandle, turn: TurnHandle },
    /// Prompts are sent in their order (A8).
    #[error("turn {turn} of {handle} was not sent: {first} comes before it")]
    OutOfOrder { handle: AgentHandle, turn: TurnHandle, first: TurnHandle },
    #[error("turn {turn} was not added to {handle}: its next turn is {expected}")]
    WrongNumber { handle: AgentHandle, turn: TurnHandle, expected: TurnHandle },
    #[error("no prompt was sent to {handle}: none is queued")]
    NothingQueued { handle: AgentHandle },
    #[error("nothing was done to a turn of {handle}: none is active")]
    NoActiveTurn { handle: AgentHandle },
    #[error("no prompt was added to {handle}: {MOST_QUEUED} wait already")]
    QueueFull { handle: AgentHandle },
    #[error("no prompt was added to {handle}: it has had {MOST_TURNS} turns")]
    TurnsUsedUp { handle: AgentHandle },
    /// Nothing goes on in it before the person has said whose each change is (A25).
    #[error("{deed}: the repository changed while {handle} ran, and you have not decided on every change")]
    ParentUndecided { deed: &'static str, handle: AgentHandle },
    #[error("{deed}: session {handle} {lacks}")]
    NotReady { deed: &'static str, handle: AgentHandle, lacks: &'static str },
    /// The agent's context is gone (A10).
    #[error("no prompt was added to {handle}: its agent cannot go on with what it knew: {}", on_one_line(.why.as_str()))]
    ContextLost { handle: AgentHandle, why: Line },
    /// Its one answer was given, or it was never asked (A35).
    #[error("the answer was not taken: question {number} of {handle} is not open")]
    AnswerVoid { handle: AgentHandle, number: u32 },
    #[error("question {} of {handle} was not taken: the next one is {expected}", .ask.number)]
    WrongAsk { handle: AgentHandle, ask: Box<Ask>, expected: u32 },
    #[error("a question of {handle} was not taken: {MOST_ASKS} wait already")]
    TooManyAsks { handle: AgentHandle },
    #[error("{deed}: question {number} of {handle} is open")]
    AskOpen { deed: &'static str, handle: AgentHandle, number: u32 },
    /// `failed` says which of them failed last, and why.
    #[error("{handle} has no result: none of its turns is completed")]
    NoResult { handle: AgentHandle, failed: Option<String> },
    /// `why` is the reason of the failure that ended it.
    #[error("turn {turn} of {handle} has no result: it {}", .state.has_become())]
    TurnWithoutResult { handle: AgentHandle, turn: TurnHandle, state: TurnState, why: Option<String> },
    #[error("a path was not recorded for {handle}: it is not absolute, or has more than {LONGEST_PATH} bytes")]
    BadPath { handle: AgentHandle },
    #[error("changed files of {handle} were not recorded: they are more than a record holds")]
    TooManyFiles { handle: AgentHandle },
    #[error("media of {handle} were not recorded: {MOST_MEDIA} of a turn are the most")]
    TooManyMedia { handle: AgentHandle },
    #[error("the record was not taken: its number is {seq}, and the next one is {expected}")]
    Gap { seq: u64, expected: u64 },
    #[error("the record was not taken: a session begins once, with its first record")]
    Beginning,
}

impl Refusal {
    /// The code that machines compare.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::SessionNotFound { .. } => "session_not_found",
            Self::SessionTerminal { .. } => "session_terminal",
            Self::SessionTransition { .. } | Self::TurnTransition { .. } => "illegal_transition",
            Self::TurnNotFound { .. } => "turn_not_found",
            Self::TurnActive { .. } => "turn_active",
            Self::OutOfOrder { .. } | Self::WrongNumber { .. } => "turn_out_of_order",
            Self::NothingQueued { .. } => "nothing_queued",
            Self::NoActiveTurn { .. } => "no_active_turn",
            Self::QueueFull { .. } => "queue_full",
            Self::TurnsUsedUp { .. } => "turns_used_up",
            Self::ParentUndecided { .. } => "parent_undecided",
            Self::NotReady { .. } => "not_ready",
            Self::ContextLost { .. } => "context_lost",
            Self::AnswerVoid { .. } => "answer_void",
            Self::WrongAsk { .. } => "question_out_of_order",
            Self::TooManyAsks { .. } => "too_many_questions",
            Self::AskOpen { .. } => "question_open",
            Self::NoResult { .. } | Self::TurnWithoutResult { .. } => "no_result",
            Self::BadPath { .. } => "bad_path",
            Self::TooManyFiles { .. } => "too_many_files",
            Self::TooManyMedia { .. } => "too_many_media",
            Self::Gap { .. } | Self::Beginning => "bad_record",
        }
    }

    /// What caused it, where that has a sentence of its own: harmless and bounded.
    pub fn causes(&self) -> Vec<String> {
        if let Self::NoResult { failed: why, .. } | Self::TurnWithoutResult { why, .. } = self {
            why.iter().cloned().collect()
        } else {
            Vec::new()
        }
    }

    /// A command that helps.
    pub fn hint(&self) -> String {
        match self {
            Self::SessionNotFound { .. } => "git grill agent status lists all sessions".to_owned(),
            Self::SessionTerminal { .. } | Self::TurnsUsedUp { .. } | Self::ContextLost { .. } => {
                "git grill agent start begins a new session".to_owned()
            }
            Self::TurnActive { handle, turn, .. } => {
                format!(
                    "git grill agent status {handle} shows the turn; git grill agent cancel {handle} {turn} cancels it"
                )
            }
            Self::ParentUndecided { handle, .. } => {
                format!("git grill agent answer {handle}, at a terminal, shows each change and asks")
            }
            Self::AskOpen { handle, .. } | Self::TooManyAsks { handle } => {
                format!("git grill agent answer {handle} answers it")
            }
            Self::TurnWithoutResult {
                handle,
                turn,
                state: TurnState::Queued | TurnState::Sent | TurnState::Streaming,
                ..
            } => format!("git grill agent result {handle} {turn} --wait 60 waits for it"),
            Self::TurnWithoutResult { handle, .. } | Self::NoResult { handle, failed: Some(_) } => {
                format!("git grill agent log {handle} shows what happened")
            }
            Self::SessionTransition { handle, .. }
            | Self::TurnTransition { handle, .. }
            | Self::TurnNotFound { handle, .. }
            | Self::OutOfOrder { handle, .. }
            | Self::WrongNumber { handle, .. }
            | Self::NothingQueued { handle }
            | Self::NoActiveTurn { handle }
            | Self::QueueFull { handle }
            | Self::NotReady { handle, .. }
            | Self::AnswerVoid { handle, .. }
            | Self::WrongAsk { handle, .. }
            | Self::NoResult { handle, failed: None }
            | Self::BadPath { handle }
            | Self::TooManyFiles { handle }
            | Self::TooManyMedia { handle } => format!("git grill agent status {handle} shows the session"),
            Self::Gap { .. } | Self::Beginning => "git grill agent status shows which sessions are readable".to_owned(),
        }
    }
}
