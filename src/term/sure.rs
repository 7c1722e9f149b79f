//! Whether a person means the question that they see. One that came by itself, in the place of another or of the line
//! that says what goes on, is not what their keys were for: nothing decides it before they have paused, and they are told.

use std::time::{Duration, Instant};

use super::tty::Before;

/// What a prompt says to such a key.
pub const NEW: &str = "new question: that key was not for it and sent nothing; in a second it does";
/// The same to a line.
pub const NEW_LINE: &str = "new question: that line was not for it and sent nothing; after a second's pause it does";

/// Whether keys are meant for this prompt.
#[derive(Clone, Copy, Debug)]
pub enum Sure {
    Yes,
    /// It came by itself; the last key, or its coming, was then. So long nothing is typed before the person is taken to
    /// have seen it. With what becomes of the keys that were pressed before.
    Since(Instant, Duration, Before),
}

impl Sure {
    /// Of a prompt that came by itself.
    #[expect(clippy::disallowed_methods, reason = "how fast a person types is no fact of the session")]
    pub fn not_yet(pause: Duration, pressed: Before) -> Self {
        Self::Since(Instant::now(), pause, pressed)
    }

    /// What becomes of keys that were pressed before it was shown. Those of a person who was typing when it came go on in
    /// its editor, if it has one, and decide no more than the ones behind them.
    pub fn before(self) -> Before {
        match self {
            Self::Yes => Before::Dropped,
            Self::Since(_, _, pressed) => pressed,
        }
    }

    /// Whether a key is to be followed; `decides` is whether it may send something.
    #[expect(clippy::disallowed_methods, reason = "how fast a person types is no fact of the session")]
    pub fn follows(&mut self, decides: bool) -> bool {
        self.follows_at(decides, Instant::now())
    }

    fn follows_at(&mut self, decides: bool, now: Instant) -> bool {
        let Self::Since(last, pause, _) = self else { return true };
        if now.saturating_duration_since(*last) >= *pause {
            *self = Self::Yes;
            return true;
        }
        *last = now;
        !decides
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[expect(clippy::disallowed_methods, reason = "a moment to count from")]
    fn what_decides_is_not_followed_before_a_pause() {
        let begun = Instant::now();
        let at = |milliseconds| begun + Duration::from_millis(milliseconds);
        let mut sure = Sure::Since(begun, Duration::from_secs(1), Before::Taken);
        assert!(sure.follows_at(false, at(900)));
        assert!(!sure.follows_at(true, at(1_800)), "in one go with what was typed before");
        assert!(!sure.follows_at(true, at(2_700)));
        assert!(sure.follows_at(true, at(3_700)));
        assert!(sure.follows_at(true, at(3_701)));
        assert!(Sure::Yes.follows_at(true, begun));
    }
}
