//! Moving a session's ref: a short transaction that moves it from exactly one commit to exactly one other.
//!
//! Never `reference(force)`, which loses what somebody else just wrote, and never `reference_matching`, which reads all
//! of packed-refs.

use std::path::PathBuf;
use std::time::Duration;

use git2::{ErrorCode, Oid, Repository, Signature};

use super::lock::Held;
use super::patience::{Patience, is_held, is_passing, patiently};
use crate::app::ports::StoreError;

/// How long a ref that somebody else locks is waited for; `git pack-refs` holds it for milliseconds, unless the machine
/// has other things to do.
const REF_PATIENCE: Duration = Duration::from_secs(5);
/// How long a ref is tried to be moved that nobody locks: its folder comes and goes in less.
const FOLDER_PATIENCE: Duration = Duration::from_millis(300);
/// A ref lock older than this, while we hold the session's lock, was left by a process that died.
const STALE: Duration = Duration::from_secs(30);

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
    patiently(repo, || match repo.refname_to_id(name) {
        Ok(oid) => Ok(Some(oid)),
        Err(error) if error.code() == ErrorCode::NotFound => Ok(None),
        Err(error) => Err(error),
    })
}

/// Moves the ref. A lock file that a dead process left is removed; its path is added to `removed`.
pub fn publish(
    repo: &Repository,
    step: &Move<'_>,
    held: &Held,
    removed: &mut Vec<PathBuf>,
) -> Result<Published, StoreError> {
    let lock_file = repo.commondir().join(format!("{}.lock", step.name));
    let mut patience = Patience::begin();
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
        if !is_passing(&error) || (!is_held(&error) && patience.is_over(FOLDER_PATIENCE)) {
            return Err(StoreError::Git { doing: format!("moving {}", step.name), why: error.message().to_owned() });
        }
        if remove_stale(&lock_file, held, STALE) {
            removed.push(lock_file.clone());
            continue;
        }
        if patience.is_over(REF_PATIENCE) {
            return Err(StoreError::Busy { path: lock_file, seconds: REF_PATIENCE.as_secs() });
        }
        patience.rest();
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
