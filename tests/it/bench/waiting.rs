//! Waiting for what comes about by itself.

use std::time::{Duration, Instant};

/// What is waited for takes milliseconds; the rest is for a machine that does something else meanwhile.
const LIMIT: Duration = Duration::from_mins(2);
/// Between two looks.
const PAUSE: Duration = Duration::from_millis(2);

/// Waits until this is so; `what` names it where it never is.
#[track_caller]
pub fn wait_until(what: &str, met: impl Fn() -> bool) {
    let begun = Instant::now();
    while !met() {
        assert!(begun.elapsed() < LIMIT, "{what} did not happen");
        std::thread::sleep(PAUSE);
    }
}
