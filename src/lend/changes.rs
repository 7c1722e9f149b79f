//! What an agent changed in its working copy, against the commit that the copy began at (A15). Nothing of the copy is
//! run or obeyed, and nothing is written but our own folder beside it.

use std::collections::{BTreeSet, HashMap};

use super::error::LendError;
use super::folder::LentFolder;
use super::left_out::LeftOut;
use super::marks::{ParentChange, ParentMarks};
use super::notes::{Notes, PARENT, TIDYING};
use super::own_git::{ObjectsIn, OwnGit};
use super::parent::Parent;
use super::survey::survey;
use crate::git::Oid;
use crate::git::object::parsed;
use crate::git::paths::pieces;
use crate::git::tree::FILE;

const DOING: &str = "comparing the working copy with the commit it began at";

/// What happened to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    Added,
    Deleted,
    Modified,
    /// A file became a symlink or a submodule, or the other way round.
    TypeChanged,
}

impl Status {
    /// The letter that git has for it.
    pub fn letter(self) -> char {
        match self {
            Self::Added => 'A',
            Self::Deleted => 'D',
            Self::Modified => 'M',
            Self::TypeChanged => 'T',
        }
    }

    fn of(letter: u8) -> Option<Self> {
        [Self::Added, Self::Deleted, Self::Modified, Self::TypeChanged]
            .into_iter()
            .find(|one| u32::from(one.letter()) == u32::from(letter))
    }
}

/// The lines that came and went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lines {
    pub added: u64,
    pub removed: u64,
}

/// A file that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedFile {
    pub path: Vec<u8>,
    pub status: Status,
    /// Mode and object in the commit; none when it is new.
    pub before: Option<(u32, Oid)>,
    /// Mode and object in the copy; none when it is gone.
    pub now: Option<(u32, Oid)>,
    /// None of a binary file.
    pub lines: Option<Lines>,
}

impl ChangedFile {
    /// Whether it is there with another mode than before, or is new and no plain file.
    pub fn changes_mode(&self) -> bool {
        let before = self.before.map_or(FILE, |(mode, _)| mode);
        self.now.is_some_and(|(mode, _)| mode != before)
    }
}

/// What an agent changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changes {
    /// The tree of the commit that the copy began at, or what was accepted since.
    pub before: Oid,
    /// The tree of the copy.
    pub now: Oid,
    /// By path.
    pub files: Vec<ChangedFile>,
    /// What is in the copy and not in that tree.
    pub left_out: BTreeSet<LeftOut>,
    /// What is otherwise in the parent since the copy was made.
    pub parent: Vec<ParentChange>,
}

impl Changes {
    /// Those of these paths alone.
    #[must_use]
    pub fn only(mut self, paths: &BTreeSet<Vec<u8>>) -> Self {
        self.files.retain(|file| paths.contains(&file.path));
        self
    }
}

/// Reads what an agent changed.
pub fn changes(parent: &Parent<'_>, folder: &LentFolder) -> Result<Changes, LendError> {
    since(parent, folder, Notes::of(folder).start()?.tree)
}

/// Reads what an agent changed and nobody has accepted yet (A39).
pub fn unaccepted(parent: &Parent<'_>, folder: &LentFolder) -> Result<Changes, LendError> {
    since(parent, folder, Notes::of(folder).accepted()?)
}

/// The paths at which something was accepted that differs from the commit, by path.
pub fn accepted_paths(parent: &Parent<'_>, folder: &LentFolder) -> Result<Vec<Vec<u8>>, LendError> {
    let notes = Notes::of(folder);
    let (start, accepted) = (notes.start()?.tree, notes.accepted()?);
    if start == accepted {
        return Ok(Vec::new());
    }
    let own = OwnGit::at(parent, &notes, ObjectsIn::Own);
    Ok(files(&own, &notes, start, accepted)?.into_iter().map(|file| file.path).collect())
}

fn since(parent: &Parent<'_>, folder: &LentFolder, before: Oid) -> Result<Changes, LendError> {
    let notes = Notes::of(folder);
    if notes.read(TIDYING)?.is_some() {
        // What is missing in it by now, the agent did not delete.
        return Err(LendError::HalfCleaned { handle: folder.handle().to_owned() });
    }
    let survey = survey(parent, folder, ObjectsIn::Own)?;
    let own = OwnGit::at(parent, &notes, ObjectsIn::Own);
    let files = if survey.tree == before { Vec::new() } else { files(&own, &notes, before, survey.tree)? };
    let marks = notes.read(PARENT)?.and_then(|bytes| ParentMarks::from_bytes(&bytes));
    let marks = marks.ok_or_else(|| LendError::failed(DOING, "how the parent was is not noted"))?;
    let parent = marks.changes(&marks.again(parent)?);
    Ok(Changes { before, now: survey.tree, files, left_out: survey.left_out, parent })
}

/// Who a difference is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reader {
    /// `git apply`: binary files come with their content, objects with their whole names.
    Git,
    Person,
}

/// The difference as a patch; of all paths where none is named.
pub fn diff(
    parent: &Parent<'_>,
    folder: &LentFolder,
    changes: &Changes,
    paths: &[Vec<u8>],
    reader: Reader,
) -> Result<Vec<u8>, LendError> {
    use std::os::unix::ffi::OsStringExt as _;
    let notes = Notes::of(folder);
    let own = OwnGit::at(parent, &notes, ObjectsIn::Own);
    let (before, now) = (changes.before.to_string(), changes.now.to_string());
    let words = ["diff-tree", "-r", "-p", "--no-renames", "--no-color", "--no-ext-diff"];
    let whole: &[&str] = match reader {
        Reader::Git => &["--binary", "--full-index"],
        Reader::Person => &[],
    };
    let words = words
        .into_iter()
        .chain(whole.iter().copied())
        .chain(["--no-textconv", &before, &now, "--"])
        .map(std::ffi::OsString::from);
    let words = words.chain(paths.iter().map(|path| std::ffi::OsString::from_vec(path.clone())));
    own.ask(DOING, own.git(&notes.path("index.none"), words).with("GIT_LITERAL_PATHSPECS", "1"))
}

fn files(own: &OwnGit<'_>, notes: &Notes, before: Oid, now: Oid) -> Result<Vec<ChangedFile>, LendError> {
    let (before, now) = (before.to_string(), now.to_string());
    let ask = |form: &str| {
        let words = ["diff-tree", "-r", "-z", "--no-renames", "--no-ext-diff", "--no-textconv", form, &before, &now];
        own.ask(DOING, own.git(&notes.path("index.none"), words))
    };
    let counted = ask("--numstat")?;
    let counts: HashMap<&[u8], Option<Lines>> = pieces(&counted).filter_map(count).collect();
    let listed = ask("--raw")?;
    let (mut files, mut parts) = (Vec::new(), pieces(&listed));
    while let (Some(about), Some(path)) = (parts.next(), parts.next()) {
        let lines = counts.get(path).copied().flatten();
        let unreadable = || LendError::failed(DOING, format!("git listed {about:?}"));
        let file = file(about, path, lines).ok_or_else(unreadable)?;
        files.push(file);
    }
    Ok(files)
}

/// `12<TAB>3<TAB>path`; a binary file has dashes.
fn count(line: &[u8]) -> Option<(&[u8], Option<Lines>)> {
    let mut parts = line.splitn(3, |byte| *byte == b'\t');
    let mut number = || std::str::from_utf8(parts.next()?).ok()?.parse().ok();
    let lines = match (number(), number()) {
        (Some(added), Some(removed)) => Some(Lines { added, removed }),
        _ => None,
    };
    Some((parts.next()?, lines))
}

/// `:100644 100755 <id> <id> M`, and the path.
fn file(about: &[u8], path: &[u8], lines: Option<Lines>) -> Option<ChangedFile> {
    let text = std::str::from_utf8(about).ok()?.strip_prefix(':')?;
    let words: Vec<&str> = text.split(' ').collect();
    let [old_mode, new_mode, old, new, letter] = *words.as_slice() else { return None };
    let side = |mode: &str, id: &str| {
        let mode = u32::from_str_radix(mode, 8).ok()?;
        Some((mode != 0).then_some((mode, parsed(id)?)))
    };
    Some(ChangedFile {
        path: path.to_vec(),
        status: Status::of(*letter.as_bytes().first()?)?,
        before: side(old_mode, old)?,
        now: side(new_mode, new)?,
        lines,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a15_a_listed_change_is_read_with_its_lines() {
        let (old, new) = ("1a".repeat(20), "2b".repeat(20));
        let line = format!(":100644 100755 {old} {new} M");
        let (path, lines) = count(b"12\t3\ta\tb").unwrap();
        let found = file(line.as_bytes(), path, lines).unwrap();
        assert_eq!((found.path.as_slice(), found.status), (b"a\tb".as_slice(), Status::Modified));
        assert_eq!(found.lines, Some(Lines { added: 12, removed: 3 }));
        assert!(found.changes_mode());
        assert_eq!(count(b"-\t-\tbin"), Some((b"bin".as_slice(), None)));
        let zero = "0".repeat(40);
        let added = file(format!(":000000 120000 {zero} {new} A").as_bytes(), b"l", None).unwrap();
        assert_eq!((added.before, added.status, added.changes_mode()), (None, Status::Added, true));
        assert!(file(b":100644 M", b"x", None).is_none() && count(b"1\t2").is_none());
    }
}
