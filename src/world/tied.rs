//! A git that we wait for ends with us, however we end: one that waits at a named pipe would otherwise stay for ever. Other
//! programs go on to their own end, since what they have begun outside may have to be finished: an issue that is being
//! created.

use std::process::Command;

/// Has git told to end when the thread is over that starts it: that thread waits for it, or it can do without it.
#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "what a process does before it becomes a program has no safe wrapper")]
pub(super) fn tied(command: &mut Command) -> &mut Command {
    use std::io::{Error, ErrorKind};
    use std::os::unix::process::CommandExt as _;

    use rustix::process::{Signal, getpid, getppid, set_parent_process_death_signal};

    if command.get_program() != "git" {
        return command;
    }
    let ours = getpid();
    let tie = move || {
        // Where it is refused, it runs as it did without.
        let _ = set_parent_process_death_signal(Some(Signal::TERM));
        // We may have ended before. Nobody is told that it was not started.
        if getppid().is_some_and(|parent| parent != ours) { Err(Error::from(ErrorKind::Interrupted)) } else { Ok(()) }
    };
    // SAFETY: it makes system calls alone; it takes no lock, and no memory.
    unsafe { command.pre_exec(tie) }
}

/// No other system can: the program goes on to its own end.
#[cfg(not(target_os = "linux"))]
pub(super) fn tied(command: &mut Command) -> &mut Command {
    command
}
