//! Moving a session's ref: a short transaction that moves it from exactly one commit to exactly one other.
//!
//! Never `reference(force)`, which loses what somebody else just wrote, and never `reference_matching`, which reads all
//! of packed-refs.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use git2::{ErrorClass, ErrorCode, Oid, Repository, Signature};

use super::lock::Held;
use crate::app::ports::StoreError;

/// How long a ref that somebody else locks is waited for; `git pack-refs` holds it for milliseconds.
const REF_PATIENCE: Duration = Duration::from_secs(3);
/// A ref lock older than this, while we hold the session's lock, was left by a process that died.
const STALE: Duration = Duration::from_secs(30);
/// The longest pause between two tries, in milliseconds.
const LONGEST_PAUSE: u64 = 40;

/// What became of a publication.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Published {
    /// The ref names the new commit.
    Done,
    /// The ref names something else than was expected; nothing was written.
    Moved,
}

/// A move of one ref.
pub struct Move<'a> {
    /// The ref.
    pub name: &'a str,
    /// Where it is; `None` when it must not exist yet.
    pub from: Option<Oid>,
    /// Where it goes.
    pub to: Oid,
    /// Who moves it, for the reflog.
    pub by: &'a Signature<'a>,
    /// What the reflog says.
    pub message: &'a str,
}

/// The commit a ref names; `None` when there is no such ref.
pub fn tip(repo: &Repository, name: &str) -> Result<Option<Oid>, git2::Error> {
    match repo.refname_to_id(name) {
        Ok(oid) => Ok(Some(oid)),
        Err(error) if error.code() == ErrorCode::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Moves the ref. A lock file that a dead process left is removed; its path is added to `removed`.
pub fn publish(
    repo: &Repository,
    step: &Move<'_>,
    held: &Held,
    removed: &mut Vec<PathBuf>,
) -> Result<Published, StoreError> {
    let lock_file = repo.commondir().join(format!("{}.lock", step.name));
    #[expect(clippy::disallowed_methods, reason = "how long one waits is no fact of the session")]
    let begun = Instant::now();
    let mut pause = 1;
    loop {
        let error = match attempt(repo, step) {
            Ok(published) => return Ok(published),
            Err(error) => error,
        };
        // The ref may have moved although something after it failed, and somebody else may have been faster.
        match tip(repo, step.name) {
            Ok(Some(now)) if now == step.to => return Ok(Published::Done),
            Ok(now) if now != step.from => return Ok(Published::Moved),
            Ok(_) | Err(_) => {}
        }
        if !is_passing(&error) {
            return Err(StoreError::Git { doing: format!("moving {}", step.name), why: error.message().to_owned() });
        }
        if remove_stale(&lock_file, held, STALE) {
            removed.push(lock_file.clone());
            continue;
        }
        if begun.elapsed() >= REF_PATIENCE {
            return Err(StoreError::Busy { path: lock_file, seconds: REF_PATIENCE.as_secs() });
        }
        std::thread::sleep(Duration::from_millis(pause));
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
}

fn attempt(repo: &Repository, step: &Move<'_>) -> Result<Published, git2::Error> {
    if !repo.reference_has_log(step.name)? {
        repo.reference_ensure_log(step.name)?;
    }
    let mut transaction = repo.transaction()?;
    transaction.lock_ref(step.name)?;
    if tip(repo, step.name)? != step.from {
        return Ok(Published::Moved);
    }
    transaction.set_target(step.name, step.to, Some(step.by), step.message)?;
    transaction.commit()?;
    Ok(Published::Done)
}

/// Whether another try can succeed: somebody holds the lock, or `git pack-refs` took the empty folder away.
fn is_passing(error: &git2::Error) -> bool {
    matches!(error.code(), ErrorCode::Locked | ErrorCode::Modified)
        || (error.code() == ErrorCode::NotFound && error.class() == ErrorClass::Os)
}

/// Removes a ref's lock file that is older than `stale`: what holds it is dead, since `held` is the lock that every
/// living process of ours takes first.
pub(super) fn remove_stale(lock_file: &std::path::Path, held: &Held, stale: Duration) -> bool {
    let age = || -> std::io::Result<Duration> {
        let left_at = lock_file.symlink_metadata()?.modified()?;
        let now = held.file_time()?;
        Ok(now.duration_since(left_at).unwrap_or_default())
    };
    age().is_ok_and(|age| age > stale) && std::fs::remove_file(lock_file).is_ok()
}
