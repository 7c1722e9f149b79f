//! Where a repository lies: every folder that something of it is in, wherever that is. A sandbox keeps all of them as
//! they are.

use std::path::{Path, PathBuf};

use super::open::{Opened, Vars, open_exactly};
use crate::files::regular;
use crate::git::worktrees::{linked, main_folder};
use crate::git::{Repo, Spawner};

/// How many repositories one may borrow objects from in turn; git itself stops at five.
const DEEPEST: usize = 8;

/// The folders of a repository, without those that lie in another: its working trees, its git directories, what it
/// borrows objects from, and the git directories of its submodules.
pub fn extent(opened: &Opened, var: Vars<'_>, process: &Spawner) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = vec![opened.git_dir.clone(), opened.common_dir.clone()];
    found.extend(opened.worktree.clone());
    // A main working tree stands around its `.git`, also when we come from a linked one.
    found.extend(main_folder(&opened.common_dir).map(Path::to_owned));
    let linked = linked(&opened.common_dir).unwrap_or_default();
    found.extend(linked.iter().filter_map(|linked| linked.folder().map(Path::to_owned)));
    let objects = var("GIT_OBJECT_DIRECTORY").map_or_else(|| opened.common_dir.join("objects"), PathBuf::from);
    if let Some(more) = var("GIT_ALTERNATE_OBJECT_DIRECTORIES") {
        found.extend(std::env::split_paths(&more));
    }
    borrowed(&objects, DEEPEST, &mut found);
    found.push(objects);
    submodules(&opened.repo, process, DEEPEST, &mut found);
    outermost(found)
}

fn borrowed(objects: &Path, depth: usize, found: &mut Vec<PathBuf>) {
    let Some(left) = depth.checked_sub(1) else {
        return;
    };
    let Ok(list) = regular::bytes(objects.join("info/alternates"), regular::LONG) else {
        return;
    };
    for line in list.split(|byte| *byte == b'\n').filter(|line| !line.is_empty() && line[0] != b'#') {
        let place = objects.join(path_of(line));
        if !found.contains(&place) {
            found.push(place.clone());
            borrowed(&place, left, found);
        }
    }
}

/// The submodules that are checked out, whose git directories may lie anywhere.
fn submodules(repo: &Repo, process: &Spawner, depth: usize, found: &mut Vec<PathBuf>) {
    let Some(left) = depth.checked_sub(1) else {
        return;
    };
    let (inner, top): (Vec<Opened>, PathBuf) = match (repo, repo.worktree()) {
        (Repo::Program(program), Some(top)) => {
            let linked = program.gitlinks().unwrap_or_default().into_iter();
            (linked.filter_map(|path| open_exactly(&top.join(path_of(&path)), process).ok()).collect(), top)
        }
        (Repo::Library(repo), Some(top)) => {
            let known = repo.submodules().unwrap_or_default();
            let checked_out = known.iter().map(|submodule| top.join(submodule.path()));
            // One that was never checked out has no `.git` of its own.
            let checked_out = checked_out.filter(|path| path.join(".git").exists());
            (checked_out.filter_map(|path| open_exactly(&path, process).ok()).collect(), top)
        }
        (Repo::Program(_) | Repo::Library(_), None) => return,
    };
    for inner in inner {
        // Without a `.git` of its own a folder would lead to the repository around it.
        if inner.worktree.as_ref() == Some(&top) {
            continue;
        }
        found.push(inner.git_dir.clone());
        found.push(inner.common_dir.clone());
        found.extend(inner.worktree.clone());
        borrowed(&inner.common_dir.join("objects"), DEEPEST, found);
        submodules(&inner.repo, process, left, found);
    }
}

fn path_of(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    PathBuf::from(std::ffi::OsStr::from_bytes(bytes))
}

/// By their real names, those that exist, without those that lie in another.
fn outermost(found: Vec<PathBuf>) -> Vec<PathBuf> {
    let mut real: Vec<PathBuf> = found.into_iter().filter_map(|path| path.canonicalize().ok()).collect();
    real.sort();
    let mut kept: Vec<PathBuf> = Vec::new();
    for path in real {
        // Sorted by parts, whatever lies in a folder follows it.
        if !kept.last().is_some_and(|outer| path.starts_with(outer)) {
            kept.push(path);
        }
    }
    kept
}
