//! How prompts end without an answer, and what they leave to the shell: nothing typed, and the terminal as it was.

use std::fs;
use std::process::{Command, Stdio};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;

use super::{Sitting, example};
use crate::pty::Pty;

const CTRL_C: &str = "\x03";
const CTRL_D: &str = "\x04";

#[test]
fn control_c_restores_the_terminal_and_keeps_the_draft() {
    let mut sitting = Sitting::reply(24, 80);
    assert_ne!(sitting.pty.modes(), sitting.before, "while a prompt is open the terminal is raw");
    assert!(!sitting.pty.is_as_a_shell_expects(), "and it marks what is pasted");
    sitting.pty.send("half a thought");
    sitting.pty.wait_for("half a thought");
    sitting.pty.send(CTRL_C);
    assert_eq!(sitting.end(), (130, json!({ "interrupted": "half a thought" })));
}

#[test]
fn sigterm_restores_the_terminal_and_interrupts() {
    let sitting = Sitting::reply(24, 80);
    let pid = Pid::from_raw(sitting.pty.pid().try_into().expect("a process id")).expect("not zero");
    kill_process(pid, Signal::TERM).expect("the child is ours");
    assert_eq!(sitting.end(), (130, json!({ "interrupted": "" })));
}

#[test]
fn after_a_prompt_sigterm_ends_the_program_as_it_always_does() {
    let mut sitting = Sitting::at(&["reply", "--linger"], 24, 80);
    sitting.pty.wait_for("Tab alternatives");
    sitting.pty.send("done\r");
    sitting.pty.wait_gone("Tab alternatives");
    // It says so when the prompt has returned and the handlers have given way.
    sitting.pty.wait_until("what was answered", |_| !fs::read(sitting.out.path()).expect("the output").is_empty());
    let pid = Pid::from_raw(sitting.pty.pid().try_into().expect("a process id")).expect("not zero");
    kill_process(pid, Signal::TERM).expect("the child is ours");
    assert_eq!(sitting.pty.exit_code(), 128 + 15);
}

#[test]
fn control_z_stops_the_job_with_a_usable_terminal_and_comes_back() {
    let script = format!("set -m; {} reply; echo [stopped]; stty -a | grep -o ' icanon'; fg", example().display());
    let mut pty = Pty::spawn(Command::new("bash").args(["--norc", "-c", &script]), 24, 80);
    pty.wait_for("Tab alternatives");
    pty.send("kept");
    pty.wait_for("› kept");
    pty.send("\x1a");
    pty.wait_for("[stopped]");
    pty.wait_for(" icanon");
    pty.wait_for("› kept");
    pty.send(" and sent\r");
    pty.wait_for(r#"{"answered":"kept and sent"}"#);
    assert_eq!(pty.exit_code(), 0);
}

#[test]
fn a_closed_window_loses_the_prompt_and_nothing_else() {
    let mut sitting = Sitting::reply(24, 80);
    sitting.pty.send("kept");
    sitting.pty.wait_for("› kept");
    assert_eq!(sitting.hang_up(), (128, json!({ "lost": "kept" })));
    let sitting = Sitting::at(&["reply", "--plain"], 24, 80);
    sitting.pty.wait_for("number or reply> ");
    assert_eq!(sitting.hang_up(), (128, json!({ "lost": "" })));
}

#[test]
fn q17_a_long_paste_that_was_not_sent_leaves_the_rest_of_the_scrollback_alone() {
    let mut sitting = Sitting::reply(24, 80);
    let pasted = (1..=4_000).map(|number| format!("line {number}")).collect::<Vec<_>>().join("\n");
    sitting.pty.send(&format!("\x1b[200~{pasted}\x1b[201~"));
    sitting.pty.wait_for("line 4000");
    sitting.pty.send(CTRL_C);
    sitting.pty.wait_for("(interrupted, nothing was sent)");
    assert!(sitting.pty.screen().contains("… and 3940 more lines"), "{}", sitting.pty.screen());
    assert_eq!(sitting.end(), (130, json!({ "interrupted": pasted })));
}

#[test]
fn control_d_closes_an_empty_editor() {
    let mut sitting = Sitting::reply(24, 80);
    sitting.pty.send(CTRL_D);
    assert_eq!(sitting.end(), (5, json!({ "cancelled": "" })));
}

#[test]
fn the_rest_of_an_unbracketed_paste_never_reaches_the_shell() {
    let script = format!("{} reply >{{out}}; read -t 1 rest; echo \"rest=[$rest]\"", example().display());
    let out = tempfile::NamedTempFile::new().expect("a temporary file");
    let script = script.replace("{out}", out.path().to_str().expect("a readable path"));
    let mut pty = Pty::spawn(Command::new("bash").args(["--norc", "-c", &script]), 24, 80);
    pty.wait_for("Tab alternatives");
    pty.send("one\rrm -rf nothing\r");
    pty.wait_for("rest=[]");
    assert_eq!(fs::read_to_string(out.path()).expect("it can be read").trim(), r#"{"answered":"one"}"#);
    assert_eq!(pty.exit_code(), 0);
}

#[test]
fn what_is_typed_after_the_answer_is_thrown_away() {
    let mut sitting = Sitting::reply(24, 80);
    let pid = Pid::from_raw(sitting.pty.pid().try_into().expect("a process id")).expect("not zero");
    // More than a terminal hands over at once, so that the second half is still unread when the prompt ends.
    kill_process(pid, Signal::STOP).expect("the child is ours");
    sitting.pty.send(&format!("one\r{}", "rm -rf nothing\r".repeat(350)));
    kill_process(pid, Signal::CONT).expect("the child is ours");
    sitting.pty.exit_code();
    assert_eq!(sitting.pty.unread(), 0);
    assert_eq!(sitting.end(), (0, json!({ "answered": "one" })));
}

#[test]
fn what_was_typed_before_the_question_stood_there_is_no_answer() {
    let typed = tempfile::tempdir().expect("a temporary folder");
    let typed = typed.path().join("typed");
    let waiting = format!("until test -e {}; do sleep 0.02; done", typed.display());
    let script = format!("echo early; {waiting}; exec {} reply", example().display());
    let mut pty = Pty::spawn(Command::new("bash").args(["--norc", "-c", &script]), 24, 80);
    pty.wait_for("early");
    pty.send("yes to all\r");
    pty.wait_for("yes to all");
    fs::write(&typed, "").expect("a file can be made");
    pty.wait_for("Tab alternatives");
    pty.send("considered\r");
    pty.wait_for(r#"{"answered":"considered"}"#);
    assert_eq!(pty.exit_code(), 0);
}

#[test]
fn an_unsent_draft_stands_in_the_editor_and_comes_back_unsent() {
    for (manner, shown) in [("--drawn", "› half a thought"), ("--plain", "not sent yet: half a thought")] {
        let mut sitting = Sitting::at(&["reply", "--draft", manner], 24, 80);
        sitting.pty.wait_for(shown);
        sitting.pty.wait_for("Tab alternatives");
        sitting.pty.send(CTRL_C);
        assert_eq!(sitting.end(), (130, json!({ "interrupted": "half a thought" })));
    }
}

#[test]
fn plain_lines_end_by_control_d_and_control_c() {
    for (key, code, printed) in [(CTRL_D, 5, json!({ "cancelled": "" })), (CTRL_C, 130, json!({ "interrupted": "" }))] {
        let mut sitting = Sitting::at(&["reply", "--plain"], 24, 80);
        sitting.pty.wait_for("number or reply> ");
        sitting.pty.send(key);
        assert_eq!(sitting.end(), (code, printed));
    }
}

#[test]
fn in_the_background_nobody_is_asked_and_nothing_hangs() {
    let script = format!("set -m; {} reply & wait $!", example().display());
    let mut pty = Pty::spawn(Command::new("bash").args(["--norc", "-c", &script]), 24, 80);
    pty.wait_for(r#"{"unavailable":"this process runs in the background"}"#);
    assert_eq!(pty.exit_code(), 3);
}

#[test]
fn without_a_terminal_nobody_is_asked() {
    let run = |program: &str, args: &[&str]| {
        let ran = Command::new(program).args(args).stdin(Stdio::null()).stderr(Stdio::null()).output();
        let ran = ran.expect("it runs");
        (ran.status.code(), String::from_utf8_lossy(&ran.stdout).trim().to_owned())
    };
    let example = example().to_str().expect("a readable path");
    // A terminal on standard error alone is not enough: nobody can type there.
    let mut command = Command::new("setsid");
    command.args(["--wait", example, "reply"]);
    let mut pty = Pty::spawn(&command, 24, 80);
    pty.wait_for(r#"{"unavailable":"there is no controlling terminal"}"#);
    assert_eq!(pty.exit_code(), 3);
    assert_eq!(run(example, &[]), (Some(3), r#"{"unavailable":"stderr is not a terminal"}"#.to_owned()));
}
