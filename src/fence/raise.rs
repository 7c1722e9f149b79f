//! Raising and lifting. Both first look at what is there: a folder with our note is ours, an empty one that the record
//! names is ours from before a crash, and everything else is somebody else's.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::error::{FenceError, file};
use super::locks::locks;
use super::note::note;
use super::record::{Fence, FenceState, Record};
use crate::files::patience::Patience;
use crate::files::regular;
use crate::hooks::{Bytes, FENCE_NOTE, Lock, Place, fresh_record, remove_if_there};

/// How long all locks of a fence together are waited for. A git process that holds a lock for longer does not end by
/// itself.
pub const PATIENCE: Duration = Duration::from_secs(5);

/// Whether a fence could be raised now: waits for whoever holds one of its locks, and holds none.
pub fn ready(place: &Place, patience: Duration) -> Result<(), FenceError> {
    refuse_reftable(place)?;
    let mut waiting = Waiting::within(patience);
    for lock in locks(place)? {
        while is_foreign(&lock) {
            waiting.wait_for(&lock)?;
        }
    }
    Ok(())
}

/// Raises this worktree's fence for `session`, or completes it. Locks that other worktrees hold too are shared.
pub fn raise(place: &Place, session: &str) -> Result<(), FenceError> {
    raise_within(place, session, PATIENCE)
}

/// The same, with this patience for whoever holds one of its locks.
pub fn raise_within(place: &Place, session: &str, patience: Duration) -> Result<(), FenceError> {
    refuse_reftable(place)?;
    let _lock = Lock::at(place, place.fence_lock_file())?;
    raise_locked(place, session, patience)
}

pub(super) fn raise_locked(place: &Place, session: &str, patience: Duration) -> Result<(), FenceError> {
    let mut record = Record::load(place)?;
    let before = record.of(&place.git_dir).cloned();
    let wanted: Vec<Bytes> = locks(place)?.iter().map(|path| Bytes::of(path)).collect();
    let mut fence = before.clone().unwrap_or_else(|| Fence {
        git_dir: Bytes::of(&place.git_dir),
        session: String::new(),
        held: Vec::new(),
        made: Vec::new(),
    });
    session.clone_into(&mut fence.session);
    for lock in &wanted {
        let mut absent = absent_parents(&lock.path());
        absent.retain(|dir| !fence.made.contains(dir));
        fence.made.extend(absent);
    }
    fence.held.extend(wanted.into_iter().filter(|lock| !fence.held.contains(lock)).collect::<Vec<_>>());
    let paths: Vec<PathBuf> = fence.held.iter().map(Bytes::path).collect();
    // Noted before anything is made, so that a kill leaves nothing that nobody knows of.
    record.put(fence);
    record.save(place)?;
    let text = note(place, session);
    let mut waiting = Waiting::within(patience);
    let made = paths.iter().try_for_each(|path| hold(path, &text, &mut waiting));
    if made.is_err() {
        match before {
            None => let_go(place, &mut record, &place.git_dir, Keep::Nothing)?,
            Some(before) if before.held.is_empty() => let_go(place, &mut record, &place.git_dir, Keep::Wish)?,
            // What stands goes on standing; the next command tries again to complete it.
            Some(_) => Vec::new(),
        };
    }
    made
}

/// Lifts this worktree's fence. Locks that other worktrees still hold stay.
pub fn lift(place: &Place) -> Result<Vec<PathBuf>, FenceError> {
    // A kill may have left a record that was being written, and nothing else.
    let half = fresh_record(&place.fence_file());
    if !place.fence_file().exists() && !half.exists() {
        return Ok(Vec::new());
    }
    let _lock = Lock::at(place, place.fence_lock_file())?;
    remove_if_there(&half)?;
    let mut record = Record::load(place)?;
    let_go(place, &mut record, &place.git_dir, Keep::Nothing)
}

/// Takes this worktree's fence down for a while: for the output phase, and for what we ourselves have git do. Without one
/// it is noted that `session` wants one; [`super::tend`] raises it when the interview goes on.
pub fn lower(place: &Place, session: &str) -> Result<Vec<PathBuf>, FenceError> {
    let _lock = Lock::at(place, place.fence_lock_file())?;
    let mut record = Record::load(place)?;
    if record.of(&place.git_dir).is_none() {
        let git_dir = Bytes::of(&place.git_dir);
        record.put(Fence { git_dir, session: session.to_owned(), held: Vec::new(), made: Vec::new() });
    }
    let_go(place, &mut record, &place.git_dir, Keep::Wish)
}

/// Lock folders of ours at this worktree's lock names that no record names.
pub fn strays(place: &Place) -> Result<Vec<PathBuf>, FenceError> {
    let record = Record::load(place)?;
    let known = |lock: &PathBuf| record.holds(&Bytes::of(lock));
    Ok(locks(place)?.into_iter().filter(|lock| is_ours(lock) && !known(lock)).collect())
}

/// Whether this worktree has a lock of ours, on record or not.
pub fn stands(place: &Place) -> Result<bool, FenceError> {
    Ok(locks(place)?.iter().any(|lock| is_ours(lock)))
}

/// Frees every lock of this worktree that is ours and that no other fence holds, and forgets a record that cannot be
/// read. For when the record is lost: what it said cannot be had any more.
pub fn forget(place: &Place) -> Result<(), FenceError> {
    let _lock = Lock::at(place, place.fence_lock_file())?;
    let record = match Record::load(place) {
        Ok(record) => record,
        Err(FenceError::Record { .. }) => {
            remove_if_there(&place.fence_file())?;
            Record::load(place)?
        }
        Err(other) => return Err(other),
    };
    let strays = locks(place)?.into_iter().filter(|lock| is_ours(lock) && !record.holds(&Bytes::of(lock)));
    strays.into_iter().try_for_each(|lock| free(&lock))
}

/// The session that this worktree's fence stands for.
pub fn session(place: &Place) -> Result<Option<String>, FenceError> {
    Ok(Record::load(place)?.of(&place.git_dir).map(|fence| fence.session.clone()))
}

/// Looks at this worktree's fence and changes nothing.
pub fn state(place: &Place) -> Result<FenceState, FenceError> {
    let record = Record::load(place)?;
    let Some(fence) = record.of(&place.git_dir) else {
        return Ok(FenceState::None);
    };
    if fence.held.is_empty() {
        return Ok(FenceState::Down);
    }
    let missing: Vec<PathBuf> = locks(place)?.into_iter().filter(|lock| !is_ours(lock)).collect();
    Ok(if missing.is_empty() { FenceState::Up } else { FenceState::Broken { missing } })
}

/// What stays in the record when a fence is lowered.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Keep {
    /// That the session wants one.
    Wish,
    Nothing,
}

/// Takes a worktree's lock folders away, but for those that another fence holds; the locks that could not be freed.
pub(super) fn let_go(
    place: &Place,
    record: &mut Record,
    git_dir: &Path,
    keep: Keep,
) -> Result<Vec<PathBuf>, FenceError> {
    let Some(fence) = record.take(git_dir) else {
        return Ok(Vec::new());
    };
    let mut left = Vec::new();
    for lock in fence.held.iter().rev().filter(|lock| !record.holds(lock)) {
        let path = lock.path();
        free(&path)?;
        // One that became a file is a git's that went past us; with something else in it, it is not ours to remove.
        if fs::symlink_metadata(&path).is_ok_and(|meta| meta.is_dir()) {
            left.push(path);
        }
    }
    for dir in fence.made.iter().rev() {
        // Whatever has come into it since keeps it there, and nobody minds an empty folder.
        let _ = fs::remove_dir(dir.path());
    }
    if keep == Keep::Wish {
        record.put(Fence { held: Vec::new(), made: Vec::new(), ..fence });
    }
    record.save(place)?;
    Ok(left)
}

/// Makes one lock folder, waiting for whoever holds the lock. mkdir is atomic, like the open with which git takes it.
fn hold(lock: &Path, text: &str, waiting: &mut Waiting) -> Result<(), FenceError> {
    if let Some(parent) = lock.parent() {
        fs::create_dir_all(parent).map_err(file("create", parent))?;
    }
    loop {
        match fs::create_dir(lock) {
            Ok(()) => break,
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                if is_ours(lock) || is_empty_folder(lock) {
                    break;
                }
                waiting.wait_for(lock)?;
            }
            // git tidies empty folders of refs away while we look.
            Err(error) if error.kind() == ErrorKind::NotFound => {
                waiting.wait_for(lock)?;
                if let Some(parent) = lock.parent() {
                    fs::create_dir_all(parent).map_err(file("create", parent))?;
                }
            }
            Err(error) => return Err(file("create", lock)(error)),
        }
    }
    let inside = lock.join(FENCE_NOTE);
    if inside.is_file() {
        return Ok(());
    }
    regular::write(&inside, text).map_err(file("write", &inside))
}

/// Takes one lock folder away as far as it is ours. A file is a living git's, and stays.
pub(super) fn free(lock: &Path) -> Result<(), FenceError> {
    if !fs::symlink_metadata(lock).is_ok_and(|meta| meta.is_dir()) {
        return Ok(());
    }
    let inside = lock.join(FENCE_NOTE);
    match fs::remove_file(&inside) {
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(file("remove", &inside)(error)),
        Ok(()) | Err(_) => {}
    }
    match fs::remove_dir(lock) {
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::DirectoryNotEmpty) => Ok(()),
        other => other.map_err(file("remove", lock)),
    }
}

/// Whether a lock is one of our folders.
pub(super) fn is_ours(lock: &Path) -> bool {
    fs::symlink_metadata(lock).is_ok_and(|meta| meta.is_dir()) && lock.join(FENCE_NOTE).is_file()
}

/// A kill between the folder and its note leaves this; nobody else makes folders at these names, and an empty one
/// holds nothing that could be lost.
fn is_empty_folder(lock: &Path) -> bool {
    fs::symlink_metadata(lock).is_ok_and(|meta| meta.is_dir())
        && fs::read_dir(lock).is_ok_and(|mut entries| entries.next().is_none())
}

fn is_foreign(lock: &Path) -> bool {
    fs::symlink_metadata(lock).is_ok() && !is_ours(lock) && !is_empty_folder(lock)
}

/// The patience for all locks of a fence together.
struct Waiting {
    patience: Patience,
    limit: Duration,
}

impl Waiting {
    fn within(limit: Duration) -> Self {
        Self { patience: Patience::begin(), limit }
    }

    fn wait_for(&mut self, lock: &Path) -> Result<(), FenceError> {
        if self.patience.is_over(self.limit) {
            return Err(FenceError::Busy { path: lock.to_owned(), seconds: self.limit.as_secs() });
        }
        self.patience.rest();
        Ok(())
    }
}

/// The folders around a lock that are not there yet, outermost first.
fn absent_parents(lock: &Path) -> Vec<Bytes> {
    let mut absent: Vec<Bytes> =
        lock.ancestors().skip(1).take_while(|dir| fs::symlink_metadata(dir).is_err()).map(Bytes::of).collect();
    absent.reverse();
    absent
}

fn refuse_reftable(place: &Place) -> Result<(), FenceError> {
    if place.is_reftable() { Err(FenceError::Reftable) } else { Ok(()) }
}
