//! Overlays: a private layer over a folder. What is there is read from below; whatever is written, removed or renamed
//! stays above.

use std::ffi::{CString, OsString};
use std::fs;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, Mode, OFlags};
use rustix::mount::{MountFlags, mount, mount_bind_recursive};

use super::covers::through;

/// Puts a layer over `folder`. What is mounted below it, which a layer would not show, and what is `needed` is seen there
/// as it is; the mounts come back.
pub(super) fn put(folder: &Path, needed: &[&PathBuf], upper: &Path, work: &Path) -> io::Result<Vec<PathBuf>> {
    let mounts = mounts_below(folder)?;
    let needed = needed.iter().filter(|path| **path != folder && path.starts_with(folder)).map(|path| (*path).clone());
    let inside = highest(needed.chain(mounts.iter().cloned()).collect());
    let inside: Vec<(PathBuf, OwnedFd)> =
        inside.into_iter().map(|path| open(&path).map(|open| (path, open))).collect::<io::Result<_>>()?;
    // By number, since the kernel would read some characters of a path as its own.
    let (lower, upper, work) = (open(folder)?, open(upper)?, open(work)?);
    let name = |open: &OwnedFd| format!("/proc/self/fd/{}", open.as_raw_fd());
    // Within a user namespace the kernel keeps its marks in attributes that users may write.
    let marks = if in_user_namespace() { ",userxattr" } else { "" };
    // What is thrown away need not be on disk first; else the end of a run would wait for the whole file system.
    let options =
        format!("lowerdir={},upperdir={},workdir={},volatile{marks}", name(&lower), name(&upper), name(&work));
    let options = CString::new(options)?;
    mount("overlay", folder, "overlay", MountFlags::NOSUID | MountFlags::NODEV, options.as_c_str())?;
    for (path, open) in &inside {
        mount_bind_recursive(through(open), path)?;
    }
    Ok(mounts)
}

fn open(path: &Path) -> io::Result<OwnedFd> {
    let flags = OFlags::PATH | OFlags::CLOEXEC;
    Ok(rustix::fs::openat(CWD, path, flags, Mode::empty())?)
}

/// Whether our privileges are those of a user namespace alone. Doubt means yes: such marks work everywhere.
fn in_user_namespace() -> bool {
    let map = fs::read_to_string("/proc/self/uid_map").unwrap_or_default();
    map.split_whitespace().collect::<Vec<_>>() != ["0", "0", "4294967295"]
}

/// The highest mounts strictly below a folder.
fn mounts_below(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let table = fs::read("/proc/self/mountinfo")?;
    let points = table.split(|byte| *byte == b'\n').filter_map(|line| line.split(|byte| *byte == b' ').nth(4));
    Ok(highest(points.map(plain).filter(|path| path != folder && path.starts_with(folder)).collect()))
}

/// Those that lie in none of the others.
fn highest(mut paths: Vec<PathBuf>) -> Vec<PathBuf> {
    paths.sort();
    paths.dedup();
    let lone = |path: &&PathBuf| !paths.iter().any(|other| other != *path && path.starts_with(other));
    paths.iter().filter(lone).cloned().collect()
}

/// A path of the table of mounts; white space and backslashes stand there in octal.
fn plain(word: &[u8]) -> PathBuf {
    let mut bytes = Vec::with_capacity(word.len());
    let mut rest = word;
    while let Some((first, after)) = rest.split_first() {
        let octal = (*first == b'\\').then(|| after.get(..3)).flatten();
        let value = octal.and_then(|digits| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 8).ok());
        bytes.push(value.unwrap_or(*first));
        rest = if value.is_some() { &after[3..] } else { after };
    }
    PathBuf::from(OsString::from_vec(bytes))
}

#[cfg(test)]
mod tests {
    use std::os::unix::ffi::OsStrExt;

    use super::*;

    #[test]
    fn octal_is_read_and_a_lone_backslash_stays() {
        assert_eq!(plain(br"/a\040b\134c\011"), Path::new("/a b\\c\t"));
        assert_eq!(plain(br"/a\09\"), Path::new(r"/a\09\"));
        assert_eq!(plain(b"/\xff").as_os_str().as_bytes(), b"/\xff");
    }
}
