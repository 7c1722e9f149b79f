//! How long something stands before a person's eyes.

use std::time::{Duration, Instant};

/// A clock that runs while a prompt is shown.
#[derive(Clone, Copy, Debug, Default)]
pub struct Watch {
    since: Option<Instant>,
    before: Duration,
}

impl Watch {
    /// Runs from now on, if it does not run already.
    #[expect(clippy::disallowed_methods, reason = "how long a person reads is no part of what is recorded when")]
    pub fn run(&mut self) {
        self.since.get_or_insert_with(Instant::now);
    }

    /// Stands still.
    pub fn pause(&mut self) {
        self.before = self.shown();
        self.since = None;
    }

    /// How long it ran.
    pub fn shown(&self) -> Duration {
        self.before + self.since.map(|since| since.elapsed()).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_time_in_which_it_runs_counts() {
        let mut watch = Watch::default();
        assert_eq!(watch.shown(), Duration::ZERO);
        let step = Duration::from_millis(20);
        watch.run();
        std::thread::sleep(step);
        watch.run();
        watch.pause();
        let first = watch.shown();
        assert!(first >= step, "{first:?}");
        std::thread::sleep(step);
        assert_eq!(watch.shown(), first);
        watch.run();
        std::thread::sleep(step);
        watch.pause();
        assert!(watch.shown() >= first + step);
    }
}
