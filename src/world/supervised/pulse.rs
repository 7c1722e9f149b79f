//! Time in a supervisor: since a sign of life, since there was work, since a person was asked. It counts only while the
//! supervisor looks, so it stands still while the machine sleeps.

use std::time::{Duration, Instant};

/// The most that passes between two looks and still counts.
const MOST: Duration = Duration::from_secs(2);

pub(super) struct Pulse {
    last: Instant,
    heard: Duration,
    worked: Duration,
    asked: Duration,
}

impl Pulse {
    #[expect(clippy::disallowed_methods, reason = "how long one waits is no fact of the session")]
    pub(super) fn new() -> Self {
        Self { last: Instant::now(), heard: Duration::ZERO, worked: Duration::ZERO, asked: Duration::ZERO }
    }

    /// Counts what passed since the last look.
    #[expect(clippy::disallowed_methods, reason = "how long one waits is no fact of the session")]
    pub(super) fn tick(&mut self) {
        let now = Instant::now();
        let passed = now.saturating_duration_since(self.last).min(MOST);
        self.last = now;
        for time in [&mut self.heard, &mut self.worked, &mut self.asked] {
            *time += passed;
        }
    }

    pub(super) fn heard(&mut self) {
        self.heard = Duration::ZERO;
    }

    pub(super) fn worked(&mut self) {
        self.worked = Duration::ZERO;
    }

    pub(super) fn asked(&mut self) {
        self.asked = Duration::ZERO;
    }

    /// Since the newest sign of life.
    pub(super) fn since_heard(&self) -> Duration {
        self.heard
    }

    /// Since a turn began or ended.
    pub(super) fn since_work(&self) -> Duration {
        self.worked
    }

    /// Since a person was asked.
    pub(super) fn since_asked(&self) -> Duration {
        self.asked
    }
}
