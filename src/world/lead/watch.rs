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
    /// How long the user wants to wait for this step, whatever its limit is.
    patience: Duration,
}

impl Watch {
    #[expect(clippy::disallowed_methods, reason = "how long one waits is no fact of the session")]
    pub(super) fn new() -> Self {
        Self { last: Instant::now(), step: Duration::ZERO, silence: Duration::ZERO, patience: Duration::ZERO }
    }

    pub(super) fn begin(&mut self) {
        *self = Self::new();
    }

    pub(super) fn heard(&mut self) {
        self.silence = Duration::ZERO;
    }

    /// Whether the step takes longer than its limit, and than the user wants to wait.
    pub(super) fn is_over(&self, limit: Duration) -> bool {
        self.step >= limit.max(self.patience)
    }

    /// The user waits on: as long again as the step took by now. What passed while they were asked does not count.
    pub(super) fn go_on(&mut self) {
        self.stand();
        self.patience = self.step * 2;
    }

    /// What passed since the last look does not count: a person is being asked.
    #[expect(clippy::disallowed_methods, reason = "how long one waits is no fact of the session")]
    pub(super) fn stand(&mut self) {
        self.last = Instant::now();
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a5_a_user_who_waits_on_is_asked_again_when_it_has_taken_twice_as_long() {
        let mut watch = Watch::new();
        let limit = Duration::from_mins(1);
        for (seconds, over) in [(59, false), (60, true), (70, true)] {
            watch.step = Duration::from_secs(seconds);
            assert_eq!(watch.is_over(limit), over, "{seconds} s");
        }
        watch.go_on();
        for (seconds, over) in [(71, false), (139, false), (140, true)] {
            watch.step = Duration::from_secs(seconds);
            assert_eq!(watch.is_over(limit), over, "{seconds} s");
        }
        // The next step has its own limit.
        watch.begin();
        watch.step = limit;
        assert!(watch.is_over(limit));
    }

    #[test]
    fn a5_while_a_person_is_asked_and_while_the_machine_sleeps_the_clock_stands_still() {
        let mut watch = Watch::new();
        // Nobody looked for so long: what was asked meanwhile, or slept, is not the agent's.
        for hours in [1, 9] {
            let before = watch.step;
            watch.last = watch.last.checked_sub(Duration::from_hours(hours)).unwrap();
            watch.tick();
            let counted = watch.step.saturating_sub(before);
            assert!(counted <= MOST && watch.silence <= MOST * 2, "{counted:?}");
        }
        assert!(!watch.is_over(Duration::from_mins(1)));
        // Nor is what the user took to say that they wait on.
        let before = watch.step;
        watch.last = watch.last.checked_sub(Duration::from_hours(1)).unwrap();
        watch.go_on();
        watch.tick();
        assert!(watch.step.saturating_sub(before) < MOST, "{:?}", watch.step);
    }
}
