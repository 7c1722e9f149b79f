//! What one listens to all the time and another looks at now and then: whoever looks comes first, however much there is to
//! listen to. A lock alone does not see to that: it may be taken again before whoever waits for it has woken up.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// So often it is listened to while nothing more waits.
const PAUSE: Duration = Duration::from_millis(50);
/// So long is stood back for whoever wants to look.
const HAND_OVER: Duration = Duration::from_millis(1);

/// Whether more may be waiting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Heard {
    All,
    MoreWaits,
}

pub(super) struct Shared<T> {
    of: Mutex<T>,
    /// How many wait to look at it.
    wanted: AtomicUsize,
}

impl<T> Shared<T> {
    pub(super) fn new(of: T) -> Self {
        Self { of: Mutex::new(of), wanted: AtomicUsize::new(0) }
    }

    /// For whoever looks.
    pub(super) fn lock(&self) -> MutexGuard<'_, T> {
        self.wanted.fetch_add(1, Ordering::SeqCst);
        let of = self.held();
        self.wanted.fetch_sub(1, Ordering::SeqCst);
        of
    }

    /// Listens in batches until the other end is dropped.
    pub(super) fn attend(&self, ends: &Receiver<()>, batch: impl Fn(&mut T) -> Heard) {
        let mut pause = PAUSE;
        while let Err(RecvTimeoutError::Timeout) = ends.recv_timeout(pause) {
            pause = if self.is_wanted() {
                HAND_OVER
            } else {
                match batch(&mut self.held()) {
                    Heard::All => PAUSE,
                    Heard::MoreWaits => Duration::ZERO,
                }
            };
        }
    }

    pub(super) fn into_inner(self) -> T {
        self.of.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_wanted(&self) -> bool {
        self.wanted.load(Ordering::SeqCst) > 0
    }

    fn held(&self) -> MutexGuard<'_, T> {
        self.of.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::mpsc::channel;

    use super::*;

    #[test]
    fn a_flood_without_end_lets_whoever_looks_come_first() {
        const LOOKS: usize = 200;
        // How many batches began while somebody waited.
        let shared = Arc::new(Shared::new(0_usize));
        let begun = Arc::new(AtomicUsize::new(0));
        let (over, ends) = channel();
        let (listened, counted) = (Arc::clone(&shared), Arc::clone(&begun));
        let thread = std::thread::spawn(move || {
            listened.attend(&ends, |late| {
                counted.fetch_add(1, Ordering::SeqCst);
                *late += usize::from(listened.is_wanted());
                // The lock is held nearly always.
                for _ in 0..2_000 {
                    std::hint::spin_loop();
                }
                Heard::MoreWaits
            });
        });
        let mut late = 0;
        for _ in 0..LOOKS {
            let before = begun.load(Ordering::SeqCst);
            let goes_on = (0..60_000).any(|_| {
                std::thread::sleep(Duration::from_millis(1));
                begun.load(Ordering::SeqCst) > before
            });
            assert!(goes_on, "nobody listens");
            late = *shared.lock();
        }
        drop(over);
        thread.join().unwrap();
        // Only one that was about to begin when they came.
        assert!(late <= LOOKS, "{late} batches came before {LOOKS} looks");
    }
}
