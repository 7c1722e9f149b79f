//! Files that take their place whole. Each is written under a name of its own, and moved when all of it is there: whoever
//! looks sees the old file or the new one. A process that dies in between leaves the name of its own, so the caller
//! chooses it, and knows it when it tidies up.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Write as _};
use std::os::fd::BorrowedFd;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, CWD, Mode, OFlags, RenameFlags};
use rustix::io::Errno;

/// When the content is forced onto the disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnDisk {
    /// Before the file has its place. Otherwise a loss of power could leave an empty file there.
    First,
    /// When the system does it: the content is not lost with the file.
    Later,
}

/// Replaces the file at `path`, by way of the name `fresh` in the same folder.
pub fn replace(path: &Path, fresh: &Path, mode: u32, on_disk: OnDisk, bytes: &[u8]) -> io::Result<()> {
    write(fresh, mode, on_disk, bytes)?.place(path)
}

/// Writes all of a file under a name of its own.
pub fn write(name: &Path, mode: u32, on_disk: OnDisk, bytes: &[u8]) -> io::Result<Fresh<'static>> {
    let (file, fresh) = Fresh::make(name, mode)?;
    fresh.filled(file, on_disk, bytes)
}

/// Writes a file at a name where there must be none: all of it, or nothing.
pub fn create(path: &Path, mode: u32, on_disk: OnDisk, bytes: &[u8]) -> io::Result<()> {
    let (file, fresh) = Fresh::alone(path, mode)?;
    fresh.filled(file, on_disk, bytes)?.keep();
    Ok(())
}

/// The name of a file that has no place yet. It is removed when this is dropped; a file that is made comes before its name,
/// so that the name goes while the file is still open, and locked if it was: until then the name is nobody else's.
#[derive(Debug)]
pub struct Fresh<'f> {
    folder: BorrowedFd<'f>,
    name: PathBuf,
    has_place: bool,
}

impl Fresh<'static> {
    /// Makes a file. The name belongs to this process, or to whoever holds a lock: what is there was left behind by a
    /// process that died, and is removed.
    pub fn make(name: &Path, mode: u32) -> io::Result<(File, Self)> {
        Self::make_in(CWD, name, mode)
    }

    /// Makes a file whose name is a lock: what is there may belong to a living process, and stays.
    pub fn alone(name: &Path, mode: u32) -> io::Result<(File, Self)> {
        let file = open_new(CWD, name, mode)?;
        Ok((file, Self::at(CWD, name)))
    }
}

impl<'f> Fresh<'f> {
    /// [`Fresh::make`] in an open folder.
    pub fn make_in(folder: BorrowedFd<'f>, name: impl AsRef<Path>, mode: u32) -> io::Result<(File, Self)> {
        let name = name.as_ref();
        let file = anew(folder, name, || open_new(folder, name, mode))?;
        Ok((file, Self::at(folder, name)))
    }

    /// Makes a symlink instead of a file.
    pub fn link_in(folder: BorrowedFd<'f>, name: impl AsRef<Path>, target: &OsStr) -> io::Result<Self> {
        let name = name.as_ref();
        anew(folder, name, || rustix::fs::symlinkat(target, folder, name))?;
        Ok(Self::at(folder, name))
    }

    /// A file that the caller has made.
    pub fn at(folder: BorrowedFd<'f>, name: impl AsRef<Path>) -> Self {
        Self { folder, name: name.as_ref().to_owned(), has_place: false }
    }

    fn filled(self, mut file: File, on_disk: OnDisk, bytes: &[u8]) -> io::Result<Self> {
        file.write_all(bytes)?;
        if on_disk == OnDisk::First {
            file.sync_all()?;
        }
        Ok(self)
    }

    /// Moves the file to its place, over what is there.
    pub fn place(&mut self, to: impl AsRef<Path>) -> io::Result<()> {
        rustix::fs::renameat(self.folder, &self.name, self.folder, to.as_ref())?;
        self.has_place = true;
        Ok(())
    }

    /// Moves the file to a place where there must be nothing, as far as the file system can check that in the same step.
    pub fn place_new(&mut self, to: impl AsRef<Path>) -> io::Result<()> {
        let to = to.as_ref();
        match rustix::fs::renameat_with(self.folder, &self.name, self.folder, to, RenameFlags::NOREPLACE) {
            Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => self.place(to),
            done => {
                done?;
                self.has_place = true;
                Ok(())
            }
        }
    }

    /// Gives the file its place by a second name, where there must be nothing, and removes the first one.
    pub fn link(mut self, to: &Path) -> io::Result<()> {
        rustix::fs::linkat(self.folder, &self.name, self.folder, to, AtFlags::empty())?;
        self.has_place = true;
        Ok(rustix::fs::unlinkat(self.folder, &self.name, AtFlags::empty())?)
    }

    /// Leaves the file where it is.
    pub fn keep(mut self) {
        self.has_place = true;
    }
}

impl Drop for Fresh<'_> {
    fn drop(&mut self) {
        if !self.has_place {
            // The error that counts is the one that came before. A file that stays is for the next one to remove.
            let _ = rustix::fs::unlinkat(self.folder, &self.name, AtFlags::empty());
        }
    }
}

fn open_new(folder: BorrowedFd<'_>, name: &Path, mode: u32) -> Result<File, Errno> {
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    rustix::fs::openat(folder, name, flags, Mode::from_raw_mode(mode)).map(File::from)
}

fn anew<T>(folder: BorrowedFd<'_>, name: &Path, make: impl Fn() -> Result<T, Errno>) -> io::Result<T> {
    match make() {
        Err(Errno::EXIST) => {
            rustix::fs::unlinkat(folder, name, AtFlags::empty())?;
            Ok(make()?)
        }
        first => Ok(first?),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_replaced_over_what_a_process_left_that_died() {
        let dir = tempfile::tempdir().unwrap();
        let (path, fresh) = (dir.path().join("f"), dir.path().join("f.new"));
        fs::write(&path, "old").unwrap();
        std::os::unix::fs::symlink("elsewhere", &fresh).unwrap();
        replace(&path, &fresh, 0o600, OnDisk::First, b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(names(dir.path()), ["f"]);
    }

    #[test]
    fn nothing_stays_of_a_file_that_has_no_place() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir_all(dir.path().join("taken/inside")).unwrap();
        let (path, fresh) = (dir.path().join("taken"), dir.path().join("fresh"));
        assert!(replace(&path, &fresh, 0o600, OnDisk::Later, b"new").is_err());
        fs::write(dir.path().join("f"), "theirs").unwrap();
        let taken = dir.path().join("f");
        let made = || Fresh::make(&fresh, 0o600).unwrap().1;
        for done in [made().place_new(&taken), made().link(&taken)] {
            assert_eq!(done.unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        }
        assert_eq!(names(dir.path()), ["f", "taken"]);
        assert_eq!(fs::read(dir.path().join("f")).unwrap(), b"theirs");
    }

    /// A device that takes nothing stands for a disk that is full.
    #[test]
    fn what_cannot_be_written_whole_is_not_left_behind() {
        let dir = tempfile::tempdir().unwrap();
        let (_, fresh) = Fresh::make(&dir.path().join("f"), 0o600).unwrap();
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        assert!(fresh.filled(full, OnDisk::Later, b"a text").is_err());
        assert_eq!(names(dir.path()), [""; 0], "half a text stays");
    }

    #[test]
    fn a_name_that_is_a_lock_stays_with_its_holder() {
        let dir = tempfile::tempdir().unwrap();
        let lock = dir.path().join("f.lock");
        let (_, mut held) = Fresh::alone(&lock, 0o666).unwrap();
        assert_eq!(Fresh::alone(&lock, 0o666).unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        assert!(create(&lock, 0o666, OnDisk::Later, b"x").is_err() && lock.exists());
        held.place(dir.path().join("f")).unwrap();
        drop(held);
        create(&lock, 0o666, OnDisk::Later, b"x").unwrap();
        assert_eq!(names(dir.path()), ["f", "f.lock"]);
    }
}
