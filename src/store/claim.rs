//! The right to say which session is active in a worktree: held from looking what is active until it is changed, so that
//! of several who begin at once one begins and the others see it. It dies with its process.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::lock::{self, Held};
use crate::app::ports::StoreError;

/// The lock, in the folder that a worktree's git directory has for us.
const CLAIM: &str = "begin.lock";

/// The held right; dropping it lets go.
#[derive(Debug)]
pub struct Claim {
    held: Option<Held>,
    folder: PathBuf,
}

impl Claim {
    /// Waits for it, but not for ever.
    pub fn take(git_dir: &Path, patience: Duration) -> Result<Self, StoreError> {
        let folder = git_dir.join("grill");
        let held = lock::wait(&folder, CLAIM, patience)?;
        Ok(Self { held: Some(held), folder })
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        if let Some(held) = self.held.take() {
            held.remove();
        }
        // Fails when something else is in it, as it should.
        let _ = fs::remove_dir(&self.folder);
    }
}

/// Removes the lock that a process left which died holding it.
pub(super) fn tidy_at(git_dir: &Path) {
    lock::remove_unheld(&git_dir.join("grill").join(CLAIM));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_claims_at_a_time_and_nothing_of_it_stays() {
        let dir = tempfile::tempdir().unwrap();
        let first = Claim::take(dir.path(), Duration::from_millis(20)).unwrap();
        assert!(matches!(Claim::take(dir.path(), Duration::from_millis(20)), Err(StoreError::Busy { .. })));
        tidy_at(dir.path());
        assert!(matches!(Claim::take(dir.path(), Duration::from_millis(20)), Err(StoreError::Busy { .. })));
        drop(first);
        // A process that another test is just starting holds it as well, until it becomes its program.
        drop(Claim::take(dir.path(), lock::PATIENCE).unwrap());
        assert!(!dir.path().join("grill").exists());
    }

    #[test]
    fn what_a_dead_process_left_is_tidied_away() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("grill")).unwrap();
        fs::write(dir.path().join("grill").join(CLAIM), "").unwrap();
        tidy_at(dir.path());
        assert!(!dir.path().join("grill").join(CLAIM).exists());
    }
}
