//! Regular files, opened without waiting for anyone and read up to a limit. What stands in a repository may be a named
//! pipe to which nobody ever writes, or a file that is far larger than the one that is meant: whatever a repository can
//! hold is opened here, or in the same way.

use std::fs::File;
use std::io::{self, ErrorKind, Read as _, Write as _};
use std::path::Path;

use rustix::fs::{CWD, Mode, OFlags};
use rustix::io::{Errno, retry_on_intr};

/// The most bytes of a file that holds a line or a few: a pointer, a path, a note.
pub const SHORT: u64 = 64 * 1024;
/// The most bytes of a file that grows with the repository: an index, a list of refs, a log, an object.
pub const LONG: u64 = 1024 * 1024 * 1024;

/// Opens a regular file for reading, also by the name of a symlink to it. What is neither that nor a folder is
/// [`ErrorKind::InvalidInput`].
pub fn open(path: impl AsRef<Path>) -> io::Result<File> {
    regular(at(path.as_ref(), OFlags::RDONLY)?)
}

/// Opens a regular file for writing; one that is missing is made.
pub fn made(path: impl AsRef<Path>) -> io::Result<File> {
    regular(at(path.as_ref(), OFlags::WRONLY | OFlags::CREATE)?)
}

/// Writes the whole of a regular file; one that is missing is made.
pub fn write(path: impl AsRef<Path>, bytes: impl AsRef<[u8]>) -> io::Result<()> {
    regular(at(path.as_ref(), OFlags::WRONLY | OFlags::CREATE | OFlags::TRUNC)?)?.write_all(bytes.as_ref())
}

/// Opens a regular file to add to its end.
pub fn at_its_end(path: impl AsRef<Path>) -> io::Result<File> {
    regular(at(path.as_ref(), OFlags::WRONLY | OFlags::APPEND)?)
}

/// The same; a file that is missing is made.
pub fn made_at_its_end(path: impl AsRef<Path>) -> io::Result<File> {
    regular(at(path.as_ref(), OFlags::WRONLY | OFlags::APPEND | OFlags::CREATE)?)
}

/// The whole of a regular file that has no more than `most` bytes.
pub fn bytes(path: impl AsRef<Path>, most: u64) -> io::Result<Vec<u8>> {
    let too_long = || io::Error::new(ErrorKind::FileTooLarge, format!("it has more than {most} bytes"));
    let (file, length) = measured(at(path.as_ref(), OFlags::RDONLY)?)?;
    if length > most {
        return Err(too_long());
    }
    let mut bytes = Vec::with_capacity(usize::try_from(length).unwrap_or(0));
    // It may have grown meanwhile.
    file.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most { Err(too_long()) } else { Ok(bytes) }
}

/// The same as text.
pub fn text(path: impl AsRef<Path>, most: u64) -> io::Result<String> {
    io::read_to_string(bytes(path, most)?.as_slice())
}

/// Has the content of a file, or the names in a folder, on the disk.
pub fn settle(path: impl AsRef<Path>) -> io::Result<()> {
    at(path.as_ref(), OFlags::RDONLY)?.sync_all()
}

/// Opens what stands at a path, without waiting for the other end of a pipe or for a device.
fn at(path: &Path, flags: OFlags) -> io::Result<File> {
    let flags = flags | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    match retry_on_intr(|| rustix::fs::openat(CWD, path, flags, Mode::from_raw_mode(0o666))) {
        Ok(file) => Ok(File::from(file)),
        // A socket, or a pipe that nobody reads.
        Err(Errno::NXIO) => Err(irregular(ErrorKind::InvalidInput)),
        Err(error) => Err(error.into()),
    }
}

fn regular(file: File) -> io::Result<File> {
    measured(file).map(|(file, _)| file)
}

/// A regular file, with its length.
fn measured(file: File) -> io::Result<(File, u64)> {
    let about = file.metadata()?;
    let kind = about.file_type();
    if kind.is_file() {
        Ok((file, about.len()))
    } else {
        Err(irregular(if kind.is_dir() { ErrorKind::IsADirectory } else { ErrorKind::InvalidInput }))
    }
}

fn irregular(kind: ErrorKind) -> io::Error {
    io::Error::new(kind, "it is not a regular file")
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;
    use std::path::PathBuf;

    use rustix::fs::FileType;

    use super::*;

    /// The path of a named pipe in a folder.
    fn pipe(folder: &Path) -> PathBuf {
        let pipe = folder.join("pipe");
        rustix::fs::mknodat(CWD, &pipe, FileType::Fifo, 0o600.into(), 0).unwrap();
        pipe
    }

    #[test]
    fn nothing_but_a_regular_file_is_opened_and_nothing_is_waited_for() {
        let dir = tempfile::tempdir().unwrap();
        let pipe = pipe(dir.path());
        let link = dir.path().join("link");
        symlink(&pipe, &link).unwrap();
        for path in [pipe.as_path(), link.as_path(), Path::new("/dev/zero")] {
            let opened = [open(path), made(path), at_its_end(path), made_at_its_end(path)];
            for error in opened.map(Result::unwrap_err) {
                assert_eq!(error.to_string(), "it is not a regular file", "{}", path.display());
            }
            assert!(write(path, "x").is_err() && bytes(path, SHORT).is_err() && text(path, SHORT).is_err());
        }
        assert!(settle(&pipe).is_err());
        let folder = open(dir.path()).unwrap_err();
        assert_eq!((folder.kind(), folder.to_string().as_str()), (ErrorKind::IsADirectory, "it is not a regular file"));
        assert_eq!(open(dir.path().join("gone")).unwrap_err().kind(), ErrorKind::NotFound);
    }

    #[test]
    fn a_file_is_read_whole_or_not_at_all() {
        let dir = tempfile::tempdir().unwrap();
        let (path, link) = (dir.path().join("f"), dir.path().join("link"));
        write(&path, "abcd").unwrap();
        write(&path, "ab").unwrap();
        drop(made(&path).unwrap());
        at_its_end(&path).unwrap().write_all(b"c").unwrap();
        symlink(&path, &link).unwrap();
        assert_eq!((bytes(&link, 3).unwrap(), text(&path, 3).unwrap().as_str()), (b"abc".to_vec(), "abc"));
        assert_eq!(bytes(&path, 2).unwrap_err().kind(), ErrorKind::FileTooLarge);
        made_at_its_end(dir.path().join("new")).unwrap().write_all(b"\xff").unwrap();
        assert_eq!(text(dir.path().join("new"), 3).unwrap_err().kind(), ErrorKind::InvalidData);
        assert!(at_its_end(dir.path().join("none")).is_err());
        fs::remove_file(&path).unwrap();
        settle(dir.path()).unwrap();
    }
}
