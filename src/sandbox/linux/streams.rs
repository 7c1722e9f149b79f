//! Standard streams: what is open there was opened outside, and leads through the mounts outside. A file that was opened
//! for reading could be opened again by its number (`/proc/self/fd/0`) and written, or its mode be changed. So it is opened
//! through the run's own mounts instead. What was opened for writing may be written, since the caller says so.

use std::fs;
use std::io;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};

use rustix::fs::{
    CWD, FileType, MemfdFlags, Mode, OFlags, SealFlags, SeekFrom, Stat, fcntl_add_seals, fcntl_getfl, fstat,
    memfd_create, open, openat, seek,
};
use rustix::io::{fcntl_dupfd_cloexec, pread, write};
use rustix::stdio::{dup2_stderr, dup2_stdin, dup2_stdout};

use super::covers::through;
use super::devices;

/// The largest file that is copied where it cannot be opened again.
const MOST_BYTES: i64 = 64 << 20;
/// How much of it is copied at once.
const PIECE: usize = 1 << 16;

/// A stream that the run does not get.
#[derive(Debug, thiserror::Error)]
pub enum BadStream {
    /// A directory, through which all of it could be written.
    #[error("standard stream {0} is a folder, and what is below it could be written through it")]
    Folder(usize),
    /// A device or something else that is no file.
    #[error("standard stream {number} is {}, and the command could open it again and write to it", path.display())]
    Device { number: usize, path: PathBuf },
    /// A file that could be neither opened again nor copied.
    #[error("standard stream {number} is {}, and the command could open it again and write to it: {why}", path.display())]
    File { number: usize, path: PathBuf, why: String },
}

impl BadStream {
    /// A command that runs all the same.
    pub fn hint(&self) -> String {
        match self {
            Self::Folder(_) => "git grill run -- <command> </dev/null".to_owned(),
            Self::Device { path, .. } | Self::File { path, .. } => {
                format!("cat '{}' | git grill run -- <command>", path.display())
            }
        }
    }
}

/// A stream that has to be opened through the run's mounts.
struct Closed {
    number: usize,
    path: PathBuf,
    kind: Kind,
}

/// The reason why a stream is opened again.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A file that the caller opened for reading: it could be written.
    File,
    /// A device that every run may open: its mode could be changed. Else it stays as it is.
    Device,
}

/// A stream as it was, beside the one that took its place.
struct Replaced {
    number: usize,
    was: OwnedFd,
}

#[derive(Default)]
pub(super) struct Streams {
    closed: Vec<Closed>,
    replaced: Vec<Replaced>,
}

impl Streams {
    /// Looks at the streams, while paths still lead where the caller sees them.
    pub(super) fn look() -> Result<Self, BadStream> {
        let mut streams = Self::default();
        for (number, stream) in all().into_iter().enumerate() {
            // One that is closed leads nowhere.
            let Ok(about) = fstat(stream) else { continue };
            let path = fs::read_link(format!("/proc/self/fd/{number}")).unwrap_or_default();
            let kind = match FileType::from_raw_mode(about.st_mode) {
                FileType::Directory => return Err(BadStream::Folder(number)),
                // Neither leads to a file.
                FileType::Fifo | FileType::Socket => continue,
                FileType::CharacterDevice if is_open_to_all(&about) => Kind::Device,
                _ if may_write(stream) => continue,
                FileType::RegularFile => Kind::File,
                FileType::CharacterDevice if rustix::termios::isatty(stream) => continue,
                FileType::CharacterDevice | FileType::BlockDevice | FileType::Symlink | FileType::Unknown => {
                    return Err(BadStream::Device { number, path });
                }
            };
            streams.closed.push(Closed { number, path, kind });
        }
        Ok(streams)
    }

    /// Opens what was opened for reading through the mounts that this process has now, or puts a copy in its place.
    pub(super) fn reopen(&mut self) -> Result<(), BadStream> {
        for Closed { number, path, kind } in std::mem::take(&mut self.closed) {
            let replaced = match kind {
                Kind::File => replace(number, &path).map(Some),
                Kind::Device => reopen_device(number, &path).map(|()| None),
            };
            let replaced = replaced.map_err(|why| BadStream::File { number, path, why: why.to_string() })?;
            self.replaced.extend(replaced);
        }
        Ok(())
    }

    /// Tells the streams outside how far the command has read: another command may read on there.
    pub(super) fn give_back(&self) {
        for Replaced { number, was } in &self.replaced {
            if let Ok(read) = seek(stream(*number), SeekFrom::Current(0)) {
                let _ = seek(was, SeekFrom::Start(read));
            }
        }
    }
}

fn replace(number: usize, path: &PathBuf) -> io::Result<Replaced> {
    let was = fcntl_dupfd_cloexec(stream(number), 3)?;
    let about = fstat(&was)?;
    let open = match again(path, &about, OFlags::RDONLY) {
        Some(open) => open,
        None => copy(&was, &about)?,
    };
    seek(&open, SeekFrom::Start(seek(&was, SeekFrom::Current(0))?))?;
    put(number, &open)?;
    Ok(Replaced { number, was })
}

fn reopen_device(number: usize, path: &PathBuf) -> io::Result<()> {
    let was = stream(number);
    match again(path, &fstat(was)?, fcntl_getfl(was)? & OFlags::ACCMODE) {
        Some(open) => put(number, &open),
        None => Ok(()),
    }
}

fn put(number: usize, open: &OwnedFd) -> io::Result<()> {
    match number {
        0 => dup2_stdin(open)?,
        1 => dup2_stdout(open)?,
        _ => dup2_stderr(open)?,
    }
    Ok(())
}

/// The same file through the mounts of this process; none where the path leads to another one, or to none.
fn again(path: &PathBuf, about: &Stat, access: OFlags) -> Option<OwnedFd> {
    let found = openat(CWD, path, OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC, Mode::empty()).ok()?;
    let there = fstat(&found).ok()?;
    let same = (there.st_dev, there.st_ino) == (about.st_dev, about.st_ino);
    let flags = access | OFlags::CLOEXEC | OFlags::NOCTTY;
    same.then(|| open(through(&found), flags, Mode::empty()).ok()).flatten()
}

/// A copy in memory that can never be changed.
fn copy(was: &OwnedFd, about: &Stat) -> io::Result<OwnedFd> {
    let too_large = || io::Error::other(format!("it has more than {} MiB", MOST_BYTES >> 20));
    if about.st_size > MOST_BYTES {
        return Err(too_large());
    }
    let memory = memfd_create(c"stream", MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING)?;
    let mut piece = vec![0; PIECE];
    let mut read: u64 = 0;
    loop {
        let length = pread(was, &mut piece[..], read)?;
        if length == 0 {
            break;
        }
        let mut rest = &piece[..length];
        while !rest.is_empty() {
            rest = &rest[write(&memory, rest)?..];
        }
        read += u64::try_from(length).unwrap_or(u64::MAX);
        // It may grow meanwhile.
        if read > MOST_BYTES.unsigned_abs() {
            return Err(too_large());
        }
    }
    fcntl_add_seals(&memory, SealFlags::SEAL | SealFlags::SHRINK | SealFlags::GROW | SealFlags::WRITE)?;
    Ok(open(through(&memory), OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty())?)
}

/// Whether the caller opened it for writing. One that is a mere name (`O_PATH`) was not.
fn may_write(stream: BorrowedFd<'_>) -> bool {
    fcntl_getfl(stream).is_ok_and(|flags| {
        !flags.contains(OFlags::PATH) && matches!(flags & OFlags::ACCMODE, OFlags::WRONLY | OFlags::RDWR)
    })
}

/// Whether it is one of the devices that every run may open.
fn is_open_to_all(about: &Stat) -> bool {
    let names = |path: &PathBuf| rustix::fs::stat(path).is_ok_and(|node| node.st_rdev == about.st_rdev);
    devices::HARMLESS.iter().map(|name| Path::new("/dev").join(name)).any(|path| names(&path))
}

fn all() -> [BorrowedFd<'static>; 3] {
    [rustix::stdio::stdin(), rustix::stdio::stdout(), rustix::stdio::stderr()]
}

fn stream(number: usize) -> BorrowedFd<'static> {
    all()[number.min(2)]
}
