//! Ends a process that leads its own group: asks it to exit, then ends every process of the group. Of a run it is the
//! warden, which watches the run from outside, and ends all of its processes.

use std::process::Child;
use std::time::Duration;

use rustix::process::{Signal, kill_process, kill_process_group};

use crate::files::patience::until;

use super::super::process::id_of;

/// Waits until a process exits whose input was closed; then ends every process of its group. Each step takes at most
/// `patience`.
pub(in crate::world) fn end(child: &mut Child, patience: Duration) {
    until(patience, || has_left(child));
    // A warden asks the command.
    told(child, Signal::TERM, patience);
    end_at_once(child, patience);
}

/// The same without asking.
pub(in crate::world) fn end_at_once(child: &mut Child, patience: Duration) {
    // A warden ends the whole run. Only one that was stopped or killed by someone else leaves it to us, and so does a
    // process that is none.
    told(child, Signal::ALARM, patience);
    if let Some(group) = id_of(child) {
        // It may have ended just now, all of it.
        let _ = kill_process_group(group, Signal::KILL);
    }
    // It may not lead a group yet.
    let _ = child.kill();
    let _ = child.wait();
}

/// Sends a signal to the first process, and waits until it has left. It is not waited for before the last signal, so that
/// its number is nobody else's meanwhile.
fn told(child: &Child, signal: Signal, patience: Duration) {
    if let Some(process) = id_of(child).filter(|_| !has_left(child)) {
        // It may have ended just now.
        let _ = kill_process(process, signal);
        until(patience, || has_left(child));
    }
}

/// Whether the first process has ended, without taking its exit status.
fn has_left(child: &Child) -> bool {
    use rustix::process::{WaitId, WaitIdOptions, waitid};
    let Some(process) = id_of(child) else { return true };
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
    !matches!(waitid(WaitId::Pid(process), options), Ok(None))
}
