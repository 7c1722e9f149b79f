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
