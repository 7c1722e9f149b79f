//! A program that runs others which the user chose, as `git commit` runs hooks and signs. It stays in our process group,
//! since those programs may ask at the terminal.

use std::io::{ErrorKind, Read};
use std::process::{Child, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitOptions, kill_process, test_kill_process, waitpid};

use super::interrupted::Interrupted;
use super::process::{code_of, command, descendants, feed, id_of, standing, stopped};
use super::tied::tied;
use crate::app::ports::{Ran, Run};
use crate::kin;
use crate::pipes::Tail;

/// How much of its output is kept, in bytes: the end of it.
const KEPT: usize = 64 * 1024;
/// How long we sleep between two looks at it.
const NAP: Duration = Duration::from_millis(5);
/// How long its output is waited for once it ended: what it left running may hold that open for ever.
const LAST_WORDS: Duration = Duration::from_secs(1);
/// How long it has to end when it is told to: git removes its locks.
const MOMENT: Duration = Duration::from_secs(2);

/// Runs it until it exits, whatever it leaves running, or ends it with everything that it started when the user
/// interrupts us.
pub(super) fn run(run: &Run) -> std::io::Result<Ran> {
    let interrupted = Interrupted::watch()?;
    let orphans = Orphans::adopt();
    let mut child = tied(command(run).stderr(Stdio::piped())).spawn()?;
    feed(child.stdin.take(), &run.stdin);
    let (stdout, stderr) = (tail(child.stdout.take()), tail(child.stderr.take()));
    let status = wait(&mut child, &interrupted, &orphans)?;
    Ok(Ran { code: code_of(status), stdout: said(stdout), stderr: said(stderr) })
}

fn tail(pipe: Option<impl Read + Send + 'static>) -> Option<Tail> {
    pipe.map(|pipe| Tail::of(Box::new(pipe), KEPT))
}

fn said(tail: Option<Tail>) -> Vec<u8> {
    tail.map(|tail| tail.at_its_end(LAST_WORDS).into_bytes()).unwrap_or_default()
}

fn wait(child: &mut Child, interrupted: &Interrupted, orphans: &Orphans) -> std::io::Result<ExitStatus> {
    while !interrupted.is_so() {
        if let Some(status) = child.try_wait()? {
            // An interrupt at the terminal is for it, too, and it may have been faster.
            if interrupted.is_so() && !status.success() {
                orphans.end();
                return Err(ErrorKind::Interrupted.into());
            }
            return Ok(status);
        }
        std::thread::sleep(NAP);
    }
    end(child)?;
    // It may have been faster than we are.
    orphans.end();
    Err(ErrorKind::Interrupted.into())
}

/// What a program leaves behind: a hook that survives the interrupt by which git ends is nobody's child any more, and would
/// go on. While git runs, such processes become ours (Linux).
struct Orphans {
    /// Those that were ours before.
    before: Vec<Pid>,
}

impl Orphans {
    fn adopt() -> Self {
        #[cfg(target_os = "linux")]
        let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
        Self { before: descendants(std::process::id()) }
    }

    /// Those that have become ours, and those below them. What began a session of its own, such as a signing agent, was
    /// meant to stay.
    fn listed(&self) -> Vec<Pid> {
        let ours = kin::session(None);
        let mut all = descendants(std::process::id());
        all.retain(|process| !self.before.contains(process) && kin::session(Some(*process)) == ours);
        all
    }

    /// Ends them as a program is ended.
    #[expect(clippy::disallowed_methods, reason = "how long one waits is no fact of the session")]
    fn end(&self) {
        let all = standing(|| self.listed(), Instant::now() + MOMENT);
        for signal in [Signal::TERM, Signal::CONT] {
            for process in &all {
                let _ = kill_process(*process, signal);
            }
        }
        let begun = Instant::now();
        while begun.elapsed() < MOMENT && !all.iter().all(|process| is_over(*process)) {
            std::thread::sleep(NAP);
        }
        for process in all {
            let _ = kill_process(process, Signal::KILL);
        }
    }
}

impl Drop for Orphans {
    fn drop(&mut self) {
        #[cfg(target_os = "linux")]
        let _ = rustix::process::set_child_subreaper(None);
    }
}

/// Whether a process has ended; one of ours is taken note of.
fn is_over(process: Pid) -> bool {
    let _ = waitpid(Some(process), WaitOptions::NOHANG);
    test_kill_process(process).is_err()
}

/// Ends a program with everything below it: all are told to end, and have a moment for it.
#[expect(clippy::disallowed_methods, reason = "how long one waits is no fact of the session")]
fn end(child: &mut Child) -> std::io::Result<()> {
    let begun = Instant::now();
    let below = stopped(child, begun + MOMENT);
    for signal in [Signal::TERM, Signal::CONT] {
        for process in id_of(child).into_iter().chain(below.iter().copied()) {
            let _ = kill_process(process, signal);
        }
    }
    let begun = Instant::now();
    while begun.elapsed() < MOMENT {
        if child.try_wait()?.is_some() && below.iter().all(|process| test_kill_process(*process).is_err()) {
            return Ok(());
        }
        std::thread::sleep(NAP);
    }
    for process in below {
        let _ = kill_process(process, Signal::KILL);
    }
    child.kill()?;
    child.wait().map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(line: &str) -> Run {
        Run::new("sh", ["-c", line])
    }

    #[test]
    fn g31_its_own_end_is_waited_for_and_not_that_of_what_it_leaves() {
        let ran = run(&shell("sleep 600 & echo $!; cat; echo no >&2; exit 3")).unwrap();
        let left = String::from_utf8(ran.stdout).unwrap().trim().parse().ok().and_then(Pid::from_raw).unwrap();
        kill_process(left, Signal::KILL).unwrap();
        assert_eq!((ran.code, ran.stderr), (3, b"no\n".to_vec()));
        let fed = run(&Run { stdin: b"x\n".repeat(1_000), ..shell("wc -l") }).unwrap();
        assert_eq!(String::from_utf8_lossy(&fed.stdout).trim(), "1000");
    }

    #[test]
    fn g33_what_it_starts_while_it_is_ended_ends_too() {
        let line = "echo; i=0; while [ $i -lt 400 ]; do sleep 600 & i=$((i+1)); done; wait";
        let mut child = command(&shell(line)).stderr(Stdio::null()).spawn().unwrap();
        let mut output = std::io::BufReader::new(child.stdout.take().unwrap());
        std::io::BufRead::read_line(&mut output, &mut String::new()).unwrap();
        end(&mut child).unwrap();
        // It ends when nobody holds the other end open any more.
        output.read_to_end(&mut Vec::new()).unwrap();
    }

    #[test]
    fn g31_what_will_not_end_is_killed_with_what_it_started() {
        let line = "trap '' TERM; sh -c 'sleep 600 & echo $!; wait' & wait; wait";
        let mut child = command(&shell(line)).stderr(Stdio::null()).spawn().unwrap();
        let mut output = std::io::BufReader::new(child.stdout.take().unwrap());
        let mut told = String::new();
        std::io::BufRead::read_line(&mut output, &mut told).unwrap();
        assert!(descendants(child.id()).len() >= 2, "{told}");
        end(&mut child).unwrap();
        // It ends when nobody holds the other end open any more.
        output.read_to_end(&mut Vec::new()).unwrap();
    }
}
