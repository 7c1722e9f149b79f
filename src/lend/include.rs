//! Files that a working copy needs and no commit has: what the parent's `.worktreeinclude` names of its ignored files
//! (A29). Most of them are secrets, so they are noted, and left out of everything that is made of the agent's work.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, Read as _, Write as _};

use rustix::fs::{FileType, Mode, OFlags};

use super::error::LendError;
use super::folder::LentFolder;
use super::notes::{INCLUDED, Named, Notes};
use super::own_git::os;
use super::parent::Parent;
use crate::files::folders::{Folders, split};
use crate::git::Kind;
use crate::git::object::name_of;
use crate::git::paths::{bare, pieces, without_magic};

/// The file that says what is brought in, in the syntax of `.gitignore`.
pub const FILE: &str = ".worktreeinclude";
/// The most bytes of it.
const PATTERNS: u64 = 64 * 1024;
/// How many files are brought in, how large one may be, and how large all of them.
const MOST: usize = 2_000;
const LARGEST: u64 = 16 * 1024 * 1024;
const MOST_BYTES: u64 = 256 * 1024 * 1024;

const DOING: &str = "bringing in what .worktreeinclude names";

/// What became of the files that are named.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Brought {
    pub files: Vec<Vec<u8>>,
    /// Those that were not brought in, with the reason.
    pub passed_over: Vec<(Vec<u8>, &'static str)>,
}

/// Brings in what the parent's file names. Before the agent is started.
pub fn include(parent: &Parent<'_>, folder: &LentFolder) -> Result<Brought, LendError> {
    let notes = Notes::of(folder);
    let start = notes.start()?;
    let failed = |error: io::Error| LendError::failed(DOING, error);
    let from = Folders::open(&parent.top).map_err(failed)?;
    let Some(patterns) = patterns(&from)? else { return Ok(Brought::default()) };
    notes.write("patterns", &patterns)?;
    let to = Folders::open(&folder.copy()).map_err(failed)?;
    let (mut brought, mut ids, mut bytes) = (Brought::default(), Named::new(), 0);
    let mut ready = Vec::new();
    for path in wanted(parent, &notes)? {
        match content(&from, &path, bytes, ready.len()) {
            Err(why) => brought.passed_over.push((path, why)),
            Ok((content, mode)) => {
                bytes += content.len() as u64;
                let id = name_of(start.tree.kind(), Kind::Blob, &content);
                ids.insert(path.clone(), id.map_err(|error| LendError::failed(DOING, error))?);
                ready.push((path, content, mode));
            }
        }
    }
    // Before any of them is there: one that is not noted would be taken for the agent's work.
    notes.write_named(INCLUDED, &ids)?;
    for (path, content, mode) in ready {
        match write(&to, &path, &content, mode) {
            Ok(()) => brought.files.push(path),
            Err(_) => brought.passed_over.push((path, "it could not be written")),
        }
    }
    Ok(brought)
}

/// What the parent's file says, if there is one. A link in its place is none: it would say what stands elsewhere.
fn patterns(from: &Folders) -> Result<Option<Vec<u8>>, LendError> {
    let found = from.look(FILE.as_bytes()).map_err(|error| LendError::failed(DOING, error))?;
    if !found.is_some_and(|found| found.kind == FileType::RegularFile) {
        return Ok(None);
    }
    let failed = |error: io::Error| LendError::failed(DOING, error);
    let mut bytes = Vec::new();
    from.open_file(FILE.as_bytes()).map_err(failed)?.take(PATTERNS + 1).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > PATTERNS {
        return Err(LendError::failed(DOING, format!("{FILE} has more than {PATTERNS} bytes")));
    }
    Ok(Some(bytes))
}

/// The untracked files that it names and that are ignored.
fn wanted(parent: &Parent<'_>, notes: &Notes) -> Result<Vec<Vec<u8>>, LendError> {
    let failed = |error: crate::git::Error| LendError::failed(DOING, error);
    let mut from = std::ffi::OsString::from("--exclude-from=");
    from.push(notes.path("patterns"));
    let words: [std::ffi::OsString; 5] = ["ls-files".into(), "-z".into(), "--others".into(), "--ignored".into(), from];
    let named = parent.git(words).ask(parent.process).map_err(failed)?;
    if named.is_empty() {
        return Ok(Vec::new());
    }
    let asked = parent.git(["check-ignore", "-z", "--stdin"]).fed(without_magic(pieces(&named)));
    let ignored = asked.ask_whether(parent.process).map_err(failed)?.unwrap_or_default();
    let ignored: HashSet<&[u8]> = pieces(&ignored).map(bare).collect();
    // A repository of its own ends with a slash.
    let files = pieces(&named).filter(|path| ignored.contains(*path) && !path.ends_with(b"/"));
    Ok(files.filter(|path| !path.starts_with(b".grill/")).map(<[u8]>::to_vec).collect())
}

/// The bytes of a regular file, and who may read it; or why it is passed over.
fn content(from: &Folders, path: &[u8], before: u64, count: usize) -> Result<(Vec<u8>, u32), &'static str> {
    let found = from.look(path).map_err(|_| "it cannot be read")?.ok_or("it is gone")?;
    match found.kind {
        FileType::RegularFile => {}
        FileType::Symlink => return Err("it is a symlink"),
        FileType::Directory
        | FileType::Fifo
        | FileType::Socket
        | FileType::CharacterDevice
        | FileType::BlockDevice
        | FileType::Unknown => return Err("it is not a regular file"),
    }
    if count >= MOST {
        return Err("too many files are named");
    }
    let mut bytes = Vec::new();
    let file = from.open_file(path).map_err(|_| "it cannot be read")?;
    file.take(LARGEST + 1).read_to_end(&mut bytes).map_err(|_| "it cannot be read")?;
    let size = bytes.len() as u64;
    if size > LARGEST || before + size > MOST_BYTES {
        return Err("it is too large");
    }
    Ok((bytes, found.permissions() & 0o700))
}

/// Writes a file where there must be none, through no link.
fn write(to: &Folders, path: &[u8], content: &[u8], mode: u32) -> io::Result<()> {
    let (folder, name) = split(path);
    let folder = to.made(folder)?;
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let opened = rustix::fs::openat(&folder, os(name), flags, Mode::from_raw_mode(mode | 0o600))?;
    File::from(opened).write_all(content)
}
