//! What the parent looked like at a moment, and what of it is otherwise at another: HEAD, the index, and the files that
//! are not as they were committed, each with its content (A15, A25).

use std::collections::{BTreeMap, BTreeSet};

use rustix::fs::FileType;

use super::error::LendError;
use super::parent::Parent;
use crate::files::folders::{Folders, Found};
use crate::git::object::{name_of, name_of_stream};
use crate::git::paths::pieces;
use crate::git::paths::shortened;
use crate::git::{Kind, Naming};

const DOING: &str = "looking at the parent repository";
/// Our own view of a session, which is no part of the user's work.
const OURS: &[u8] = b".grill/";

/// A parent at a moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParentMarks {
    /// The commit.
    head: String,
    /// The branch, if HEAD is on one.
    branch: String,
    /// A fingerprint of the entries of the index.
    index: String,
    /// What stands at each path that git may find changed.
    files: BTreeMap<Vec<u8>, String>,
}

/// One thing in which the parent is not as it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParentChange {
    /// It is at another commit.
    Head {
        from: String,
        to: String,
    },
    /// It is on another branch.
    Branch {
        from: String,
        to: String,
    },
    /// Something was staged, or is not any longer.
    Index,
    File(Vec<u8>),
}

impl ParentChange {
    /// In a sentence's words.
    pub fn in_words(&self) -> String {
        let short = |id: &str| id.chars().take(12).collect::<String>();
        match self {
            Self::Head { from, to } => format!("HEAD moved from {} to {}", short(from), short(to)),
            Self::Branch { from, to } => format!("the branch is {to} instead of {from}"),
            Self::Index => "what is staged changed".to_owned(),
            Self::File(path) => format!("{} changed", shortened(path)),
        }
    }
}

impl ParentMarks {
    /// How the parent is now.
    pub fn of(parent: &Parent<'_>) -> Result<Self, LendError> {
        Self::look(parent, BTreeSet::new())
    }

    /// How it is now, with a look at every file that these marks have: git may have found out meanwhile that one is as
    /// it was committed, and it was so before.
    pub fn again(&self, parent: &Parent<'_>) -> Result<Self, LendError> {
        Self::look(parent, self.files.keys().cloned().collect())
    }

    fn look(parent: &Parent<'_>, mut paths: BTreeSet<Vec<u8>>) -> Result<Self, LendError> {
        let head = parent.named("HEAD^{commit}")?.map(|id| id.to_string()).unwrap_or_default();
        let symbolic = parent.git(["symbolic-ref", "-q", "HEAD"]).ask_whether(parent.process);
        let branch = symbolic.map_err(|error| LendError::failed(DOING, error))?.unwrap_or_default();
        let branch = String::from_utf8_lossy(&branch).trim_end().to_owned();
        let entries = parent.ask(DOING, &["ls-files", "-z", "-s", "-v", "--cached"])?;
        let index = name_of(Naming::Sha1, Kind::Blob, &entries).map_err(|error| LendError::failed(DOING, error))?;
        let folders = Folders::open(&parent.top).map_err(|error| LendError::failed(DOING, error))?;
        paths.extend(parent.dirty()?.into_iter().filter(|path| !path.starts_with(OURS)));
        let files = paths.into_iter().map(|path| (path.clone(), mark(&folders, &path)));
        Ok(Self { head, branch, index: index.to_string(), files: files.collect() })
    }

    /// These marks, with what stands at some paths now as what is expected there: it was accepted, or taken back.
    pub(super) fn expecting<'b>(mut self, folders: &Folders, paths: impl IntoIterator<Item = &'b [u8]>) -> Self {
        self.files.extend(paths.into_iter().map(|path| (path.to_vec(), mark(folders, path))));
        self
    }

    /// What is otherwise now.
    pub fn changes(&self, now: &Self) -> Vec<ParentChange> {
        let mut found = Vec::new();
        if self.head != now.head {
            found.push(ParentChange::Head { from: self.head.clone(), to: now.head.clone() });
        }
        if self.branch != now.branch {
            found.push(ParentChange::Branch { from: self.branch.clone(), to: now.branch.clone() });
        }
        if self.index != now.index {
            found.push(ParentChange::Index);
        }
        let paths: BTreeSet<&Vec<u8>> = self.files.keys().chain(now.files.keys()).collect();
        let differing = paths.into_iter().filter(|path| self.files.get(*path) != now.files.get(*path));
        found.extend(differing.cloned().map(ParentChange::File));
        found
    }

    /// As it is noted, to be compared in another process.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = [self.head.as_str(), "\n", &self.branch, "\n", &self.index, "\n"].concat().into_bytes();
        for (path, mark) in &self.files {
            bytes.extend_from_slice(mark.as_bytes());
            bytes.push(b' ');
            bytes.extend_from_slice(path);
            bytes.push(0);
        }
        bytes
    }

    /// What was noted; none where it is damaged.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut lines = bytes.splitn(4, |byte| *byte == b'\n');
        let mut text = || String::from_utf8(lines.next()?.to_vec()).ok();
        let (head, branch, index) = (text()?, text()?, text()?);
        let files = pieces(lines.next()?).map(|line| {
            let space = line.iter().position(|byte| *byte == b' ')?;
            Some((line[space + 1..].to_vec(), String::from_utf8(line[..space].to_vec()).ok()?))
        });
        Some(Self { head, branch, index, files: files.collect::<Option<_>>()? })
    }
}

/// What stands at a path, in a word.
fn mark(folders: &Folders, path: &[u8]) -> String {
    match folders.look(path.strip_suffix(b"/").unwrap_or(path)) {
        Ok(None) => "gone".to_owned(),
        Ok(Some(found)) => content(folders, path, &found).unwrap_or_else(|| "unreadable".to_owned()),
        Err(_) => "unreadable".to_owned(),
    }
}

fn content(folders: &Folders, path: &[u8], found: &Found) -> Option<String> {
    let id = match found.kind {
        FileType::RegularFile => {
            let mut file = folders.open_file(path).ok()?;
            let size = file.metadata().ok()?.len();
            name_of_stream(Naming::Sha1, size, &mut file).ok()?
        }
        FileType::Symlink => name_of(Naming::Sha1, Kind::Blob, &folders.read(path, found.kind).ok()?).ok()?,
        // A repository of its own is somebody else's to look into.
        FileType::Directory => return Some("folder".to_owned()),
        FileType::Fifo | FileType::Socket | FileType::CharacterDevice | FileType::BlockDevice | FileType::Unknown => {
            return Some("irregular".to_owned());
        }
    };
    Some(format!("{:o}:{id}", found.mode()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marks(files: &[(&[u8], &str)]) -> ParentMarks {
        ParentMarks {
            head: "1a".to_owned(),
            branch: "refs/heads/main".to_owned(),
            index: "2b".to_owned(),
            files: files.iter().map(|(path, mark)| (path.to_vec(), (*mark).to_owned())).collect(),
        }
    }

    #[test]
    fn a15_what_changed_in_the_parent_is_named_part_by_part() {
        let before = marks(&[(b"a", "gone"), (b"caf\xe9 \n", "100644:3c")]);
        assert_eq!(ParentMarks::from_bytes(&before.to_bytes()), Some(before.clone()));
        assert!(before.changes(&before).is_empty());
        let mut now = marks(&[(b"a", "gone"), (b"b", "100644:3c")]);
        now.head = "4d".to_owned();
        now.index = "5e".to_owned();
        let head = ParentChange::Head { from: "1a".to_owned(), to: "4d".to_owned() };
        let files = [b"b".to_vec(), b"caf\xe9 \n".to_vec()].map(ParentChange::File);
        let [first, second] = files;
        assert_eq!(before.changes(&now), [head, ParentChange::Index, first, second]);
        assert_eq!(ParentMarks::from_bytes(b"x\ny"), None);
        assert_eq!(ParentMarks::from_bytes(&marks(&[]).to_bytes()), Some(marks(&[])));
    }
}
