//! The system calls of a process that has no other work than to look after another: fork, and signals taken one at a time
//! instead of in handlers.
#![expect(unsafe_code, reason = "five system calls without a safe wrapper, each with why it is sound")]

use std::io::{self, Error};

use rustix::process::{Pid, Signal};

/// Signals that ask the command for something. Every other one is for us or for no process.
pub(super) const FORWARDED: [Signal; 6] =
    [Signal::HUP, Signal::INT, Signal::QUIT, Signal::TERM, Signal::USR1, Signal::USR2];

#[derive(Clone, Copy, Debug)]
pub(super) struct Arrived {
    pub(super) number: i32,
    /// Its sender's number here; 0 for the kernel and for a process that has no number here.
    pub(super) sender: i32,
    /// It was sent with [`queue`], or in the same way.
    pub(super) queued: bool,
}

/// The two processes after a fork.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Forked {
    /// This is the one that was there, and this is the other.
    Parent(Pid),
    /// This is the other.
    Child,
}

/// Makes a second process of this one.
pub(super) fn fork() -> io::Result<Forked> {
    // SAFETY: this program has no other thread when it comes here, so nothing is left locked in the second process.
    let result = unsafe { libc::fork() };
    if result == -1 {
        return Err(Error::last_os_error());
    }
    Ok(Pid::from_raw(result).map_or(Forked::Child, Forked::Parent))
}

/// The signals that were held before [`hold_all`].
#[derive(Clone, Copy)]
pub(super) struct Mask(libc::sigset_t);

impl Mask {
    /// Holds these alone again; one that arrived meanwhile acts at once.
    pub(super) fn restore(&self) -> io::Result<()> {
        // SAFETY: the set was written by the system.
        done(unsafe { libc::sigprocmask(libc::SIG_SETMASK, &raw const self.0, std::ptr::null_mut()) })
    }
}

/// Lets every signal wait until it is taken. That of a child's end comes though our caller ignored it.
pub(super) fn hold_all() -> io::Result<Mask> {
    // SAFETY: no handler is set, only the system's own way.
    unsafe { libc::signal(libc::SIGCHLD, libc::SIG_DFL) };
    // SAFETY: the set is made by the first call before the second reads it, and both outlive the calls.
    let (result, before) = unsafe {
        let mut all = std::mem::zeroed::<libc::sigset_t>();
        let mut before = std::mem::zeroed::<libc::sigset_t>();
        libc::sigfillset(&raw mut all);
        (libc::sigprocmask(libc::SIG_SETMASK, &raw const all, &raw mut before), before)
    };
    done(result).map(|()| Mask(before))
}

/// Takes the next signal, and waits for it.
pub(super) fn next() -> io::Result<Arrived> {
    loop {
        // SAFETY: the set is made before it is read, and both structures outlive the calls.
        let (number, about) = unsafe {
            let mut all = std::mem::zeroed::<libc::sigset_t>();
            libc::sigfillset(&raw mut all);
            let mut about = std::mem::zeroed::<libc::siginfo_t>();
            (libc::sigwaitinfo(&raw const all, &raw mut about), about)
        };
        if number > 0 {
            // SAFETY: the field is there for every signal that a process sent, and zeroed otherwise.
            let sender = unsafe { about.si_pid() };
            let sent = about.si_code <= 0;
            let sender = if sent { sender } else { 0 };
            return Ok(Arrived { number, sender, queued: about.si_code == libc::SI_QUEUE });
        }
        let error = Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
}

/// Whether a signal waits that would end this process if it were let in.
pub(super) fn is_told_to_end() -> Option<i32> {
    let ends = [libc::SIGHUP, libc::SIGINT, libc::SIGQUIT, libc::SIGTERM];
    // SAFETY: the structures are written by the calls before they are read, and outlive them.
    unsafe {
        let mut waiting = std::mem::zeroed::<libc::sigset_t>();
        libc::sigpending(&raw mut waiting);
        ends.into_iter().find(|number| {
            let mut action = std::mem::zeroed::<libc::sigaction>();
            libc::sigaction(*number, std::ptr::null(), &raw mut action);
            libc::sigismember(&raw const waiting, *number) == 1 && action.sa_sigaction != libc::SIG_IGN
        })
    }
}

/// Sends a signal that the other one knows from one that was sent to a whole group.
pub(super) fn queue(process: Pid, number: i32) {
    let value = libc::sigval { sival_ptr: std::ptr::null_mut() };
    // SAFETY: the value is a number to the other one. It may have ended just now, which is seen elsewhere.
    let _ = unsafe { libc::sigqueue(process.as_raw_nonzero().get(), number, value) };
}

fn done(result: libc::c_int) -> io::Result<()> {
    if result == -1 { Err(Error::last_os_error()) } else { Ok(()) }
}
