//! Moving a session's ref from exactly one commit to exactly one other, again while somebody else has its lock.

use std::path::{Path, PathBuf};
use std::time::Duration;

use git2::{Repository, Signature};

use super::copies;
use super::lock::{Held, STALE};
use super::patience::{is_held, is_passing, patiently};
use crate::app::ports::StoreError;
use crate::files::in_vain;
use crate::files::patience::Patience;
use crate::git::{Because, Error, Oid, Program, Repo, holder, transaction};

/// How long a ref that somebody else locks is waited for; `git pack-refs` holds it for milliseconds, unless the machine
/// has other things to do.
const REF_PATIENCE: Duration = Duration::from_secs(5);
/// How long a ref is tried to be moved that nobody locks: its folder comes and goes in less.
const FOLDER_PATIENCE: Duration = Duration::from_millis(300);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Published {
    /// The ref names the new commit.
    Done,
    /// The ref names something else than was expected; nothing was written.
    Moved,
}

pub struct Move<'a> {
    pub name: &'a str,
    /// Where it is; `None` when it must not exist yet.
    pub from: Option<Oid>,
    pub to: Oid,
    pub by: &'a Signature<'a>,
    pub message: &'a str,
}

/// The commit a ref names; `None` when there is no such ref.
pub fn tip(repo: &Repo, name: &str) -> Result<Option<Oid>, Error> {
    match repo {
        Repo::Library(repo) => Ok(library_tip(repo, name)?),
        // git does not tell what a ref names whose commit it has lost.
        Repo::Program(program) => repo.tip(name).or_else(|error| match program.named(name) {
            Ok(Some(lost)) if copies::restored(repo, lost).is_some() => Ok(Some(lost)),
            Ok(_) | Err(_) => Err(error),
        }),
    }
}

fn library_tip(repo: &Repository, name: &str) -> Result<Option<Oid>, git2::Error> {
    patiently(repo, || transaction::named(repo, name))
}

/// Moves the ref. A lock file that a dead process left is removed; its path is added to `removed`.
pub fn publish(repo: &Repo, step: &Move<'_>, held: &Held, removed: &mut Vec<PathBuf>) -> Result<Published, StoreError> {
    let tries = || match repo {
        Repo::Library(library) => attempt(library, step).map_err(|error| Obstacle::of_library(&error)),
        Repo::Program(program) => attempt_by_program(program, step).map_err(|error| Obstacle::of_program(&error)),
    };
    if repo.is_reftable() {
        // One lock guards all refs, and the user's own git may hold it: it is never removed here.
        let all = repo.common_dir().join("reftable/tables.list.lock");
        return moved(repo, step, &all, |_| false, removed, tries);
    }
    let own = repo.common_dir().join(format!("{}.lock", step.name));
    held.while_moving(&[&own], || moved(repo, step, &own, |lock| held.remove_stale(lock, STALE), removed, tries))
}

/// Why a try moved nothing.
struct Obstacle {
    why: String,
    /// Somebody else holds the lock.
    is_held: bool,
    /// It may be otherwise a moment later.
    is_passing: bool,
}

impl Obstacle {
    fn of_library(error: &git2::Error) -> Self {
        Self { why: error.message().to_owned(), is_held: is_held(error), is_passing: is_passing(error) }
    }

    fn of_program(error: &Error) -> Self {
        Self { why: error.0.clone(), is_held: error.is_held(), is_passing: error.is_passing() }
    }
}

/// Tries until the ref has moved, somebody else has moved it, or nothing that waiting mends is in the way.
fn moved(
    repo: &Repo,
    step: &Move<'_>,
    lock_file: &Path,
    remove_stale: impl Fn(&Path) -> bool,
    removed: &mut Vec<PathBuf>,
    mut attempt: impl FnMut() -> Result<Published, Obstacle>,
) -> Result<Published, StoreError> {
    let mut failed = None;
    let (mut patience, limit) = (Patience::begin(), in_vain::left(lock_file, REF_PATIENCE));
    loop {
        let obstacle = match attempt() {
            Ok(published) => {
                in_vain::forget(lock_file);
                return Ok(published);
            }
            Err(obstacle) => obstacle,
        };
        // The ref may have moved although something after it failed, and somebody else may have been faster.
        match tip(repo, step.name) {
            Ok(Some(now)) if now == step.to => return Ok(Published::Done),
            Ok(now) if now != step.from => return Ok(Published::Moved),
            Ok(_) | Err(_) => {}
        }
        if !obstacle.is_held {
            failed = Some(obstacle.why);
        }
        // A lock that appears behind a failure of ours is ours, which could not be taken away again, unless a living process
        // has it open: the failure counts.
        if let Some(why) = &failed
            && (!obstacle.is_passing
                || patience.is_over(FOLDER_PATIENCE)
                    && (!obstacle.is_held || holder::with_it_open(lock_file).is_none()))
        {
            return Err(StoreError::Git { doing: format!("moving {}", step.name), why: why.clone() });
        }
        if remove_stale(lock_file) {
            removed.push(lock_file.to_owned());
            continue;
        }
        if patience.is_over(limit) {
            in_vain::note(lock_file, limit);
            let (path, holder) = (lock_file.to_owned(), holder::with_it_open(lock_file));
            return Err(StoreError::Busy { path, seconds: REF_PATIENCE.as_secs(), holder });
        }
        patience.rest();
    }
}

fn attempt(repo: &Repository, step: &Move<'_>) -> Result<Published, git2::Error> {
    if !repo.reference_has_log(step.name)? {
        repo.reference_ensure_log(step.name)?;
    }
    let moved = transaction::point(repo, step.name, step.from, step.to, Some(step.by), step.message)?;
    Ok(if moved { Published::Done } else { Published::Moved })
}

/// The `git` program compares and sets in one transaction.
fn attempt_by_program(program: &Program, step: &Move<'_>) -> Result<Published, Error> {
    let (name, email) = (String::from_utf8_lossy(step.by.name_bytes()), String::from_utf8_lossy(step.by.email_bytes()));
    let because = Because { name: &name, email: &email, seconds: step.by.when().seconds(), message: step.message };
    program.point(step.name, step.from, Some(step.to), &because)?;
    Ok(Published::Done)
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::fs::{self, File};

    use super::*;

    const NAME: &str = "refs/grill/sessions/20261121-x-aaaaa";

    fn passing(is_held: bool) -> Obstacle {
        Obstacle { why: "its folder is gone".to_owned(), is_held, is_passing: true }
    }

    /// A move that finds its folder gone, and then somebody's lock until `frees` says that it is free.
    fn after_a_folder_went(lock: &Path, frees: impl Fn(u32) -> bool) -> Result<Published, StoreError> {
        let dir = tempfile::tempdir().unwrap();
        let repo = Repo::Library(Repository::init_bare(dir.path()).unwrap());
        let to = repo.write(crate::git::Kind::Blob, b"words".to_vec()).unwrap();
        let by = Signature::now("Ada", "ada@example.com").unwrap();
        let step = Move { name: NAME, from: None, to, by: &by, message: "x" };
        let tries = Cell::new(0);
        moved(
            &repo,
            &step,
            lock,
            |_| false,
            &mut Vec::new(),
            || {
                tries.set(tries.get() + 1);
                if tries.get() > 1 && frees(tries.get()) { Ok(Published::Done) } else { Err(passing(tries.get() > 1)) }
            },
        )
    }

    #[test]
    fn a_living_process_s_lock_is_waited_for_although_a_folder_was_gone_before() {
        let dir = tempfile::tempdir().unwrap();
        let lock = dir.path().join("x.lock");
        let theirs = File::create(&lock).unwrap();
        // Pauses grow to 40 ms, so this is longer than a folder is waited for.
        let published = after_a_folder_went(&lock, |tries| tries > 20);
        assert_eq!(published.unwrap(), Published::Done);
        drop(theirs);
    }

    #[test]
    fn a_lock_that_no_process_has_open_behind_a_failure_is_what_failed() {
        let dir = tempfile::tempdir().unwrap();
        let lock = dir.path().join("x.lock");
        fs::write(&lock, "").unwrap();
        let failed = after_a_folder_went(&lock, |_| false).unwrap_err();
        assert!(matches!(failed, StoreError::Git { why, .. } if why.contains("folder is gone")));
    }
}
