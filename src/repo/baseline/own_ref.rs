//! Setting and removing the refs of ours below `refs/grill/local/`. Whoever calls holds the session's lock, so that no
//! living process of ours is about to do the same, and a lock that git's library left on one is known for what it is.

use std::cell::RefCell;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::git::GitAt;
use crate::app::ports::BaselineError;
use crate::files::patience::until;
use crate::git::program::is_reftable;
use crate::git::{Because, Error, Oid, Repo, left};

/// How often a ref is tried again that was locked.
const TRIES: u32 = 250;
/// How long a lock is waited for, while `git pack-refs` takes milliseconds.
const PATIENCE: Duration = Duration::from_secs(5);
/// A lock of this age was left by a process that died.
const LEFT: Duration = Duration::from_secs(1);
/// How long a lock is looked for that should be gone: until it is old enough to be one that was left, and a little longer.
const GOING: Duration = Duration::from_millis(1_200);

/// Where our refs are set, and what is to be said of their locks.
#[derive(Debug)]
pub(super) struct OwnRefs {
    common_dir: PathBuf,
    told: RefCell<Vec<String>>,
}

impl OwnRefs {
    pub(super) fn of(common_dir: PathBuf) -> Self {
        Self { common_dir, told: RefCell::default() }
    }

    /// What became of locks since this was asked last, in sentences.
    pub(super) fn told(&self) -> Vec<String> {
        self.told.take()
    }

    /// Sets a ref of ours, if it still names what it named.
    pub(super) fn set(&self, repo: &Repo, name: &str, from: Option<Oid>, to: Oid) -> Result<(), BaselineError> {
        let set = || repo.point(name, from, to, &because("grill: snapshot"));
        self.unlocked(name, set).map_err(|error| BaselineError::failed(format!("writing {name}"), error))
    }

    /// Removes a ref of ours, if there is one.
    pub(super) fn remove(&self, repo: &Repo, git: &GitAt<'_>, name: &str) -> Result<(), BaselineError> {
        let through_git = || git.git(["update-ref", "--no-deref", "-d", name]).ask(git.process).map(drop);
        let remove = || if repo.remove_loose(name)? { Ok(()) } else { through_git() };
        // A process that died before there was a ref may have left its lock alone.
        if self.lock_of(name).exists() && !matches!(repo.tip(name), Ok(Some(_))) {
            self.has_waited_for(name);
        }
        self.unlocked(name, remove).map_err(|error| BaselineError::failed(format!("removing {name}"), error))?;
        // A lock of its own that git cannot take away again it leaves without a word, and nobody comes by here again for a
        // ref that is gone.
        let lock = self.lock_of(name);
        if !is_reftable(&self.common_dir) && !self.goes(&lock) {
            let still = format!(
                "{} is still there; git grill doctor --fix removes it once it is half a minute old",
                lock.display()
            );
            self.told.borrow_mut().push(still);
        }
        Ok(())
    }

    /// Removes what processes that died left beside the refs in this folder.
    pub(super) fn tidy(&self, folder: &str) {
        let mut folders = vec![self.common_dir.join(folder)];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
                let path = entry.path();
                if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                    folders.push(path);
                } else if path.extension().is_some_and(|end| end == "lock") {
                    let _ = self.take_away(&path);
                }
            }
        }
    }

    fn take_away(&self, lock: &Path) -> bool {
        let gone = self.remove_left(lock);
        if gone {
            let removed = format!("removed {}, which a process that died had left", lock.display());
            self.told.borrow_mut().push(removed);
        }
        gone
    }

    fn remove_left(&self, lock: &Path) -> bool {
        left::remove(lock, &self.common_dir.join("grill/local.now"), |_, age| age > LEFT)
    }

    /// Whether the lock of a ref that was just removed is gone, or could be taken away.
    fn goes(&self, lock: &Path) -> bool {
        until(GOING, || lock.symlink_metadata().is_err() || self.remove_left(lock))
    }

    /// The lock of a ref; a reftable repository has one for all of them.
    fn lock_of(&self, name: &str) -> PathBuf {
        let file = if is_reftable(&self.common_dir) { "reftable/tables.list" } else { name };
        self.common_dir.join(format!("{file}.lock"))
    }

    fn unlocked<T>(&self, name: &str, mut work: impl FnMut() -> Result<T, Error>) -> Result<T, Error> {
        let mut tries = 0;
        loop {
            match work() {
                Err(error) if tries < TRIES && error.is_passing() && self.has_waited_for(name) => tries += 1,
                done => return done,
            }
        }
    }

    /// Waits until a ref is locked no more; whether that is so.
    fn has_waited_for(&self, name: &str) -> bool {
        let lock = self.lock_of(name);
        // The one for all refs may be another git's, however old it is.
        until(PATIENCE, || !lock.exists() || (!is_reftable(&self.common_dir) && self.take_away(&lock)))
    }
}

fn because(message: &str) -> Because<'_> {
    Because { name: "git grill", email: "git-grill@localhost", seconds: 0, message }
}
