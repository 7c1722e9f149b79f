//! The advisory lock of a session: one writer at a time, so that nobody has to try twice. It dies with its process.
//!
//! What git or its library locks meanwhile, a ref, it locks with a file that does not die with anybody. So the lock file says
//! when its holder is about to do that: whoever finds it saying so has it of a process that died, and knows whose lock
//! the ref's is.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fs::File;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, SystemTime};

use crate::app::ports::{Holder, StoreError};
use crate::domain::ids::SessionId;
use crate::files::lock::{self, Failure};
use crate::files::patience::until;
use crate::git::{holder, left};

/// How long a busy lock is waited for unless the caller says otherwise.
pub const PATIENCE: Duration = Duration::from_secs(10);
pub(super) const LOCK: &str = ".lock";
/// What stands before that for the lock of an output phase.
const PRODUCTION: &str = ".produce";
/// What stands before that for the lock of a terminal from which an agent leads.
const LEADING: &str = ".lead";
/// What stands before that for the lock of a step of a debate.
const STEP: &str = ".step";
/// What stands before that for the lock of a call of the agent that leads.
const CALL: &str = ".call";
/// What stands before that for the lock of runs that may write in an output phase.
pub(super) const WRITERS: &str = ".runs";
/// What a lock file says while its holder moves a ref.
const MOVING: &[u8] = b"moving a ref\n";
/// A lock of git's that is older than this was left by somebody who died, whoever it was: a living git holds one for
/// milliseconds, and this long, even where a machine is very busy, none does.
pub const STALE: Duration = Duration::from_secs(30);
/// What a lock of git's must be old for, at least, before we take it for that of a process of ours that died while it
/// moved the ref: a living git holds one for milliseconds.
const LET_GO: Duration = Duration::from_secs(1);

/// A held lock; dropping the last one lets go.
#[derive(Debug)]
pub struct Held {
    file: File,
    path: PathBuf,
    /// Since when an earlier holder was about to lock a ref, if it died of it.
    died_moving: Mutex<Option<SystemTime>>,
}

impl Held {
    /// Takes the lock file away and lets go. Whoever opened it meanwhile finds that it is not at its place any more.
    pub fn remove(self) {
        // One that cannot be removed is empty and in nobody's way.
        let _ = std::fs::remove_file(&self.path);
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    fn died_moving(&self) -> MutexGuard<'_, Option<SystemTime>> {
        self.died_moving.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does something for which git makes these lock files. Should we die of it, the next holder knows whose they are.
    pub fn while_moving<T>(&self, lock_files: &[&Path], work: impl FnOnce() -> T) -> T {
        self.moving();
        let done = work();
        // One that we could not take away again stays ours.
        if lock_files.iter().all(|lock| lock.symlink_metadata().is_err()) {
            self.moved();
        }
        done
    }

    /// Says in the file that a ref is about to be locked.
    fn moving(&self) {
        // An earlier one that died is not forgotten as long as its lock may be there. And if nothing can be written, a
        // lock that we leave is only taken away later.
        if self.died_moving().is_none() {
            let _ = self.file.write_all_at(MOVING, 0);
        }
    }

    /// Says that no ref is locked by us any more.
    fn moved(&self) {
        *self.died_moving() = None;
        // One that goes on saying otherwise costs a glance at a lock that is not there.
        let _ = self.file.set_len(0);
    }

    /// Removes a lock file of git's that somebody left who died: older than `stale`, or made since an earlier holder of
    /// ours was about to make one. One that a living process has open is never taken for left.
    pub fn remove_stale(&self, lock_file: &Path, stale: Duration) -> bool {
        let since = *self.died_moving();
        left::remove(lock_file, &beside(&self.path), |made, age| {
            age > stale || (since.is_some_and(|since| made >= since) && age > LET_GO)
        })
    }

    /// Removes the lock of a ref that an earlier holder left, as soon as it is old enough to be one.
    fn outlived(&self, lock_file: PathBuf) -> Option<PathBuf> {
        if self.died_moving().is_none() {
            // That it was about to make one is lost with the power; that it is old is not.
            return self.remove_stale(&lock_file, STALE).then_some(lock_file);
        }
        let mut removed = false;
        until(LET_GO + LET_GO / 4, || {
            removed = self.remove_stale(&lock_file, Duration::MAX);
            removed || !lock_file.exists()
        });
        removed.then_some(lock_file)
    }
}

/// A held lock whose file goes when it is dropped.
#[derive(Debug)]
pub struct Passing(Option<Held>);

impl Drop for Passing {
    fn drop(&mut self) {
        if let Some(held) = self.0.take() {
            held.remove();
        }
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

    /// Waits for the right to create what the session's output phase owes, but not for ever. Programs that we start
    /// meanwhile hold it as well: should we be killed while one of them talks to the host, nobody looks what is there
    /// before it is done.
    pub fn hold_production(&self, id: &SessionId) -> Result<Held, StoreError> {
        let held = wait(&self.folder, &format!("{id}{PRODUCTION}{LOCK}"), self.patience)?;
        rustix::io::fcntl_setfd(&held.file, rustix::io::FdFlags::empty()).map_err(|source| StoreError::Io {
            doing: format!("locking {}", held.path.display()),
            source: source.into(),
        })?;
        Ok(held)
    }

    /// Takes the right to have an agent lead the session from here: one terminal has it at a time. Never waits.
    pub fn hold_leading(&self, id: &SessionId) -> Result<Held, StoreError> {
        wait(&self.folder, &format!("{id}{LEADING}{LOCK}"), Duration::ZERO)
    }

    /// Who has that right, as far as the system tells. Takes nothing.
    pub fn leading_holder(&self, id: &SessionId) -> Option<Holder> {
        holder::of(&self.folder.join(format!("{id}{LEADING}{LOCK}")))
    }

    /// Takes the right to have a role of the session's debate play. Never waits.
    pub fn hold_step(&self, id: &SessionId) -> Result<Passing, StoreError> {
        let held = wait(&self.folder, &format!("{id}{STEP}{LOCK}"), Duration::ZERO)?;
        Ok(Passing(Some(held)))
    }

    /// Waits until no other call of the agent that leads is served: what one call finds open no other may close meanwhile.
    pub fn hold_call(&self, id: &SessionId) -> Result<Held, StoreError> {
        wait(&self.folder, &format!("{id}{CALL}{LOCK}"), self.patience)
    }

    /// Waits for the session's lock, but not for ever.
    pub fn hold(&self, id: &SessionId) -> Result<Arc<Held>, StoreError> {
        if let Some(held) = self.held.borrow().get(id).and_then(Weak::upgrade) {
            return Ok(held);
        }
        let held = Arc::new(wait(&self.folder, &format!("{id}{LOCK}"), self.patience)?);
        self.held.borrow_mut().insert(id.clone(), Arc::downgrade(&held));
        Ok(held)
    }
}

/// Waits for the lock of this name in `folder`, but not for ever.
pub(super) fn wait(folder: &Path, name: &str, patience: Duration) -> Result<Held, StoreError> {
    let path = folder.join(name);
    Ok(held(waited(lock::wait(&path, patience), &path, patience)?, path))
}

/// The locked file, or why it is not locked.
pub(super) fn waited(taken: Result<File, Failure>, path: &Path, patience: Duration) -> Result<File, StoreError> {
    match taken {
        // Some network file systems have no locks; then the ref's own lock alone decides who was first.
        Ok(file) | Err(Failure::Unsupported { file, .. }) => Ok(file),
        Err(Failure::Busy) => {
            Err(StoreError::Busy { holder: holder::of(path), path: path.to_owned(), seconds: patience.as_secs() })
        }
        Err(Failure::File { source, .. }) => {
            Err(StoreError::Io { doing: format!("locking {}", path.display()), source })
        }
    }
}

/// The lock, with what its last holder left in it.
fn held(file: File, path: PathBuf) -> Held {
    let died_moving = Mutex::new(moving_since(&file));
    Held { file, path, died_moving }
}

/// Since when a lock file says that its holder is about to lock a ref.
fn moving_since(file: &File) -> Option<SystemTime> {
    file.metadata().ok().filter(|about| about.len() > 0).and_then(|about| about.modified().ok())
}

/// Where a file is made for a moment, to see what time it is.
fn beside(path: &Path) -> PathBuf {
    path.with_extension("lock.now")
}

fn session_of(name: Option<&str>) -> Option<SessionId> {
    let name = name?.strip_suffix(LOCK)?;
    let apart = [PRODUCTION, LEADING, CALL, WRITERS].iter().find_map(|kind| name.strip_suffix(kind));
    SessionId::parse(apart.unwrap_or(name)).ok()
}

/// Whether a ref's lock was left by a holder of the session's lock that died while it moved the ref. Changes nothing.
pub fn died_moving(common: &Path, id: &SessionId, ref_lock: &Path) -> bool {
    let path = common.join("grill").join(format!("{id}{LOCK}"));
    // Let go again at once: whoever waits for it meanwhile gets it then.
    let Some(file) = lock::unheld(&path) else { return false };
    let since = moving_since(&file);
    let made = ref_lock.symlink_metadata().and_then(|about| about.modified()).ok();
    since.zip(made).is_some_and(|(since, made)| made >= since)
}

/// Removes a lock file that nobody holds.
pub(super) fn remove_unheld(path: &Path) {
    if let Some(_held) = lock::unheld(path) {
        // One that stays is empty and in nobody's way.
        let _ = std::fs::remove_file(path);
    }
}

/// The lock files of sessions that nobody holds, each with its session. That of an active session serves it, whatever it
/// locks: between two holders nobody holds it.
pub fn unheld(common: &Path) -> Vec<(SessionId, PathBuf)> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(common.join("grill")).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let Some(session) = session_of(name.to_str()) else { continue };
        if lock::unheld(&entry.path()).is_some() {
            found.push((session, entry.path()));
        }
    }
    found
}

/// Removes the lock files that nobody holds, and the folder if nothing else is in it. Whoever opened one of them
/// meanwhile finds that it is not at its place any more and makes a new one. Gives the locks of refs that the last
/// holders left, and that went with them.
pub fn sweep(common: &Path) -> Vec<PathBuf> {
    let folder = common.join("grill");
    let mut removed = Vec::new();
    for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let Some(session) = session_of(name.to_str()) else { continue };
        let path = entry.path();
        if let Some(file) = lock::unheld(&path) {
            let held = held(file, path);
            removed.extend(held.outlived(common.join(format!("{}.lock", session.ref_name()))));
            let _ = std::fs::remove_file(beside(held.path()));
            held.remove();
        }
    }
    // Fails when something else is in it, as it should.
    let _ = std::fs::remove_dir(&folder);
    removed
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How long we sleep between two looks.
    const NAP: Duration = Duration::from_millis(4);

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
        assert!(Locks::new(dir.path(), PATIENCE).hold(&id).is_ok());
    }

    #[test]
    fn who_came_too_late_for_the_lock_does_not_keep_it_from_the_next() {
        let dir = tempfile::tempdir().unwrap();
        let id = SessionId::parse("20261121-late-aaaaa").unwrap();
        let locks = |patience| Locks::new(dir.path(), patience);
        let first = locks(PATIENCE).hold(&id).unwrap();
        assert!(matches!(locks(Duration::from_millis(20)).hold(&id), Err(StoreError::Busy { .. })));
        drop(first);
        for _ in 0..20 {
            drop(locks(PATIENCE).hold(&id).unwrap());
        }
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
        let left = || {
            sweep(dir.path());
            std::thread::sleep(NAP);
            let mut left: Vec<_> =
                std::fs::read_dir(dir.path().join("grill")).unwrap().map(|e| e.unwrap().file_name()).collect();
            left.sort();
            left
        };
        // A process that another test is just starting holds what we had locked until it becomes its program.
        assert!((0..1000).any(|_| left() == ["20261121-held-aaaaa.lock", "hooks.lock"]), "{:?}", left());
        drop(ours);
        std::fs::remove_file(dir.path().join("grill/hooks.lock")).unwrap();
        // A process that another test is just starting holds what we had locked until it becomes its program.
        let gone = || {
            sweep(dir.path());
            std::thread::sleep(NAP);
            !dir.path().join("grill").exists()
        };
        assert!((0..1000).any(|_| gone()));
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
