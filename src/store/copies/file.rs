//! Files that copies are kept in: one for each session and user, readable by that user alone. In a repository that several
//! users share, each reads and appends to their own.

use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind, Read as _, Seek as _, SeekFrom, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use super::MOST;
use super::record::first_time;
use crate::domain::ids::SessionId;
use crate::files::fresh::{self, OnDisk};
use crate::files::regular;
use crate::git::forced;

/// Folder of the files, in the git directory that all worktrees share.
const FOLDER: &str = "grill/copies";
/// Ending of a file that is to replace another one.
const UNFINISHED: &str = ".unfinished";
/// Length of the tail that holds the newest records.
const TAIL: u64 = 64 * 1024;
/// A first line is shorter.
const FIRST_LINE: u64 = 256;

/// How much of a file is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Its newest records.
    Tail,
    All,
}

/// Result of an append.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grown {
    /// Length before.
    pub from: u64,
    /// Length now.
    pub to: u64,
    /// When the file's first record was written.
    pub since: Option<i64>,
}

pub fn folder(common: &Path) -> PathBuf {
    common.join(FOLDER)
}

/// The file that this user appends to.
pub fn own(common: &Path, id: &SessionId) -> PathBuf {
    folder(common).join(format!("{id}.{}", rustix::process::geteuid().as_raw()))
}

pub fn listed(common: &Path) -> Vec<(SessionId, PathBuf)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder(common)).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let parts = name.to_str().and_then(|name| name.split_once('.'));
        let is_user = |user: &str| !user.is_empty() && user.bytes().all(|digit| digit.is_ascii_digit());
        let id = parts.filter(|(_, user)| is_user(user)).and_then(|(id, _)| SessionId::parse(id).ok());
        found.extend(id.map(|id| (id, entry.path())));
    }
    found.sort();
    found
}

/// Whether a file in the folder was to replace another one, by a process that died.
pub fn is_unfinished(path: &Path) -> bool {
    path.to_str().is_some_and(|path| path.ends_with(UNFINISHED))
}

/// The file that is to replace another one.
pub fn beside(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(UNFINISHED);
    name.into()
}

/// Appends a record with one write. The session's lock has to be held.
pub fn append(path: &Path, bytes: &[u8]) -> io::Result<Grown> {
    let open = || ours().read(true).append(true).create(true).open(path);
    let mut made = None;
    let mut file = match open() {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            made = path.parent();
            fs::create_dir_all(made.unwrap_or(path))?;
            open()?
        }
        other => other?,
    };
    let about = file.metadata()?;
    if !about.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    let from = about.len();
    let forced = forced::is_forced();
    if let Err(error) = file.write_all(bytes).and_then(|()| if forced { file.sync_all() } else { Ok(()) }) {
        // Half a record is passed over by whoever reads it. The error that counts is the first one.
        let _ = if from == 0 { fs::remove_file(path) } else { file.set_len(from) };
        return Err(error);
    }
    if from == 0 && forced {
        path.ancestors().skip(1).take(if made.is_some() { 3 } else { 1 }).try_for_each(regular::settle)?;
    }
    let mut start = Vec::new();
    file.rewind()?;
    file.take(FIRST_LINE).read_to_end(&mut start)?;
    Ok(Grown { from, to: from + bytes.len() as u64, since: first_time(&start) })
}

/// Bytes of a file; none where it cannot be read, as one of another user's cannot.
pub fn read(path: &Path, part: Part) -> Vec<u8> {
    try_read(path, part).unwrap_or_default()
}

fn try_read(path: &Path, part: Part) -> io::Result<Vec<u8>> {
    let mut file = ours().read(true).open(path)?;
    let about = file.metadata()?;
    if !about.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    let most = if part == Part::Tail { TAIL } else { 8 * MOST };
    file.seek(SeekFrom::Start(about.len().saturating_sub(most)))?;
    let mut bytes = Vec::new();
    file.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// When the first record of a file was written.
pub fn since(path: &Path) -> Option<i64> {
    let mut start = Vec::new();
    ours().read(true).open(path).ok()?.take(FIRST_LINE).read_to_end(&mut start).ok()?;
    first_time(&start)
}

/// Replaces a file as a whole, or removes it where nothing is left. The session's lock has to be held.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if bytes.is_empty() {
        return remove(path);
    }
    fresh::replace(path, &beside(path), 0o600, OnDisk::First, bytes)
}

/// Removes a file, and the folder with the last one.
pub fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Ok(()) => {}
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    // Fails where another file is in it, as it should.
    let _ = path.parent().map(fs::remove_dir);
    Ok(())
}

/// A file that its owner alone reads, opened as no other than itself: never through a link, never waiting at a pipe.
fn ours() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.mode(0o600).custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK);
    options
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn a_file_is_its_owners_alone_and_grows() {
        let dir = tempfile::tempdir().unwrap();
        let id = SessionId::parse("20261123-copies-aaaaa").unwrap();
        let path = own(dir.path(), &id);
        let first = append(&path, b"\ngrill copy 1 5 x").unwrap();
        assert_eq!(first, Grown { from: 0, to: 17, since: Some(5) });
        assert_eq!(append(&path, b"more").unwrap().from, 17);
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(read(&path, Part::All), b"\ngrill copy 1 5 xmore");
        assert_eq!(listed(dir.path()), [(id, path.clone())]);
        fs::write(beside(&path), "").unwrap();
        assert_eq!(listed(dir.path()).len(), 1);
        fs::remove_file(beside(&path)).unwrap();
        replace(&path, b"").unwrap();
        assert!(!folder(dir.path()).exists());
    }

    #[test]
    fn a_link_and_a_pipe_are_not_written_to() {
        let dir = tempfile::tempdir().unwrap();
        let (link, pipe) = (dir.path().join("link"), dir.path().join("pipe"));
        std::os::unix::fs::symlink("elsewhere", &link).unwrap();
        rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
        for path in [link, pipe] {
            assert!(append(&path, b"x").is_err(), "{}", path.display());
            assert!(read(&path, Part::All).is_empty());
        }
        assert!(!dir.path().join("elsewhere").exists());
    }

    /// A device that takes nothing stands for a full disk.
    #[test]
    fn what_cannot_be_written_is_said() {
        assert!(append(Path::new("/dev/full"), b"x").is_err());
    }
}
