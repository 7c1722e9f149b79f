//! Leaving a conversation: nothing is recorded that was not sent, and nothing that was typed is lost (Q15).

use std::process::Command;

use rustix::process::{Pid, Signal, kill_process};

use super::{CTRL_C, CTRL_U, ESCAPE, HELP, Sitting, deeds, kept};
use crate::bench::Bench;
use crate::pty::Pty;

#[test]
fn escape_pauses_with_what_was_typed_and_plain_git_grill_goes_on() {
    let bench = Bench::new();
    let mut sitting = Sitting::begun(&bench);
    sitting.pty.send("not sure yet");
    sitting.pty.wait_for("› not sure yet");
    let screen = sitting.pause();
    assert!(screen.contains("goes on with what you typed"), "{screen}");
    assert_eq!(kept(&bench), ["not sure yet"]);
    let mut sitting = Sitting::wide(&bench, &[]);
    sitting.pty.wait_for("› not sure yet");
    sitting.pty.wait_for(HELP);
    sitting.pty.send(CTRL_U);
    sitting.pty.wait_gone("not sure yet");
    sitting.pause();
    assert_eq!(kept(&bench), [""; 0], "what was erased is not kept");
    assert_eq!(deeds(&bench), ["human start:", "system ask"]);
}

#[test]
fn a_closed_window_records_nothing_and_keeps_the_draft() {
    let bench = Bench::new();
    let mut sitting = Sitting::begun(&bench);
    sitting.pty.send("half a thought");
    sitting.pty.wait_for("› half a thought");
    sitting.pty.hang_up();
    // git, which ran us, may end before us.
    bench.run("for i in $(seq 600); do ls .git/grill/replies/*/*.txt && exit; sleep 0.1; done").assert_contains(".txt");
    assert_eq!(kept(&bench), ["half a thought"]);
    assert_eq!(deeds(&bench), ["human start:", "system ask"]);
}

#[test]
fn a_killed_process_loses_no_draft_that_was_kept_before() {
    let bench = Bench::new();
    let mut sitting = Sitting::begun(&bench);
    sitting.pty.send("kept before");
    sitting.pty.wait_for("› kept before");
    sitting.pause();
    // Without git in between, so that the signal hits the program itself.
    let mut command = Command::new(env!("CARGO_BIN_EXE_git-grill"));
    command.arg("next").current_dir(bench.repo()).envs(bench.environment());
    let mut pty = Pty::spawn(&command, 50, 100);
    pty.wait_for("› kept before");
    pty.wait_for(HELP);
    let pid = Pid::from_raw(pty.pid().try_into().unwrap()).unwrap();
    kill_process(pid, Signal::KILL).unwrap();
    assert_eq!(pty.exit_code(), 128 + 9);
    assert_eq!(kept(&bench), ["kept before"]);
}

#[test]
fn q15_a_process_killed_between_two_words_loses_no_more_than_the_last_ones() {
    let bench = Bench::new();
    let sitting = Sitting::begun(&bench);
    sitting.pause();
    let mut command = Command::new(env!("CARGO_BIN_EXE_git-grill"));
    command.arg("next").current_dir(bench.repo()).envs(bench.environment());
    let mut pty = Pty::spawn(&command, 50, 100);
    pty.wait_for(HELP);
    pty.send("never sent");
    pty.wait_for("› never sent");
    bench.run("for i in $(seq 600); do ls .git/grill/replies/*/*.txt && exit; sleep 0.1; done").assert_contains(".txt");
    let pid = Pid::from_raw(pty.pid().try_into().unwrap()).unwrap();
    kill_process(pid, Signal::KILL).unwrap();
    assert_eq!(pty.exit_code(), 128 + 9);
    assert_eq!(kept(&bench), ["never sent"]);
    let sitting = Sitting::wide(&bench, &["next"]);
    sitting.pty.wait_for("› never sent");
    sitting.open("question 1 ·");
    let mut sitting = sitting;
    sitting.line(", and now it is");
    sitting.open("question 2 ·");
    sitting.pause();
    assert_eq!(kept(&bench), [""; 0], "what was sent is not kept beside the answer");
}

#[test]
fn a_summary_that_was_not_sent_comes_back() {
    let bench = Bench::new();
    let mut sitting = Sitting::begun(&bench);
    sitting.line("/discuss");
    sitting.below("What did it come to?", "Esc pauses");
    sitting.pty.send("it came to this");
    sitting.pty.wait_for("› it came to this");
    sitting.pty.send(CTRL_C);
    sitting.ends_with(130);
    let mut sitting = Sitting::wide(&bench, &["next"]);
    sitting.below("What did it come to?", "› it came to this");
    sitting.below("What did it come to?", "Esc pauses");
    sitting.line("");
    sitting.pty.wait_for("✓ discussion summed up: it came to this");
    sitting.open("question 1 ·");
    sitting.pause();
    assert_eq!(kept(&bench), [""; 0]);
}

#[test]
fn a_reply_that_comes_too_late_is_kept_and_the_next_question_is_put() {
    let bench = Bench::new();
    let mut sitting = Sitting::begun(&bench);
    bench.run("git grill answer --choose 1").assert_code(0);
    sitting.line("said in vain");
    sitting.pty.wait_for("error: ");
    sitting.open("question 2 ·");
    sitting.pause();
    assert_eq!(kept(&bench), ["said in vain"]);
}

#[test]
fn nothing_typed_leaves_nothing_behind() {
    let bench = Bench::new();
    let mut sitting = Sitting::begun(&bench);
    sitting.pty.send(ESCAPE);
    sitting.ends_with(0);
    assert_eq!(kept(&bench), [""; 0]);
}
