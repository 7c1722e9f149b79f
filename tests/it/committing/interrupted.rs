//! A commit whose hook goes on and on: what it leaves running is not waited for, and an interrupt ends it all.

use rustix::process::{Pid, Signal, kill_process};

use super::{changed, drafted, refused, state};
use crate::bench::{Bench, Output, Running, in_a_container, wait_until};

fn hook(bench: &Bench, name: &str, text: &str) {
    bench.write(&format!(".git/hooks/{name}"), format!("#!/bin/sh\n{text}\n"));
    bench.run(&format!("chmod +x .git/hooks/{name}")).assert_code(0);
}

#[test]
fn g31_what_a_hook_leaves_running_is_not_waited_for() {
    let bench = Bench::new();
    hook(&bench, "pre-commit", "sleep 600 & echo $! >>../left; test -e ok || { echo 'the lint says no' >&2; exit 1; }");
    drafted(&bench, "d.md");
    let said = refused(&bench, "git grill approve --commit", 128).stderr;
    bench.run("touch ok").assert_code(0);
    let done = bench.run("git grill produce --commit");
    bench.run("kill $(cat ../left)").assert_code(0);
    assert!(said.contains("caused by: the lint says no\n"), "{said}");
    done.assert_code(0);
    assert_eq!(changed(&bench.at(".")), "A\td.md\n");
}

/// Only git grill is told to end.
fn alone(running: &mut Running) {
    kill_process(Pid::from_raw(running.id().try_into().unwrap()).unwrap(), Signal::TERM).unwrap();
}

/// Everybody is, as by Ctrl-C at a terminal.
fn together(running: &mut Running) {
    running.signal(Signal::INT);
}

/// What commits.
const COMMITS: &str = "git-grill approve --commit";

/// A commit that is interrupted while this hook runs; the hook and what it started have ended, and no lock is left.
fn interrupted(bench: &Bench, name: &str, interrupt: fn(&mut Running)) -> Output {
    interrupted_in(bench, name, ":", COMMITS, interrupt)
}

/// The same where the hook begins with this line, and this is what commits.
fn interrupted_in(bench: &Bench, name: &str, line: &str, commits: &str, interrupt: fn(&mut Running)) -> Output {
    bench.run("mkfifo ../fifo").assert_code(0);
    hook(bench, name, &format!("{line}\nexec 9>../fifo\ntouch ../begun\nsleep 600"));
    drafted(bench, "d.md");
    // Its end comes when nobody holds the other end open any more.
    let reader = bench.spawn("cat ../fifo");
    let mut running = bench.spawn(&format!("exec {commits}"));
    wait_until("the hook", || bench.root().join("begun").exists());
    interrupt(&mut running);
    let ended = running.finish();
    reader.finish().assert_code(0);
    bench.run("find .git -maxdepth 1 -name '*.lock'").assert_stdout("");
    ended
}

#[test]
fn g33_an_interrupt_ends_git_and_its_hooks_and_leaves_nothing_staged() {
    for interrupt in [alone as fn(&mut Running), together] {
        let bench = Bench::new();
        let ended = interrupted(&bench, "pre-commit", interrupt);
        ended.assert_code(130).assert_contains("d.md stands as it was written and is not committed");
        assert_eq!(bench.run("git status --porcelain d.md").stdout, "?? d.md\n");
        bench.run("rm .git/hooks/pre-commit && git grill produce --commit").assert_code(0);
        assert_eq!(changed(&bench.at(".")), "A\td.md\n");
    }
}

/// So does one in whose shell the interrupt met a command that was just done with its work: it goes on to the next.
#[test]
#[cfg(target_os = "linux")]
fn g33_a_hook_that_survives_the_interrupt_by_which_git_ends_is_ended_too() {
    let bench = Bench::new();
    interrupted_in(&bench, "pre-commit", "trap '' INT", COMMITS, together).assert_code(130);
}

/// In a container the session and the group of a process may have no number.
#[test]
#[cfg(target_os = "linux")]
fn g33_an_interrupt_ends_all_in_a_container_too() {
    let Some(container) = in_a_container("an interrupt in a container") else { return };
    let bench = Bench::new();
    let commits = format!("{container} {COMMITS}");
    let ended = interrupted_in(&bench, "pre-commit", "trap '' INT", &commits, together);
    ended.assert_code(130).assert_contains("d.md stands as it was written and is not committed");
}

#[test]
fn g33_a_commit_that_stands_when_it_is_interrupted_is_noted() {
    let bench = Bench::new();
    interrupted(&bench, "post-commit", alone).assert_code(0).assert_contains("committed d.md on main as");
    assert_eq!(changed(&bench.at(".")), "A\td.md\n");
    bench.run("git log -1 --format=%s GRILL_HEAD").assert_contains("commit d.md as");
}

#[test]
fn g33_what_a_killed_commit_left_staged_is_named_by_doctor_with_what_takes_it_out() {
    const UNSTAGES: &str = "git restore --staged -- ':(top,literal)d.md'";
    let bench = Bench::new();
    hook(&bench, "pre-commit", "touch ../begun\nexec sleep 600");
    drafted(&bench, "d.md");
    let named = "d.md is staged as git grill wrote it, and not committed";
    let says = |text: &str| bench.run("git grill doctor").stdout.contains(text);
    assert!(!says(named));
    let mut running = bench.spawn("exec git-grill approve --commit");
    wait_until("the hook", || bench.root().join("begun").exists());
    running.signal(Signal::KILL);
    running.finish().assert_code(137);
    // git could not take its lock away either.
    bench.run("rm -f .git/*.lock").assert_code(0);
    bench.run("git status --porcelain d.md").assert_stdout("A  d.md\n");
    let before = state(&bench);
    assert!(says(named) && says(&format!("  mend it: {UNSTAGES}\n")));
    bench.run("git grill doctor --fix").assert_code(0);
    assert_eq!(state(&bench), before, "it may be the user's");
    // What was changed since is staged by somebody.
    bench.run("cp d.md ../d.md && echo more >>d.md && git add d.md").assert_code(0);
    assert!(!says(named));
    bench.run("cp ../d.md d.md && git add d.md").assert_code(0);
    assert!(says(named));
    bench.run(UNSTAGES).assert_code(0);
    bench.run("git status --porcelain d.md").assert_stdout("?? d.md\n");
    assert!(!says(named));
    // The same again commits it, staged or not.
    bench.run("git add d.md && rm .git/hooks/pre-commit && git grill produce --commit").assert_code(0);
    assert!(!says(named));
}
