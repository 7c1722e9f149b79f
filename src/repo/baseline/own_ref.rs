//! Setting and removing the refs of ours below `refs/grill/local/`. Whoever calls holds the session's lock, so that no
//! living process of ours is about to do the same, and a lock that git's library left on one is known for what it is.

use std::cell::RefCell;
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use crate::app::ports::BaselineError;
use crate::git::program::is_reftable;
use crate::git::{Because, Error, Oid, Repo, left};

/// How often a ref that is locked is tried again, a pause apart: five seconds, while `git pack-refs` takes milliseconds.
const TRIES: u32 = 250;
const PAUSE: Duration = Duration::from_millis(20);
/// A lock of this age was left by a process that died.
const LEFT: Duration = Duration::from_secs(1);

/// Where our refs are set, and which locks of dead processes were removed for it.
#[derive(Debug)]
pub(super) struct OwnRefs {
    common_dir: PathBuf,
    removed: RefCell<Vec<PathBuf>>,
}

impl OwnRefs {
    pub(super) fn of(common_dir: PathBuf) -> Self {
        Self { common_dir, removed: RefCell::default() }
    }

    /// Which locks were removed since this was asked last.
    pub(super) fn removed(&self) -> Vec<PathBuf> {
        self.removed.take()
    }

    /// Sets a ref of ours, if it still names what it named.
    pub(super) fn set(&self, repo: &Repo, name: &str, from: Option<Oid>, to: Oid) -> Result<(), BaselineError> {
        let set = || repo.point(name, from, Some(to), &because("grill: snapshot"));
        self.unlocked(name, set).map_err(|error| BaselineError::failed(format!("writing {name}"), error))
    }

    /// Removes a ref of ours, if there is one.
    pub(super) fn remove(&self, repo: &Repo, name: &str) -> Result<(), BaselineError> {
        let remove = || repo.point(name, None, None, &because("grill: forgotten"));
        // A process that died before there was a ref may have left its lock alone.
        if self.lock_of(name).exists() && !matches!(repo.tip(name), Ok(Some(_))) {
            self.has_waited_for(name);
        }
        self.unlocked(name, remove).map_err(|error| BaselineError::failed(format!("removing {name}"), error))
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
                    let _ = self.take_away(path);
                }
            }
        }
    }

    fn take_away(&self, lock: PathBuf) -> bool {
        let gone = left::remove(&lock, &self.common_dir.join("grill/local.now"), |_, age| age > LEFT);
        if gone {
            self.removed.borrow_mut().push(lock);
        }
        gone
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
        for _ in 0..TRIES {
            if !lock.exists() {
                return true;
            }
            // The one for all refs may be another git's, however old it is.
            if !is_reftable(&self.common_dir) && self.take_away(lock.clone()) {
                return true;
            }
            std::thread::sleep(PAUSE);
        }
        false
    }
}

/// What a reflog says of us.
fn because(message: &str) -> Because<'_> {
    Because { name: "git grill", email: "git-grill@localhost", seconds: 0, message }
}
