//! Places that somebody cites: is there such a file, has it such lines, and which bytes were they read from?
//!
//! Never anything outside of the repository, and nothing of git's own: a path is taken apart before it is looked at, and
//! where links lead is looked at before anything is read.

use std::fs;
use std::io::{ErrorKind, Read as _};
use std::path::{Component, Path, PathBuf};

use super::open::Opened;
use crate::app::ports::{Citations, Unread};
use crate::domain::debate::evidence::is_commit;
use crate::domain::facts::Evidence;
use crate::files::regular;
use crate::git::object::{Kind, in_words, parsed};
use crate::git::tree::SYMLINK;
use crate::git::{Object, Oid};

/// The largest file whose bytes are read.
const LARGEST: u64 = 16 * 1024 * 1024;

/// Looks places up in a repository.
pub struct RepoCitations<'a> {
    pub opened: &'a Opened,
    /// Whether only a part of the files is checked out (`core.sparseCheckout`).
    pub sparse: bool,
}

impl Citations for RepoCitations<'_> {
    fn cite(&self, path: &str, lines: Option<(u32, u32)>) -> Result<Evidence, String> {
        let inside = inside(path)?;
        let bytes = self.read(&inside).map_err(|unread| unread.to_string())?;
        if let Some((first, last)) = lines {
            let count = bytes.split_inclusive(|byte| *byte == b'\n').count();
            if first == 0 || first > last {
                return Err(format!(
                    "lines {first} to {last} are no range; they are counted from 1, the first one first"
                ));
            }
            if usize::try_from(last).is_ok_and(|last| last > count) {
                return Err(format!("it has {count} lines, and {last} is none of them"));
            }
        }
        let blob = self.opened.repo.blob_name(&bytes).map_err(|error| error.0)?;
        Ok(Evidence { path: spelled(&inside), lines, blob: Some(in_words(blob)) })
    }

    fn bytes(&self, path: &str) -> Result<Vec<u8>, Unread> {
        // Agents write paths from the root.
        let top = self.opened.worktree.as_deref().filter(|top| top.is_absolute());
        let below = top.and_then(|top| Path::new(path).strip_prefix(top).ok()?.to_str());
        let path = below.unwrap_or(path);
        let found = self.read(&inside(path).map_err(Unread::NotThere)?);
        match (&found, path.split_once(':')) {
            (Err(Unread::NotThere(_)), Some((revision, path))) => self.of_revision(revision, path).unwrap_or(found),
            _ => found,
        }
    }

    fn commit(&self, name: &str) -> Result<(), String> {
        match self.opened.repo.commit_beginning(name) {
            Ok(Some(_)) => Ok(()),
            Ok(None) => Err("there is no such commit, or more than one".to_owned()),
            Err(error) => Err(error.0),
        }
    }
}

impl RepoCitations<'_> {
    fn read(&self, inside: &Path) -> Result<Vec<u8>, Unread> {
        match &self.opened.worktree {
            Some(top) => match of_tree(top, inside) {
                Err(Unread::NotThere(_)) if self.sparse && !top.join(inside).exists() => self.of_head(inside),
                found => found,
            },
            None => self.of_head(inside),
        }
    }

    fn of_head(&self, inside: &Path) -> Result<Vec<u8>, Unread> {
        let head = self.opened.head.commit().and_then(|id| parsed(id.as_str()));
        self.of_commit(head.ok_or_else(|| Unread::NotThere("there is no commit to read it from".to_owned()))?, inside)
    }

    /// The file as a commit has it, named by its hash, HEAD, a tag or a branch; none where the first words name no revision.
    fn of_revision(&self, revision: &str, path: &str) -> Option<Result<Vec<u8>, Unread>> {
        let inside = inside(path).ok()?;
        if revision.is_empty() || revision.contains(|sign: char| sign.is_whitespace() || sign.is_control()) {
            return None;
        }
        let commit = match revision {
            "HEAD" => self.opened.head.commit().and_then(|id| parsed(id.as_str())),
            name => self.named(name),
        };
        match commit {
            Some(commit) => Some(self.of_commit(commit, &inside)),
            // `HEAD~2` and its like are for git alone.
            None if revision.contains(['~', '^', '@']) => {
                Some(Err(Unread::Unreadable("a revision is not looked up".to_owned())))
            }
            None => None,
        }
    }

    /// The commit that a tag, a branch or the beginning of a hash names, in the order in which git looks.
    fn named(&self, name: &str) -> Option<Oid> {
        let repo = &self.opened.repo;
        let of_ref = |folder: &str| repo.tip(&format!("{folder}{name}")).ok().flatten();
        let is_whole = name.starts_with("refs/");
        let folders: &[&str] = if is_whole { &[""] } else { &["refs/", "refs/tags/", "refs/heads/", "refs/remotes/"] };
        let tip = folders.iter().copied().find_map(of_ref);
        match tip {
            Some(tip) => repo.peeled(tip).ok().flatten(),
            None if is_commit(name) => repo.commit_beginning(name).ok().flatten(),
            None => None,
        }
    }

    fn of_commit(&self, commit: Oid, inside: &Path) -> Result<Vec<u8>, Unread> {
        let not_there = |why: &str| Unread::NotThere(why.to_owned());
        let repo = &self.opened.repo;
        let commit = repo.commit(commit).ok().flatten();
        let commit = commit.ok_or_else(|| not_there("there is no commit to read it from"))?;
        let entry = repo.at_path(commit.tree, spelled(inside).as_bytes()).ok().flatten();
        let (mode, id) = entry.ok_or_else(|| not_there("there is no such file"))?;
        if mode == SYMLINK {
            return Err(Unread::Unreadable("it is a link".to_owned()));
        }
        if repo.header(id).is_ok_and(|found| found.is_some_and(|(_, size)| size as u64 > LARGEST)) {
            return Err(too_large());
        }
        match repo.read(id) {
            Ok(Some(Object { kind: Kind::Blob, bytes })) => Ok(bytes),
            Ok(Some(_)) => Err(not_there("it is no file")),
            // Only its name came with the clone.
            Ok(None) | Err(_) => Err(Unread::Unreadable("its content is not here".to_owned())),
        }
    }
}

fn too_large() -> Unread {
    Unread::Unreadable(format!("it is larger than {} MiB", LARGEST >> 20))
}

/// The path as plain names below the top, with `/` or the system's own separator between them.
fn inside(path: &str) -> Result<PathBuf, String> {
    let mut plain = PathBuf::new();
    for part in Path::new(path.trim()).components() {
        match part {
            Component::Normal(name) if name.eq_ignore_ascii_case(".git") => {
                return Err("it belongs to git itself".to_owned());
            }
            Component::Normal(name) => plain.push(name),
            Component::CurDir => {}
            Component::ParentDir | Component::RootDir | Component::Prefix(_) => {
                return Err("give a path from the top of the repository, without '..'".to_owned());
            }
        }
    }
    if plain.as_os_str().is_empty() {
        return Err("the path is empty".to_owned());
    }
    Ok(plain)
}

fn of_tree(top: &Path, inside: &Path) -> Result<Vec<u8>, Unread> {
    let io = |error: std::io::Error| {
        if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) {
            Unread::NotThere("there is no such file".to_owned())
        } else {
            Unread::Unreadable(format!("it cannot be read ({error})"))
        }
    };
    let file = fs::canonicalize(top.join(inside)).map_err(io)?;
    let top = fs::canonicalize(top).map_err(io)?;
    if !file.starts_with(&top) || file.starts_with(top.join(".git")) {
        return Err(Unread::NotThere("it leads out of the repository".to_owned()));
    }
    let about = fs::metadata(&file).map_err(io)?;
    if !about.is_file() {
        return Err(Unread::NotThere("it is no file".to_owned()));
    }
    if about.len() > LARGEST {
        return Err(too_large());
    }
    let mut bytes = Vec::new();
    regular::open(&file).map_err(io)?.take(LARGEST + 1).read_to_end(&mut bytes).map_err(io)?;
    Ok(bytes)
}

/// With `/` between the names, as everywhere in the records.
fn spelled(inside: &Path) -> String {
    inside.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
}
