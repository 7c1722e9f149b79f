//! The form with its tabs, and notices (P1 to P3).

use serde_json::json;

use super::{DOWN, ENTER, LEFT, RIGHT, SHIFT_TAB, Sitting, TAB};

fn form(rows: u16, cols: u16) -> Sitting {
    let sitting = Sitting::at(&["form"], rows, cols);
    sitting.pty.wait_for("[Storage]");
    sitting
}

#[test]
fn p3_tabs_go_round_through_submit_both_ways() {
    let mut sitting = form(24, 80);
    sitting.shows("form");
    for (key, tab) in [
        (TAB, "[Locks]"),
        (RIGHT, "[Name]"),
        (TAB, "[Submit]"),
        (RIGHT, "[Storage]"),
        (SHIFT_TAB, "[Submit]"),
        (LEFT, "[Name]"),
        (SHIFT_TAB, "[Locks]"),
        (LEFT, "[Storage]"),
    ] {
        sitting.press(&[key]);
        sitting.pty.wait_for(tab);
    }
    sitting.escape();
    assert_eq!(sitting.end(), (5, json!({ "cancelled": "" })));
}

#[test]
fn p3_submit_lists_what_is_missing_and_answers_can_be_changed_until_then() {
    let mut sitting = form(24, 80);
    sitting.press(&[DOWN, ENTER]);
    sitting.pty.wait_for("✓ Storage  [Locks]");
    sitting.press(&[SHIFT_TAB, SHIFT_TAB, ENTER]);
    sitting.shows("form-missing");
    // From there to the first question that is missing, and on from one to the next.
    sitting.press(&["2", ENTER]);
    sitting.pty.wait_for("[Locks]");
    sitting.press(&["2", ENTER]);
    sitting.pty.wait_for("[Name]");
    sitting.press(&[" grill 日本 ", ENTER]);
    sitting.shows("form-all-answered");
    sitting.press(&[TAB]);
    sitting.pty.wait_for("› 2. SQLite file ✓");
    sitting.press(&["3", ENTER]);
    sitting.pty.wait_for("Storage: 3. Flat files");
    sitting.press(&[ENTER]);
    sitting.shows("form-submitted");
    assert_eq!(sitting.end(), (0, json!({ "answered": [2, 1, { "other": "grill 日本" }] })));
}

#[test]
fn p3_in_a_text_entry_arrows_edit_escape_goes_back_to_the_options_and_tab_keeps_the_text() {
    let mut sitting = form(24, 80);
    sitting.press(&["5", ENTER, "ac", LEFT, "b"]);
    sitting.shows("form-words");
    sitting.escape();
    sitting.pty.wait_for("› 5. Something else\n     abc\n");
    sitting.press(&[ENTER, TAB]);
    sitting.pty.wait_for("Storage  [Locks]");
    assert!(!sitting.pty.screen().contains('✓'), "words that were not sent are no answer\n{}", sitting.pty.screen());
    sitting.press(&[SHIFT_TAB]);
    sitting.pty.wait_for("     › abc");
    sitting.escape();
    sitting.escape();
    assert_eq!(sitting.end(), (5, json!({ "cancelled": "abc" })));
}

#[test]
fn p3_a_question_without_options_is_typed_at_once_and_blank_is_no_answer() {
    let mut sitting = form(24, 80);
    sitting.press(&[LEFT, LEFT, "  ", ENTER]);
    sitting.pty.wait_for("nothing is written yet; Esc goes back to the list");
    sitting.press(&["\x03"]);
    assert_eq!(sitting.end(), (130, json!({ "interrupted": "" })));
}

#[test]
fn q17_p3_tabs_shorten_in_twenty_columns_and_three_rows_are_enough() {
    let mut sitting = form(3, 20);
    sitting.shows("form-20x3");
    sitting.press(&[ENTER, ENTER, "grill", ENTER]);
    sitting.shows("form-20x3-submit");
    sitting.pty.resize(10, 20);
    sitting.shows("form-20x10-submit");
    sitting.press(&[ENTER]);
    assert_eq!(sitting.end(), (0, json!({ "answered": [0, 0, { "other": "grill" }] })));
}

#[test]
fn p3_plain_lines_ask_one_after_the_other_and_submit_at_the_end() {
    let mut sitting = Sitting::at(&["form", "--plain"], 40, 80);
    sitting.pty.wait_for("1 of 3 · Storage");
    sitting.press(&["2\r"]);
    sitting.pty.wait_for("2 of 3 · Locks");
    sitting.press(&["none of these\r"]);
    sitting.pty.wait_for("that is none of the numbers");
    sitting.press(&["1\r"]);
    sitting.pty.wait_for("3 of 3 · Name");
    sitting.press(&["grill\r"]);
    sitting.pty.wait_for("submit, or a number to change> ");
    sitting.press(&["2\r"]);
    sitting.pty.wait_for("number> ");
    sitting.press(&["2\r"]);
    sitting.pty.wait_for("2. Locks: 2. SQLite file");
    sitting.press(&["submit\r"]);
    sitting.pty.wait_for("> submit");
    assert!(!sitting.pty.raw().contains('\x1b'), "no escape sequence in {:?}", sitting.pty.raw());
    assert_eq!(sitting.end(), (0, json!({ "answered": [1, 1, { "other": "grill" }] })));
}

#[test]
fn p1_a_notice_is_shown_and_waits_for_nobody() {
    let sitting = Sitting::at(&["notify"], 24, 80);
    sitting.pty.wait_for("error: the plan is gone");
    sitting.shows("notices");
    assert_eq!(sitting.end(), (0, json!("told")));
}
