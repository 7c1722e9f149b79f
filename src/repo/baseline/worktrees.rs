//! What the other worktrees of the repository have checked out: theirs to move, and never ours to restore.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use super::refs::{Target, head};

/// The branches that worktrees other than the one with this git directory have checked out.
pub(super) fn checked_out(common_dir: &Path, git_dir: &Path) -> BTreeSet<Vec<u8>> {
    let linked = fs::read_dir(common_dir.join("worktrees")).into_iter().flatten().flatten();
    let all = linked.map(|entry| entry.path()).chain([common_dir.to_owned()]);
    let real = |path: &Path| fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let here = real(git_dir);
    let named = all.filter(|dir| real(dir) != here).filter_map(|dir| match head(&dir) {
        Ok(Target::Symbolic(branch)) => Some(branch),
        // A detached one holds no branch, and one that cannot be read is no worktree.
        Ok(Target::Object(_)) | Err(_) => None,
    });
    named.collect()
}
