//! The worktrees of a repository, as its files tell it. Each has a git directory: the main one that which all of them
//! share, a linked one a folder in it. No git is run, since hooks and guards look here at every call.

use std::ffi::OsStr;
use std::fs;
use std::io::{self, ErrorKind};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use crate::files::regular;

/// The folder in the shared git directory with the git directories of the linked worktrees.
pub const FOLDER: &str = "worktrees";
/// Files that git and its library open on their way into a repository, whatever stands there: at a named pipe they wait for
/// ever.
const ON_THE_WAY: &[&str] =
    &["HEAD", "gitdir", "commondir", "index", "config", "packed-refs", "info/exclude", "info/attributes"];
/// Files that git opens in some repositories, or when it lists the worktrees.
const LATER: &[&str] = &["config.worktree", "locked"];

/// A worktree that is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Worktree {
    pub git_dir: PathBuf,
    /// The top of its working tree by its real name; of a bare repository, the git directory.
    pub folder: PathBuf,
}

/// A linked worktree as the repository has it noted, long after its folder is gone, too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Linked {
    pub git_dir: PathBuf,
    /// Where its `.git` was when git last looked.
    dot_git: PathBuf,
}

impl Linked {
    /// The one with this git directory; none if that does not say where its worktree is, as the main one does not.
    pub fn at(git_dir: &Path) -> io::Result<Option<Self>> {
        let link = match regular::bytes(git_dir.join("gitdir"), regular::SHORT) {
            Ok(link) => link,
            Err(error) if is_absence(&error) => return Ok(None),
            Err(error) => return Err(error),
        };
        // Relative to the git directory since git 2.48 when the user asks for it; joining leaves absolute ones alone.
        let dot_git = git_dir.join(OsStr::from_bytes(link.trim_ascii_end()));
        Ok(Some(Self { git_dir: git_dir.to_owned(), dot_git }))
    }

    /// The top of its working tree.
    pub fn folder(&self) -> Option<&Path> {
        self.dot_git.parent()
    }

    pub fn is_there(&self) -> bool {
        self.dot_git.exists()
    }

    /// Whether it is there and no other repository's: one that was copied still names the worktrees of the first.
    pub fn is_ours(&self) -> bool {
        // One that leads nowhere is of a repository that was moved and is to be repaired.
        let there = || fs::canonicalize(named_by(&self.dot_git)?).ok();
        let is_anothers =
            || there().is_some_and(|there| fs::canonicalize(&self.git_dir).is_ok_and(|here| here != there));
        self.is_there() && !is_anothers()
    }
}

/// The git directory of every worktree, the main one's first, without asking whether the worktree is there.
pub fn git_dirs(common_dir: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = vec![common_dir.to_owned()];
    match fs::read_dir(common_dir.join(FOLDER)) {
        Ok(entries) => {
            for entry in entries {
                found.push(entry?.path());
            }
        }
        Err(error) if is_absence(&error) => {}
        Err(error) => return Err(error),
    }
    Ok(found)
}

/// The linked worktrees, without asking whether they are there. One that cannot be read is left out, as git leaves out one
/// that says nothing.
pub fn linked(common_dir: &Path) -> io::Result<Vec<Linked>> {
    Ok(git_dirs(common_dir)?.iter().skip(1).filter_map(|git_dir| Linked::at(git_dir).ok().flatten()).collect())
}

/// The named pipes and the like in the git directories of a repository, where git opens a file and would wait.
pub fn pipes(common_dir: &Path) -> io::Result<Vec<PathBuf>> {
    let names = [ON_THE_WAY, LATER].concat();
    Ok(git_dirs(common_dir)?.iter().flat_map(|git_dir| pipes_among(&names, git_dir)).collect())
}

/// The first of them on the way that git takes into the repository of this folder, or of the nearest one above it.
pub fn in_the_way(folder: &Path) -> Option<PathBuf> {
    let git_dir = folder.ancestors().find_map(git_dir_of)?;
    pipes_among(ON_THE_WAY, &git_dir).next().or_else(|| {
        let common = regular::bytes(git_dir.join("commondir"), regular::SHORT).ok()?;
        pipes_among(ON_THE_WAY, &git_dir.join(OsStr::from_bytes(common.trim_ascii_end()))).next()
    })
}

/// The file by which the git directory of this folder, or of the nearest one above it, names another repository to share
/// with. Only that of a linked worktree names one, in which it lies itself.
pub fn redirected(folder: &Path) -> Option<PathBuf> {
    let git_dir = folder.ancestors().find_map(git_dir_of)?;
    let file = git_dir.join("commondir");
    let common = regular::bytes(&file, regular::SHORT).ok()?;
    let common = git_dir.join(OsStr::from_bytes(common.trim_ascii_end()));
    let lies_in = |real: PathBuf| Some(real.parent()?.parent()?.to_owned());
    let is_linked = fs::canonicalize(&git_dir).ok().and_then(lies_in) == fs::canonicalize(common).ok();
    (!is_linked).then_some(file)
}

/// The git directory of a folder: what its `.git` is or says, or the folder itself.
fn git_dir_of(folder: &Path) -> Option<PathBuf> {
    let dot_git = folder.join(".git");
    if dot_git.is_dir() {
        return Some(dot_git);
    }
    let is_one =
        || folder.join("HEAD").exists() && (folder.join("objects").is_dir() || folder.join("commondir").exists());
    named_by(&dot_git).or_else(|| is_one().then(|| folder.to_owned()))
}

fn pipes_among(names: &[&str], git_dir: &Path) -> impl Iterator<Item = PathBuf> {
    // One path for all of them: hooks look here at every call.
    let mut path = git_dir.to_owned();
    names.iter().filter_map(move |name| {
        path.push(name);
        let found = fs::metadata(&path).is_ok_and(|about| !about.is_file() && !about.is_dir()).then(|| path.clone());
        for _ in Path::new(name).components() {
            path.pop();
        }
        found
    })
}

fn is_absence(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}

/// The worktrees that are there, the main one first; that one alone where the others cannot be listed.
pub fn present(common_dir: &Path) -> Vec<Worktree> {
    let common = real(common_dir);
    let linked = linked(&common).unwrap_or_default().into_iter().filter(Linked::is_there);
    let linked: Vec<Worktree> = linked
        .filter_map(|linked| Some(Worktree { folder: real(linked.folder()?), git_dir: linked.git_dir }))
        .collect();
    let folder = main_folder(&common).unwrap_or(&common).to_owned();
    std::iter::once(Worktree { git_dir: common, folder }).chain(linked).collect()
}

/// Where the main worktree is, unless a setting names another folder: around its `.git`. None of a git directory with
/// another name.
pub fn main_folder(common_dir: &Path) -> Option<&Path> {
    common_dir.parent().filter(|_| common_dir.file_name().is_some_and(|name| name == ".git"))
}

/// Whether the two paths lead to one folder.
pub fn is_same(one: &Path, other: &Path) -> bool {
    real(one) == real(other)
}

/// What a `.git` that is a file says of where the git directory is.
fn named_by(dot_git: &Path) -> Option<PathBuf> {
    let text = regular::bytes(dot_git, regular::SHORT).ok()?;
    Some(dot_git.parent()?.join(named(&text)?))
}

/// The path in the text of a `.git`, as git reads it: blanks belong to the name, and line ends behind it do not.
pub fn named(text: &[u8]) -> Option<&Path> {
    let path = text.strip_prefix(b"gitdir: ")?;
    let end = path.iter().rposition(|byte| !b"\r\n".contains(byte)).map_or(0, |last| last + 1);
    Some(Path::new(OsStr::from_bytes(&path[..end])))
}

fn real(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A repository with the worktrees `here`, `gone` and `copied`, the last of which is another repository's.
    fn repository() -> (tempfile::TempDir, PathBuf) {
        let temp = tempfile::tempdir().unwrap();
        let root = temp.path().canonicalize().unwrap();
        let common = root.join("main/.git");
        for (name, owner) in [("here", "main"), ("copied", "other")] {
            fs::create_dir_all(root.join(name)).unwrap();
            let git_dir = root.join(owner).join(".git/worktrees").join(name);
            fs::create_dir_all(&git_dir).unwrap();
            fs::write(root.join(name).join(".git"), format!("gitdir: {}\n", git_dir.display())).unwrap();
        }
        for name in ["here", "gone", "copied", "empty"] {
            fs::create_dir_all(common.join("worktrees").join(name)).unwrap();
        }
        fs::write(common.join("worktrees/here/gitdir"), "../../../../here/.git\n").unwrap();
        for name in ["gone", "copied"] {
            let dot_git = root.join(name).join(".git");
            fs::write(common.join("worktrees").join(name).join("gitdir"), format!("{}\n", dot_git.display())).unwrap();
        }
        (temp, root)
    }

    #[test]
    fn each_is_listed_as_far_as_it_is_there() {
        let (_temp, root) = repository();
        let common = root.join("main/.git");
        assert_eq!(git_dirs(&common).unwrap().len(), 5);
        assert_eq!(linked(&common).unwrap().len(), 3);
        let ours: Vec<Linked> = linked(&common).unwrap().into_iter().filter(Linked::is_ours).collect();
        let [here] = ours.as_slice() else { panic!("{ours:?}") };
        assert!(is_same(here.folder().unwrap(), &root.join("here")));
        let mut folders: Vec<PathBuf> = present(&common).into_iter().map(|one| one.folder).collect();
        assert_eq!(folders.remove(0), root.join("main"));
        folders.sort();
        assert_eq!(folders, [root.join("copied"), root.join("here")]);
    }

    /// A device without an end stands for a pipe without a writer.
    #[test]
    fn what_is_no_file_is_found_and_never_read() {
        let (_temp, root) = repository();
        let common = root.join("main/.git");
        assert_eq!((pipes(&common).unwrap(), in_the_way(&root.join("here"))), (Vec::new(), None));
        let link = common.join("worktrees/here/gitdir");
        fs::remove_file(&link).unwrap();
        let made = |path: &Path| std::os::unix::fs::symlink("/dev/zero", path).unwrap();
        made(&link);
        assert!(Linked::at(&common.join("worktrees/here")).is_err());
        assert_eq!(linked(&common).unwrap().len(), 2);
        assert_eq!(pipes(&common).unwrap(), std::slice::from_ref(&link));
        assert_eq!(in_the_way(&root.join("here/below/it")), Some(link));
        assert_eq!(in_the_way(&root.join("main")), None);
        let locked = common.join("worktrees/gone/locked");
        fs::create_dir(common.join("index")).unwrap();
        made(&locked);
        assert!(pipes(&common).unwrap().contains(&locked));
        made(&common.join("config.worktree"));
        assert_eq!(in_the_way(&root.join("main")), None, "git opens it only where it is told to");
        made(&common.join("packed-refs"));
        assert_eq!(in_the_way(&root.join("main/src")), Some(common.join("packed-refs")));
    }

    #[test]
    fn a_folder_may_have_any_name() {
        let temp = tempfile::tempdir().unwrap();
        fs::write(temp.path().join("gitdir"), b"/caf\xe9/.git\n").unwrap();
        let linked = Linked::at(temp.path()).unwrap().unwrap();
        assert_eq!(linked.folder(), Some(Path::new(OsStr::from_bytes(b"/caf\xe9"))));
    }

    #[test]
    fn a_repository_without_linked_ones_has_its_main_one() {
        let temp = tempfile::tempdir().unwrap();
        let bare = temp.path().canonicalize().unwrap().join("bare.git");
        assert_eq!(git_dirs(&bare).unwrap(), std::slice::from_ref(&bare));
        assert_eq!(present(&bare), [Worktree { git_dir: bare.clone(), folder: bare }]);
    }

    #[test]
    fn a_name_is_read_as_git_reads_it() {
        for (text, path) in [
            (b"gitdir: /a b \r\n".as_slice(), Some("/a b ")),
            (b"gitdir: ../a", Some("../a")),
            (b"gitdir: ", Some("")),
            (b"nothing", None),
        ] {
            assert_eq!(named(text), path.map(Path::new));
        }
    }
}
