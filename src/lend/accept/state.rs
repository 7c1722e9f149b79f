//! What stands at a path of the parent's working tree, with its very bytes and permissions: not as git would commit it.

use std::io;

use rustix::fs::FileType;

use crate::files::folders::Folders;
use crate::git::object::{name_of, name_of_stream, parsed};
use crate::git::{Kind, Naming, Oid};

const RUN: u32 = 0o111;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    File,
    Link,
    /// A pipe, a socket or a device. No record has one.
    Irregular,
}

/// A file or a symlink.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct State {
    pub shape: Shape,
    pub permissions: u32,
    /// The blob with its bytes, or with where the symlink leads.
    pub id: Oid,
}

impl State {
    /// What stands at a path; a folder is nothing, since it is made and removed as files need it.
    pub(super) fn at(folders: &Folders, naming: Naming, path: &[u8]) -> io::Result<Option<Self>> {
        let Some(found) = folders.look(path)? else { return Ok(None) };
        let (shape, permissions, id) = match found.kind {
            FileType::Directory => return Ok(None),
            FileType::RegularFile => {
                let mut file = folders.open_file(path)?;
                let size = file.metadata()?.len();
                (Shape::File, found.permissions(), name_of_stream(naming, size, &mut file)?)
            }
            FileType::Symlink => {
                let leads = folders.read(path, found.kind)?;
                let id = name_of(naming, Kind::Blob, &leads).map_err(|error| io::Error::other(error.0))?;
                (Shape::Link, 0, id)
            }
            FileType::Fifo
            | FileType::Socket
            | FileType::CharacterDevice
            | FileType::BlockDevice
            | FileType::Unknown => (Shape::Irregular, 0, Oid::null(naming)),
        };
        Ok(Some(Self { shape, permissions, id }))
    }

    /// As a note has it.
    pub(super) fn to_word(self) -> String {
        let letter = match self.shape {
            Shape::File => 'f',
            Shape::Link => 'l',
            Shape::Irregular => '?',
        };
        format!("{letter}:{:o}:{}", self.permissions, self.id)
    }

    pub(super) fn from_word(word: &str) -> Option<Self> {
        let mut parts = word.splitn(3, ':');
        let shape = match parts.next()? {
            "f" => Shape::File,
            "l" => Shape::Link,
            _ => return None,
        };
        let permissions = u32::from_str_radix(parts.next()?, 8).ok()?;
        Some(Self { shape, permissions, id: parsed(parts.next()?)? })
    }

    /// The mode that a tree would give it.
    pub(super) fn mode(self) -> u32 {
        match self.shape {
            Shape::Link => 0o120_000,
            Shape::File | Shape::Irregular if self.permissions & 0o100 != 0 => 0o100_755,
            Shape::File | Shape::Irregular => 0o100_644,
        }
    }
}

/// The permissions of a file that may be run from now on, or may not: each user who may read it may run it. It runs as
/// nobody else, whoever it ran as before.
pub(super) fn permissions_for(mode: u32, before: u32) -> u32 {
    let (is_run, before) = (mode & 0o100 != 0, before & 0o777);
    if is_run == (before & 0o100 != 0) {
        before
    } else if is_run {
        before | ((before & 0o444) >> 2)
    } else {
        before & !RUN
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a16_only_what_a_mode_says_changes_in_the_permissions() {
        for (mode, before, after) in [
            (0o100_644, 0o640, 0o640),
            (0o100_755, 0o640, 0o750),
            (0o100_755, 0o744, 0o744),
            (0o100_644, 0o755, 0o644),
            (0o100_755, 0o4600, 0o700),
        ] {
            assert_eq!(permissions_for(mode, before), after, "{mode:o} {before:o}");
        }
    }

    #[test]
    fn a16_what_stands_at_a_path_is_noted_and_read_back() {
        let temp = tempfile::tempdir().unwrap();
        std::fs::write(temp.path().join("f"), "hello\n").unwrap();
        std::os::unix::fs::symlink("nowhere", temp.path().join("l")).unwrap();
        std::fs::create_dir(temp.path().join("d")).unwrap();
        rustix::fs::mknodat(rustix::fs::CWD, temp.path().join("p"), FileType::Fifo, 0o600.into(), 0).unwrap();
        let folders = Folders::open(temp.path()).unwrap();
        let at = |path: &[u8]| State::at(&folders, Naming::Sha1, path).unwrap();
        for path in [b"f".as_slice(), b"l"] {
            let state = at(path).unwrap();
            assert_eq!(State::from_word(&state.to_word()), Some(state));
        }
        assert_eq!(at(b"f").unwrap().id.to_string(), "ce013625030ba8dba906f756967f9e9ca394464a");
        assert_eq!((at(b"d"), at(b"none")), (None, None));
        let irregular = at(b"p").unwrap();
        assert_eq!((irregular.shape, State::from_word(&irregular.to_word())), (Shape::Irregular, None));
        assert_eq!(State::from_word("f:9:x"), None);
    }
}
