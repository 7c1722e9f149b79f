//! Moving a session's ref: a short transaction that moves it from exactly one commit to exactly one other.
//!
//! Never `reference(force)`, which loses what somebody else just wrote, and never `reference_matching`, which reads all
//! of packed-refs.

use std::path::{Path, PathBuf};
use std::time::Duration;

use git2::{ErrorCode, Repository, Signature};

use super::lock::{Held, STALE};
use super::patience::{Patience, is_held, is_passing, patiently};
use crate::app::ports::StoreError;
use crate::git::{Because, Error, Oid, Program, Repo, library_id, our_id};

/// How long a ref that somebody else locks is waited for; `git pack-refs` holds it for milliseconds, unless the machine
/// has other things to do.
const REF_PATIENCE: Duration = Duration::from_secs(5);
/// How long a ref is tried to be moved that nobody locks: its folder comes and goes in less.
const FOLDER_PATIENCE: Duration = Duration::from_millis(300);

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
pub fn tip(repo: &Repo, name: &str) -> Result<Option<Oid>, Error> {
    match repo {
        Repo::Library(repo) => Ok(library_tip(repo, name)?),
        Repo::Program(_) => repo.tip(name),
    }
}

fn library_tip(repo: &Repository, name: &str) -> Result<Option<Oid>, git2::Error> {
    patiently(repo, || match repo.refname_to_id(name) {
        Ok(oid) => Ok(Some(our_id(oid))),
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
    held.moving();
    let published = move_ref(repo, step, &lock_file, held, removed);
    // One that we could not take away again stays ours.
    if lock_file.symlink_metadata().is_err() {
        held.moved();
    }
    published
}

fn move_ref(
    repo: &Repository,
    step: &Move<'_>,
    lock_file: &Path,
    held: &Held,
    removed: &mut Vec<PathBuf>,
) -> Result<Published, StoreError> {
    let mut failed = None;
    let mut patience = Patience::begin();
    loop {
        let error = match attempt(repo, step) {
            Ok(published) => return Ok(published),
            Err(error) => error,
        };
        // The ref may have moved although something after it failed, and somebody else may have been faster.
        match library_tip(repo, step.name) {
            Ok(Some(now)) if now == step.to => return Ok(Published::Done),
            Ok(now) if now != step.from => return Ok(Published::Moved),
            Ok(_) | Err(_) => {}
        }
        let is_held = is_held(&error);
        if !is_held {
            failed = Some(error.message().to_owned());
        }
        // A lock that appears behind a failure of ours is ours, which could not be taken away again: the failure counts.
        if let Some(why) = &failed
            && (!is_passing(&error) || patience.is_over(FOLDER_PATIENCE))
        {
            return Err(StoreError::Git { doing: format!("moving {}", step.name), why: why.clone() });
        }
        if held.remove_stale(lock_file, STALE) {
            removed.push(lock_file.to_owned());
            continue;
        }
        if patience.is_over(REF_PATIENCE) {
            return Err(StoreError::Busy { path: lock_file.to_owned(), seconds: REF_PATIENCE.as_secs(), holder: None });
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
    if library_tip(repo, step.name)? != step.from {
        return Ok(Published::Moved);
    }
    let to = library_id(step.to).map_err(|error| git2::Error::from_str(&error.0))?;
    transaction.set_target(step.name, to, Some(step.by), step.message)?;
    transaction.commit()?;
    Ok(Published::Done)
}

/// Moves the ref through the `git` program, which compares and sets in one transaction. `settings` are git's on top of
/// the user's.
pub fn publish_by_program(
    program: &Program,
    step: &Move<'_>,
    settings: &[&str],
    held: &Held,
    removed: &mut Vec<PathBuf>,
) -> Result<Published, StoreError> {
    // One lock guards all refs of a reftable repository, and the user's own git may hold it: it is never removed here.
    let lock_file = if program.is_reftable() {
        program.common_dir().join("reftable/tables.list.lock")
    } else {
        program.common_dir().join(format!("{}.lock", step.name))
    };
    let failed = |error: Error| StoreError::Git { doing: format!("moving {}", step.name), why: error.0 };
    let (name, email) = (String::from_utf8_lossy(step.by.name_bytes()), String::from_utf8_lossy(step.by.email_bytes()));
    let because = Because { name: &name, email: &email, seconds: step.by.when().seconds(), message: step.message };
    let mut patience = Patience::begin();
    loop {
        let error = match program.point(step.name, step.from, Some(step.to), &because, settings) {
            Ok(()) => return Ok(Published::Done),
            Err(error) => error,
        };
        // The ref may have moved although something after it failed, and somebody else may have been faster.
        match program.tip(step.name) {
            Ok(Some(now)) if now == step.to => return Ok(Published::Done),
            Ok(now) if now != step.from => return Ok(Published::Moved),
            Ok(_) | Err(_) => {}
        }
        // Where it stands still, only a lock that somebody holds is a reason to try again.
        if !error.is_passing() {
            return Err(failed(error));
        }
        if !program.is_reftable() && held.remove_stale(&lock_file, STALE) {
            removed.push(lock_file.clone());
            continue;
        }
        if patience.is_over(REF_PATIENCE) {
            return Err(StoreError::Busy { path: lock_file, seconds: REF_PATIENCE.as_secs(), holder: None });
        }
        patience.rest();
    }
}
