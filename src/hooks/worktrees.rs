//! The worktrees of a repository, as far as hooks care: where they are and whether a session is active there.

use std::path::{Path, PathBuf};

use crate::git::worktrees::{self, FOLDER, Linked, is_same};
use crate::hooks::error::{HookError, file};
use crate::hooks::place::{MARKER, Place};

/// Whether another worktree that still exists has an active session.
pub(crate) fn others_armed(place: &Place) -> Result<bool, HookError> {
    let main = &place.common_dir;
    let dirs = worktrees::git_dirs(main).map_err(file("read", &main.join(FOLDER)))?;
    let mut others = dirs.iter().filter(|dir| dir.join(MARKER).exists() && !is_same(dir, &place.git_dir));
    Ok(others.any(|dir| dir == main || may_be_there(dir)))
}

/// Whether a linked worktree still exists, as far as it can be told: git forgets one that does not say where it is.
fn may_be_there(git_dir: &Path) -> bool {
    match Linked::at(git_dir) {
        Ok(linked) => linked.is_some_and(|linked| linked.is_ours()),
        Err(_) => true,
    }
}

/// The roots of all worktrees that exist.
pub(crate) fn roots(place: &Place) -> Result<Vec<PathBuf>, HookError> {
    let mut roots: Vec<PathBuf> =
        linked(place)?.iter().filter_map(|linked| linked.folder().map(Path::to_owned)).collect();
    roots.push(place.root.clone());
    // The usual place of the main one; a bare repository has none and loses nothing by being looked into.
    roots.extend(place.common_dir.parent().map(PathBuf::from));
    Ok(roots)
}

/// Whether the worktree of a git directory still exists: its folder may be gone long before git forgets it.
pub fn worktree_is_there(git_dir: &Path) -> bool {
    match Linked::at(git_dir) {
        Ok(Some(linked)) => linked.is_ours(),
        // The main one has none noted.
        Ok(None) | Err(_) => git_dir.is_dir(),
    }
}

/// Linked worktrees whose folder is still there; git forgets the others when it prunes.
fn linked(place: &Place) -> Result<Vec<Linked>, HookError> {
    let mut linked = worktrees::linked(&place.common_dir).map_err(file("read", &place.common_dir.join(FOLDER)))?;
    linked.retain(Linked::is_ours);
    Ok(linked)
}
