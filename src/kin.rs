//! Whose a process is: its group, its session, the other end of a socket. They may have begun outside of our process
//! namespace, as a container's do, and have no number in it then. The kernel says 0 for those, which rustix holds to be
//! impossible.
#![cfg_attr(
    target_os = "linux",
    expect(unsafe_code, reason = "three system calls whose safe wrappers take no 0, each with why it is sound")
)]

use std::os::fd::AsFd;

use rustix::io::{Errno, Result};
use rustix::process::Pid;

/// The user and the process at the other end of a socket.
#[cfg(target_os = "linux")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Peer {
    pub user: u32,
    /// None where it has no number in our namespace.
    pub process: Option<Pid>,
}

/// Our process group, if it has a number here.
#[must_use]
pub fn our_group() -> Option<Pid> {
    #[cfg(target_os = "linux")]
    // SAFETY: it takes nothing and cannot fail.
    return Pid::from_raw(unsafe { libc::getpgrp() });
    #[cfg(not(target_os = "linux"))]
    #[expect(clippy::disallowed_methods, reason = "elsewhere every group has a number")]
    return Some(rustix::process::getpgrp());
}

/// The process group in a terminal's foreground, if it has a number here.
///
/// # Errors
///
/// It is no terminal, or not ours.
pub fn foreground(terminal: impl AsFd) -> Result<Option<Pid>> {
    match rustix::termios::tcgetpgrp(terminal) {
        // So it says 0.
        Err(Errno::OPNOTSUPP) => Ok(None),
        other => other.map(Some),
    }
}

/// The session of a process, if that has a number here; of our own where none is named.
///
/// # Errors
///
/// No such process.
#[cfg(target_os = "linux")]
pub fn session(process: Option<Pid>) -> Result<Option<Pid>> {
    // SAFETY: it takes a number and gives one.
    let number = unsafe { libc::getsid(Pid::as_raw(process)) };
    if number < 0 { Err(failed()) } else { Ok(Pid::from_raw(number)) }
}

/// The same elsewhere.
///
/// # Errors
///
/// No such process.
#[cfg(not(target_os = "linux"))]
pub fn session(process: Option<Pid>) -> Result<Option<Pid>> {
    #[expect(clippy::disallowed_methods, reason = "elsewhere every session has a number")]
    rustix::process::getsid(process).map(Some)
}

/// Who connected to a socket, or listens there, as the kernel noted it.
///
/// # Errors
///
/// It is no socket of this machine.
#[cfg(target_os = "linux")]
pub fn peer(socket: impl AsFd) -> Result<Peer> {
    use std::os::fd::AsRawFd as _;

    let mut noted = libc::ucred { pid: 0, uid: 0, gid: 0 };
    let mut size = libc::socklen_t::try_from(size_of::<libc::ucred>()).map_err(|_| Errno::INVAL)?;
    // SAFETY: the descriptor is open while it is borrowed, and the kernel writes at most `size` bytes of plain numbers.
    let result = unsafe {
        libc::getsockopt(
            socket.as_fd().as_raw_fd(),
            libc::SOL_SOCKET,
            libc::SO_PEERCRED,
            (&raw mut noted).cast(),
            &raw mut size,
        )
    };
    if result < 0 { Err(failed()) } else { Ok(Peer { user: noted.uid, process: Pid::from_raw(noted.pid) }) }
}

/// Why the call before this one failed.
#[cfg(target_os = "linux")]
fn failed() -> Errno {
    Errno::from_io_error(&std::io::Error::last_os_error()).unwrap_or(Errno::IO)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_that_is_not_there_has_no_session() {
        assert_eq!(session(Some(Pid::from_raw(i32::MAX).unwrap())), Err(Errno::SRCH));
        assert_eq!(session(None), session(Some(rustix::process::getpid())));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn the_other_end_of_a_socket_is_known() {
        let (here, _there) = std::os::unix::net::UnixStream::pair().unwrap();
        let ours = Peer { user: rustix::process::geteuid().as_raw(), process: Some(rustix::process::getpid()) };
        assert_eq!(peer(&here), Ok(ours));
        assert!(peer(std::io::stderr()).is_err());
    }
}
