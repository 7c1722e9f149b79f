//! Ends a process that leads its own group: asks it to exit, then ends every process of the group.

use std::process::Child;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process, kill_process_group};

use crate::files::patience::until;

/// Waits until a process exits whose input was closed; then ends every process of its group. Each step takes at most
/// `patience`.
pub(in crate::world) fn end(child: &mut Child, patience: Duration) {
    // Of a run it is the warden, which watches the run from outside the walls, and leads the group.
    let warden = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    // The first process is not waited for before the last signal, so that its number is nobody else's meanwhile.
    until(patience, || has_left(child));
    // The command is asked to end, and then the whole run is ended. Only a warden that was stopped or killed by someone
    // else leaves it to us.
    for told in [Signal::TERM, Signal::ALARM] {
        if !has_left(child) {
            signal(warden, told);
        }
        until(patience, || has_left(child));
    }
    if let Some(group) = warden {
        // It may have ended just now, all of it.
        let _ = kill_process_group(group, Signal::KILL);
    }
    let _ = child.wait();
}

/// Whether the first process has ended, without taking its exit status.
fn has_left(child: &Child) -> bool {
    use rustix::process::{WaitId, WaitIdOptions, waitid};
    let Some(process) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) else { return true };
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
    !matches!(waitid(WaitId::Pid(process), options), Ok(None))
}

fn signal(process: Option<Pid>, signal: Signal) {
    if let Some(process) = process {
        // It may have ended just now.
        let _ = kill_process(process, signal);
    }
}
