//! The outlook: what the pure rooms say about a session, gathered for whoever shows it, and only as far as they show it.

use std::ops::RangeInclusive;

use crate::domain::session::Session;
use crate::domain::settings::Intent;
use crate::interviewer::Ledger;
use crate::output::{self, Entry};

/// What can be said about a session beyond its recorded state.
pub struct Outlook<'s> {
    ledger: Ledger<'s>,
}

impl<'s> Outlook<'s> {
    /// Looks at `session`.
    pub fn of(session: &'s Session) -> Self {
        Self { ledger: Ledger::of(session) }
    }

    /// How many questions are left, as far as anybody can tell (G14).
    pub fn left(&self) -> RangeInclusive<u32> {
        self.ledger.estimate()
    }

    /// What an `auto` intent is taken for (G54).
    pub fn inferred(&self) -> Intent {
        self.ledger.intent()
    }
}

/// Every output there is (G27).
pub fn catalogue() -> &'static [Entry] {
    output::catalogue()
}
