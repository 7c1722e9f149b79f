//! The process outside the walls that watches a run: it hands on signals, and sees to it that no process is left when the
//! command has ended, or when the one for which it runs is gone.

use std::fs;
use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitOptions, WaitStatus, getpid, getppid, kill_process, wait, waitpid};

use super::processes::number;
use super::signals::{self, FORWARDED};
use crate::sandbox::Over;

/// How long processes are killed that go on multiplying.
const PATIENCE: Duration = Duration::from_secs(10);

/// What this process watches for.
pub(super) struct Warden {
    /// The process for which the command runs; 0 for none.
    keeper: i32,
    /// Whether the kernel ends every process of the run with its first one.
    own: bool,
}

impl Warden {
    pub(super) fn of(keeper: u32, own: bool) -> Self {
        Self { keeper: i32::try_from(keeper).unwrap_or(0), own }
    }

    /// Whether the process for which the command runs is gone.
    pub(super) fn is_alone(&self) -> bool {
        self.keeper != 0 && getppid().map(number) != Some(self.keeper)
    }
}

/// What became of the children that had ended.
pub(super) enum Reaped {
    /// The command was among them; its exit code.
    Command(u8),
    Others,
}

/// Watches the run until no process of it is left.
pub(super) fn watch(warden: &Warden, inside: Pid) -> Over {
    loop {
        let Ok(arrived) = signals::next() else { return end(warden, inside) };
        if warden.is_alone() {
            return end(warden, inside);
        }
        if arrived.number == Signal::CHILD.as_raw() {
            if let Reaped::Command(code) = reap(inside) {
                return Over { code, left: !warden.own && !end_orphans() };
            }
        } else if arrived.sender == warden.keeper && warden.keeper != 0 {
            if arrived.number == Signal::ALARM.as_raw() {
                return end(warden, inside);
            }
            hand_on(warden, inside, arrived.number);
        }
    }
}

fn hand_on(warden: &Warden, inside: Pid, number: i32) {
    let Some(signal) = FORWARDED.into_iter().find(|signal| signal.as_raw() == number) else { return };
    if warden.own {
        signals::queue(inside, number);
    } else {
        // It has not been waited for, so the number is still its own.
        let _ = kill_process(inside, signal);
    }
}

/// Takes the exit status of every child that has ended.
pub(super) fn reap(command: Pid) -> Reaped {
    while let Ok(Some((process, status))) = wait(WaitOptions::NOHANG) {
        if process == command {
            return Reaped::Command(code(status));
        }
    }
    Reaped::Others
}

/// Ends the run at once.
fn end(warden: &Warden, inside: Pid) -> Over {
    let _ = kill_process(inside, Signal::KILL);
    // The first process of a namespace is gone only when every other one there is.
    while matches!(waitpid(Some(inside), WaitOptions::empty()), Err(Errno::INTR)) {}
    Over { code: killed_by(Signal::KILL.as_raw()), left: !warden.own && !end_orphans() }
}

/// From now on every process that something below us leaves behind becomes our child.
pub fn adopt_orphans() -> std::io::Result<()> {
    Ok(rustix::process::set_child_subreaper(Some(getpid()))?)
}

/// Kills what detached itself, until nothing is left: every process of the run that loses its parent becomes our child, so
/// without a child there is none.
#[expect(clippy::disallowed_methods, reason = "how long one waits is no fact of the session")]
pub fn end_orphans() -> bool {
    let begun = Instant::now();
    while begun.elapsed() < PATIENCE {
        match wait(WaitOptions::NOHANG) {
            Err(Errno::CHILD) => return true,
            Ok(Some(_)) | Err(_) => {}
            Ok(None) => {
                for child in children() {
                    let _ = kill_process(child, Signal::KILL);
                }
                rustix::thread::sched_yield();
            }
        }
    }
    false
}

/// Our children, asked of the kernel in the quickest way: some multiply meanwhile.
fn children() -> Vec<Pid> {
    let own = number(getpid());
    let pid = |word: &str| word.parse().ok().and_then(Pid::from_raw);
    if let Ok(listed) = fs::read_to_string(format!("/proc/self/task/{own}/children")) {
        return listed.split_whitespace().filter_map(pid).collect();
    }
    let all = fs::read_dir("/proc").into_iter().flatten().flatten();
    let names = all.filter_map(|entry| entry.file_name().into_string().ok());
    let ours = names.filter(|name| {
        let about = fs::read_to_string(format!("/proc/{name}/stat")).unwrap_or_default();
        // The name of the program stands in parentheses, and may hold any.
        let after = about.rsplit_once(") ").map_or("", |(_, after)| after);
        after.split(' ').nth(1) == Some(own.to_string().as_str())
    });
    ours.filter_map(|name| pid(&name)).collect()
}

/// Exit code of a process; one that was killed counts as 128 and the number of the signal.
fn code(status: WaitStatus) -> u8 {
    let exited = status.exit_status().and_then(|code| u8::try_from(code).ok());
    exited.unwrap_or_else(|| killed_by(status.terminating_signal().unwrap_or_default()))
}

/// Exit code of a process that this signal killed.
pub(super) fn killed_by(signal: i32) -> u8 {
    u8::try_from(128 + signal).unwrap_or(u8::MAX)
}
