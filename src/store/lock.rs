//! The advisory lock of a session: one writer at a time, so that nobody has to try twice. It dies with its process.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use crate::app::ports::StoreError;
use crate::domain::ids::SessionId;

/// How long a busy lock is waited for unless the caller says otherwise.
pub const PATIENCE: Duration = Duration::from_secs(10);
/// How long we sleep between two tries.
const NAP: Duration = Duration::from_millis(4);

/// A held lock; dropping the last one lets go.
#[derive(Debug)]
pub struct Held {
    file: File,
    path: PathBuf,
}

impl Held {
    /// The lock file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The file system's idea of now, which is the only clock that other files' times can be compared with.
    pub fn file_time(&self) -> std::io::Result<std::time::SystemTime> {
        // Growing and cutting the file again moves its time even where an equal length would not.
        self.file.set_len(1)?;
        self.file.set_len(0)?;
        self.file.metadata()?.modified()
    }
}

/// The locks of one store. A session that we hold already is lent again, because the system would make us wait for
/// ourselves.
#[derive(Debug)]
pub struct Locks {
    folder: PathBuf,
    patience: Duration,
    held: RefCell<HashMap<SessionId, Weak<Held>>>,
}

impl Locks {
    /// Locks below `<common>/grill/`.
    pub fn new(common: &Path, patience: Duration) -> Self {
        Self { folder: common.join("grill"), patience, held: RefCell::default() }
    }

    /// Waits for the session's lock, but not for ever.
    pub fn hold(&self, id: &SessionId) -> Result<Arc<Held>, StoreError> {
        if let Some(held) = self.held.borrow().get(id).and_then(Weak::upgrade) {
            return Ok(held);
        }
        let path = self.folder.join(format!("{id}.lock"));
        let held = Arc::new(wait(path, &self.folder, self.patience)?);
        self.held.borrow_mut().insert(id.clone(), Arc::downgrade(&held));
        Ok(held)
    }
}

fn wait(path: PathBuf, folder: &Path, patience: Duration) -> Result<Held, StoreError> {
    let io = |source| StoreError::Io { doing: format!("locking {}", path.display()), source };
    std::fs::create_dir_all(folder).map_err(io)?;
    let file = OpenOptions::new().create(true).truncate(false).write(true).open(&path).map_err(io)?;
    #[expect(clippy::disallowed_methods, reason = "how long one waits is no fact of the session")]
    let begun = Instant::now();
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(Held { file, path }),
            Err(TryLockError::WouldBlock) if begun.elapsed() < patience => {
                std::thread::sleep(NAP);
            }
            Err(TryLockError::WouldBlock) => {
                return Err(StoreError::Busy { path, seconds: patience.as_secs() });
            }
            // Some network file systems have no locks; then the ref's own lock alone decides who was first.
            Err(TryLockError::Error(error)) if error.kind() == std::io::ErrorKind::Unsupported => {
                return Ok(Held { file, path });
            }
            Err(TryLockError::Error(error)) => return Err(io(error)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_holder_at_a_time_and_the_same_holder_twice() {
        let dir = tempfile::tempdir().unwrap();
        let id = SessionId::parse("20261121-lock-aaaaa").unwrap();
        let ours = Locks::new(dir.path(), Duration::from_millis(20));
        let theirs = Locks::new(dir.path(), Duration::from_millis(20));
        let first = ours.hold(&id).unwrap();
        let second = ours.hold(&id).unwrap();
        drop(first);
        assert!(matches!(theirs.hold(&id), Err(StoreError::Busy { .. })));
        drop(second);
        assert!(theirs.hold(&id).is_ok());
    }
}
