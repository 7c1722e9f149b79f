//! Tries that stand further and further apart: what another git is about to do is over in a moment, and what is really
//! wrong is still wrong then.

use std::time::{Duration, Instant};

/// How often something is tried at least, however long each try takes on a machine that has other things to do.
const FEWEST_TRIES: u32 = 10;
/// The longest pause between two tries.
const LONGEST_PAUSE: Duration = Duration::from_millis(40);

/// Tries that stand further and further apart, until a time is over.
#[derive(Debug)]
pub struct Patience {
    begun: Instant,
    tries: u32,
    pause: Duration,
}

impl Patience {
    pub fn begin() -> Self {
        #[expect(clippy::disallowed_methods, reason = "how long one waits is no fact of the session")]
        let begun = Instant::now();
        Self { begun, tries: 1, pause: Duration::from_millis(1) }
    }

    /// Whether it lasted this long, and long enough for a few tries.
    pub fn is_over(&self, limit: Duration) -> bool {
        self.tries >= FEWEST_TRIES && self.begun.elapsed() >= limit
    }

    pub fn tries(&self) -> u32 {
        self.tries
    }

    /// Sleeps before the next try.
    pub fn rest(&mut self) {
        std::thread::sleep(self.pause);
        self.pause = (self.pause * 2).min(LONGEST_PAUSE);
        self.tries += 1;
    }
}

/// Does it, and does it again while it fails in a way that passes, until the time is over.
pub fn again<T, E>(
    limit: Duration,
    mut work: impl FnMut() -> Result<T, E>,
    mut passes: impl FnMut(&E) -> bool,
) -> Result<T, E> {
    let mut patience = Patience::begin();
    loop {
        match work() {
            Err(error) if !patience.is_over(limit) && passes(&error) => patience.rest(),
            done => return done,
        }
    }
}

/// Waits until it holds; false if the time is over before.
pub fn until(limit: Duration, mut holds: impl FnMut() -> bool) -> bool {
    let mut patience = Patience::begin();
    while !holds() {
        if patience.is_over(limit) {
            return false;
        }
        patience.rest();
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_tried_often_enough_however_short_the_time_is() {
        let mut tries = 0;
        let mut failing = |error: &'static str| {
            again(
                Duration::ZERO,
                || -> Result<(), _> {
                    tries += 1;
                    Err(error)
                },
                |error| *error == "passing",
            )
        };
        assert_eq!(failing("lasting"), Err("lasting"));
        assert_eq!(failing("passing"), Err("passing"));
        assert_eq!(tries, 1 + FEWEST_TRIES);
        let mut looks = 0;
        assert!(until(Duration::ZERO, || {
            looks += 1;
            looks == FEWEST_TRIES
        }));
        assert!(!until(Duration::ZERO, || false));
    }
}
