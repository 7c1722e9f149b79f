//! Locks that this process has waited for in vain. Several rooms come to the same lock in one command, each by itself, and
//! none of them should wait for it as long again. It is forgotten once the lock was taken, or after as much time again.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Since when a lock is known to be busy, and how long it was waited for before.
type Waited = (Instant, Duration);

static WAITED: Mutex<BTreeMap<PathBuf, Waited>> = Mutex::new(BTreeMap::new());

/// What is left of the patience with a lock.
pub fn left(lock: &Path, patience: Duration) -> Duration {
    let mut all = all();
    all.retain(|_, (since, waited)| since.elapsed() <= *waited);
    all.get(lock).map_or(patience, |(_, waited)| patience.saturating_sub(*waited))
}

/// Remembers that a lock was waited for so long, and is busy.
pub fn note(lock: &Path, waited: Duration) {
    #[expect(clippy::disallowed_methods, reason = "how long one waits is no fact of the session")]
    let now = Instant::now();
    if !waited.is_zero() {
        all().insert(lock.to_owned(), (now, waited));
    }
}

pub fn forget(lock: &Path) {
    all().remove(lock);
}

fn all() -> MutexGuard<'static, BTreeMap<PathBuf, Waited>> {
    WAITED.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_mins(10);

    #[test]
    fn what_was_waited_for_is_not_waited_for_again_and_another_lock_is() {
        let (lock, other) = (Path::new("/nowhere/a.lock"), Path::new("/nowhere/b.lock"));
        note(lock, LONG);
        assert_eq!((left(lock, LONG), left(other, LONG)), (Duration::ZERO, LONG));
        assert_eq!(left(lock, 2 * LONG), LONG, "who has more patience has the rest of it");
        note(lock, Duration::ZERO);
        assert_eq!(left(lock, LONG), Duration::ZERO, "one that was only tried tells nothing");
        forget(lock);
        assert_eq!(left(lock, LONG), LONG);
    }
}
