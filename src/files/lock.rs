//! Lock files. The system's lock on an open file dies with its process; the file itself is in nobody's way, and any holder
//! may take it away. A waiter that opened it before finds that it is no longer at its path, and locks the new one.

use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind};
use std::os::fd::BorrowedFd;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::mpsc::channel;
use std::thread;
use std::time::{Duration, Instant};

use rustix::fs::{AtFlags, CWD, Mode, OFlags};

use super::{in_vain, regular};

/// The reason why a lock was not taken.
#[derive(Debug)]
pub enum Failure {
    /// Another process held it all the time.
    Busy,
    /// The file system has no locks. The file is open, and not locked.
    Unsupported { file: File, source: io::Error },
    File {
        /// As in "could not lock": `create`, `write` or `lock`.
        action: &'static str,
        path: PathBuf,
        source: io::Error,
    },
}

/// How long a lock is waited for whose holders keep it for a moment: as long as many of them need that stand before us in
/// the queue of a machine which has other things to do. Only where one stands still does it end, and that is said.
pub const FAR: Duration = Duration::from_mins(1);

/// How often a lock is tried at least that is swept away again and again.
const FEWEST_TRIES: u32 = 64;

/// Waits for the lock on the file at `path`, at most for so long, and not again for what it was waited for in vain. The file
/// and its folder are made where they are not there. The lock ends when the last descriptor of the file is closed.
pub fn wait(path: &Path, patience: Duration) -> Result<File, Failure> {
    taken(path, patience, File::try_lock, File::lock)
}

/// [`wait`] for a lock that several may hold at once, if all of them took it by this function.
pub fn join(path: &Path, patience: Duration) -> Result<File, Failure> {
    taken(path, patience, File::try_lock_shared, File::lock_shared)
}

/// The lock on the file at `path`, if the file is there and nobody holds its lock. Its holder may remove the file.
pub fn unheld(path: &Path) -> Option<File> {
    unheld_in(CWD, path)
}

/// [`unheld`] for a file in an open folder.
pub fn unheld_in(folder: BorrowedFd<'_>, name: impl AsRef<Path>) -> Option<File> {
    let name = name.as_ref();
    // A named pipe would otherwise be waited for.
    let flags = OFlags::WRONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = File::from(rustix::fs::openat(folder, name, flags, Mode::empty()).ok()?);
    file.try_lock().ok()?;
    let ours = rustix::fs::fstat(&file).ok()?;
    let there = rustix::fs::statat(folder, name, AtFlags::SYMLINK_NOFOLLOW).ok()?;
    ((ours.st_dev, ours.st_ino) == (there.st_dev, there.st_ino)).then_some(file)
}

/// Locks a folder, if nobody holds its lock.
pub fn folder(path: &Path) -> io::Result<File> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let folder = File::from(rustix::fs::openat(CWD, path, flags, Mode::empty())?);
    match folder.try_lock() {
        Ok(()) => Ok(folder),
        Err(TryLockError::WouldBlock) => Err(ErrorKind::WouldBlock.into()),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

fn taken(
    path: &Path,
    patience: Duration,
    try_lock: fn(&File) -> Result<(), TryLockError>,
    lock: fn(&File) -> io::Result<()>,
) -> Result<File, Failure> {
    let left = in_vain::left(path, patience);
    let taken = waited(path, left, try_lock, lock);
    match &taken {
        Err(Failure::Busy) => in_vain::note(path, left),
        Ok(_) | Err(Failure::Unsupported { .. } | Failure::File { .. }) => in_vain::forget(path),
    }
    taken
}

fn waited(
    path: &Path,
    patience: Duration,
    try_lock: fn(&File) -> Result<(), TryLockError>,
    lock: fn(&File) -> io::Result<()>,
) -> Result<File, Failure> {
    let folder = path.parent().unwrap_or(path);
    let failed = |action, path: &Path| {
        let path = path.to_owned();
        move |source| Failure::File { action, path, source }
    };
    #[expect(clippy::disallowed_methods, reason = "how long one waits is no fact of the session")]
    let begun = Instant::now();
    let mut tries = 0;
    loop {
        tries += 1;
        let again = tries < FEWEST_TRIES || begun.elapsed() < patience;
        match fs::create_dir_all(folder) {
            // The folder was there when it was made, and swept away when the library looked at it.
            Err(error) if error.kind() == ErrorKind::AlreadyExists && !is_in_the_way(folder) && again => continue,
            other => other.map_err(failed("create", folder))?,
        }
        let file = match regular::made(path) {
            // The folder was swept away between the two calls.
            Err(error) if error.kind() == ErrorKind::NotFound && again => continue,
            other => other.map_err(failed("write", path))?,
        };
        match try_lock(&file) {
            Ok(()) if is_at(&file, path) => return Ok(file),
            // The file was swept away before it was locked; the next holder locks another one.
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => match in_turn(file, lock, patience.saturating_sub(begun.elapsed())) {
                Some(Ok(file)) if is_at(&file, path) => return Ok(file),
                Some(Ok(_)) => {}
                Some(Err(error)) if error.kind() == ErrorKind::Interrupted => {}
                Some(Err(error)) => return Err(failed("lock", path)(error)),
                None => return Err(Failure::Busy),
            },
            Err(TryLockError::Error(source)) if source.kind() == ErrorKind::Unsupported => {
                return Err(Failure::Unsupported { file, source });
            }
            Err(TryLockError::Error(error)) => return Err(failed("lock", path)(error)),
        }
    }
}

/// Whether `path` still names the open file.
pub fn is_at(file: &File, path: &Path) -> bool {
    match (file.metadata(), fs::metadata(path)) {
        (Ok(ours), Ok(theirs)) => (ours.dev(), ours.ino()) == (theirs.dev(), theirs.ino()),
        (Ok(_) | Err(_), _) => false,
    }
}

/// Waits for the lock of an open file in the system's queue, in which no waiter is overtaken for long; `None` when the time
/// is over. Trying again and again was seen to leave one of sixteen waiters without the lock for ten seconds.
fn in_turn(file: File, lock: fn(&File) -> io::Result<()>, patience: Duration) -> Option<io::Result<File>> {
    if patience.is_zero() {
        return None;
    }
    let (send, receive) = channel();
    // A lock that comes too late finds no receiver, and is let go.
    thread::spawn(move || send.send(lock(&file).map(|()| file)));
    receive.recv_timeout(patience).ok()
}

/// Whether something else than a folder stands where one should be.
fn is_in_the_way(folder: &Path) -> bool {
    folder.metadata().is_ok_and(|about| !about.is_dir())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHORT: Duration = Duration::from_millis(20);
    const LONG: Duration = Duration::from_secs(20);

    #[test]
    fn one_holder_at_a_time_in_a_folder_that_is_made() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a/b/x.lock");
        let held = wait(&path, SHORT).unwrap();
        assert!(matches!(wait(&path, SHORT), Err(Failure::Busy)));
        drop(held);
        assert!(wait(&path, LONG).is_ok());
    }

    #[test]
    fn a_file_that_its_holder_takes_away_is_locked_anew() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("grill/x.lock");
        let held = wait(&path, LONG).unwrap();
        let next = thread::spawn({
            let path = path.clone();
            move || wait(&path, LONG)
        });
        fs::remove_file(&path).unwrap();
        drop(held);
        assert!(is_at(&next.join().unwrap().unwrap(), &path));
    }

    #[test]
    fn several_hold_a_shared_lock_and_nobody_else_meanwhile() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x.lock");
        let held = [join(&path, SHORT).unwrap(), join(&path, SHORT).unwrap()];
        assert!(matches!(wait(&path, Duration::ZERO), Err(Failure::Busy)));
        assert!(unheld(&path).is_none());
        drop(held);
        let alone = wait(&path, LONG).unwrap();
        assert!(matches!(join(&path, SHORT), Err(Failure::Busy)));
        drop(alone);
        assert!(join(&path, LONG).is_ok());
    }

    /// Several rooms come to a lock in one command, each by itself.
    #[test]
    fn a_lock_that_was_waited_for_in_vain_is_not_waited_for_again() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x.lock");
        let held = wait(&path, LONG).unwrap();
        in_vain::note(&path, LONG);
        let (send, receive) = channel();
        thread::spawn({
            let path = path.clone();
            move || send.send(wait(&path, LONG).map(drop))
        });
        assert!(matches!(receive.recv_timeout(LONG / 2).unwrap(), Err(Failure::Busy)));
        drop(held);
        // A process that another test is just starting holds it as well, until it becomes its program.
        assert!(super::super::patience::until(LONG, || wait(&path, SHORT).is_ok()));
        assert_eq!(in_vain::left(&path, LONG), LONG, "it was taken meanwhile");
    }

    #[test]
    fn what_is_no_folder_is_named() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("grill"), "").unwrap();
        let failure = wait(&dir.path().join("grill/x.lock"), SHORT).unwrap_err();
        assert!(matches!(failure, Failure::File { action: "create", path, .. } if path.ends_with("grill")));
    }
}
