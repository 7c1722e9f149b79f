//! The first process of a run's namespace: it takes in what loses its parent, hands on signals, and ends with the command.
//! The kernel then kills every process that is left.

use super::signals::{self, FORWARDED};
use super::warden::{self, Reaped};

use rustix::process::{Pid, Signal, kill_process};

/// Waits for the command; its exit code.
pub(super) fn look_after(command: Pid) -> u8 {
    while let Ok(arrived) = signals::next() {
        if arrived.number == Signal::CHILD.as_raw() {
            if let Reaped::Command(code) = warden::reap(command) {
                return code;
            }
        } else if arrived.queued && arrived.sender == 0 {
            // From outside, and meant for the command. What is sent to the whole group it gets by itself.
            if let Some(signal) = FORWARDED.into_iter().find(|signal| signal.as_raw() == arrived.number) {
                // It may have ended just now.
                let _ = kill_process(command, signal);
            }
        }
    }
    // Without signals nothing could be waited for.
    warden::killed_by(Signal::KILL.as_raw())
}
