//! A folder in the working tree whose files are read and replaced without ever following a symlink.

use std::fs::File;
use std::io::{Error, ErrorKind, Read as _, Result, Write as _};
use std::os::fd::{AsFd as _, OwnedFd};
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, CWD, Dir, FileType, Mode, OFlags};
use rustix::io::Errno;

use crate::files::fresh::Fresh;

const UNFINISHED: &str = ".unfinished-";

/// An open folder; it stays the same one even if its name is given to another.
#[derive(Debug)]
pub struct Folder {
    fd: OwnedFd,
    path: PathBuf,
}

impl Folder {
    /// Opens a folder; `None` when nothing stands there, an error when it is something else.
    pub fn open(path: &Path) -> Result<Option<Self>> {
        let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::RDONLY;
        match rustix::fs::openat(CWD, path, flags, Mode::empty()) {
            Ok(fd) => Ok(Some(Self { fd, path: path.to_owned() })),
            Err(Errno::NOENT) => Ok(None),
            Err(Errno::NOTDIR | Errno::LOOP) => Err(Error::other("it is not a directory of its own")),
            Err(errno) => Err(errno.into()),
        }
    }

    /// Opens a folder, which is made if nothing stands there.
    pub fn make(path: &Path) -> Result<Self> {
        match rustix::fs::mkdirat(CWD, path, Mode::from_raw_mode(0o755)) {
            Ok(()) | Err(Errno::EXIST) => {}
            Err(errno) => return Err(errno.into()),
        }
        Self::open(path)?.ok_or_else(|| ErrorKind::NotFound.into())
    }

    /// Reads a plain file of at most `limit` bytes; `None` when nothing stands there.
    pub fn read(&self, name: &str, limit: usize) -> Result<Option<Vec<u8>>> {
        // Without NONBLOCK a pipe of that name would make us wait for ever.
        let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC | OFlags::RDONLY;
        let fd = match rustix::fs::openat(&self.fd, name, flags, Mode::empty()) {
            Ok(fd) => fd,
            Err(Errno::NOENT) => return Ok(None),
            Err(Errno::LOOP) => return Err(Error::other("it is a symlink")),
            Err(errno) => return Err(errno.into()),
        };
        let kind = FileType::from_raw_mode(rustix::fs::fstat(&fd)?.st_mode);
        if kind != FileType::RegularFile {
            return Err(Error::other("it is not a regular file"));
        }
        let mut bytes = Vec::new();
        let most = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
        File::from(fd).take(most).read_to_end(&mut bytes)?;
        if bytes.len() > limit {
            return Err(Error::other(format!("it has more than {limit} bytes")));
        }
        Ok(Some(bytes))
    }

    /// Replaces a file as a whole: whoever reads sees the old bytes or the new ones.
    pub fn replace(&self, name: &str, bytes: &[u8]) -> Result<()> {
        let unfinished = format!("{UNFINISHED}{}-{name}", std::process::id());
        let (mut file, mut fresh) = Fresh::make_in(self.fd.as_fd(), unfinished, 0o644)?;
        file.write_all(bytes)?;
        fresh.place(name)
    }

    /// Removes a file, or the link itself where one stands.
    pub fn remove(&self, name: &str) -> Result<()> {
        match rustix::fs::unlinkat(&self.fd, name, AtFlags::empty()) {
            Ok(()) | Err(Errno::NOENT) => Ok(()),
            Err(errno) => Err(errno.into()),
        }
    }

    /// The names in it, without what we left unfinished.
    pub fn names(&self) -> Result<Vec<String>> {
        Ok(self.entries()?.into_iter().filter(|name| !name.starts_with(UNFINISHED)).collect())
    }

    /// Removes what we left unfinished, and the folder itself if nothing is left in it.
    pub fn sweep(self) -> Result<()> {
        for name in self.entries()? {
            if name.starts_with(UNFINISHED) {
                self.remove(&name)?;
            }
        }
        match rustix::fs::unlinkat(CWD, &self.path, AtFlags::REMOVEDIR) {
            Ok(()) | Err(Errno::NOENT | Errno::NOTEMPTY | Errno::EXIST) => Ok(()),
            Err(errno) => Err(errno.into()),
        }
    }

    fn entries(&self) -> Result<Vec<String>> {
        let mut found = Vec::new();
        for entry in Dir::read_from(&self.fd)? {
            let name = entry?.file_name().to_string_lossy().into_owned();
            if name != "." && name != ".." {
                found.push(name);
            }
        }
        Ok(found)
    }
}
