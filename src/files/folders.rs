//! Paths below an open folder, walked part by part without ever following a symlink.

use std::cell::RefCell;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::rc::Rc;

use rustix::fs::{AtFlags, FileType, Mode, OFlags, Stat};
use rustix::io::Errno;

/// A working tree, open at its top.
pub struct Folders {
    top: Rc<OwnedFd>,
    /// The folder that was asked for last: paths come in order, so the next one is mostly in it too.
    last: RefCell<(Vec<u8>, Rc<OwnedFd>)>,
}

/// What stands at a path.
pub struct Found {
    pub stat: Stat,
    pub kind: FileType,
}

impl Found {
    pub fn permissions(&self) -> u32 {
        self.stat.st_mode & 0o7777
    }

    /// The mode that a tree would give it.
    pub fn mode(&self) -> u32 {
        if self.kind == FileType::Symlink {
            0o120_000
        } else if self.stat.st_mode & 0o100 != 0 {
            0o100_755
        } else {
            0o100_644
        }
    }

    /// When it last changed in any way, in nanoseconds.
    pub fn changed_at(&self) -> i128 {
        let of = |seconds: i128, nanos: i128| seconds * 1_000_000_000 + nanos;
        let changed = of(self.stat.st_ctime.into(), self.stat.st_ctime_nsec.into());
        changed.max(of(self.stat.st_mtime.into(), self.stat.st_mtime_nsec.into()))
    }
}

/// The folder of a path, and its name there.
pub fn split(path: &[u8]) -> (&[u8], &[u8]) {
    match path.iter().rposition(|byte| *byte == b'/') {
        Some(slash) => (&path[..slash], &path[slash + 1..]),
        None => (b"", path),
    }
}

/// A path and the folders above it, from the inside out; not the top.
pub fn upwards(path: &[u8]) -> impl Iterator<Item = &[u8]> {
    std::iter::successors(Some(path), |path| Some(split(path).0)).take_while(|path| !path.is_empty())
}

pub fn name(bytes: &[u8]) -> &OsStr {
    OsStr::from_bytes(bytes)
}

const FOLDER: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

impl Folders {
    /// Opens the top; a symlink that leads to it is followed, since the user works through it.
    pub fn open(top: &Path) -> io::Result<Self> {
        let top = rustix::fs::open(top, OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
        Ok(Self::at(Rc::new(top)))
    }

    /// Below an open folder.
    pub fn at(top: Rc<OwnedFd>) -> Self {
        Self { last: RefCell::new((Vec::new(), Rc::clone(&top))), top }
    }

    /// A folder of the tree.
    pub fn folder(&self, path: &[u8]) -> Result<Rc<OwnedFd>, Errno> {
        if path.is_empty() {
            return Ok(Rc::clone(&self.top));
        }
        if self.last.borrow().0 == path {
            return Ok(Rc::clone(&self.last.borrow().1));
        }
        let mut at = Rc::clone(&self.top);
        for part in path.split(|byte| *byte == b'/') {
            at = Rc::new(rustix::fs::openat(&at, name(part), FOLDER, Mode::empty())?);
        }
        self.last.replace((path.to_vec(), Rc::clone(&at)));
        Ok(at)
    }

    /// The same, with the folders made that are missing.
    pub fn made(&self, path: &[u8]) -> Result<Rc<OwnedFd>, Errno> {
        if self.last.borrow().0 == path {
            return Ok(Rc::clone(&self.last.borrow().1));
        }
        let mut at = Rc::clone(&self.top);
        for part in path.split(|byte| *byte == b'/').filter(|part| !part.is_empty()) {
            match rustix::fs::mkdirat(&at, name(part), Mode::from_raw_mode(0o777)) {
                Ok(()) | Err(Errno::EXIST) => {}
                Err(error) => return Err(error),
            }
            at = Rc::new(rustix::fs::openat(&at, name(part), FOLDER, Mode::empty())?);
        }
        self.last.replace((path.to_vec(), Rc::clone(&at)));
        Ok(at)
    }

    /// Forgets which folder was asked for last: folders were removed, made or moved.
    pub fn forget_cached_folder(&self) {
        self.last.replace((Vec::new(), Rc::clone(&self.top)));
    }

    /// What stands at a path; none when nothing does, also when a folder on the way is a symlink or a file by now.
    pub fn look(&self, path: &[u8]) -> Result<Option<Found>, Errno> {
        let (folder, file) = split(path);
        let folder = match self.folder(folder) {
            Ok(folder) => folder,
            Err(error) if is_absence(error) => return Ok(None),
            Err(error) => return Err(error),
        };
        match rustix::fs::statat(&folder, name(file), AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) => Ok(Some(Found { kind: FileType::from_raw_mode(stat.st_mode), stat })),
            Err(error) if is_absence(error) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The repository of its own that a path is, or lies in. Where it cannot be told, it may be one.
    pub fn repository_around<'b>(&self, path: &'b [u8]) -> Option<&'b [u8]> {
        upwards(path).find(|folder| !matches!(self.look(&[*folder, b"/.git"].concat()), Ok(None)))
    }

    /// The bytes of a file, or where a symlink leads, as they stand on the disk.
    pub fn read(&self, path: &[u8], kind: FileType) -> io::Result<Vec<u8>> {
        let (folder, file) = split(path);
        let folder = self.folder(folder)?;
        if kind == FileType::Symlink {
            return Ok(rustix::fs::readlinkat(&folder, name(file), Vec::new())?.into_bytes());
        }
        let mut bytes = Vec::new();
        self.open_file(path)?.read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// An ordinary file, opened for reading.
    pub fn open_file(&self, path: &[u8]) -> io::Result<File> {
        let (folder, file) = split(path);
        // A named pipe would otherwise be waited for.
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let opened = File::from(rustix::fs::openat(&self.folder(folder)?, name(file), flags, Mode::empty())?);
        if opened.metadata()?.is_file() {
            Ok(opened)
        } else {
            Err(io::Error::new(io::ErrorKind::InvalidInput, "it is no ordinary file"))
        }
    }

    /// When the nearest folder that still exists on the way to a path last changed.
    pub fn nearest_change(&self, path: &[u8]) -> Option<i128> {
        let (mut folder, _) = split(path);
        loop {
            if let Ok(open) = self.folder(folder)
                && let Ok(stat) = rustix::fs::fstat(&open)
            {
                return Some(i128::from(stat.st_mtime) * 1_000_000_000 + i128::from(stat.st_mtime_nsec));
            }
            if folder.is_empty() {
                return None;
            }
            folder = split(folder).0;
        }
    }
}

fn is_absence(error: Errno) -> bool {
    matches!(error, Errno::NOENT | Errno::NOTDIR | Errno::LOOP)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_symlink_on_the_way_hides_what_is_behind_it() {
        let temp = tempfile::tempdir().unwrap();
        let outside = tempfile::tempdir().unwrap();
        std::fs::write(outside.path().join("secret"), "x").unwrap();
        std::os::unix::fs::symlink(outside.path(), temp.path().join("link")).unwrap();
        std::fs::create_dir(temp.path().join("dir")).unwrap();
        std::fs::write(temp.path().join("dir/file"), "y").unwrap();
        let folders = Folders::open(temp.path()).unwrap();
        assert!(folders.look(b"link/secret").unwrap().is_none());
        assert!(folders.made(b"link/new").is_err());
        assert_eq!(folders.look(b"link").unwrap().unwrap().mode(), 0o120_000);
        assert_eq!(folders.read(b"dir/file", FileType::RegularFile).unwrap(), b"y");
        assert!(folders.look(b"dir/file/more").unwrap().is_none());
        assert!(folders.nearest_change(b"dir/gone/deep/file").is_some());
    }

    #[test]
    fn a_repository_of_its_own_is_seen_from_whatever_is_in_it() {
        let temp = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(temp.path().join(".git")).unwrap();
        std::fs::create_dir_all(temp.path().join("a/b/.git")).unwrap();
        std::fs::write(temp.path().join("a/b/file"), "y").unwrap();
        let folders = Folders::open(temp.path()).unwrap();
        for path in [b"a/b".as_slice(), b"a/b/file", b"a/b/gone/deep/file"] {
            assert_eq!(folders.repository_around(path), Some(b"a/b".as_slice()));
        }
        for path in [b"a".as_slice(), b"a/c", b"file", b"gone/file"] {
            assert_eq!(folders.repository_around(path), None);
        }
    }
}
