//! Which locks make a fence: the names under which git locks what it is about to replace.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::io::ErrorKind;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use super::error::{FenceError, file};
use crate::files::regular;
use crate::hooks::Place;

/// What the worktrees of a repository share. `git stash drop` writes the reflog alone, so that has a lock too.
const SHARED: [&str; 4] = ["config.lock", "packed-refs.lock", "refs/stash.lock", "logs/refs/stash.lock"];
/// What each worktree has for itself.
const OWN: [&str; 3] = ["index.lock", "HEAD.lock", "config.worktree.lock"];
/// How deep submodules are looked for below `modules`; their names may have slashes, and they may nest.
const MODULES_DEPTH: usize = 12;

/// Every lock of a worktree's fence, in the order in which they are taken: this worktree's, the shared ones, those of
/// its submodules.
pub fn locks(place: &Place) -> Result<Vec<PathBuf>, FenceError> {
    let mut found = of_one(&place.git_dir, &place.common_dir)?;
    for module in submodules(&place.git_dir)? {
        found.extend(of_one(&module, &module)?);
    }
    Ok(found)
}

fn of_one(git_dir: &Path, common_dir: &Path) -> Result<Vec<PathBuf>, FenceError> {
    let mut found: Vec<PathBuf> = OWN.iter().map(|name| git_dir.join(name)).collect();
    if let Some(branch) = current_ref(git_dir)? {
        found.push(common_dir.join(lock_name(&branch)));
    }
    found.extend(SHARED.iter().map(|name| common_dir.join(name)));
    Ok(found)
}

/// The ref that HEAD names, born or not; `None` when it is detached.
pub(super) fn current_ref(git_dir: &Path) -> Result<Option<PathBuf>, FenceError> {
    let head = git_dir.join("HEAD");
    // Ancient repositories have a symbolic link for it.
    let target = match fs::read_link(&head) {
        Ok(link) => link.into_os_string().into_vec(),
        Err(_) => match regular::bytes(&head, regular::SHORT) {
            Ok(bytes) => match bytes.strip_prefix(b"ref:") {
                Some(name) => name.trim_ascii().to_vec(),
                None => return Ok(None),
            },
            Err(error) => return Err(file("read", &head)(error)),
        },
    };
    let name = PathBuf::from(OsStr::from_bytes(&target));
    // A name that leads out of `refs/` is nobody's branch, and nothing of ours is put there.
    let inside = target.starts_with(b"refs/") && name.components().all(|part| part.as_os_str() != "..");
    Ok(inside.then_some(name))
}

fn lock_name(name: &Path) -> PathBuf {
    let mut lock = name.as_os_str().to_owned();
    lock.push(".lock");
    PathBuf::from(lock)
}

/// The git directories of the submodules that git keeps below this one. A submodule with a `.git` folder of its own in
/// the working tree, as very old versions of git made them, is not found.
fn submodules(git_dir: &Path) -> Result<BTreeSet<PathBuf>, FenceError> {
    let mut found = BTreeSet::new();
    look(&git_dir.join("modules"), MODULES_DEPTH, &mut found)?;
    Ok(found)
}

fn look(dir: &Path, depth: usize, found: &mut BTreeSet<PathBuf>) -> Result<(), FenceError> {
    let entries = match fs::read_dir(dir) {
        Ok(entries) => entries,
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => return Ok(()),
        Err(error) => return Err(file("read", dir)(error)),
    };
    for entry in entries {
        let entry = entry.map_err(file("read", dir))?;
        // Links are not followed: what they lead to is some other repository's.
        if !entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            continue;
        }
        let path = entry.path();
        let is_repository = path.join("HEAD").is_file() && path.join("objects").is_dir();
        let below = if is_repository { path.join("modules") } else { path.clone() };
        if is_repository {
            found.insert(path);
        }
        if depth > 0 {
            look(&below, depth - 1, found)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(head: &[u8]) -> Option<PathBuf> {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("HEAD"), head).unwrap();
        current_ref(dir.path()).unwrap()
    }

    #[test]
    fn the_branch_is_read_from_head_and_leads_nowhere_else() {
        assert_eq!(names(b"ref: refs/heads/a/b\n"), Some(PathBuf::from("refs/heads/a/b")));
        assert_eq!(names(b"ref:refs/heads/\xff"), Some(PathBuf::from(OsStr::from_bytes(b"refs/heads/\xff"))));
        for other in [b"1234\n".as_slice(), b"ref: ../../etc/x\n", b"ref: refs/heads/../../../x\n", b""] {
            assert_eq!(names(other), None, "{}", other.escape_ascii());
        }
    }

    #[test]
    fn submodules_are_found_by_any_name_and_depth() {
        let dir = tempfile::tempdir().unwrap();
        for module in ["modules/lib", "modules/third/party", "modules/lib/modules/inner"] {
            fs::create_dir_all(dir.path().join(module).join("objects")).unwrap();
            fs::write(dir.path().join(module).join("HEAD"), "ref: refs/heads/main\n").unwrap();
        }
        let found: Vec<_> = submodules(dir.path()).unwrap().into_iter().collect();
        let wanted = ["modules/lib", "modules/lib/modules/inner", "modules/third/party"];
        assert_eq!(found, wanted.map(|module| dir.path().join(module)));
    }
}
