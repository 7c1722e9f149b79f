//! Private mounts: this process sees the same files through mounts of its own, on which nothing can be written but what
//! is granted, and what is the run's alone. Nothing is moved or unmounted, so every path goes on meaning what it meant.

use std::io;
use std::path::{Path, PathBuf};

use rustix::fs::StatVfsMountFlags;
use rustix::mount::{MountFlags, MountPropagationFlags, mount, mount_bind, mount_bind_recursive, mount_change};
use rustix::process::geteuid;
use rustix::thread::UnshareFlags;

use super::covers;
use super::devices;
use super::kernel::{NO_DEVICES, READ_ONLY, Reach, change_mount, unshare};
use super::private::Private;
use super::processes::Ourselves;
use crate::sandbox::Confinement;

/// The step at which it ended, and what the kernel said.
#[derive(Debug)]
pub(super) struct NoMounts {
    pub(super) step: &'static str,
    pub(super) error: io::Error,
}

/// The processes that are seen through the mounts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Processes {
    /// Those of this run alone: this process is the first of a namespace.
    Own,
    /// All of the machine.
    Shared,
}

fn at<T>(step: &'static str, result: impl Into<Result<T, io::Error>>) -> Result<T, NoMounts> {
    result.into().map_err(|error| NoMounts { step, error })
}

/// Makes the mounts private and read-only; what the run got of its own comes back.
pub(super) fn build(confinement: &Confinement, processes: Processes) -> Result<Private, NoMounts> {
    leave()?;
    let propagation = MountPropagationFlags::PRIVATE | MountPropagationFlags::REC;
    at("keep mounts private", mount_change("/", propagation).map_err(Into::into))?;
    let shown = match processes {
        Processes::Own => show_own_processes(),
        Processes::Shared => Ok(()),
    };
    // What an administrator made read-only stays so, though root could change it here.
    let open: Vec<&PathBuf> = confinement.writable.iter().filter(|path| is_writable_mount(path)).collect();
    let mut private = Private::put(confinement);
    private.said.extend(shown.err().map(|error| format!("/proc shows the processes outside in this run: {error}")));
    at("make mounts read-only", change_mount(Path::new("/"), READ_ONLY | NO_DEVICES, 0, Reach::Tree))?;
    for device in devices::nodes(&private.devices) {
        at("keep a device", again(&device, NO_DEVICES))?;
    }
    for device in &private.devices {
        at("keep the run's own terminals", change_mount(device, 0, READ_ONLY | NO_DEVICES, Reach::Mount))?;
    }
    for folder in devices::folders(geteuid().is_root()) {
        at("keep a system folder", again(&folder, READ_ONLY | NO_DEVICES))?;
    }
    let (layers, copies): (Vec<&PathBuf>, Vec<&PathBuf>) =
        private.writable.iter().partition(|path| !path.starts_with(&confinement.store));
    for folder in layers {
        at("keep a layer writable", change_mount(folder, 0, READ_ONLY, Reach::Mount))?;
    }
    for path in open.into_iter().chain(copies) {
        at("keep a folder writable", again(path, READ_ONLY))?;
    }
    for socket in &confinement.hidden {
        at("hide a socket", mount_bind("/dev/null", socket).map_err(Into::into))?;
    }
    for folder in &confinement.covered {
        at("hide the repository", covers::nothing(folder, &confinement.dir))?;
    }
    Ok(private)
}

/// Covers `/proc` with one that shows the processes of this run alone, by the numbers that they have there.
fn show_own_processes() -> io::Result<()> {
    let flags = MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC;
    Ok(mount("proc", "/proc", "proc", flags, None)?)
}

/// Leaves the mounts that are shared with everybody else: as root directly, else within a user namespace in which we
/// are still ourselves.
fn leave() -> Result<(), NoMounts> {
    if unshare(UnshareFlags::NEWNS).is_ok() {
        return Ok(());
    }
    let ourselves = Ourselves::before();
    at("make a user namespace", unshare(UnshareFlags::NEWUSER | UnshareFlags::NEWNS))?;
    at("enter a user namespace", ourselves.stay())
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
