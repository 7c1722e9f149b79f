//! Covers: what everybody on the machine shares (terminals, shared memory, `/tmp`) is covered by a mount of the run's own,
//! which goes with it.

use std::fs::{self, DirEntry, OpenOptions};
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::path::{Path, PathBuf};

use super::kernel::{READ_ONLY, Reach, change_mount};
use rustix::fs::{CWD, Mode, OFlags};
use rustix::mount::{MountFlags, mount, mount_bind, mount_bind_recursive};

/// The folder for temporary files of everybody.
pub(in crate::sandbox) const TEMPORARY: &str = "/tmp";
/// How many entries of it are shown; with more, it stays as it is, read-only.
const MOST_ENTRIES: usize = 4096;

/// Gives the run terminals of its own, and hides those of others. Gives the device through which one is asked for, if
/// it had to be mounted.
pub(super) fn terminals() -> io::Result<Option<PathBuf>> {
    // A second instance: its `ptmx` stands beside its terminals, where the kernel looks for them.
    let options = c"newinstance,ptmxmode=0666,mode=620";
    mount("devpts", "/dev/pts", "devpts", MountFlags::NOSUID | MountFlags::NOEXEC, options)?;
    let asked = Path::new("/dev/ptmx");
    if fs::symlink_metadata(asked).is_ok_and(|about| about.is_symlink()) {
        return Ok(None);
    }
    mount_bind("/dev/pts/ptmx", asked)?;
    Ok(Some(asked.to_owned()))
}

/// Covers the folder of shared memory with an empty one, but for what the run itself keeps there.
pub(super) fn memory(folder: &Path, kept: Option<&Path>) -> io::Result<()> {
    let kept = match kept.filter(|path| path.starts_with(folder) && *path != folder) {
        Some(path) => Some((path, rustix::fs::openat(CWD, path, OFlags::PATH | OFlags::CLOEXEC, Mode::empty())?)),
        None => None,
    };
    mount("tmpfs", folder, "tmpfs", MountFlags::NOSUID | MountFlags::NODEV, c"mode=1777")?;
    if let Some((path, open)) = kept {
        fs::create_dir_all(path)?;
        mount_bind(through(&open), path)?;
    }
    Ok(())
}

/// Covers a folder with an empty one that cannot be written. What leads to `entered` in it is made, so that a command can
/// run there.
pub(super) fn nothing(folder: &Path, entered: &Path) -> io::Result<()> {
    if !folder.is_dir() {
        return Ok(mount_bind("/dev/null", folder)?);
    }
    mount("tmpfs", folder, "tmpfs", MountFlags::NOSUID | MountFlags::NODEV, c"mode=0755,size=64k")?;
    if entered.starts_with(folder) {
        fs::create_dir_all(entered)?;
    }
    change_mount(folder, READ_ONLY, 0, Reach::Mount)
}

/// Covers the folder for temporary files with one in memory, in which everything that stood there is seen, read-only,
/// but for `unseen`. What could not be shown comes back.
pub(super) fn temporary(folder: &Path, unseen: &[PathBuf]) -> io::Result<Vec<PathBuf>> {
    let below = rustix::fs::openat(CWD, folder, OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
    let entries: Vec<DirEntry> = fs::read_dir(folder)?.take(MOST_ENTRIES + 1).collect::<io::Result<_>>()?;
    if entries.len() > MOST_ENTRIES {
        return Err(io::Error::other(format!("it holds more than {MOST_ENTRIES} entries")));
    }
    memory(folder, None)?;
    let shown = entries.into_iter().filter(|entry| !unseen.contains(&entry.path()));
    let lost = shown.filter(|entry| show(entry, &below).is_err());
    // One that was taken away meanwhile is missed by nobody.
    let lost = lost.filter(|entry| fs::symlink_metadata(through(&below).join(entry.file_name())).is_ok());
    Ok(lost.map(|entry| entry.path()).collect())
}

/// Shows one entry of a covered folder at its old place.
fn show(entry: &DirEntry, below: &OwnedFd) -> io::Result<()> {
    let place = entry.path();
    let mut source = through(below);
    source.push(entry.file_name());
    let kind = entry.file_type()?;
    if kind.is_symlink() {
        return std::os::unix::fs::symlink(fs::read_link(source)?, place);
    }
    if kind.is_dir() {
        fs::create_dir(&place)?;
        return Ok(mount_bind_recursive(source, &place).inspect_err(|_| drop(fs::remove_dir(&place)))?);
    }
    OpenOptions::new().write(true).create_new(true).open(&place)?;
    Ok(mount_bind(source, &place).inspect_err(|_| drop(fs::remove_file(&place)))?)
}

/// A path that leads to what is open, whatever covers it by now.
pub(super) fn through(open: &OwnedFd) -> PathBuf {
    PathBuf::from(format!("/proc/self/fd/{}", open.as_raw_fd()))
}
