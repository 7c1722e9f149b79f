//! git as this room asks it: in one worktree, without hooks, without locks, whatever the environment and the user's
//! settings say.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::app::ports::{BaselineError, Process, Ran};
pub(super) use crate::git::paths::{pieces, quoted};
use crate::git::{Git, filters};

/// Settings that show every change, however the user has set git to overlook some.
const FAITHFUL: [&str; 5] = [
    "core.untrackedCache=false",
    "core.trustctime=true",
    "core.checkStat=default",
    "core.fileMode=true",
    "core.symlinks=true",
];

/// git in one worktree, as git here is asked.
#[derive(Clone)]
pub(super) struct GitAt<'a> {
    pub process: &'a (dyn Process + Sync),
    /// The git directory of this worktree.
    pub dir: PathBuf,
    /// The top of the working tree; none in a bare repository.
    pub top: Option<PathBuf>,
    /// How long one call may take; `None` is as long as it likes.
    pub limit: Option<Duration>,
}

impl GitAt<'_> {
    /// git in this worktree.
    pub(super) fn git<A: Into<OsString>>(&self, words: impl IntoIterator<Item = A>) -> Git {
        let git = faithful(Git::new(words).inside(&self.dir)).at_work_in(self.top.as_deref());
        match self.limit {
            Some(limit) => git.for_at_most(limit),
            None => git,
        }
    }

    /// The worktree with another git directory, as far as git asks no files there.
    pub(super) fn at(&self, git_dir: &Path) -> Self {
        Self { process: self.process, dir: git_dir.to_owned(), top: None, limit: self.limit }
    }

    /// Runs it, and takes anything but success as a failure of `doing`.
    pub(super) fn ask(&self, doing: &str, words: &[&str], stdin: Vec<u8>) -> Result<Vec<u8>, BaselineError> {
        self.succeed(doing, self.git(words.iter().copied()).fed(stdin))
    }

    /// Settings without the filters of a repository: where we only look, none of its programs run.
    pub(super) fn filters_off(&self, doing: &str, at: impl FnOnce(Git) -> Git) -> Result<Vec<String>, BaselineError> {
        filters::switched_off(at, self.process).map_err(|error| BaselineError::failed(doing, error))
    }

    /// Runs it, however it ends.
    pub(super) fn try_ask(&self, doing: &str, git: Git) -> Result<Ran, BaselineError> {
        git.run(self.process).map_err(|error| BaselineError::failed(doing, error))
    }

    /// Runs it, and takes anything but success as a failure of `doing`, whatever its words are.
    pub(super) fn succeed(&self, doing: &str, git: Git) -> Result<Vec<u8>, BaselineError> {
        git.ask(self.process).map_err(|error| BaselineError::failed(doing, error))
    }
}

/// git that overlooks no change and takes paths as they are.
pub(super) fn faithful(git: Git) -> Git {
    git.settings(FAITHFUL).silent().reading().with("GIT_LITERAL_PATHSPECS", "1")
}
