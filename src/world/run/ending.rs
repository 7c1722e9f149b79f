//! Ends a process that leads its own group: asks it to exit, then ends every process of the group. Of a run it is the
//! warden, which watches the run from outside, and ends all of its processes.

use std::process::Child;
use std::time::Duration;

use rustix::process::{Signal, kill_process, kill_process_group};

use crate::files::patience::until;

use super::super::process::id_of;

/// From the moment when a process is asked to end until it is ended (A37).
const ASKED: Duration = Duration::from_secs(2);

/// Waits until a process exits whose input was closed, at most so long; then asks every process of its group to end, and
/// ends those that do not.
pub(in crate::world) fn end(child: &mut Child, by_itself: Duration) {
    end_within(child, by_itself, ASKED);
}

fn end_within(child: &mut Child, by_itself: Duration, asked: Duration) {
    until(by_itself, || has_left(child));
    if let Some(first) = id_of(child).filter(|_| !has_left(child)) {
        // A warden hands it on as well, to a command that has left the group. The first process may lead no group yet.
        let _ = kill_process_group(first, Signal::TERM).or_else(|_| kill_process(first, Signal::TERM));
        until(asked, || has_left(child));
    }
    end_at_once(child, asked);
}

/// The same without asking; each step takes at most `patience`.
pub(in crate::world) fn end_at_once(child: &mut Child, patience: Duration) {
    // A warden ends the whole run. Only one that was stopped or killed by someone else leaves it to us, and so does a
    // process that is none. It is not waited for before the last signal, so that its number is nobody else's meanwhile.
    if let Some(process) = id_of(child).filter(|_| !has_left(child)) {
        // It may have ended just now.
        let _ = kill_process(process, Signal::ALARM);
        until(patience, || has_left(child));
    }
    if let Some(group) = id_of(child) {
        // It may have ended just now, all of it.
        let _ = kill_process_group(group, Signal::KILL);
    }
    // It may not lead a group yet.
    let _ = child.kill();
    let _ = child.wait();
}

/// Whether the first process has ended, without taking its exit status.
fn has_left(child: &Child) -> bool {
    use rustix::process::{WaitId, WaitIdOptions, waitid};
    let Some(process) = id_of(child) else { return true };
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
    !matches!(waitid(WaitId::Pid(process), options), Ok(None))
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead as _, BufReader, Read as _};
    use std::os::unix::process::CommandExt as _;
    use std::process::{ChildStdout, Stdio};

    use super::*;
    use crate::app::ports::Run;
    use crate::world::process::command;

    /// A group of two processes, both of which have said that they are up.
    fn up(line: &str) -> (Child, BufReader<ChildStdout>) {
        let run = Run::new("sh", ["-c", line]);
        let mut child = command(&run).stderr(Stdio::null()).process_group(0).spawn().unwrap();
        let mut said = BufReader::new(child.stdout.take().unwrap());
        let mut up = String::new();
        while up.len() < 2 * "up\n".len() {
            said.read_line(&mut up).unwrap();
        }
        (child, said)
    }

    #[test]
    fn a37_every_process_of_the_group_is_asked_before_it_is_ended() {
        let stays = "echo up; while :; do sleep 0.02; done";
        let line = format!("(trap 'echo told; exit' TERM; {stays}) & trap 'wait; echo told; exit' TERM; {stays}");
        let (mut child, mut said) = up(&line);
        drop(child.stdin.take());
        end_within(&mut child, Duration::ZERO, Duration::from_mins(1));
        let mut told = String::new();
        said.read_to_string(&mut told).unwrap();
        assert_eq!(told, "told\ntold\n");
    }

    #[test]
    fn a37_what_does_not_end_when_it_is_asked_is_ended_with_its_group() {
        let stays = "trap '' TERM; echo up; while :; do sleep 0.02; done";
        let (mut child, mut said) = up(&format!("({stays}) & {stays}"));
        end_within(&mut child, Duration::ZERO, Duration::ZERO);
        // It ends when nobody holds the other end open any more.
        said.read_to_string(&mut String::new()).unwrap();
    }
}
