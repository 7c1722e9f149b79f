//! Leaving a conversation: nothing is recorded that was not sent, and nothing that was typed is lost (Q15).

use std::process::Command;

use rustix::process::{Pid, Signal, kill_process};

use super::{CTRL_C, CTRL_U, ENTER, ESCAPE, HELP, Sitting, TAB, deeds, kept, said};
use crate::bench::Bench;
use crate::pty::{Pty, shows};

#[test]
fn escape_pauses_with_what_was_typed_and_plain_git_grill_goes_on() {
    let bench = Bench::new();
    let mut sitting = Sitting::begun(&bench);
    sitting.pty.send("not sure yet");
    sitting.pty.wait_for("› not sure yet");
    let screen = sitting.pause();
    assert!(screen.contains("continues with what you typed"), "{screen}");
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
fn an_interrupt_is_no_error_and_names_the_command_that_goes_on() {
    let bench = Bench::new();
    let leaves = |mut sitting: Sitting, told: &str| {
        sitting.pty.send(CTRL_C);
        let (code, screen) = sitting.end();
        assert_eq!(code, 130, "{screen}");
        assert!(shows(&screen, told) && !screen.contains("error:"), "{told:?}\n{screen}");
    };
    leaves(Sitting::begun(&bench), "interrupted; what was recorded stays; git grill next goes on");
    let mut typed = Sitting::wide(&bench, &["next"]);
    typed.open("question 1 ·");
    typed.pty.send("half a thought");
    typed.pty.wait_for("› half a thought");
    leaves(typed, "interrupted; what you typed is kept; git grill next brings it back");
    bench.run("git grill stop --without-output && git grill plan on").assert_code(0);
    bench.run_with_input("git grill plan set -", "1. Count\n").assert_code(0);
    let approving = Sitting::wide(&bench, &["plan", "execute"]);
    approving.pty.wait_for("[y/n]");
    leaves(approving, "interrupted; what was recorded stays; git grill status shows where the session is");
    bench.run("git grill stop && git checkout --quiet -b feature/brace-expansion").assert_code(0);
    let beginning = Sitting::wide(&bench, &[]);
    beginning.pty.wait_for("Enter starts");
    leaves(beginning, "interrupted; no session is active here; git grill start \"<topic>\" begins one");
}

#[test]
fn q15_what_was_typed_at_the_output_selection_survives_an_interrupt() {
    let bench = Bench::new();
    bench.run("git grill start --research off 'rate limiting'").assert_code(0);
    bench.run("git grill answer 'requests per client are counted'").assert_code(0);
    let mut sitting = Sitting::wide(&bench, &["select"]);
    sitting.below("output selection", "Tab choices");
    sitting.pty.send("select design-doc --path docs/of-mine");
    sitting.pty.wait_for("› select design-doc --path docs/of-mine");
    sitting.pty.send(CTRL_C);
    let (code, screen) = sitting.end();
    assert_eq!(code, 130, "{screen}");
    assert!(shows(&screen, "interrupted; what you typed is kept; git grill next brings it back"), "{screen}");
    let mut again = Sitting::wide(&bench, &["next"]);
    again.pty.wait_for("› select design-doc --path docs/of-mine");
    again.pty.wait_for("Tab choices");
    again.pty.send(CTRL_U);
    again.pty.wait_gone("docs/of-mine");
    again.pause();
    assert_eq!(kept(&bench), [""; 0], "what was erased is not kept");
}

#[test]
fn q15_a_thought_about_nothing_that_was_asked_survives_an_interrupt() {
    let bench = Bench::new();
    bench.run("git grill start --research off --interviewer agent:claude-code 'rate limiting'").assert_code(0);
    bench.run("git grill discuss").assert_code(0);
    let mut sitting = Sitting::wide(&bench, &["next"]);
    sitting.below("Talk it over", "Enter adds a thought");
    sitting.pty.send("half a thought");
    sitting.pty.wait_for("› half a thought");
    sitting.pty.send(CTRL_C);
    sitting.ends_with(130);
    assert_eq!(kept(&bench), ["half a thought"]);
    let again = Sitting::wide(&bench, &["next"]);
    again.pty.wait_for("› half a thought");
    again.pause();
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
    sitting.below("Talk it over", "Esc pauses");
    sitting.pty.send("it came to this");
    sitting.pty.wait_for("› it came to this");
    sitting.pty.send(CTRL_C);
    sitting.ends_with(130);
    let mut sitting = Sitting::wide(&bench, &["next"]);
    sitting.below("Talk it over", "› it came to this");
    sitting.below("Talk it over", "Esc pauses");
    sitting.line("");
    // A discussion has several turns; what was said in it survives a process that is killed between two of them.
    sitting.below("1 thought so far", "Tab fills in the summary");
    sitting.line("and to that");
    sitting.below("2 thoughts so far", "Tab fills in the summary");
    assert_eq!(kept(&bench), ["it came to this\nand to that"]);
    sitting.pty.send("and");
    sitting.pty.wait_for("› and");
    sitting.pty.send(CTRL_C);
    sitting.ends_with(130);
    assert_eq!(kept(&bench), ["it came to this\nand to that\nand"]);
    let mut sitting = Sitting::wide(&bench, &["next"]);
    sitting.below("Talk it over", "› it came to this");
    sitting.below("Talk it over", "Esc pauses");
    sitting.line("");
    sitting.below("1 thought so far", "Tab fills in the summary");
    sitting.pty.send(TAB);
    sitting.pty.wait_for("› /discuss --done 'it came to this");
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
    sitting.pty.send("said in vain");
    sitting.pty.wait_for("said in vain");
    bench.run("git grill answer --choose 1").assert_code(0);
    // While they type, the prompt stays; on a busy machine it has ended by itself before Enter comes. Either way:
    sitting.pty.send("\r");
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

#[test]
fn a_pause_at_the_output_selection_comes_back_to_it() {
    let bench = Bench::new();
    let mut sitting = Sitting::begun(&bench);
    sitting.pty.send("/select\r");
    sitting.below("what can come out of it", "stop, /help");
    sitting.pause();
    let mut sitting = Sitting::wide(&bench, &["next"]);
    sitting.below("what can come out of it", "stop, /help");
    // There it is left by its own choice.
    sitting.pty.send("/continue\r");
    sitting.below("question 1 ·", HELP);
    sitting.pause();
}

#[test]
fn g17_stop_at_a_terminal_says_first_why_the_output_selection_opens_and_how_to_end() {
    let bench = Bench::new();
    Sitting::begun(&bench).pause();
    let sitting = Sitting::wide(&bench, &["stop"]);
    sitting.below("nothing was produced yet", "git grill stop --without-output");
    sitting.below("git grill stop --without-output", "what can come out of it");
    sitting.below("what can come out of it", "stop, /help");
    sitting.pause();
}

/// A list that a tool put may have been left with it; here the question has an editor.
#[test]
fn q15_a_note_on_an_alternative_is_not_sent_unchanged_as_words_of_ones_own() {
    let bench = Bench::new();
    let mut sitting = Sitting::begun(&bench);
    let listed = said(&bench, "git grill next");
    let second = listed.lines().find_map(|line| line.trim().strip_prefix("2. ")).expect("a second alternative");
    let note = format!("note on 2. {}: only if cheap", second.trim_end_matches(" (recommended)"));
    sitting.pty.send(&note);
    sitting.pty.wait_for("cheap");
    sitting.pty.send(CTRL_C);
    sitting.ends_with(130);
    assert_eq!(kept(&bench), [note.as_str()]);
    let mut sitting = Sitting::wide(&bench, &["next"]);
    sitting.open("question 1 ·");
    sitting.pty.send(ENTER);
    sitting.pty.wait_for("this was typed as a note on alternative 2");
    sitting.open("still open");
    sitting.pty.send(CTRL_C);
    sitting.ends_with(130);
    assert_eq!(kept(&bench), [note.as_str()]);
}
