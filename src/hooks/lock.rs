//! One process at a time arms or disarms a repository. The lock dies with its holder and leaves no file behind.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::ErrorKind;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;

use crate::hooks::error::{HookError, file};
use crate::hooks::place::Place;

/// How often the lock is tried, a pause apart: five seconds, a hundred times what arming takes.
const TRIES: u32 = 250;
const PAUSE: Duration = Duration::from_millis(20);

/// The right to change what is installed. Dropping it gives it back and tidies our folder.
#[derive(Debug)]
pub(crate) struct Lock<'place> {
    place: &'place Place,
    path: PathBuf,
    _held: File,
}

impl<'place> Lock<'place> {
    /// Waits for the lock of the hooks, making our folder if there is none.
    pub(crate) fn take(place: &'place Place) -> Result<Self, HookError> {
        Self::at(place, place.lock_file())
    }

    /// Waits for the lock file at `path` in our folder.
    pub(crate) fn at(place: &'place Place, path: PathBuf) -> Result<Self, HookError> {
        let dir = place.grill_dir();
        for _ in 0..TRIES {
            match fs::create_dir_all(&dir) {
                // It was there when we made it, and tidied away when the library looked what was there.
                Err(error) if error.kind() == ErrorKind::AlreadyExists && !is_in_the_way(&dir) => continue,
                other => other.map_err(file("create", &dir))?,
            }
            let opened = OpenOptions::new().create(true).truncate(false).write(true).open(&path);
            let held = match opened {
                // Somebody tidied the folder away between the two calls.
                Err(error) if error.kind() == ErrorKind::NotFound => continue,
                other => other.map_err(file("write", &path))?,
            };
            match held.try_lock() {
                Ok(()) if is_at(&held, &path) => return Ok(Self { place, path, _held: held }),
                // The holder before us removed the file that we had opened: lock the new one.
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => sleep(PAUSE),
                Err(TryLockError::Error(error)) => return Err(file("lock", &path)(error)),
            }
        }
        Err(HookError::Busy(path))
    }
}

impl Drop for Lock<'_> {
    fn drop(&mut self) {
        // Still held: whoever opened the file before finds that it is no longer there and starts over.
        let _ = fs::remove_file(&self.path);
        let _ = fs::remove_dir(self.place.grill_dir());
    }
}

/// Whether something else than a folder stands where ours should be.
fn is_in_the_way(dir: &Path) -> bool {
    dir.metadata().is_ok_and(|about| !about.is_dir())
}

fn is_at(held: &File, path: &Path) -> bool {
    match (held.metadata(), fs::metadata(path)) {
        (Ok(ours), Ok(there)) => (ours.dev(), ours.ino()) == (there.dev(), there.ino()),
        _ => false,
    }
}
