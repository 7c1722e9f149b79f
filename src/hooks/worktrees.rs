//! The worktrees of a repository, as far as hooks care: where they are and whether a session is active there.

use std::path::{Path, PathBuf};

use crate::git::worktrees::{self, FOLDER, Linked, is_same};
use crate::hooks::error::{HookError, file};
use crate::hooks::place::{MARKER, Place};

/// Whether another worktree that still exists has an active session.
pub(crate) fn others_armed(place: &Place) -> Result<bool, HookError> {
    let linked = linked(place)?.into_iter().map(|linked| linked.git_dir);
    let mut others = linked.chain([place.common_dir.clone()]).filter(|dir| !is_same(dir, &place.git_dir));
    Ok(others.any(|dir| dir.join(MARKER).exists()))
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
    // The main one has none noted.
    Linked::at(git_dir).map_or_else(|| git_dir.is_dir(), |linked| linked.is_ours())
}

/// Linked worktrees whose folder is still there; git forgets the others when it prunes.
fn linked(place: &Place) -> Result<Vec<Linked>, HookError> {
    let mut linked = worktrees::linked(&place.common_dir).map_err(file("read", &place.common_dir.join(FOLDER)))?;
    linked.retain(Linked::is_ours);
    Ok(linked)
}
