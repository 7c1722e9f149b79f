//! The reply editor's screens.

use serde_json::json;

use super::{ENTER, SHIFT_TAB, Sitting, TAB};

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
