//! What stays usable of `/dev` and `/proc`. Everything else there can be looked at, not opened: root owns the disks.

use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};

const NODES: &[&str] = &["null", "zero", "full", "random", "urandom", "tty", "ptmx"];

/// The device files that may be opened: harmless ones and the terminals that we were started at.
pub(super) fn nodes() -> Vec<PathBuf> {
    let mut nodes: Vec<PathBuf> = NODES.iter().map(|name| Path::new("/dev").join(name)).collect();
    let terminals = [terminal(&io::stdin()), terminal(&io::stdout()), terminal(&io::stderr())];
    nodes.extend(terminals.into_iter().flatten().filter(|path| !path.starts_with("/dev/pts")));
    nodes.sort();
    nodes.dedup();
    nodes.retain(|path| fs::symlink_metadata(path).is_ok_and(|about| about.file_type().is_char_device()));
    nodes
}

fn terminal(stream: &impl std::os::fd::AsFd) -> Option<PathBuf> {
    let name = rustix::termios::ttyname(stream, Vec::new()).ok()?;
    Some(PathBuf::from(std::ffi::OsStr::from_bytes(name.as_bytes()))).filter(|path| path.starts_with("/dev"))
}

/// The folders in which devices and shared memory are made. `/proc` is root's to change, all of it; anybody else can
/// change only their own processes there, which sandboxes within this one need.
pub(super) fn folders(root: bool) -> Vec<PathBuf> {
    let mut folders = vec!["/dev/pts", "/dev/shm"];
    if !root {
        folders.push("/proc");
    }
    folders.into_iter().map(PathBuf::from).filter(|path| path.is_dir()).collect()
}
