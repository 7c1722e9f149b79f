//! The advisory lock of a session: one writer at a time, so that nobody has to try twice. It dies with its process.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::os::unix::fs::MetadataExt;
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
    /// Takes the lock file away and lets go. Whoever opened it meanwhile finds that it is not at its place any more.
    pub fn remove(self) {
        // One that cannot be removed is empty and in nobody's way.
        let _ = std::fs::remove_file(&self.path);
    }

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
        let held = Arc::new(wait(&self.folder, &format!("{id}.lock"), self.patience)?);
        self.held.borrow_mut().insert(id.clone(), Arc::downgrade(&held));
        Ok(held)
    }
}

/// Waits for the lock of this name in `folder`, but not for ever.
pub(super) fn wait(folder: &Path, name: &str, patience: Duration) -> Result<Held, StoreError> {
    let path = folder.join(name);
    let io = |source| StoreError::Io { doing: format!("locking {}", path.display()), source };
    #[expect(clippy::disallowed_methods, reason = "how long one waits is no fact of the session")]
    let begun = Instant::now();
    loop {
        std::fs::create_dir_all(folder).map_err(io)?;
        let file = match OpenOptions::new().create(true).truncate(false).write(true).open(&path) {
            Ok(file) => file,
            // Somebody swept the folder away in between.
            Err(error) if error.kind() == std::io::ErrorKind::NotFound && begun.elapsed() < patience => continue,
            Err(error) => return Err(io(error)),
        };
        match file.try_lock() {
            Ok(()) if is_at(&file, &path) => return Ok(Held { file, path }),
            // The file was swept away before we had its lock; the next holder locks another one.
            Ok(()) => {}
            Err(TryLockError::WouldBlock) if begun.elapsed() < patience => std::thread::sleep(NAP),
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

/// Whether `path` still names the open file.
fn is_at(file: &File, path: &Path) -> bool {
    match (file.metadata(), std::fs::metadata(path)) {
        (Ok(ours), Ok(theirs)) => (ours.dev(), ours.ino()) == (theirs.dev(), theirs.ino()),
        (Ok(_) | Err(_), _) => false,
    }
}

/// The lock files of sessions that nobody holds.
pub fn unheld(common: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(common.join("grill")).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let session = name.to_str().and_then(|name| name.strip_suffix(".lock")).map(SessionId::parse);
        let free = || OpenOptions::new().write(true).open(entry.path()).is_ok_and(|file| file.try_lock().is_ok());
        if matches!(session, Some(Ok(_))) && free() {
            found.push(entry.path());
        }
    }
    found
}

/// Removes the lock files that nobody holds, and the folder if nothing else is in it. Whoever opened one of them
/// meanwhile finds that it is not at its place any more and makes a new one.
pub fn sweep(common: &Path) {
    let folder = common.join("grill");
    let Ok(entries) = std::fs::read_dir(&folder) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let session = name.to_str().and_then(|name| name.strip_suffix(".lock")).map(SessionId::parse);
        if !matches!(session, Some(Ok(_))) {
            continue;
        }
        let path = entry.path();
        if let Ok(file) = OpenOptions::new().write(true).open(&path)
            && file.try_lock().is_ok()
            && is_at(&file, &path)
        {
            // One that cannot be removed is empty and in nobody's way.
            let _ = std::fs::remove_file(&path);
        }
    }
    // Fails when something else is in it, as it should.
    let _ = std::fs::remove_dir(&folder);
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

    #[test]
    fn a_sweep_leaves_what_is_held_and_what_is_not_ours() {
        let dir = tempfile::tempdir().unwrap();
        let held = SessionId::parse("20261121-held-aaaaa").unwrap();
        let free = SessionId::parse("20261121-free-aaaaa").unwrap();
        let locks = Locks::new(dir.path(), Duration::from_millis(20));
        drop(locks.hold(&free).unwrap());
        let ours = locks.hold(&held).unwrap();
        std::fs::write(dir.path().join("grill/hooks.lock"), "").unwrap();
        sweep(dir.path());
        let mut left: Vec<_> =
            std::fs::read_dir(dir.path().join("grill")).unwrap().map(|e| e.unwrap().file_name()).collect();
        left.sort();
        assert_eq!(left, ["20261121-held-aaaaa.lock", "hooks.lock"]);
        drop(ours);
        std::fs::remove_file(dir.path().join("grill/hooks.lock")).unwrap();
        sweep(dir.path());
        assert!(!dir.path().join("grill").exists());
    }

    #[test]
    fn two_holders_never_hold_at_once_while_locks_are_swept_away() {
        let dir = tempfile::tempdir().unwrap();
        let inside = std::sync::atomic::AtomicU32::new(0);
        let order = std::sync::atomic::Ordering::SeqCst;
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    let id = SessionId::parse("20261121-busy-aaaaa").unwrap();
                    for _ in 0..50 {
                        let locks = Locks::new(dir.path(), Duration::from_secs(20));
                        let held = locks.hold(&id).unwrap();
                        assert_eq!(inside.fetch_add(1, order), 0, "two holders at once");
                        std::thread::yield_now();
                        inside.fetch_sub(1, order);
                        drop(held);
                        sweep(dir.path());
                    }
                });
            }
        });
    }
}
