//! Which sessions a call could touch: found by the mark that an active session leaves in its git directory, with a few
//! looks at the file system and without opening a repository. Nearly every call is made where none is active.

use std::fs;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

use crate::files::regular;
use crate::git::worktrees;
use crate::store::active::may_be_active;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Unclear(pub String);

/// How many links in a row are followed that lead to nothing yet.
const MOST_LINKS: usize = 40;
/// The most bytes of a `.git` file: one path.
const LONGEST_LINK: u64 = 8 * 1024;

/// The folders or git directories with an active session, from `place` upwards. All of them: a repository within a
/// worktree (a submodule, a vendored clone) does not take the outer one's session away.
pub(super) fn active_above(place: &Path) -> Result<Vec<PathBuf>, Unclear> {
    let mut found = Vec::new();
    for folder in place.ancestors() {
        if let Some(git_dir) = git_dir_of(folder)? {
            if is_marked(&git_dir)? {
                found.push(folder.to_owned());
            }
        } else if is_bare(folder)? {
            // A bare repository, or the inside of a `.git`: what is written here belongs to every worktree.
            found.extend(marked_within(folder)?);
        }
    }
    Ok(found)
}

/// The git directory that `folder` names by its `.git`, as a folder or as a file.
pub(super) fn git_dir_of(folder: &Path) -> Result<Option<PathBuf>, Unclear> {
    let dot_git = folder.join(".git");
    match fs::metadata(&dot_git) {
        Ok(meta) if meta.is_dir() => Ok(Some(dot_git)),
        Ok(meta) if meta.is_file() && meta.len() > LONGEST_LINK => {
            Err(Unclear(format!("{} is too long for the path of a repository", dot_git.display())))
        }
        Ok(meta) if meta.is_file() => {
            let text = regular::bytes(&dot_git, LONGEST_LINK).map_err(|error| unclear(&dot_git, &error))?;
            let Some(named) = worktrees::named(&text) else { return Ok(None) };
            let target = folder.join(named);
            // Where nothing is there, git goes no further up, and runs nothing.
            Ok(is_there(&target)?.then_some(target))
        }
        Ok(_) => Ok(None),
        Err(error) if is_absence(error.kind()) => Ok(None),
        Err(error) => Err(unclear(&dot_git, &error)),
    }
}

/// Whether the folder itself is what git takes for a repository without a working tree, or the inside of a `.git`. Its
/// objects may be elsewhere: git looks for them where `commondir` leads.
pub(super) fn is_bare(folder: &Path) -> Result<bool, Unclear> {
    Ok(is_there(&folder.join("HEAD"))? && (is_there(&folder.join("objects"))? || is_there(&folder.join("commondir"))?))
}

/// The git directories in a common one whose worktrees have an active session.
fn marked_within(common: &Path) -> Result<Vec<PathBuf>, Unclear> {
    let mut marked = Vec::new();
    for git_dir in worktrees::git_dirs(common).map_err(|error| unclear(&common.join(worktrees::FOLDER), &error))? {
        if is_marked(&git_dir)? {
            marked.push(git_dir);
        }
    }
    Ok(marked)
}

/// Whether `GIT_DIR`, which git would take instead of searching, has the mark.
pub(super) fn marked(git_dir: &Path) -> Result<bool, Unclear> {
    is_marked(git_dir)
}

/// Whether the worktree with this git directory may have an active session.
fn is_marked(git_dir: &Path) -> Result<bool, Unclear> {
    may_be_active(git_dir).map_err(|error| unclear(git_dir, &error))
}

fn is_there(path: &Path) -> Result<bool, Unclear> {
    match fs::symlink_metadata(path) {
        Ok(_) => Ok(true),
        Err(error) if is_absence(error.kind()) => Ok(false),
        Err(error) => Err(unclear(path, &error)),
    }
}

fn is_absence(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::NotFound | ErrorKind::NotADirectory)
}

fn unclear(path: &Path, error: &std::io::Error) -> Unclear {
    Unclear(format!("{}: {error}", path.display()))
}

/// An absolute path with every link followed, also those that lead to nothing yet: writing through one makes the file
/// at its end.
pub(super) fn real(path: &Path) -> Result<PathBuf, Unclear> {
    real_within(path, MOST_LINKS)
}

fn real_within(path: &Path, links: usize) -> Result<PathBuf, Unclear> {
    if !path.is_absolute() {
        return Err(Unclear(format!("{} is not absolute", path.display())));
    }
    match path.canonicalize() {
        Ok(real) => return Ok(real),
        Err(error) if is_absence(error.kind()) => {}
        Err(error) => return Err(unclear(path, &error)),
    }
    let Some(parent) = path.parent() else {
        return Ok(path.to_owned());
    };
    if let Ok(target) = fs::read_link(path) {
        return match links.checked_sub(1) {
            Some(links) => real_within(&parent.join(target), links),
            None => Err(Unclear(format!("{} leads in circles", path.display()))),
        };
    }
    let real_parent = real_within(parent, links)?;
    Ok(match path.components().next_back() {
        Some(Component::Normal(name)) => real_parent.join(name),
        Some(Component::ParentDir) => real_parent.parent().unwrap_or(&real_parent).to_owned(),
        Some(Component::CurDir | Component::RootDir | Component::Prefix(_)) | None => real_parent,
    })
}

/// Every file that `text` could mean to an agent that works in `folder`: agents differ in whether they take `..` away
/// before they follow links, trim blanks, strip a leading `@`, and know `~` and `file://`.
pub(super) fn meant(folder: &Path, text: &str, home: Option<&Path>) -> Result<Vec<PathBuf>, Unclear> {
    let trimmed = text.trim();
    let plain = trimmed.strip_prefix('@').unwrap_or(trimmed);
    let plain = plain.strip_prefix("file://").unwrap_or(plain);
    let in_home = plain.strip_prefix("~/").and_then(|rest| Some(home?.join(rest)));
    let mut all = Vec::new();
    for spelled in [text, trimmed, plain].into_iter().map(|text| folder.join(text)).chain(in_home) {
        for path in [real(&without_dots(&spelled))?, real(&spelled)?] {
            if !all.contains(&path) {
                all.push(path);
            }
        }
    }
    Ok(all)
}

/// The path with `.` and `..` taken away by the letter.
pub(super) fn without_dots(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => {
                plain.pop();
            }
            Component::CurDir => {}
            Component::Normal(_) | Component::RootDir | Component::Prefix(_) => plain.push(component),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    fn temp() -> (tempfile::TempDir, PathBuf) {
        let temp = tempfile::tempdir().unwrap();
        let root = temp.path().canonicalize().unwrap();
        (temp, root)
    }

    fn above(place: &Path) -> Vec<PathBuf> {
        active_above(place).unwrap()
    }

    #[test]
    fn a_mark_is_found_from_below_and_through_a_git_file() {
        let (_temp, root) = temp();
        let repo = root.join("repo");
        fs::create_dir_all(repo.join("src/deep")).unwrap();
        fs::create_dir_all(repo.join(".git/objects")).unwrap();
        fs::write(repo.join(".git/HEAD"), "").unwrap();
        assert!(above(&repo.join("src/deep")).is_empty());
        fs::write(repo.join(".git/GRILL_HEAD"), "").unwrap();
        assert_eq!(above(&repo.join("src/deep")), std::slice::from_ref(&repo));
        assert_eq!(above(&repo.join("not/there")), std::slice::from_ref(&repo));
        // A repository within it does not hide it.
        fs::create_dir_all(repo.join("src/.git")).unwrap();
        assert_eq!(above(&repo.join("src/deep")), std::slice::from_ref(&repo));
        assert!(above(&root).is_empty());

        let linked = root.join("linked");
        fs::create_dir_all(&linked).unwrap();
        fs::create_dir_all(repo.join(".git/worktrees/linked")).unwrap();
        fs::write(linked.join(".git"), "gitdir: ../repo/.git/worktrees/linked\n").unwrap();
        assert!(above(&linked).is_empty());
        fs::write(repo.join(".git/worktrees/linked/GRILL_HEAD"), "").unwrap();
        assert_eq!(above(&linked), std::slice::from_ref(&linked));
        // Written into the common directory by hand, it is both worktrees' matter.
        let inside = active_above(&repo.join(".git/refs/heads/main")).unwrap();
        assert!(inside.contains(&repo.join(".git/worktrees/linked")) && inside.contains(&repo), "{inside:?}");
        // A `.git` that says nothing is no repository.
        fs::write(linked.join(".git"), "nothing").unwrap();
        assert!(above(&linked).is_empty());
    }

    #[test]
    fn links_are_followed_also_where_they_lead_to_nothing_yet() {
        let (_temp, root) = temp();
        fs::create_dir_all(root.join("a/b")).unwrap();
        symlink(root.join("a/b"), root.join("link")).unwrap();
        symlink("a/new", root.join("dangling")).unwrap();
        symlink("round", root.join("round")).unwrap();
        assert_eq!(real(&root.join("link/x/y")).unwrap(), root.join("a/b/x/y"));
        assert_eq!(real(&root.join("dangling")).unwrap(), root.join("a/new"));
        assert_eq!(real(&root.join("link/../x")).unwrap(), root.join("a/x"));
        assert_eq!(real(&root.join("nothing/../x")).unwrap(), root.join("x"));
        assert!(real(&root.join("round")).is_err());
        assert!(real(Path::new("a")).is_err());
        assert!(real(&root.join("a\0b")).is_err());
    }

    #[test]
    fn every_reading_of_a_path_counts() {
        let (_temp, root) = temp();
        fs::create_dir_all(root.join("a/b")).unwrap();
        symlink(root.join("a/b"), root.join("link")).unwrap();
        let of = |text: &str| meant(&root, text, Some(Path::new("/home/ada"))).unwrap();
        assert_eq!(of("a/x"), [root.join("a/x")]);
        assert_eq!(of("/etc/x"), [PathBuf::from("/etc/x")]);
        assert_eq!(of("link/../x"), [root.join("x"), root.join("a/x")]);
        assert!(of(" a/x ").contains(&root.join("a/x")));
        assert!(of("@a/x").contains(&root.join("a/x")));
        assert!(of("~/x").contains(&PathBuf::from("/home/ada/x")));
        assert!(of("file:///etc/x").contains(&PathBuf::from("/etc/x")));
    }
}
