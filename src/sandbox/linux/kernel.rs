//! The system calls that no safe crate wraps. Everything here changes this process alone, which is about to become the
//! command and has no other thread.
#![expect(unsafe_code, reason = "four system calls without a safe wrapper, each with why it is sound")]

use std::ffi::CString;
use std::io::{self, Error};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use rustix::thread::UnshareFlags;

/// `MOUNT_ATTR_RDONLY`
pub(super) const READ_ONLY: u64 = 0x1;
/// `MOUNT_ATTR_NODEV`
pub(super) const NO_DEVICES: u64 = 0x4;

/// `AT_RECURSIVE`
const TREE: libc::c_uint = 0x8000;

/// `struct mount_attr` of the kernel's interface.
#[repr(C)]
struct Attributes {
    set: u64,
    clear: u64,
    propagation: u64,
    user_namespace: u64,
}

/// How far a change of mounts reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    /// The one mount.
    Mount,
    /// Everything mounted below it, too; all or nothing.
    Tree,
}

/// `mount_setattr(2)`: sets and clears attributes of the mount at `path`. It leaves alone what it does not name, as
/// remounting does not.
pub(super) fn change_mount(path: &Path, set: u64, clear: u64, reach: Reach) -> io::Result<()> {
    let path = CString::new(path.as_os_str().as_bytes())?;
    let attributes = Attributes { set, clear, propagation: 0, user_namespace: 0 };
    let flags = match reach {
        Reach::Mount => 0,
        Reach::Tree => TREE,
    };
    // SAFETY: both pointers outlive the call, and the size is the structure's own.
    let result = unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            libc::AT_FDCWD,
            path.as_ptr(),
            flags,
            &raw const attributes,
            size_of::<Attributes>(),
        )
    };
    done(result)
}

/// Leaves the namespaces that are shared with everybody else.
pub(super) fn unshare(flags: UnshareFlags) -> io::Result<()> {
    // SAFETY: neither the table of open files nor the memory is unshared, which is where this could go wrong.
    Ok(unsafe { rustix::thread::unshare_unsafe(flags) }?)
}

/// Closes every file but the three standard ones when the command takes over.
pub(super) fn keep_only_standard_streams() -> io::Result<()> {
    // SAFETY: nothing is closed now, so whoever owns one of the files goes on owning it.
    done(unsafe { libc::syscall(libc::SYS_close_range, 3, libc::c_uint::MAX, libc::CLOSE_RANGE_CLOEXEC) })
}

/// The version of Landlock's interface; nothing is restricted.
pub(super) fn landlock_version() -> io::Result<u32> {
    const VERSION: libc::c_uint = 1;
    // SAFETY: without attributes the call only answers with a number.
    let result =
        unsafe { libc::syscall(libc::SYS_landlock_create_ruleset, std::ptr::null::<libc::c_void>(), 0, VERSION) };
    u32::try_from(result).map_err(|_| Error::last_os_error())
}

/// Puts every system call from now on through a filter. Needs `no_new_privs`.
pub(super) fn filter_calls(program: &[libc::sock_filter]) -> io::Result<()> {
    let length = u16::try_from(program.len()).map_err(|_| Error::from(io::ErrorKind::InvalidInput))?;
    let program = libc::sock_fprog { len: length, filter: program.as_ptr().cast_mut() };
    // SAFETY: the kernel copies the program, whose length is right, and does not write to it.
    done(unsafe { libc::syscall(libc::SYS_seccomp, libc::SECCOMP_SET_MODE_FILTER, 0, &raw const program) })
}

fn done(result: libc::c_long) -> io::Result<()> {
    if result == -1 { Err(Error::last_os_error()) } else { Ok(()) }
}
