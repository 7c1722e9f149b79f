//! What a step does, as it is noted in the commit that keeps what stood there before: lines that each end with a zero
//! byte, since a path may hold any other.

use std::path::Path;

use rustix::fs::FileType;

use super::state::State;
use crate::git::Oid;
use crate::git::object::parsed;
use crate::git::paths::pieces;
use crate::lend::error::LendError;
use crate::lend::sight::is_fit;

/// The first line.
const FORMAT: &[u8] = b"git grill accept 1";
/// No file.
const NOTHING: &str = "-";

/// What becomes of one path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Turn {
    pub path: Vec<u8>,
    pub before: Option<State>,
    pub after: Option<State>,
}

/// A step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Record {
    /// Where HEAD was.
    pub head: Oid,
    /// The tree that the agent's work was compared with, and the one that it is compared with afterwards.
    pub bases: (Oid, Oid),
    /// The git directory of the worktree, below the one that all share; empty for the main one.
    pub worktree: Vec<u8>,
    /// The top of the working tree: one git directory may serve several (`GIT_WORK_TREE`).
    pub top: Vec<u8>,
    pub turns: Vec<Turn>,
    /// What the index had at these paths, as git lists it.
    pub index: Vec<Vec<u8>>,
    /// Folders that the step may leave empty, with their permissions.
    pub stood: Vec<(Vec<u8>, u32)>,
    /// Folders that the step makes.
    pub made: Vec<Vec<u8>>,
}

impl Record {
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut line = |parts: &[&[u8]]| {
            for part in parts {
                bytes.extend_from_slice(part);
            }
            bytes.push(0);
        };
        line(&[FORMAT]);
        line(&[format!("head {}", self.head).as_bytes()]);
        line(&[format!("bases {} {}", self.bases.0, self.bases.1).as_bytes()]);
        line(&[b"worktree ", &self.worktree]);
        line(&[b"top ", &self.top]);
        for Turn { path, before, after } in &self.turns {
            let word = |state: Option<State>| state.map_or_else(|| NOTHING.to_owned(), State::to_word);
            line(&[format!("path {} {} ", word(*before), word(*after)).as_bytes(), path]);
        }
        for entry in &self.index {
            line(&[b"index ", entry]);
        }
        for (folder, permissions) in &self.stood {
            line(&[format!("stood {permissions:o} ").as_bytes(), folder]);
        }
        for folder in &self.made {
            line(&[b"made ", folder]);
        }
        bytes
    }

    pub(super) fn from_bytes(bytes: &[u8]) -> Result<Self, LendError> {
        read(bytes).ok_or_else(|| LendError::failed("reading what was accepted", "its note is damaged"))
    }

    /// The paths that it changes.
    pub(super) fn paths(&self) -> impl Iterator<Item = &[u8]> {
        self.turns.iter().map(|turn| turn.path.as_slice())
    }
}

fn read(bytes: &[u8]) -> Option<Record> {
    let mut lines = pieces(bytes);
    if lines.next()? != FORMAT {
        return None;
    }
    let (mut head, mut bases, mut worktree, mut top) = (None, None, None, None);
    let (mut turns, mut index, mut stood, mut made) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for line in lines {
        let (key, rest) = word(line)?;
        match key {
            "head" => head = Some(parsed(std::str::from_utf8(rest).ok()?)?),
            "bases" => {
                let (before, after) = std::str::from_utf8(rest).ok()?.split_once(' ')?;
                bases = Some((parsed(before)?, parsed(after)?));
            }
            "worktree" => worktree = Some(rest.to_vec()),
            "top" => top = Some(rest.to_vec()),
            "path" => {
                let (before, rest) = word(rest)?;
                let (after, path) = word(rest)?;
                let state = |text: &str| match text {
                    NOTHING => Some(None),
                    other => State::from_word(other).map(Some),
                };
                turns.push(Turn { path: path.to_vec(), before: state(before)?, after: state(after)? });
            }
            "index" => index.push(rest.to_vec()),
            "stood" => {
                let (permissions, folder) = word(rest)?;
                stood.push((folder.to_vec(), u32::from_str_radix(permissions, 8).ok()?));
            }
            "made" => made.push(rest.to_vec()),
            _ => return None,
        }
    }
    let record = Record { head: head?, bases: bases?, worktree: worktree?, top: top?, turns, index, stood, made };
    let folders = record.stood.iter().map(|(folder, _)| folder).chain(&record.made).map(Vec::as_slice);
    let is_fit = record.paths().chain(folders).all(is_inside);
    is_fit.then_some(record)
}

/// Whether a path leads to a file of the working tree, and to nothing of git's.
fn is_inside(path: &[u8]) -> bool {
    let mut parts = path.split(|byte| *byte == b'/');
    parts.all(|part| !matches!(part, b"" | b"." | b"..") && is_fit(part, FileType::RegularFile))
}

/// A word, and what stands behind the space after it.
fn word(bytes: &[u8]) -> Option<(&str, &[u8])> {
    let space = bytes.iter().position(|byte| *byte == b' ')?;
    Some((std::str::from_utf8(&bytes[..space]).ok()?, &bytes[space + 1..]))
}

/// The name of a worktree among those of its repository.
pub(super) fn worktree_name(git_dir: &Path, common_dir: &Path) -> Vec<u8> {
    use std::os::unix::ffi::OsStrExt as _;
    git_dir.strip_prefix(common_dir).unwrap_or(git_dir).as_os_str().as_bytes().to_vec()
}

#[cfg(test)]
mod tests {
    use super::super::state::Shape;
    use super::*;

    #[test]
    fn a16_a_step_is_read_as_it_was_noted() {
        let id = |digit: &str| parsed(&digit.repeat(40)).unwrap();
        let state = |digit: &str, shape| Some(State { shape, permissions: 0o640, id: id(digit) });
        let turn = |path: &[u8], before, after| Turn { path: path.to_vec(), before, after };
        let record = Record {
            head: id("1"),
            bases: (id("2"), id("3")),
            worktree: b"worktrees/a b".to_vec(),
            top: b"/r/a b".to_vec(),
            turns: vec![
                turn(b"caf\xe9 \n", None, state("4", Shape::File)),
                turn(b"- x", state("5", Shape::Link), None),
            ],
            index: vec![b"100644 1 0\tx".to_vec()],
            stood: vec![(b"a b".to_vec(), 0o750)],
            made: vec![b"c d".to_vec()],
        };
        assert_eq!(Record::from_bytes(&record.to_bytes()).unwrap(), record);
        let plain = Record { worktree: Vec::new(), turns: Vec::new(), ..record };
        assert_eq!(Record::from_bytes(&plain.to_bytes()).unwrap(), plain);
        for bytes in [b"".as_slice(), b"git grill accept 2\0", b"git grill accept 1\0odd line\0"] {
            assert_eq!(Record::from_bytes(bytes).unwrap_err().code(), "worktree_failed");
        }
        for path in ["", "/x", "../x", "a/../../x", "./a", "a//b", ".git/hooks/pre-commit", "a/.GIT/config", "git~1/x"]
        {
            let turns = vec![turn(path.as_bytes(), None, state("4", Shape::File))];
            let (turned, made) = (Record { turns, ..plain.clone() }, vec![path.as_bytes().to_vec()]);
            for record in [turned, Record { made, ..plain.clone() }] {
                assert!(Record::from_bytes(&record.to_bytes()).is_err(), "{path}");
            }
        }
        assert_eq!(worktree_name(Path::new("/r/.git/worktrees/w"), Path::new("/r/.git")), b"worktrees/w");
        assert_eq!(worktree_name(Path::new("/r/.git"), Path::new("/r/.git")), b"");
    }
}
