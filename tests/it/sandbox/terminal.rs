//! A run at a terminal: keys that make signals, stopping and going on, shells inside.

use std::process::Command;

use super::leftovers::{mark, marked};
use crate::bench::{Bench, wait_until};
use crate::pty::Pty;

fn shell(bench: &Bench, line: &str) -> Pty {
    let mut command = Command::new("bash");
    command.args(["--norc", "--noprofile", "-c", line]).current_dir(bench.repo()).envs(bench.environment());
    Pty::spawn(&command, 24, 80)
}

fn interactive(bench: &Bench) -> Pty {
    let mut command = Command::new("bash");
    command
        .args(["--norc", "--noprofile", "-i"])
        .current_dir(bench.repo())
        .envs(bench.environment())
        .env("PS1", "outer> ");
    let pty = Pty::spawn(&command, 24, 80);
    prompted(&pty, "outer>");
    pty
}

/// Waits until a shell reads the next line: what is typed while it takes the terminal back from a job can be lost.
#[track_caller]
fn prompted(pty: &Pty, prompt: &str) {
    pty.wait_until("the prompt", |screen| screen.trim_end().lines().last() == Some(prompt));
}

#[test]
fn an_interrupt_reaches_the_command_and_ends_one_that_does_not_catch_it() {
    let bench = Bench::on_disk(Bench::new);
    let catches = "git grill run -- sh -c 'trap \"echo caught; exit 9\" INT; echo ready; while :; do sleep 0.02; done'; echo code $?";
    let mut pty = shell(&bench, catches);
    pty.wait_for("ready");
    pty.send("\u{3}");
    pty.wait_for("caught");
    let mut pty = shell(&bench, "trap : INT; git grill run -- sh -c 'echo ready; exec sleep 60'; echo code $?");
    pty.wait_for("ready");
    pty.send("\u{3}");
    pty.wait_for("code 130");
    // Quit as well.
    let mut pty =
        shell(&bench, "trap : QUIT; git grill run -- sh -c 'ulimit -c 0; echo ready; exec sleep 60'; echo code $?");
    pty.wait_for("ready");
    pty.send("\u{1c}");
    pty.wait_for("code 131");
}

#[test]
fn a_run_is_stopped_and_goes_on() {
    let bench = Bench::on_disk(Bench::new);
    let mut pty = interactive(&bench);
    pty.send("git grill run -- sh -c 'echo ready; read line; echo got $line'\n");
    pty.wait_for("\nready");
    pty.send("\u{1a}");
    pty.wait_for("Stopped");
    prompted(&pty, "outer>");
    pty.send("echo still $((40 + 2))\n");
    pty.wait_for("still 42");
    prompted(&pty, "outer>");
    pty.send("fg\n");
    pty.wait_until("the command again", |screen| {
        screen.lines().last().is_some_and(|line| line.starts_with("git grill"))
    });
    pty.send("typed\n");
    pty.wait_for("got typed");
    prompted(&pty, "outer>");
    pty.send("exit 7\n");
    assert_eq!(pty.exit_code(), 7);
}

#[test]
fn a_shell_in_a_run_has_jobs_and_gives_the_terminal_back() {
    let bench = Bench::on_disk(Bench::new);
    let mut pty = shell(
        &bench,
        "PS1='inner> ' git grill run -- bash --norc --noprofile -i; echo back $?; read line; echo read $line",
    );
    prompted(&pty, "inner>");
    let mark = mark(&bench);
    pty.send(&format!("sleep {mark}\n"));
    // What is typed before would be thrown away with the key.
    wait_until("the command in the shell", || !marked(&mark).is_empty());
    pty.send("\u{1a}");
    pty.wait_for("Stopped");
    prompted(&pty, "inner>");
    // A shell does not leave while it has a stopped job.
    pty.send("disown %1; exit 5\n");
    pty.wait_for("back 5");
    pty.send("again\n");
    pty.wait_for("read again");
}

#[test]
fn a_terminal_that_goes_away_ends_the_run() {
    let bench = Bench::on_disk(Bench::new);
    let mark = mark(&bench);
    let pty = shell(
        &bench,
        &format!(
            "git grill run -- sh -c 'echo ready; (setsid sleep {mark} >/dev/null 2>&1 </dev/null &); exec sleep {mark}'; true"
        ),
    );
    pty.wait_for("ready");
    wait_until("the command", || marked(&mark).len() == 2);
    let _ = pty.hang_up();
    wait_until("the end of the command", || marked(&mark).is_empty());
}
