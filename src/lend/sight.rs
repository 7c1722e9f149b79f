//! The files of a copy as they stand, whatever the agent made of it: walked folder by folder, no link followed, nothing
//! opened that could be waited for.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::CStr;
use std::io;
use std::os::fd::OwnedFd;
use std::path::Path;

use rustix::fs::{Dir, FileType};

use super::error::LendError;
use super::left_out::{LeftOut, Why};
use crate::files::folders::Folders;
use crate::git::object::{name_of, name_of_stream};
use crate::git::{Kind, Naming, Oid};

/// How many files and folders a copy may have.
const MOST: usize = 2_000_000;
const DOING: &str = "reading the working copy";
/// The longest path that is looked at: the system opens no file of 4,096 bytes, with the folders above it.
const LONGEST: usize = 2_048;
const DOT_GIT: &[u8] = b".git";

/// A file or a symlink.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Seen {
    /// As a tree has it.
    pub mode: u32,
    pub kind: FileType,
    pub bytes: u64,
}

/// All that is in a copy.
pub(super) struct Sight {
    pub folders: Folders,
    pub files: BTreeMap<Vec<u8>, Seen>,
    /// What is neither a file nor a symlink nor a folder to look into.
    pub odd: BTreeSet<LeftOut>,
}

impl Sight {
    /// Looks at everything below the top but its `.git`. A folder with a `.git` of its own is a repository, and not
    /// looked into unless `is_tracked` says that files in it are the parent's.
    pub(super) fn of(top: &Path, is_tracked: impl Fn(&[u8]) -> bool) -> Result<Self, LendError> {
        let failed = |error: io::Error| LendError::failed(DOING, error);
        let folders = Folders::open(top).map_err(failed)?;
        let mut sight = Self { folders, files: BTreeMap::new(), odd: BTreeSet::new() };
        let (mut waiting, mut count) = (vec![Vec::new()], 0_usize);
        while let Some(folder) = waiting.pop() {
            let Some(names) = sight.names(&folder) else {
                if folder.is_empty() {
                    return Err(LendError::failed(DOING, "it cannot be read"));
                }
                sight.leave(folder, Why::Unreadable);
                continue;
            };
            count += names.len();
            if count > MOST {
                return Err(LendError::failed(DOING, format!("it has more than {MOST} files")));
            }
            if !folder.is_empty() && names.iter().any(|name| name == DOT_GIT) {
                if !is_tracked(&folder) {
                    sight.leave(folder, Why::Repository);
                    continue;
                }
                sight.leave([folder.as_slice(), b"/", DOT_GIT].concat(), Why::Repository);
            }
            for name in names.iter().filter(|name| name.as_slice() != DOT_GIT) {
                let path =
                    if folder.is_empty() { name.clone() } else { [folder.as_slice(), b"/", name.as_slice()].concat() };
                waiting.extend(sight.enter(path, name));
            }
        }
        Ok(sight)
    }

    /// The names in a folder; none where it cannot be read.
    fn names(&self, folder: &[u8]) -> Option<Vec<Vec<u8>>> {
        names_in(&*self.folders.folder(folder).ok()?).ok()
    }

    /// Notes what stands at a path; a folder comes back.
    fn enter(&mut self, path: Vec<u8>, name: &[u8]) -> Option<Vec<u8>> {
        if path.len() > LONGEST {
            self.leave(path, Why::LongPath);
            return None;
        }
        let Ok(found) = self.folders.look(&path) else {
            self.leave(path, Why::Unreadable);
            return None;
        };
        // What is gone by now was not meant to stay.
        let found = found?;
        match found.kind {
            FileType::Directory | FileType::RegularFile | FileType::Symlink if !is_fit(name, found.kind) => {
                self.leave(path, Why::Name);
            }
            FileType::Directory => return Some(path),
            FileType::RegularFile | FileType::Symlink => {
                let bytes = u64::try_from(found.stat.st_size).unwrap_or(0);
                self.files.insert(path, Seen { mode: found.mode(), kind: found.kind, bytes });
            }
            FileType::Fifo
            | FileType::Socket
            | FileType::CharacterDevice
            | FileType::BlockDevice
            | FileType::Unknown => self.leave(path, Why::Irregular),
        }
        None
    }

    fn leave(&mut self, path: Vec<u8>, why: Why) {
        self.odd.insert(LeftOut { path, why });
    }

    /// The name of the content of a file, or of where a symlink leads; none where it cannot be read.
    pub(super) fn id(&self, naming: Naming, path: &[u8], seen: &Seen) -> Option<Oid> {
        if seen.kind == FileType::Symlink {
            let leads = self.folders.read(path, seen.kind).ok()?;
            return name_of(naming, Kind::Blob, &leads).ok();
        }
        let mut file = self.folders.open_file(path).ok()?;
        let size = file.metadata().ok()?.len();
        name_of_stream(naming, size, &mut file).ok()
    }

    /// Whether a path is, or lies in, something that was not looked into.
    pub(super) fn is_hidden(&self, path: &[u8]) -> bool {
        let is = |path: &[u8], why: Why| self.odd.contains(&LeftOut { path: path.to_vec(), why });
        crate::files::folders::upwards(path)
            .any(|above| [Why::Unreadable, Why::Repository, Why::Name, Why::LongPath].iter().any(|why| is(above, *why)))
    }
}

/// The names in an open folder, but for `.` and `..`.
pub(super) fn names_in(folder: &OwnedFd) -> io::Result<Vec<Vec<u8>>> {
    let mut names = Vec::new();
    for entry in Dir::read_from(folder)? {
        let entry = entry?;
        let name: &CStr = entry.file_name();
        if !matches!(name.to_bytes(), b"." | b"..") {
            names.push(name.to_bytes().to_vec());
        }
    }
    Ok(names)
}

/// Whether git takes such a name into a tree: nothing that is `.git` on some system, and no symlink in the place of a
/// file that git itself reads.
pub(super) fn is_fit(name: &[u8], kind: FileType) -> bool {
    let is_link = kind == FileType::Symlink;
    name.split(|byte| *byte == b'\\').all(|part| {
        let plain = part.split(|byte| *byte == b':').next().unwrap_or_default().to_ascii_lowercase();
        let end = plain.iter().rposition(|byte| !b" .".contains(byte)).map_or(0, |last| last + 1);
        let plain = &plain[..end];
        !(plain == DOT_GIT
            || plain == b"git~1"
            || is_link && (plain == b".gitmodules" || plain.starts_with(b"gitmod~")))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a15_a_name_that_is_git_s_own_somewhere_is_taken_nowhere() {
        for name in [".GIT", ".git ", ".git...", "git~1", "GIT~1", ".git:x", "a\\.git", ".git\\a"] {
            assert!(!is_fit(name.as_bytes(), FileType::RegularFile), "{name}");
        }
        for name in [".gitignore", ".gitmodules", "git", "a.git", "git~2", "a:b", "...", "a\\b"] {
            assert!(is_fit(name.as_bytes(), FileType::RegularFile), "{name}");
        }
        assert!(!is_fit(b".gitmodules", FileType::Symlink) && is_fit(b"link", FileType::Symlink));
    }

    #[test]
    fn a15_what_a_hostile_copy_holds_is_seen_without_being_opened() {
        let temp = tempfile::tempdir().unwrap();
        let at = |name: &str| temp.path().join(name);
        for folder in [".git", "src", "inner/.git", "ours/.git"] {
            std::fs::create_dir_all(at(folder)).unwrap();
        }
        for file in ["src/a", "inner/theirs", "ours/tracked", ".git/config", ".GIT"] {
            std::fs::write(at(file), "x").unwrap();
        }
        std::os::unix::fs::symlink("/", at("root")).unwrap();
        rustix::fs::mknodat(rustix::fs::CWD, at("pipe"), FileType::Fifo, 0o600.into(), 0).unwrap();
        let sight = Sight::of(temp.path(), |folder| folder == b"ours").unwrap();
        let files: Vec<&[u8]> = sight.files.keys().map(Vec::as_slice).collect();
        assert_eq!(files, [b"ours/tracked".as_slice(), b"root", b"src/a"]);
        let odd: Vec<(&[u8], Why)> = sight.odd.iter().map(|one| (one.path.as_slice(), one.why)).collect();
        let expected: [(&[u8], Why); 4] = [
            (b".GIT", Why::Name),
            (b"inner", Why::Repository),
            (b"ours/.git", Why::Repository),
            (b"pipe", Why::Irregular),
        ];
        assert_eq!(odd, expected);
        assert!(sight.is_hidden(b"inner/theirs/more") && !sight.is_hidden(b"src/a") && !sight.is_hidden(b"pipe"));
    }
}
