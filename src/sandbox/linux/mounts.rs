//! Private mounts: this process sees the same files through mounts of its own, on which nothing can be written but what
//! is granted. Nothing is moved, covered or unmounted, so every path goes on meaning what it meant.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use rustix::fs::StatVfsMountFlags;
use rustix::mount::{MountPropagationFlags, mount_bind, mount_bind_recursive, mount_change};
use rustix::process::{getegid, geteuid};
use rustix::thread::UnshareFlags;

use super::devices;
use super::kernel::{NO_DEVICES, READ_ONLY, Reach, change_mount, unshare};
use crate::sandbox::Confinement;

/// The step at which it ended, and what the kernel said.
#[derive(Debug)]
pub(super) struct NoMounts {
    pub(super) step: &'static str,
    pub(super) error: io::Error,
}

fn at<T>(step: &'static str, result: impl Into<Result<T, io::Error>>) -> Result<T, NoMounts> {
    result.into().map_err(|error| NoMounts { step, error })
}

/// Makes the mounts private and read-only.
pub(super) fn build(confinement: &Confinement) -> Result<(), NoMounts> {
    leave()?;
    let propagation = MountPropagationFlags::PRIVATE | MountPropagationFlags::REC;
    at("keep mounts private", mount_change("/", propagation).map_err(Into::into))?;
    // What an administrator made read-only stays so, though root could change it here.
    let open: Vec<&PathBuf> = confinement.writable.iter().filter(|path| is_writable_mount(path)).collect();
    at("make mounts read-only", change_mount(Path::new("/"), READ_ONLY | NO_DEVICES, 0, Reach::Tree))?;
    for device in devices::nodes() {
        at("keep a device", again(&device, NO_DEVICES))?;
    }
    for folder in devices::folders(geteuid().is_root()) {
        at("keep a system folder", again(&folder, READ_ONLY | NO_DEVICES))?;
    }
    for path in open {
        at("keep a folder writable", again(path, READ_ONLY))?;
    }
    for path in &confinement.kept {
        at("keep a file as it is", mount_bind_recursive(path, path).map_err(Into::into))?;
        at("keep a file as it is", change_mount(path, READ_ONLY | NO_DEVICES, 0, Reach::Tree))?;
    }
    for socket in &confinement.hidden {
        at("hide a socket", mount_bind("/dev/null", socket).map_err(Into::into))?;
    }
    Ok(())
}

/// Leaves the mounts that are shared with everybody else: as root directly, else within a user namespace in which we
/// are still ourselves.
fn leave() -> Result<(), NoMounts> {
    if unshare(UnshareFlags::NEWNS).is_ok() {
        return Ok(());
    }
    let (user, group) = (geteuid().as_raw(), getegid().as_raw());
    at("make a user namespace", unshare(UnshareFlags::NEWUSER | UnshareFlags::NEWNS))?;
    at("enter a user namespace", fs::write("/proc/self/setgroups", "deny"))?;
    at("enter a user namespace", fs::write("/proc/self/gid_map", format!("{group} {group} 1")))?;
    at("enter a user namespace", fs::write("/proc/self/uid_map", format!("{user} {user} 1")))
}

/// Mounts what stands at `path` once more at the same place, with `open` lifted from the new mount alone; what is
/// mounted further below stays closed.
fn again(path: &Path, open: u64) -> io::Result<()> {
    mount_bind_recursive(path, path)?;
    change_mount(path, 0, open, Reach::Mount)
}

fn is_writable_mount(path: &Path) -> bool {
    rustix::fs::statvfs(path).is_ok_and(|about| !about.f_flag.contains(StatVfsMountFlags::RDONLY))
}
