//! The outlook: what the pure rooms say about a session, gathered for whoever shows it.

use std::ops::RangeInclusive;

use crate::domain::session::Session;
use crate::domain::settings::Intent;
use crate::interviewer::{self, Coverage};
use crate::output::{self, Entry};

/// What can be said about a session beyond its recorded state.
pub struct Outlook {
    /// How many questions are left, as far as anybody can tell (G14).
    pub left: RangeInclusive<u32>,
    /// Which dimensions are covered.
    pub coverage: Vec<Coverage>,
    /// What an `auto` intent is taken for (G54).
    pub inferred: Intent,
    /// Every output there is (G27).
    pub catalogue: &'static [Entry],
}

impl Outlook {
    /// Looks at `session`.
    pub fn of(session: &Session) -> Self {
        Self {
            left: interviewer::estimate(session),
            coverage: interviewer::coverage(session),
            inferred: interviewer::inferred_intent(session),
            catalogue: output::catalogue(),
        }
    }
}
