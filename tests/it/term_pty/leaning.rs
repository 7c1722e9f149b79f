//! The reply editor's screens, the recommendation that is kept back until the person leans, and how long one read.

use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{ENTER, SHIFT_TAB, Sitting, TAB, example};
use crate::pty::Pty;

#[test]
fn g9_the_reply_editor_as_it_is_seen() {
    let mut sitting = Sitting::reply(24, 80);
    sitting.shows("reply");
    sitting.press(&[SHIFT_TAB]);
    sitting.shows("reply-last-alternative");
    sitting.press(&["!", TAB]);
    sitting.shows("reply-narrowed-to-nothing");
    sitting.press(&[ENTER]);
    assert_eq!(sitting.end(), (0, json!({ "answered": "日本語のデータベース!" })));
}

#[test]
fn g9_q17_the_reply_editor_in_twenty_columns_and_three_rows() {
    let mut sitting = Sitting::reply(3, 20);
    sitting.press(&[TAB]);
    sitting.shows("reply-20x3");
    sitting.press(&[ENTER]);
    assert_eq!(sitting.end(), (0, json!({ "answered": "a git ref of its own" })));
}

#[test]
fn g13_a_recommendation_kept_back_is_told_when_the_person_leans() {
    let mut sitting = Sitting::at(&["reply", "--leaning"], 24, 80);
    sitting.pty.wait_for("Tab alternatives");
    sitting.shows("leaning");
    sitting.press(&[TAB, TAB, ENTER]);
    sitting.shows("leaning-told");
    sitting.press(&[ENTER]);
    assert_eq!(sitting.end(), (0, json!({ "answered": "sqlite" })));
}

#[test]
fn g13_after_that_a_changed_text_goes_at_once() {
    let mut sitting = Sitting::at(&["reply", "--leaning"], 24, 80);
    sitting.pty.wait_for("Tab alternatives");
    sitting.press(&["a branch", ENTER]);
    sitting.pty.wait_for("the recommendation was 1. Git ref: survives clones");
    sitting.press(&[" of ours", ENTER]);
    assert_eq!(sitting.end(), (0, json!({ "answered": "a branch of ours" })));
}

#[test]
fn g13_plain_lines_keep_it_back_too() {
    let mut sitting = Sitting::at(&["reply", "--leaning", "--plain"], 24, 80);
    sitting.pty.wait_for("number or reply> ");
    assert!(!sitting.pty.screen().contains("recommend"), "{}", sitting.pty.screen());
    sitting.press(&["1\r"]);
    sitting.pty.wait_for("that is the recommendation too");
    sitting.press(&["\r"]);
    assert_eq!(sitting.end(), (0, json!({ "answered": "a git ref of its own" })));
}

fn read(printed: &Value) -> Duration {
    Duration::from_millis(printed["answered"]["read"].as_u64().expect("milliseconds"))
}

#[test]
fn g13_the_time_of_reading_ends_with_the_key_that_sends() {
    for manner in ["--drawn", "--plain"] {
        let started = Instant::now();
        let mut sitting = Sitting::at(&["reply", "--timed", manner], 24, 80);
        sitting.pty.wait_for("Tab alternatives");
        sitting.pty.wait_for("Where does");
        thread::sleep(Duration::from_millis(350));
        sitting.press(&["mine\r"]);
        let (code, printed) = sitting.end();
        let read = read(&printed);
        assert_eq!(code, 0);
        assert!(read >= Duration::from_millis(300) && read <= started.elapsed(), "{manner}: {read:?}");
    }
}

#[test]
fn g13_while_the_prompt_is_suspended_nobody_reads() {
    let script = format!("set -m; {} reply --timed; echo [stopped]; sleep 3; fg", example().display());
    let mut pty = Pty::spawn(Command::new("bash").args(["--norc", "-c", &script]), 24, 80);
    pty.wait_for("Tab alternatives");
    let shown = Instant::now();
    pty.send("kept\x1a");
    pty.wait_for("[stopped]");
    pty.wait_for("› kept");
    pty.send(ENTER);
    pty.wait_for("\"read\":");
    let whole = shown.elapsed();
    assert_eq!(pty.exit_code(), 0);
    let screen = pty.screen();
    let number = screen.split("\"read\":").nth(1).expect("it is there").split(|c: char| !c.is_ascii_digit()).next();
    let read = Duration::from_millis(number.expect("a number").parse().expect("a number"));
    assert!(read + Duration::from_secs(2) < whole, "{read:?} of {whole:?}");
}

#[test]
fn q17_emoji_that_a_terminal_draws_apart_break_no_row_and_the_cursor_stands_behind_what_was_typed() {
    // This terminal draws a family as three people; others draw it as one. Both have to be right.
    let family = "👩\u{200d}👩\u{200d}👧";
    let mut sitting = Sitting::reply(20, 20);
    sitting.press(&[&family.repeat(10)]);
    sitting.press(&["e\u{301}", "x"]);
    sitting.pty.wait_for("e\u{301}x");
    let (row, column) = sitting.pty.cursor();
    let screen = sitting.pty.screen();
    let line = screen.lines().nth(row.into()).expect("the cursor is on a row");
    assert!(line.trim_end().ends_with("e\u{301}x"), "{screen}");
    sitting.press(&["|"]);
    sitting.pty.wait_for("e\u{301}x|");
    assert_eq!(
        sitting.pty.cursor(),
        (row, column + 1),
        "the cursor goes on by what was typed\n{}",
        sitting.pty.screen()
    );
    sitting.press(&["\x15"]);
    sitting.shows("reply-after-emoji");
    sitting.press(&[&family.repeat(3), ENTER]);
    assert_eq!(sitting.end(), (0, json!({ "answered": family.repeat(3) })));
}
