//! Runs that may write the files of an output phase. Each holds a lock that others may hold as well; the phase is left
//! only while no run holds it. It dies with its process, so a run that was killed keeps no one from anything.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::lock::{LOCK, PATIENCE, WRITERS, waited};
use crate::app::ports::StoreError;
use crate::domain::ids::SessionId;
use crate::files::lock::{self, Failure, is_at};
use crate::git::holder;

/// A held lock; dropping it lets go.
#[derive(Debug)]
pub struct Writing {
    file: File,
    path: PathBuf,
}

fn path(common: &Path, id: &SessionId) -> PathBuf {
    common.join("grill").join(format!("{id}{WRITERS}{LOCK}"))
}

impl Writing {
    /// Holds it for a run that may write: from before the phase is read, so that no phase that was left in between is
    /// taken for one that lasts.
    pub fn begin(common: &Path, id: &SessionId) -> Result<Self, StoreError> {
        Self::join(&path(common, id))
    }

    /// Holds it as well, in another process of the same run.
    pub fn join(path: &Path) -> Result<Self, StoreError> {
        let file = waited(lock::join(path, PATIENCE), path, PATIENCE)?;
        Ok(Self { file, path: path.to_owned() })
    }

    /// Keeps runs that may write from beginning, if there is none.
    pub fn none(common: &Path, id: &SessionId) -> Result<Self, StoreError> {
        let path = path(common, id);
        match lock::wait(&path, Duration::ZERO) {
            Err(Failure::Busy) => Err(StoreError::RunWrites { id: id.clone(), holder: holder::of(&path) }),
            other => Ok(Self { file: waited(other, &path, Duration::ZERO)?, path }),
        }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Writing {
    fn drop(&mut self) {
        // The last one takes the file away. One that stays is empty, and the next one finds it.
        if self.file.try_lock().is_ok() && is_at(&self.file, &self.path) {
            let _ = fs::remove_file(&self.path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_runs_hold_it_and_while_one_does_the_phase_is_not_left() {
        let dir = tempfile::tempdir().unwrap();
        let id = SessionId::parse("20261121-runs-aaaaa").unwrap();
        let first = Writing::begin(dir.path(), &id).unwrap();
        let second = Writing::join(first.path()).unwrap();
        let refused = || matches!(Writing::none(dir.path(), &id), Err(StoreError::RunWrites { .. }));
        assert!(refused());
        drop(first);
        assert!(refused());
        crate::store::lock::sweep(dir.path());
        assert!(refused());
        let path = second.path().to_owned();
        drop(second);
        assert!(!path.exists());
        drop(Writing::none(dir.path(), &id).unwrap());
        assert!(!path.exists());
    }

    #[test]
    fn the_file_that_a_killed_run_left_keeps_no_one_and_is_swept_away() {
        let dir = tempfile::tempdir().unwrap();
        let id = SessionId::parse("20261121-runs-aaaaa").unwrap();
        fs::create_dir(dir.path().join("grill")).unwrap();
        let left = path(dir.path(), &id);
        fs::write(&left, "").unwrap();
        assert!(Writing::none(dir.path(), &id).is_ok());
        fs::write(&left, "").unwrap();
        crate::store::lock::sweep(dir.path());
        assert!(!left.exists());
    }
}
