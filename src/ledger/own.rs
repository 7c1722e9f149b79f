//! Folders and files that are ours alone: private, and opened without following a symlink.

use std::fs::File;
use std::io::{Error, ErrorKind, Result};
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;

use rustix::fs::{FileType, Mode, OFlags};
use rustix::io::{Errno, retry_on_intr};
use rustix::process::geteuid;

/// Every right of anybody but the owner.
const OF_OTHERS: Mode = Mode::RWXG.union(Mode::RWXO);
const FOLDER_MODE: Mode = Mode::RWXU;
const FILE_MODE: Mode = Mode::RUSR.union(Mode::WUSR);

/// Opens a folder of ours; [`ErrorKind::NotFound`] when nothing stands there. Rights of others are taken away.
pub(super) fn folder(parent: impl AsFd, name: impl AsRef<Path>) -> Result<OwnedFd> {
    let folder = any_folder(parent, name)?;
    let about = rustix::fs::fstat(&folder)?;
    if about.st_uid != geteuid().as_raw() {
        return Err(Error::new(ErrorKind::PermissionDenied, "it belongs to another user"));
    }
    if Mode::from_raw_mode(about.st_mode).intersects(OF_OTHERS) {
        rustix::fs::fchmod(&folder, FOLDER_MODE)?;
    }
    Ok(folder)
}

/// Makes a folder where there must be nothing; [`ErrorKind::AlreadyExists`] otherwise.
pub(super) fn claim(parent: impl AsFd, name: impl AsRef<Path>) -> Result<OwnedFd> {
    rustix::fs::mkdirat(parent.as_fd(), name.as_ref(), FOLDER_MODE)?;
    folder(parent, name)
}

/// Opens a folder of ours, which is made if nothing stands there.
pub(super) fn made(parent: impl AsFd, name: impl AsRef<Path>) -> Result<OwnedFd> {
    match claim(parent.as_fd(), name.as_ref()) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => folder(parent, name),
        done => done,
    }
}

/// Opens a folder that other parts of the program use as well.
pub(super) fn any_folder(parent: impl AsFd, name: impl AsRef<Path>) -> Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let opened = retry_on_intr(|| rustix::fs::openat(parent.as_fd(), name.as_ref(), flags, Mode::empty()));
    opened.map_err(|errno| match errno {
        Errno::LOOP | Errno::NOTDIR => Error::new(ErrorKind::NotADirectory, "it is not a folder of its own"),
        other => other.into(),
    })
}

/// Opens a regular file in a folder of ours, without waiting for the other end of a pipe.
pub(super) fn file(folder: impl AsFd, name: impl AsRef<Path>, flags: OFlags) -> Result<File> {
    let flags = flags | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let opened = retry_on_intr(|| rustix::fs::openat(folder.as_fd(), name.as_ref(), flags, FILE_MODE));
    let irregular = || Error::new(ErrorKind::InvalidInput, "it is not a regular file of its own");
    let file = match opened {
        Ok(file) => File::from(file),
        Err(Errno::LOOP | Errno::NXIO | Errno::ISDIR) => return Err(irregular()),
        Err(errno) => return Err(errno.into()),
    };
    let kind = FileType::from_raw_mode(rustix::fs::fstat(&file)?.st_mode);
    if kind == FileType::RegularFile { Ok(file) } else { Err(irregular()) }
}
