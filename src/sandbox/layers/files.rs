//! Files below a folder, reached without following a link: what lies there was put there by a run, or may be changed
//! by one while we look.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use rustix::fs::{AtFlags, CWD, Dir, FileType, Mode, OFlags, Stat};
use rustix::io::Errno;

use crate::files::fresh::Fresh;

const FOLDER: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);
/// How many entries of one folder are looked at.
const MOST_ENTRIES: usize = 4096;

/// Opens a folder; its own name may be a link no more than a name below it.
pub(super) fn folder(path: &Path) -> io::Result<OwnedFd> {
    Ok(rustix::fs::openat(CWD, path, FOLDER, Mode::empty())?)
}

/// Opens a folder in a folder.
pub(super) fn folder_in(parent: impl AsFd, name: &OsStr) -> io::Result<OwnedFd> {
    Ok(rustix::fs::openat(parent, name, FOLDER, Mode::empty())?)
}

/// The same; one that is missing is made, ours alone.
pub(super) fn made_in(parent: impl AsFd, name: &OsStr) -> io::Result<OwnedFd> {
    match rustix::fs::mkdirat(parent.as_fd(), name, Mode::RWXU) {
        Ok(()) | Err(Errno::EXIST) => folder_in(parent, name),
        Err(error) => Err(error.into()),
    }
}

/// An ordinary file with what the system says of it; nothing where none is, or where something else stands.
pub(super) fn file_in(parent: impl AsFd, name: &OsStr) -> io::Result<Option<(File, Stat)>> {
    // Without waiting for the other end of a pipe.
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let open = match rustix::fs::openat(parent.as_fd(), name, flags, Mode::empty()) {
        Ok(open) => open,
        // A link, a socket, nothing at all.
        Err(Errno::LOOP | Errno::NXIO | Errno::NOENT) => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    let about = rustix::fs::fstat(&open)?;
    Ok((FileType::from_raw_mode(about.st_mode) == FileType::RegularFile).then(|| (File::from(open), about)))
}

pub(super) fn is_there(parent: impl AsFd, name: &OsStr) -> bool {
    rustix::fs::statat(parent, name, AtFlags::SYMLINK_NOFOLLOW).is_ok()
}

/// The whole of a file that has no more than `most` bytes.
pub(super) fn bytes(file: File, most: u64) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    file.take(most + 1).read_to_end(&mut bytes)?;
    Ok((u64::try_from(bytes.len()).unwrap_or(u64::MAX) <= most).then_some(bytes))
}

/// Puts a file in place at once, with the mode and the owner that the one before it had; none had the mode 600 and is
/// ours.
pub(super) fn put(folder: impl AsFd, name: &OsStr, content: &mut dyn Read, before: Option<&Stat>) -> io::Result<()> {
    let mut fresh = OsString::from(".git-grill-");
    fresh.push(name);
    let (mut file, mut fresh) = Fresh::make_in(folder.as_fd(), fresh, 0o600)?;
    io::copy(content, &mut file)?;
    if let Some(before) = before {
        let now = rustix::fs::fstat(&file)?;
        if (now.st_uid, now.st_gid) != (before.st_uid, before.st_gid) {
            let (user, group) = (rustix::fs::Uid::from_raw(before.st_uid), rustix::fs::Gid::from_raw(before.st_gid));
            rustix::fs::fchown(&file, Some(user), Some(group))?;
        }
        rustix::fs::fchmod(&file, Mode::from_raw_mode(before.st_mode))?;
    }
    file.sync_all()?;
    fresh.place(name)
}

/// The names in a folder, as many as are looked at.
pub(super) fn names(folder: &OwnedFd) -> io::Result<Vec<OsString>> {
    let entries = Dir::read_from(folder)?.take(MOST_ENTRIES);
    let names = entries.filter_map(|entry| Some(OsStr::from_bytes(entry.ok()?.file_name().to_bytes()).to_owned()));
    Ok(names.filter(|name| name != "." && name != "..").collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn links_pipes_and_folders_are_no_files() {
        let temp = tempfile::tempdir().unwrap();
        let root = temp.path();
        fs::write(root.join("file"), "x").unwrap();
        fs::create_dir(root.join("dir")).unwrap();
        std::os::unix::fs::symlink("file", root.join("link")).unwrap();
        std::os::unix::fs::symlink("dir", root.join("way")).unwrap();
        rustix::fs::mknodat(CWD, root.join("pipe"), FileType::Fifo, Mode::RUSR, 0).unwrap();
        let open = folder(root).unwrap();
        assert!(file_in(&open, OsStr::new("file")).unwrap().is_some());
        for other in ["dir", "link", "pipe", "absent"] {
            assert!(file_in(&open, OsStr::new(other)).unwrap().is_none(), "{other}");
        }
        assert!(folder_in(&open, OsStr::new("way")).is_err() && folder(&root.join("way")).is_err());
    }

    struct Broken;

    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("broken"))
        }
    }

    #[test]
    fn a_file_is_replaced_with_its_mode_and_never_half() {
        let temp = tempfile::tempdir().unwrap();
        fs::write(temp.path().join("f"), "old").unwrap();
        fs::set_permissions(temp.path().join("f"), fs::Permissions::from_mode(0o640)).unwrap();
        fs::write(temp.path().join(".git-grill-f"), "left").unwrap();
        let open = folder(temp.path()).unwrap();
        let (_, about) = file_in(&open, OsStr::new("f")).unwrap().unwrap();
        put(&open, OsStr::new("f"), &mut &b"new"[..], Some(&about)).unwrap();
        assert_eq!(fs::read(temp.path().join("f")).unwrap(), b"new");
        assert_eq!(fs::metadata(temp.path().join("f")).unwrap().permissions().mode() & 0o777, 0o640);
        assert_eq!(names(&open).unwrap(), ["f"]);
        put(&open, OsStr::new("f"), &mut Broken, None).unwrap_err();
        assert_eq!((fs::read(temp.path().join("f")).unwrap(), names(&open).unwrap().len()), (b"new".to_vec(), 1));
    }

    #[test]
    fn a_file_beyond_its_limit_is_not_read() {
        let temp = tempfile::tempdir().unwrap();
        fs::write(temp.path().join("f"), "12345").unwrap();
        let file = || File::open(temp.path().join("f")).unwrap();
        assert_eq!(bytes(file(), 5).unwrap().unwrap(), b"12345");
        assert_eq!(bytes(file(), 4).unwrap(), None);
    }
}
