//! The interview's summary: what the pure rooms say about a session, gathered for whoever shows it, and only as far as
//! they show it.

use std::ops::RangeInclusive;

use crate::domain::interview::{Answer, TranscriptEntry};
use crate::domain::session::Session;
use crate::domain::settings::{Intent, Interviewer};
use crate::interviewer::{self, Ledger};
pub use crate::output::catalogue;

/// The answer that a question keeps where it is put again and nothing else is said: none that a debate overruled.
pub fn kept_answer<'a>(session: &Session, asked: &'a TranscriptEntry) -> Option<&'a Answer> {
    asked.holding().last().filter(|_| !interviewer::is_overruled(session, asked))
}

/// What can be said about a session beyond its recorded state.
pub struct InterviewSummary<'s> {
    session: &'s Session,
    ledger: Ledger<'s>,
}

impl<'s> InterviewSummary<'s> {
    pub fn of(session: &'s Session) -> Self {
        Self { session, ledger: Ledger::of(session) }
    }

    /// How many questions are left, as far as anybody can tell (G14); nobody can where an agent leads.
    pub fn left(&self) -> Option<RangeInclusive<u32>> {
        match self.session.settings.interviewer {
            Interviewer::BuiltIn => Some(self.ledger.estimate()),
            Interviewer::Agent(_) => None,
        }
    }

    /// What an `auto` intent is taken for (G54).
    pub fn inferred(&self) -> Intent {
        self.ledger.intent()
    }
}
