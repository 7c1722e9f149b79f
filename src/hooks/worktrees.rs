//! The worktrees of a repository, as far as hooks care: where they are and whether a session is active there.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use crate::hooks::error::{HookError, file};
use crate::hooks::place::{MARKER, Place};

/// Whether another worktree that still exists has an active session.
pub(crate) fn others_armed(place: &Place) -> Result<bool, HookError> {
    let mut git_dirs: Vec<PathBuf> = linked(place)?.into_iter().map(|linked| linked.git_dir).collect();
    git_dirs.push(place.common_dir.clone());
    let here = fs::canonicalize(&place.git_dir).unwrap_or_else(|_| place.git_dir.clone());
    Ok(git_dirs
        .into_iter()
        .filter(|dir| fs::canonicalize(dir).unwrap_or_else(|_| dir.clone()) != here)
        .any(|dir| dir.join(MARKER).exists()))
}

/// The roots of all worktrees that exist.
pub(crate) fn roots(place: &Place) -> Result<Vec<PathBuf>, HookError> {
    let mut roots: Vec<PathBuf> = linked(place)?.into_iter().map(|linked| linked.root).collect();
    roots.push(place.root.clone());
    // The usual place of the main one; a bare repository has none and loses nothing by being looked into.
    roots.extend(place.common_dir.parent().map(PathBuf::from));
    Ok(roots)
}

/// Whether the worktree of a git directory still exists: its folder may be gone long before git forgets it.
pub fn worktree_is_there(git_dir: &Path) -> bool {
    match fs::read(git_dir.join("gitdir")) {
        Ok(link) => {
            let dot_git = git_dir.join(OsStr::from_bytes(link.trim_ascii_end()));
            dot_git.exists() && !is_anothers(git_dir, &dot_git)
        }
        // The main one has no such file.
        Err(_) => git_dir.is_dir(),
    }
}

/// Whether the worktree belongs to another repository: one that was copied still names the worktrees of the first.
fn is_anothers(git_dir: &Path, dot_git: &Path) -> bool {
    let leads_to = || {
        let text = fs::read(dot_git).ok()?;
        let path = text.strip_prefix(b"gitdir: ")?.trim_ascii_end();
        fs::canonicalize(dot_git.parent()?.join(OsStr::from_bytes(path))).ok()
    };
    // One that leads nowhere is of a repository that was moved and is to be repaired.
    leads_to().is_some_and(|there| fs::canonicalize(git_dir).is_ok_and(|here| here != there))
}

struct Linked {
    git_dir: PathBuf,
    root: PathBuf,
}

/// Linked worktrees whose folder is still there; git forgets the others when it prunes.
fn linked(place: &Place) -> Result<Vec<Linked>, HookError> {
    let dir = place.common_dir.join("worktrees");
    let entries = match fs::read_dir(&dir) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(file("read", &dir)(error)),
    };
    let mut found = Vec::new();
    for entry in entries {
        let git_dir = entry.map_err(file("read", &dir))?.path();
        let Ok(link) = fs::read(git_dir.join("gitdir")) else {
            continue;
        };
        // Relative to the git directory since git 2.48 when the user asks for it; joining leaves absolute ones alone.
        let dot_git = git_dir.join(OsStr::from_bytes(link.trim_ascii_end()));
        if is_anothers(&git_dir, &dot_git) {
            continue;
        }
        if let (true, Some(root)) = (dot_git.exists(), dot_git.parent()) {
            found.push(Linked { root: root.to_owned(), git_dir });
        }
    }
    Ok(found)
}
