//! Locks of git's own that a git left which died: nothing of ours, and nothing that we take away.

use std::path::{Path, PathBuf};

use crate::app::error::AppError;
use crate::app::ports::{Code, Finding, Severity};
use crate::fence;
use crate::git::worktrees::{Worktree, present};
use crate::hooks::Place;
use crate::store::mending::strays;

use super::super::guardian::HookProtection;
use super::{Section, shell_word};

/// The locks of all worktrees.
pub(super) struct GitLocks<'a> {
    pub guardian: &'a HookProtection<'a>,
}

impl Section for GitLocks<'_> {
    fn examine(&self) -> Result<Vec<Finding>, AppError> {
        let here = &self.guardian.place;
        let worktrees = present(&here.common_dir);
        let mut locks = Vec::new();
        for Worktree { git_dir, folder } in &worktrees {
            let place = Place { git_dir: git_dir.clone(), root: folder.clone(), ..here.clone() };
            locks.extend(fence::locks(&place)?);
        }
        // git makes it only where there is none, as it makes a lock.
        locks.push(here.common_dir.join("packed-refs.new"));
        locks.sort();
        locks.dedup();
        let mut folders: Vec<PathBuf> = worktrees.into_iter().map(|one| one.folder).collect();
        folders.push(here.common_dir.clone());
        Ok(strays::abandoned(locks, &folders).iter().map(|lock| of_lock(lock)).collect())
    }

    fn look(&self) -> String {
        format!("find {} -name '*.lock'", shell_word(&self.guardian.place.common_dir))
    }
}

fn of_lock(lock: &Path) -> Finding {
    let what = format!("{} is there, and no process that can be seen works with it", lock.display());
    let stops = match lock.file_name().and_then(|name| name.to_str()) {
        Some("index.lock") => "git add, git commit and whatever else changes the index are refused",
        Some("HEAD.lock") => "git can neither commit nor switch there",
        Some("packed-refs.lock" | "packed-refs.new") => "git can delete no branch and no tag, and git gc fails",
        Some("config.lock" | "config.worktree.lock") => "no setting can be changed, and git grill start may be refused",
        Some(_) | None => "git cannot move that ref",
    };
    let why = format!(
        "{stops}. A git that was killed left it, as it seems; remove it once you know that none works there, not as \
         another user or on another machine either, and that no editor of one is open"
    );
    Finding::new(Code::GitLock, Severity::Error, what, why).typed([format!("rm {}", shell_word(lock))])
}
