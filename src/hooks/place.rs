//! Where hooks are installed: the paths of one worktree and what of them is ours.

use std::path::PathBuf;

use crate::git::program::is_reftable;

/// A worktree whose hooks are armed or disarmed. All paths are absolute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// What the worktrees of the repository share: `.git` of the main one.
    pub common_dir: PathBuf,
    /// The git directory of this worktree; equals `common_dir` in the main one.
    pub git_dir: PathBuf,
    /// The root of this worktree; the git directory of a bare repository.
    pub root: PathBuf,
    /// Our own program, which the hooks execute.
    pub binary: PathBuf,
}

/// The marker's place below a git directory. The shims test it, so they and we must agree.
pub(crate) const MARKER: &str = "grill/armed";

/// Where a shim notes which git process it has told that our program is gone.
pub(crate) const GONE_NOTE: &str = "grill/hook-gone";

/// The file inside each lock folder of the fence. A lock with it is ours, so whoever edits the configuration for us
/// under the fence already holds git's lock. Named like a lock itself: below `refs` and `logs` git passes over those,
/// and takes anything else for a broken ref (`git fsck`, `git log --reflog`).
pub(crate) const FENCE_NOTE: &str = "held-by-git-grill.lock";

impl Place {
    pub fn is_reftable(&self) -> bool {
        is_reftable(&self.common_dir)
    }

    /// The folder of ours that all worktrees share.
    pub(crate) fn grill_dir(&self) -> PathBuf {
        self.common_dir.join("grill")
    }

    /// What is installed.
    pub(crate) fn record_file(&self) -> PathBuf {
        self.grill_dir().join("hooks.json")
    }

    /// Serialises arming and disarming.
    pub(crate) fn lock_file(&self) -> PathBuf {
        self.grill_dir().join("hooks.lock")
    }

    /// The fences of all worktrees.
    pub(crate) fn fence_file(&self) -> PathBuf {
        self.grill_dir().join("fence.json")
    }

    /// Serialises raising and lifting fences.
    pub(crate) fn fence_lock_file(&self) -> PathBuf {
        self.grill_dir().join("fence.lock")
    }

    /// The hooks folder that is entirely ours.
    pub(crate) fn own_hooks(&self) -> PathBuf {
        self.grill_dir().join("hooks")
    }

    /// Says that this worktree has an active session.
    pub(crate) fn marker(&self) -> PathBuf {
        self.git_dir.join(MARKER)
    }

    /// The configuration that all worktrees share.
    pub(crate) fn config_file(&self) -> PathBuf {
        self.common_dir.join("config")
    }
}
