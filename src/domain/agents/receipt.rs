//! Wait receipts (A9): how long a caller asked to wait, how the wait ended, and how long it took.

use std::time::Duration;

use serde::Serialize;

/// The longest wait that a caller may ask for, in seconds.
pub const LONGEST_WAIT: u64 = 60;

/// A wait that was asked for, from 0 to [`LONGEST_WAIT`] seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct WaitSeconds(u64);

/// A wait that is too long.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("nothing was done: a wait takes 0 to {LONGEST_WAIT} seconds, and not {seconds}")]
pub struct WaitTooLong {
    seconds: u64,
}

impl WaitSeconds {
    pub fn new(seconds: u64) -> Result<Self, WaitTooLong> {
        if seconds > LONGEST_WAIT { Err(WaitTooLong { seconds }) } else { Ok(Self(seconds)) }
    }

    pub fn limit(self) -> Duration {
        Duration::from_secs(self.0)
    }
}

/// End of a wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum WaitOutcome {
    /// No wait was asked for.
    NotRequested,
    /// There was nothing to wait for.
    AlreadyOver,
    /// Nothing goes on before a person has answered or decided.
    NeedsPerson,
    /// It came within the time.
    Reached,
    /// The time ran out; what was waited for goes on.
    TimedOut,
}

/// Receipt of a wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct WaitReceipt {
    #[serde(rename = "requested_seconds")]
    pub requested: WaitSeconds,
    pub outcome: WaitOutcome,
    /// In whole milliseconds.
    pub elapsed_ms: u64,
}

/// The thing that was waited for, at the end of a wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WaitEnd {
    /// It was over before the wait began.
    Before,
    /// It came meanwhile.
    Meanwhile,
    /// It waits for a person, since before or meanwhile.
    NeedsPerson,
    /// It goes on.
    GoesOn,
}

impl WaitReceipt {
    pub fn new(requested: WaitSeconds, elapsed: Duration, end: WaitEnd) -> Self {
        let outcome = match end {
            WaitEnd::GoesOn | WaitEnd::Meanwhile if requested.0 == 0 => WaitOutcome::NotRequested,
            WaitEnd::GoesOn => WaitOutcome::TimedOut,
            WaitEnd::Meanwhile => WaitOutcome::Reached,
            WaitEnd::Before => WaitOutcome::AlreadyOver,
            WaitEnd::NeedsPerson => WaitOutcome::NeedsPerson,
        };
        Self { requested, outcome, elapsed_ms: u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a9_a_call_waits_for_a_minute_at_most() {
        assert_eq!(WaitSeconds::new(0).unwrap().limit(), Duration::ZERO);
        assert_eq!(WaitSeconds::new(60).unwrap().limit(), Duration::from_mins(1));
        let refused = WaitSeconds::new(61).unwrap_err().to_string();
        assert_eq!(refused, "nothing was done: a wait takes 0 to 60 seconds, and not 61");
    }

    #[test]
    fn a9_a_receipt_says_how_the_wait_ended() {
        use WaitEnd::{Before, GoesOn, Meanwhile};
        use WaitOutcome::{AlreadyOver, NotRequested, Reached, TimedOut};
        for (seconds, end, outcome) in [
            (0, GoesOn, NotRequested),
            (0, Meanwhile, NotRequested),
            (0, Before, AlreadyOver),
            (5, GoesOn, TimedOut),
            (5, Meanwhile, Reached),
            (5, Before, AlreadyOver),
            (0, WaitEnd::NeedsPerson, WaitOutcome::NeedsPerson),
            (5, WaitEnd::NeedsPerson, WaitOutcome::NeedsPerson),
        ] {
            let requested = WaitSeconds::new(seconds).unwrap();
            let receipt = WaitReceipt::new(requested, Duration::from_millis(1_234), end);
            assert_eq!(receipt, WaitReceipt { requested, outcome, elapsed_ms: 1_234 }, "{seconds} {end:?}");
        }
    }
}
