//! The kernel's side of watching: a filter that stops every system call with which a process changes a file, and asks
//! us what shall become of it. Inherited by everything that the process starts, so that no write of git's is missed.

#![expect(unsafe_code, reason = "seccomp has no safe wrapper; each call says why it is sound")]

use std::io::{Error, ErrorKind, IoSlice, IoSliceMut, Result};
use std::mem::{MaybeUninit, zeroed};
use std::os::fd::{AsRawFd as _, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt as _;
use std::process::Command;
use std::time::Duration;

use libc::{
    BPF_ABS, BPF_JEQ, BPF_JMP, BPF_JSET, BPF_K, BPF_LD, BPF_RET, BPF_W, SECCOMP_RET_ALLOW, SECCOMP_RET_USER_NOTIF,
    sock_filter,
};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage, SendFlags,
};

/// The system calls that change files, or have them kept, with their names.
pub const CALLS: &[(libc::c_long, &str)] = &[
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_open, "open"),
    (libc::SYS_openat, "openat"),
    (libc::SYS_openat2, "openat2"),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_creat, "creat"),
    (libc::SYS_write, "write"),
    (libc::SYS_writev, "writev"),
    (libc::SYS_pwrite64, "pwrite64"),
    (libc::SYS_pwritev, "pwritev"),
    (libc::SYS_pwritev2, "pwritev2"),
    (libc::SYS_truncate, "truncate"),
    (libc::SYS_ftruncate, "ftruncate"),
    (libc::SYS_fallocate, "fallocate"),
    (libc::SYS_fsync, "fsync"),
    (libc::SYS_fdatasync, "fdatasync"),
    (libc::SYS_copy_file_range, "copy_file_range"),
    (libc::SYS_sendfile, "sendfile"),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_rename, "rename"),
    (libc::SYS_renameat, "renameat"),
    (libc::SYS_renameat2, "renameat2"),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_link, "link"),
    (libc::SYS_linkat, "linkat"),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_symlink, "symlink"),
    (libc::SYS_symlinkat, "symlinkat"),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_unlink, "unlink"),
    (libc::SYS_unlinkat, "unlinkat"),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_rmdir, "rmdir"),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_mkdir, "mkdir"),
    (libc::SYS_mkdirat, "mkdirat"),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_chmod, "chmod"),
    (libc::SYS_fchmod, "fchmod"),
    (libc::SYS_fchmodat, "fchmodat"),
];

/// Where the number of a call lies in what a filter looks at, and the lower halves of its second and third argument.
const NUMBER: u32 = 0;
const SECOND: u32 = 24;
const THIRD: u32 = 32;
/// A file that is opened is changed only with one of these.
const MAKES: u32 = (libc::O_CREAT | libc::O_TRUNC).cast_unsigned();

/// A call that waits for our word.
#[derive(Clone, Copy, Debug)]
pub struct Asked {
    id: u64,
    pub thread: u32,
    pub name: &'static str,
    pub arguments: [u64; 6],
}

/// What becomes of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    Go,
    /// It fails with this number, and is not made.
    Fail(i32),
}

/// Where the calls of a watched command arrive.
pub struct Listener(OwnedFd);

/// The end through which a command will hand its listener over.
pub struct Handover(UnixStream);

/// Has a command watched from before its first instruction on.
pub fn watch(command: &mut Command) -> Result<Handover> {
    let (ours, theirs) = UnixStream::pair()?;
    let program = program();
    let hand_over = move || {
        let listener = filter(&program)?;
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
        let mut control = SendAncillaryBuffer::new(&mut space);
        let fds = [listener];
        // SAFETY: the kernel has just given us this file, and nobody closes it before the command takes over.
        let borrowed = fds.map(|fd| unsafe { BorrowedFd::borrow_raw(fd) });
        control.push(SendAncillaryMessage::ScmRights(&borrowed));
        rustix::net::sendmsg(&theirs, &[IoSlice::new(b"x")], &mut control, SendFlags::empty())?;
        Ok(())
    };
    // SAFETY: between fork and exec it makes two system calls and allocates nothing.
    unsafe { command.pre_exec(hand_over) };
    Ok(Handover(ours))
}

impl Handover {
    /// The listener of a command that was started; dropping the command first would wait for ever.
    pub fn take(self) -> Result<Listener> {
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
        let mut control = RecvAncillaryBuffer::new(&mut space);
        let mut byte = [0];
        rustix::net::recvmsg(&self.0, &mut [IoSliceMut::new(&mut byte)], &mut control, RecvFlags::CMSG_CLOEXEC)?;
        for message in control.drain() {
            if let RecvAncillaryMessage::ScmRights(mut fds) = message
                && let Some(fd) = fds.next()
            {
                return Ok(Listener(fd));
            }
        }
        Err(ErrorKind::UnexpectedEof.into())
    }
}

impl Listener {
    /// The next call; none when `limit` passed without one, `NotConnected` once nobody is left who could make one.
    pub fn next(&self, limit: Duration) -> Result<Option<Asked>> {
        let mut fds = [PollFd::new(&self.0, PollFlags::IN)];
        let limit = Timespec { tv_sec: 0, tv_nsec: i64::from(limit.subsec_nanos()) };
        if poll(&mut fds, Some(&limit))? == 0 {
            return Ok(None);
        }
        if !fds[0].revents().contains(PollFlags::IN) {
            return Err(ErrorKind::NotConnected.into());
        }
        // SAFETY: all zeroes are a value of it, as the kernel demands.
        let mut notice: libc::seccomp_notif = unsafe { zeroed() };
        // SAFETY: the kernel writes one structure, whose size is in the request.
        let got = unsafe { libc::ioctl(self.0.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_RECV, &raw mut notice) };
        if got == -1 {
            let error = Error::last_os_error();
            // It died, or was interrupted, before we could look.
            return if error.raw_os_error() == Some(libc::ENOENT) { Ok(None) } else { Err(error) };
        }
        let number = libc::c_long::from(notice.data.nr);
        let name = CALLS.iter().find(|(known, _)| *known == number).map_or("unknown", |(_, name)| name);
        Ok(Some(Asked { id: notice.id, thread: notice.pid, name, arguments: notice.data.args }))
    }

    /// Says what becomes of a call. Whoever made it may be dead by now.
    pub fn answer(&self, asked: &Asked, word: Word) -> Result<()> {
        let (error, flags) = match word {
            Word::Go => (0, libc::SECCOMP_USER_NOTIF_FLAG_CONTINUE),
            Word::Fail(number) => (-number, 0),
        };
        let flags = u32::try_from(flags).expect("a small flag");
        let mut reply = libc::seccomp_notif_resp { id: asked.id, val: 0, error, flags };
        // SAFETY: the kernel reads one structure, whose size is in the request.
        let sent = unsafe { libc::ioctl(self.0.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_SEND, &raw mut reply) };
        match Error::last_os_error() {
            error if sent == -1 && error.raw_os_error() != Some(libc::ENOENT) => Err(error),
            _ => Ok(()),
        }
    }
}

/// Puts this process and all that it will start under the filter; where the questions arrive.
fn filter(program: &[sock_filter]) -> Result<i32> {
    let length = u16::try_from(program.len()).map_err(|_| Error::from(ErrorKind::InvalidInput))?;
    let program = libc::sock_fprog { len: length, filter: program.as_ptr().cast_mut() };
    rustix::thread::set_no_new_privs(true)?;
    let listen = libc::SECCOMP_FILTER_FLAG_NEW_LISTENER;
    // SAFETY: the kernel copies the program, whose length is right, and does not write to it.
    let fd = unsafe { libc::syscall(libc::SYS_seccomp, libc::SECCOMP_SET_MODE_FILTER, listen, &raw const program) };
    if fd == -1 { Err(Error::last_os_error()) } else { i32::try_from(fd).map_err(Error::other) }
}

/// Every call of the list asks; a file that is opened asks only when that may make or empty it.
fn program() -> Vec<sock_filter> {
    let stop = |code: u32, k: u32| sock_filter { code: u16::try_from(code).unwrap(), jt: 0, jf: 0, k };
    let load = |at: u32| stop(BPF_LD | BPF_W | BPF_ABS, at);
    let jump = |how: u32, k: u32, jt: u8, jf: u8| sock_filter { jt, jf, ..stop(BPF_JMP | how | BPF_K, k) };
    let ask = stop(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF);
    let go = stop(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    let mut program = vec![load(NUMBER)];
    for (number, name) in CALLS {
        let number = u32::try_from(*number).unwrap();
        let flags = match *name {
            "open" => Some(SECOND),
            "openat" => Some(THIRD),
            _ => None,
        };
        match flags {
            Some(at) => {
                program.extend([jump(BPF_JEQ, number, 0, 4), load(at), jump(BPF_JSET, MAKES, 0, 1), ask, go]);
            }
            None => program.extend([jump(BPF_JEQ, number, 0, 1), ask]),
        }
    }
    program.push(go);
    program
}
