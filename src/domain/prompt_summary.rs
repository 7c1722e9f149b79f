//! The little of a session that fits into a shell's prompt.

use super::interview::Progress;
use super::session::{Phase, Session};

/// What a shell's prompt shows of a session that has not ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PromptSummary {
    pub phase: &'static str,
    /// The number of the open question.
    pub question: Option<u32>,
    /// How far the questions are; none where nothing is asked.
    pub progress: Option<Progress>,
    /// What subsystems say of themselves.
    pub words: Option<String>,
}

impl PromptSummary {
    /// Of a session; none of one that has ended.
    pub fn of(session: &Session) -> Option<Self> {
        match session.phase {
            Phase::Interview(_) | Phase::Selection(_) | Phase::Production(_) | Phase::NoInterview { .. } => {
                Some(Self {
                    phase: session.phase.name(),
                    question: session.open_question().map(|asked| asked.number),
                    progress: (!session.phase.asks_nothing()).then(|| session.transcript.progress()),
                    words: session.own.words(),
                })
            }
            Phase::Closed { .. } => None,
        }
    }
}
