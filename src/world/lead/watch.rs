//! Time that counts only while the agent is looked at: it stands still while a person is asked, and while the machine
//! sleeps.

use std::time::{Duration, Instant};

/// The most that passes between two looks and still counts.
const MOST: Duration = Duration::from_secs(2);

/// A clock of one step.
#[derive(Debug)]
pub(super) struct Watch {
    last: Instant,
    /// Since the step began.
    pub(super) step: Duration,
    /// Since something was heard.
    pub(super) silence: Duration,
}

impl Watch {
    #[expect(clippy::disallowed_methods, reason = "how long one waits is no fact of the session")]
    pub(super) fn new() -> Self {
        Self { last: Instant::now(), step: Duration::ZERO, silence: Duration::ZERO }
    }

    pub(super) fn begin(&mut self) {
        *self = Self::new();
    }

    pub(super) fn heard(&mut self) {
        self.silence = Duration::ZERO;
    }

    /// Counts what passed since the last look.
    #[expect(clippy::disallowed_methods, reason = "how long one waits is no fact of the session")]
    pub(super) fn tick(&mut self) {
        let now = Instant::now();
        let passed = now.saturating_duration_since(self.last).min(MOST);
        self.last = now;
        self.step += passed;
        self.silence += passed;
    }
}
