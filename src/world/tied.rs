//! A git that we wait for ends with us, however we end: one that waits at a named pipe would otherwise stay for ever. Other
//! programs go on to their own end, since what they have begun outside may have to be finished: an issue that is being
//! created. Where that is not so, they are tied by their name.

use std::process::Command;

/// Has git told to end when the thread is over that starts it: that thread waits for it, or it can do without it.
pub(super) fn tied(command: &mut Command) -> &mut Command {
    if command.get_program() == "git" { at_our_end(command, End::Told) } else { command }
}

/// Has a run of ours killed when the thread is over that starts it, which waits for it. A process of the run sees to the rest.
pub(super) fn run_tied(command: &mut Command) -> &mut Command {
    at_our_end(command, End::Killed)
}

/// How a program ends with us.
#[derive(Clone, Copy)]
enum End {
    Told,
    Killed,
}

#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "what a process does before it becomes a program has no safe wrapper")]
fn at_our_end(command: &mut Command, end: End) -> &mut Command {
    use std::io::{Error, ErrorKind};
    use std::os::unix::process::CommandExt as _;

    use rustix::process::{Signal, getpid, getppid, set_parent_process_death_signal};

    let ours = getpid();
    let signal = match end {
        End::Told => Signal::TERM,
        End::Killed => Signal::KILL,
    };
    let tie = move || {
        // Where it is refused, it runs as it did without.
        let _ = set_parent_process_death_signal(Some(signal));
        // We may have ended before. Nobody is told that it was not started.
        if getppid().is_some_and(|parent| parent != ours) { Err(Error::from(ErrorKind::Interrupted)) } else { Ok(()) }
    };
    // SAFETY: it makes system calls alone; it takes no lock, and no memory.
    unsafe { command.pre_exec(tie) }
}

/// No other system can: the program goes on to its own end.
#[cfg(not(target_os = "linux"))]
fn at_our_end(command: &mut Command, _: End) -> &mut Command {
    command
}
