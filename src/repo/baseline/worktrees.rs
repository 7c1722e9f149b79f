//! The other worktrees of the repository: what they have checked out is theirs to move, and what appeared while they
//! are there may be theirs.

use std::collections::BTreeSet;
use std::path::Path;

use super::git::GitAt;
use super::refs::{Stash, Target, branch_of};
use super::restore::undo;
use crate::git::worktrees::{git_dirs, is_same};

#[derive(Clone, Debug, Default)]
pub(super) struct Others {
    pub branches: BTreeSet<Vec<u8>>,
    count: usize,
}

impl Others {
    pub(super) fn of(common_dir: &Path, git: &GitAt<'_>) -> Self {
        let all = git_dirs(common_dir).unwrap_or_else(|_| vec![common_dir.to_owned()]);
        let mut others = Self::default();
        for dir in all.iter().filter(|dir| !is_same(dir, &git.dir)) {
            others.count += 1;
            others.branches.extend(branch_of(git, dir));
        }
        others
    }

    /// Why a ref that appeared since the baseline is left: only the branch that is checked out here is surely of here.
    pub(super) fn keeps_ref(&self, name: &[u8], then: Option<&Target>, head: &Target) -> Option<String> {
        let here = matches!(head, Target::Symbolic(branch) if branch == name);
        (self.count > 0 && then.is_none() && !here)
            .then(|| format!("it may be another worktree's; `{}` removes it after git grill stop", undo::removes(name)))
    }

    /// The stashes to have after a restore: those of the baseline, and those that may be of another worktree.
    pub(super) fn stashes(&self, then: &[Stash], now: &[Stash]) -> Vec<Stash> {
        let mut wanted = then.to_vec();
        if self.count > 0 {
            wanted.extend(now.iter().filter(|stash| !then.contains(stash)).cloned());
        }
        wanted
    }
}
