//! One process at a time arms or disarms a repository. The lock dies with its holder and leaves no file behind.

use std::fs::{self, File};
use std::path::PathBuf;

use crate::files::lock::{self, FAR, Failure};
use crate::hooks::error::{HookError, file};
use crate::hooks::place::Place;

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
        match lock::wait(&path, FAR) {
            Ok(held) => Ok(Self { place, path, _held: held }),
            Err(Failure::Busy) => Err(HookError::busy(path)),
            Err(Failure::Unsupported { source, .. }) => Err(file("lock", &path)(source)),
            Err(Failure::File { action, path, source }) => Err(file(action, &path)(source)),
        }
    }
}

impl Drop for Lock<'_> {
    fn drop(&mut self) {
        // Still held: whoever opened the file before finds that it is no longer there and starts over.
        let _ = fs::remove_file(&self.path);
        let _ = fs::remove_dir(self.place.grill_dir());
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn who_holds_the_lock_is_named() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("grill/hooks.lock");
        let _held = lock::wait(&path, FAR).unwrap();
        let said = HookError::busy(path).to_string();
        assert!(said.contains(&format!("(process {}) has held", std::process::id())), "{said}");
    }
}
