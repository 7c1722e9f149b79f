//! What stays usable of `/dev` and `/proc`. Everything else there can be looked at, not opened: root owns the disks.

use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};

/// Devices that hold nothing and lead nowhere.
pub(super) const HARMLESS: [&str; 5] = ["null", "zero", "full", "random", "urandom"];
/// The terminal of the process that asks, and the device that gives a new one.
const TERMINALS: [&str; 2] = ["tty", "ptmx"];

/// The device files that may be opened: harmless ones and the terminals that we were started at, but for `own`, which
/// the run has already.
pub(super) fn nodes(own: &[PathBuf]) -> Vec<PathBuf> {
    let mut nodes: Vec<PathBuf> = HARMLESS.iter().chain(&TERMINALS).map(|name| Path::new("/dev").join(name)).collect();
    let terminals = [terminal(&io::stdin()), terminal(&io::stdout()), terminal(&io::stderr())];
    nodes.extend(terminals.into_iter().flatten().filter(|path| !path.starts_with("/dev/pts")));
    nodes.sort();
    nodes.dedup();
    nodes.retain(|path| !own.contains(path));
    nodes.retain(|path| fs::symlink_metadata(path).is_ok_and(|about| about.file_type().is_char_device()));
    nodes
}

fn terminal(stream: &impl std::os::fd::AsFd) -> Option<PathBuf> {
    let name = rustix::termios::ttyname(stream, Vec::new()).ok()?;
    Some(PathBuf::from(std::ffi::OsStr::from_bytes(name.as_bytes()))).filter(|path| path.starts_with("/dev"))
}

/// The folders of the system in which something may be changed. `/proc` is root's to change, all of it; anybody else can
/// change only their own processes there, which sandboxes within this one need.
pub(super) fn folders(root: bool) -> Vec<PathBuf> {
    let folders: &[&str] = if root { &[] } else { &["/proc"] };
    folders.iter().map(PathBuf::from).filter(|path| path.is_dir()).collect()
}
