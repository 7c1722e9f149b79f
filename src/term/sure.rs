//! Whether a person means the question that they see. One that replaced another while they typed is not what their words
//! were for: Enter sends nothing to it before they have paused.

use std::time::{Duration, Instant};

use super::keys::Key;

/// So long nothing is typed before a person is taken to have seen the new question.
const PAUSE: Duration = Duration::from_secs(1);

/// Whether keys are meant for this prompt.
#[derive(Clone, Copy, Debug)]
pub enum Sure {
    /// They are.
    Yes,
    /// It came by itself; the last key, or its coming, was then.
    Since(Instant),
}

impl Sure {
    /// Of a prompt that came by itself in the place of another.
    #[expect(clippy::disallowed_methods, reason = "how fast a person types is no fact of the session")]
    pub fn not_yet() -> Self {
        Self::Since(Instant::now())
    }

    /// Whether a key is to be followed.
    #[expect(clippy::disallowed_methods, reason = "how fast a person types is no fact of the session")]
    pub fn follows(&mut self, key: Key) -> bool {
        self.follows_at(key, Instant::now())
    }

    fn follows_at(&mut self, key: Key, now: Instant) -> bool {
        let Self::Since(last) = self else { return true };
        if now.saturating_duration_since(*last) >= PAUSE {
            *self = Self::Yes;
            return true;
        }
        *last = now;
        key != Key::Enter
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[expect(clippy::disallowed_methods, reason = "a moment to count from")]
    fn enter_sends_nothing_before_a_pause() {
        let begun = Instant::now();
        let at = |milliseconds| begun + Duration::from_millis(milliseconds);
        let mut sure = Sure::Since(begun);
        assert!(sure.follows_at(Key::Char('a'), at(900)));
        assert!(!sure.follows_at(Key::Enter, at(1_800)), "in one go with what was typed before");
        assert!(!sure.follows_at(Key::Enter, at(2_700)));
        assert!(sure.follows_at(Key::Enter, at(3_700)));
        assert!(sure.follows_at(Key::Enter, at(3_701)));
        assert!(Sure::Yes.follows_at(Key::Enter, begun));
    }
}
