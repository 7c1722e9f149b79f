//! What of a writable folder can be granted when the repository lies in it. A folder above the repository never is:
//! Landlock cannot take a part back, and even with mounts it could be renamed, repository and all. Its other children
//! are granted one by one.

use std::path::{Path, PathBuf};

/// How many children of one folder are granted; beyond, the folder stays read-only as a whole.
pub const MOST_CHILDREN: usize = 512;

/// What may be written, and what could not be granted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grants {
    /// Folders and files that may be written.
    pub paths: Vec<PathBuf>,
    /// Folders that stay read-only because the repository lies in them or they lie in the repository, with the reason.
    pub withheld: Vec<(PathBuf, &'static str)>,
}

/// What can be granted of `wanted` while everything in `sealed` stays as it is. Paths that do not exist are left out;
/// symlinks are followed first, so that no other name leads to something sealed.
pub fn grants(wanted: &[PathBuf], sealed: &[PathBuf]) -> Grants {
    let mut grants = Grants::default();
    for path in wanted {
        if let Ok(path) = path.canonicalize() {
            grant(path, sealed, &mut grants);
        }
    }
    grants.paths.sort();
    grants.paths.dedup();
    grants
}

fn grant(path: PathBuf, sealed: &[PathBuf], grants: &mut Grants) {
    if sealed.iter().any(|seal| path.starts_with(seal)) {
        grants.withheld.push((path, "it belongs to the repository"));
    } else if sealed.iter().any(|seal| seal.starts_with(&path)) {
        match children(&path) {
            Some(children) => {
                for child in children {
                    grant_child(child, sealed, grants);
                }
            }
            None => grants.withheld.push((path, "the repository lies in it, and it holds too much beside")),
        }
    } else {
        grants.paths.push(path);
    }
}

/// The one child that leads to the repository is looked into in turn; a symlink is no child of its own.
fn grant_child(child: PathBuf, sealed: &[PathBuf], grants: &mut Grants) {
    let real = std::fs::symlink_metadata(&child).is_ok_and(|about| !about.is_symlink());
    if real && !sealed.contains(&child) {
        grant(child, sealed, grants);
    }
}

fn children(path: &Path) -> Option<Vec<PathBuf>> {
    let children: Vec<PathBuf> =
        std::fs::read_dir(path).ok()?.take(MOST_CHILDREN + 1).filter_map(|entry| Some(entry.ok()?.path())).collect();
    (children.len() <= MOST_CHILDREN).then_some(children)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_above_or_in_the_repository_is_granted() {
        let temp = tempfile::tempdir().unwrap();
        let root = temp.path().canonicalize().unwrap();
        for dir in ["home/.cache/a", "home/.cache/src/repo/.git", "home/.cache/src/other", "home/.claude"] {
            std::fs::create_dir_all(root.join(dir)).unwrap();
        }
        std::fs::write(root.join("home/.cache/file"), "").unwrap();
        std::os::unix::fs::symlink(root.join("home/.cache/src/repo"), root.join("home/.cache/link")).unwrap();
        std::os::unix::fs::symlink(root.join("home/.cache/src/repo/.git"), root.join("home/.other")).unwrap();
        let sealed = [root.join("home/.cache/src/repo")];
        let wanted = ["home/.cache", "home/.claude", "home/.absent", "home/.other", "home/.cache/src/repo/.git"];
        let granted = grants(&wanted.map(|path| root.join(path)), &sealed);
        let expected = ["home/.cache/a", "home/.cache/file", "home/.cache/src/other", "home/.claude"];
        assert_eq!(granted.paths, expected.map(|path| root.join(path)));
        let inside = root.join("home/.cache/src/repo/.git");
        let why = "it belongs to the repository";
        assert_eq!(granted.withheld, [(inside.clone(), why), (inside, why)]);
    }

    #[test]
    fn a_folder_with_too_many_children_stays_read_only() {
        let temp = tempfile::tempdir().unwrap();
        let root = temp.path().canonicalize().unwrap();
        std::fs::create_dir(root.join("repo")).unwrap();
        for number in 0..MOST_CHILDREN {
            std::fs::write(root.join(number.to_string()), "").unwrap();
        }
        let granted = grants(std::slice::from_ref(&root), &[root.join("repo")]);
        assert_eq!(granted.paths, Vec::<PathBuf>::new());
        assert_eq!(granted.withheld.len(), 1);
    }
}
