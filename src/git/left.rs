//! Lock files of git's that somebody left who died: git makes one as a file, and that does not die with anybody.

use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use super::holder;
use crate::files::regular;

/// Removes a lock file if `is_left` says so of when it was made and how long ago, and no living process has it open, as
/// far as the system tells. `clock` is a file that is made for a moment: the file system's own idea of now is the only
/// one that the time of another file can be compared with.
pub fn remove(lock_file: &Path, clock: &Path, is_left: impl FnOnce(SystemTime, Duration) -> bool) -> bool {
    let Ok(made) = lock_file.symlink_metadata().and_then(|about| about.modified()) else { return false };
    let now = regular::write(clock, "").and_then(|()| fs::metadata(clock)?.modified());
    let _ = fs::remove_file(clock);
    let Ok(now) = now else { return false };
    is_left(made, now.duration_since(made).unwrap_or_default())
        && holder::with_it_open(lock_file).is_none()
        && fs::remove_file(lock_file).is_ok()
}

#[cfg(test)]
mod tests {
    use std::fs::File;

    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn what_somebody_has_open_is_not_left_however_old_it_is() {
        let dir = tempfile::tempdir().unwrap();
        let (lock, clock) = (dir.path().join("x.lock"), dir.path().join("now"));
        let file = File::create(&lock).unwrap();
        file.set_modified(SystemTime::UNIX_EPOCH).unwrap();
        let old = |_: SystemTime, age: Duration| age > Duration::from_mins(30);
        assert!(!remove(&lock, &clock, old) && lock.exists());
        drop(file);
        // A program that another test starts has every open file until it runs.
        while holder::with_it_open(&lock).is_some() {
            std::thread::yield_now();
        }
        assert!(!remove(&lock, &clock, |_, age| age > Duration::MAX) && lock.exists());
        assert!(remove(&lock, &clock, old) && !lock.exists() && !clock.exists());
        assert!(!remove(&lock, &clock, old), "there is none");
    }
}
