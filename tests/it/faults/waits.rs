//! A pipe stands for one of the files that git reads, and nobody writes to it: git waits for ever, and ends with git grill,
//! however that ends.

use std::cell::OnceCell;
use std::fs;
use std::os::fd::OwnedFd;
use std::path::Path;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{Mode, OFlags};
use rustix::process::{Pid, Signal, kill_process};

use crate::bench::{Bench, wait_until};

/// The writing end of a pipe that a program below this process reads, which is stopped. With the pipe open at both ends
/// its reader goes on, and the process would as well.
fn read_below(stopped: Pid, pipe: &Path) -> OwnedFd {
    let end = OnceCell::new();
    let flags = OFlags::WRONLY | OFlags::NONBLOCK | OFlags::CLOEXEC;
    wait_until("somebody at the pipe", || {
        kill_process(stopped, Signal::STOP).unwrap();
        wait_until("the process that is stopped", || is_stopped(stopped));
        let is_open = rustix::fs::open(pipe, flags, Mode::empty()).is_ok_and(|opened| end.set(opened).is_ok());
        if !is_open {
            kill_process(stopped, Signal::CONT).unwrap();
        }
        is_open
    });
    end.into_inner().unwrap()
}

fn is_stopped(process: Pid) -> bool {
    let about = fs::read_to_string(format!("/proc/{}/status", process.as_raw_nonzero())).unwrap();
    about.contains("State:\tT")
}

fn nobody_reads(end: &OwnedFd) -> bool {
    let mut looked = [PollFd::new(end, PollFlags::OUT)];
    poll(&mut looked, Some(&Timespec { tv_sec: 0, tv_nsec: 0 })).unwrap();
    looked[0].revents().contains(PollFlags::ERR)
}

/// Once git waits at the pipe, git grill alone is sent this signal; then git ends.
fn ends_with_git_grill(bench: &Bench, pipe: &str, line: &str, signal: Signal) {
    let running = bench.spawn(line);
    let process = Pid::from_raw(running.id().try_into().unwrap()).unwrap();
    let end = read_below(process, &bench.repo().join(pipe));
    kill_process(process, signal).unwrap();
    kill_process(process, Signal::CONT).unwrap();
    running.finish().assert_code(128 + signal.as_raw());
    wait_until("the end of git", || nobody_reads(&end));
}

#[test]
fn git_that_is_asked_once_ends_with_git_grill() {
    let bench = Bench::new();
    bench.run("git grill start --research off 'a faster search'").assert_code(0);
    bench.run("mkdir deep && mkfifo deep/.gitignore").assert_code(0);
    for signal in [Signal::TERM, Signal::KILL] {
        ends_with_git_grill(&bench, "deep/.gitignore", "exec git-grill verify", signal);
    }
    bench.run("rm -r deep && git grill verify && git grill stop --without-output").assert_code(0);
}

#[test]
fn git_that_is_asked_again_and_again_ends_with_git_grill() {
    const OBJECT: &str = "11111111111111111111111111111111111111";
    let bench = Bench::new();
    bench.run("git grill start --research off 'a faster search'").assert_code(0);
    let broken = format!(
        "mkdir -p .git/objects/11 .git/refs/grill/sessions && mkfifo .git/objects/11/{OBJECT} && \
         echo 11{OBJECT} >.git/refs/grill/sessions/20260101-other-aaaaa"
    );
    bench.run(&broken).assert_code(0);
    let pipe = format!(".git/objects/11/{OBJECT}");
    for signal in [Signal::TERM, Signal::KILL] {
        ends_with_git_grill(&bench, &pipe, "export GRILL_BACKEND=git; exec git-grill sessions", signal);
    }
}
