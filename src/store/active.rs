//! `GRILL_HEAD`: the pointer of each worktree to its active session. Always symbolic: git's garbage collection does not
//! count a detached one.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

use git2::Repository;

use super::glimpse;
use super::lock::{self, Held};
use super::publish;
use super::publish::remove_stale;
use crate::app::ports::StoreError;
use crate::domain::ids::SessionId;

/// The pointer's name.
pub const POINTER: &str = "GRILL_HEAD";
/// Where sessions live.
pub const PREFIX: &str = "refs/grill/sessions/";

fn io(doing: &str) -> impl Fn(std::io::Error) -> StoreError + '_ {
    move |source| StoreError::Io { doing: doing.to_owned(), source }
}

fn git(doing: &str) -> impl Fn(git2::Error) -> StoreError + '_ {
    move |error| StoreError::Git { doing: doing.to_owned(), why: error.message().to_owned() }
}

/// What a pointer's file says; `None` when there is none.
fn read(git_dir: &Path) -> Result<Option<SessionId>, StoreError> {
    let bytes = match fs::read(git_dir.join(POINTER)) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(io("reading GRILL_HEAD")(error)),
    };
    let text = String::from_utf8_lossy(&bytes);
    let id = text
        .strip_prefix("ref:")
        .and_then(|target| target.trim().strip_prefix(PREFIX))
        .and_then(|id| SessionId::parse(id).ok());
    match id {
        Some(id) => Ok(Some(id)),
        None => Err(StoreError::BadPointer {
            why: format!(
                "it should name a session and says '{}'",
                text.trim().chars().take(80).collect::<String>().escape_debug()
            ),
        }),
    }
}

/// The session that this worktree's pointer names, and its newest commit.
pub fn active(repo: &Repository) -> Result<Option<(SessionId, git2::Oid)>, StoreError> {
    let Some(id) = read(repo.path())? else {
        return Ok(None);
    };
    match publish::tip(repo, &id.ref_name()) {
        Ok(Some(tip)) => Ok(Some((id, tip))),
        Ok(None) => Err(StoreError::BadPointer { why: format!("the session {id} that it names is gone") }),
        Err(error) => Err(StoreError::Corrupt { what: id.ref_name(), why: error.message().to_owned(), id }),
    }
}

/// How long a pointer that somebody else is setting is waited for.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long we sleep between two tries.
const PAUSE: Duration = Duration::from_millis(20);
/// Nobody but us sets the pointer, and one of us at a time: a lock file of this age was left by a process that died.
const STALE: Duration = Duration::from_secs(1);

/// Points this worktree at a session. Call it with the session's lock held, so that two worktrees cannot both see the
/// session free.
pub fn activate(repo: &Repository, id: &SessionId) -> Result<(), StoreError> {
    if let Some((_, worktree)) = elsewhere(repo).into_iter().find(|(other, _)| other == id) {
        return Err(StoreError::ActiveElsewhere { id: id.clone(), worktree });
    }
    if matches!(read(repo.path()), Err(StoreError::BadPointer { .. })) {
        // The library would not touch one that it cannot read.
        deactivate(repo)?;
    }
    let held = lock::wait(&repo.path().join("grill"), "head.lock", PATIENCE)?;
    let set = set_pointer(repo, id, &held);
    held.remove();
    set
}

fn set_pointer(repo: &Repository, id: &SessionId, held: &Held) -> Result<(), StoreError> {
    let lock_file = repo.path().join(format!("{POINTER}.lock"));
    for _ in 0..PATIENCE.as_millis() / PAUSE.as_millis() {
        match point(repo, id) {
            Ok(()) => return Ok(()),
            Err(error) if error.code() == git2::ErrorCode::Locked => {
                if !remove_stale(&lock_file, held, STALE) {
                    std::thread::sleep(PAUSE);
                }
            }
            Err(error) => return Err(git("setting GRILL_HEAD")(error)),
        }
    }
    Err(StoreError::Busy { path: lock_file, seconds: PATIENCE.as_secs() })
}

fn point(repo: &Repository, id: &SessionId) -> Result<(), git2::Error> {
    let mut transaction = repo.transaction()?;
    transaction.lock_ref(POINTER)?;
    transaction.set_symbolic_target(POINTER, &id.ref_name(), None, "grill: active")?;
    transaction.commit()
}

/// Takes this worktree's pointer away, whatever it says.
pub fn deactivate(repo: &Repository) -> Result<(), StoreError> {
    let gone = remove_pointer(repo);
    glimpse::forget(repo.path());
    gone
}

fn remove_pointer(repo: &Repository) -> Result<(), StoreError> {
    // git's library reads the pointer's target and packed-refs to delete it, and fails on a corrupt one; the pointer
    // is never packed.
    match fs::remove_file(repo.path().join(POINTER)) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) => Err(io("removing GRILL_HEAD")(error)),
    }
}

/// The session that the pointer in a worktree's git directory names, without asking whether it exists.
pub fn pointer(git_dir: &Path) -> Result<Option<SessionId>, StoreError> {
    read(git_dir)
}

/// What is active in the repository's other worktrees, with the worktree's folder. A worktree whose folder is gone
/// holds nothing, and neither does a pointer that cannot be read.
pub fn elsewhere(repo: &Repository) -> Vec<(SessionId, PathBuf)> {
    let ours = canonical(repo.path());
    worktrees(repo)
        .into_iter()
        .filter(|(git_dir, _)| canonical(git_dir) != ours)
        .filter_map(|(git_dir, folder)| Some((read(&git_dir).ok().flatten()?, folder)))
        .collect()
}

/// The session that is active here, with the worktree's folder, without asking whether it exists.
pub fn here(repo: &Repository) -> Option<(SessionId, PathBuf)> {
    let folder = repo.workdir().unwrap_or_else(|| repo.path());
    // The library's paths end in a slash; collecting the components leaves it out.
    Some((read(repo.path()).ok().flatten()?, folder.components().collect()))
}

fn canonical(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// The git directory and the folder of every worktree that is there, the main one first.
fn worktrees(repo: &Repository) -> Vec<(PathBuf, PathBuf)> {
    let common = canonical(repo.commondir());
    let main = match (common.file_name(), common.parent()) {
        (Some(name), Some(parent)) if name == ".git" => parent.to_owned(),
        (Some(_) | None, Some(_) | None) => common.clone(),
    };
    let mut found = vec![(common.clone(), main)];
    let linked = fs::read_dir(common.join("worktrees")).into_iter().flatten().flatten();
    for entry in linked {
        let git_dir = entry.path();
        let Ok(text) = fs::read_to_string(git_dir.join("gitdir")) else {
            continue;
        };
        // The file names the worktree's `.git`, relative to itself with `worktree.useRelativePaths`.
        let pointer = git_dir.join(text.trim_end());
        if let (true, Some(folder)) = (pointer.exists(), pointer.parent()) {
            found.push((git_dir, canonical(folder)));
        }
    }
    found
}
