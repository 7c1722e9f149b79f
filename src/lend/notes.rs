//! What is noted beside a copy when it is made, and read when its work is looked at: what it began as. The folder is
//! ours; behind the walls the agent cannot write to it.

use std::collections::BTreeMap;
use std::fs::{self, DirBuilder};
use std::io::{self, ErrorKind};
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

use super::error::LendError;
use super::folder::LentFolder;
use super::parent::Start;
use crate::files::fresh::{self, OnDisk};
use crate::files::regular;
use crate::git::Oid;
use crate::git::object::parsed;
use crate::git::paths::pieces;

/// Objects by path.
pub(super) type Named = BTreeMap<Vec<u8>, Oid>;

/// Files that git converted at the checkout: the content on the disk, not that of the commit.
pub(super) const CONVERTED: &str = "converted";
/// Files that `.worktreeinclude` brought in.
pub(super) const INCLUDED: &str = "included";
/// What the parent looked like.
pub(super) const PARENT: &str = "parent";
/// The note that the work is kept and the copy may go.
pub(super) const TIDYING: &str = "tidying";
/// Commit and tree.
const BASE: &str = "base";
/// The tree that the next accept is compared with: the copy as it began, and what was accepted of it since.
const ACCEPTED: &str = "accepted";
const ALL_GONE: &str = "nothing of this copy can be compared or accepted then, and the files in it stay";
const MAP_GONE: &str = "some files that nobody changed may be listed as changed then";
const ACCEPTED_GONE: &str = "all that the agent changed is offered again then, and what you have already is recognised";

pub(super) struct Notes {
    folder: PathBuf,
}

impl Notes {
    pub(super) fn of(folder: &LentFolder) -> Self {
        Self { folder: folder.notes() }
    }

    /// Makes the folder, where there must be none.
    pub(super) fn make(folder: &LentFolder) -> io::Result<Self> {
        private(&folder.notes())?;
        Ok(Self::of(folder))
    }

    /// Those of the accepts of a session, which stay when the copy goes. The folder is made where it is missing.
    pub(super) fn of_accepts(folder: &LentFolder) -> Result<Self, LendError> {
        let notes = Self { folder: folder.accepts() };
        match private(&notes.folder) {
            Err(error) if error.kind() != ErrorKind::AlreadyExists => Err(not_noted(&error)),
            Ok(()) | Err(_) => Ok(notes),
        }
    }

    /// Whether there is a copy that they are about.
    pub(super) fn are_there(&self) -> bool {
        self.folder.join(BASE).symlink_metadata().is_ok()
    }

    pub(super) fn git_dir(&self) -> PathBuf {
        self.folder.join("git")
    }

    /// The index of the copy as it was made.
    pub(super) fn index(&self) -> PathBuf {
        self.folder.join("index")
    }

    /// The bytes of the agent's index.
    pub(super) fn agents_index(&self) -> PathBuf {
        self.folder.join("index.agent")
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// An empty folder of ours, whatever was in it.
    pub(super) fn emptied(&self, name: &str) -> io::Result<PathBuf> {
        let folder = self.folder.join(name);
        match fs::remove_dir_all(&folder) {
            Ok(()) => {}
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
        private(&folder)?;
        Ok(folder)
    }

    pub(super) fn write(&self, name: &str, bytes: &[u8]) -> Result<(), LendError> {
        let (path, new) = (self.folder.join(name), self.folder.join(format!("{name}.new")));
        fresh::replace(&path, &new, 0o600, OnDisk::First, bytes).map_err(|error| not_noted(&error))
    }

    /// [`Notes::write`], on the disk with its name.
    pub(super) fn write_for_good(&self, name: &str, bytes: &[u8]) -> Result<(), LendError> {
        self.write(name, bytes)?;
        regular::settle(&self.folder).map_err(|error| not_noted(&error))
    }

    /// Takes a note away, which may be missing.
    pub(super) fn remove(&self, name: &str) -> Result<(), LendError> {
        match fs::remove_file(self.folder.join(name)) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(not_noted(&error)),
            Ok(()) | Err(_) => Ok(()),
        }
    }

    /// A note, which may be missing.
    pub(super) fn read(&self, name: &str) -> Result<Option<Vec<u8>>, LendError> {
        match regular::bytes(self.folder.join(name), regular::LONG) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(LendError::failed("reading what was noted of the working copy", error)),
        }
    }

    pub(super) fn write_named(&self, name: &str, all: &Named) -> Result<(), LendError> {
        let mut bytes = Vec::new();
        for (path, id) in all {
            bytes.extend_from_slice(id.to_string().as_bytes());
            bytes.push(b' ');
            bytes.extend_from_slice(path);
            bytes.push(0);
        }
        self.write(name, &bytes)
    }

    pub(super) fn read_named(&self, name: &str) -> Result<Named, LendError> {
        let bytes = self.read(name)?.unwrap_or_default();
        pieces(&bytes).map(|line| named(line).ok_or_else(|| self.damaged(name, MAP_GONE))).collect()
    }

    pub(super) fn write_start(&self, start: Start) -> Result<(), LendError> {
        self.write(BASE, format!("{} {}\n", start.commit, start.tree).as_bytes())
    }

    /// Where the copy began; an error where there is none.
    pub(super) fn start(&self) -> Result<Start, LendError> {
        let missing = || LendError::Wrong("the session has no working copy".to_owned());
        let bytes = self.read(BASE)?.ok_or_else(missing)?;
        let text = String::from_utf8_lossy(&bytes);
        let start = text.trim_end().split_once(' ').and_then(|(commit, tree)| {
            let (commit, tree) = (parsed(commit)?, parsed(tree)?);
            Some(Start { commit, tree })
        });
        start.ok_or_else(|| self.damaged(BASE, ALL_GONE))
    }

    /// What the next accept is compared with (A39).
    pub(super) fn accepted(&self) -> Result<Oid, LendError> {
        let Some(bytes) = self.read(ACCEPTED)? else { return Ok(self.start()?.tree) };
        parsed(String::from_utf8_lossy(&bytes).trim_end()).ok_or_else(|| self.damaged(ACCEPTED, ACCEPTED_GONE))
    }

    /// `without` is what comes of it when the user removes the note.
    pub(super) fn damaged(&self, name: &str, without: &'static str) -> LendError {
        LendError::Damaged { file: self.path(name), without }
    }

    pub(super) fn write_accepted(&self, tree: Oid) -> Result<(), LendError> {
        self.write_for_good(ACCEPTED, format!("{tree}\n").as_bytes())
    }
}

/// A folder that nobody else may enter, where there must be none.
pub(super) fn private(folder: &Path) -> io::Result<()> {
    DirBuilder::new().mode(0o700).create(folder)
}

/// `<id> <path>`
fn named(line: &[u8]) -> Option<(Vec<u8>, Oid)> {
    let space = line.iter().position(|byte| *byte == b' ')?;
    let id = parsed(std::str::from_utf8(&line[..space]).ok()?)?;
    Some((line[space + 1..].to_vec(), id))
}

fn not_noted(error: &io::Error) -> LendError {
    LendError::failed("writing our notes of the working copy", error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a14_what_was_noted_is_read_as_it_was_written() {
        let temp = tempfile::tempdir().unwrap();
        fs::create_dir(temp.path().join("g1")).unwrap();
        let folder = LentFolder::of(temp.path(), "g1").unwrap();
        let notes = Notes::make(&folder).unwrap();
        assert!(Notes::make(&folder).is_err(), "there is one");
        assert_eq!(notes.start().unwrap_err().code(), "worktree_wrong");
        let id = parsed(&"1a".repeat(20)).unwrap();
        let all: Named = [(b"a b\n\xe9".to_vec(), id), (b"c".to_vec(), id)].into();
        notes.write_named(INCLUDED, &all).unwrap();
        assert_eq!(notes.read_named(INCLUDED).unwrap(), all);
        assert_eq!(notes.read_named(CONVERTED).unwrap(), Named::new());
        let start = Start { commit: id, tree: parsed(&"2b".repeat(20)).unwrap() };
        notes.write_start(start).unwrap();
        assert_eq!(notes.start().unwrap(), start);
        assert_eq!(notes.accepted().unwrap(), start.tree);
        notes.write_accepted(id).unwrap();
        assert_eq!(notes.accepted().unwrap(), id);
        notes.remove(ACCEPTED).unwrap();
        notes.remove(ACCEPTED).unwrap();
        notes.write(BASE, b"x").unwrap();
        assert!(notes.start().unwrap_err().to_string().contains("base is damaged"));
    }
}
