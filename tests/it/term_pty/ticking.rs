//! The checklist (Q8 to Q10).

use serde_json::json;

use super::{DOWN, ENTER, Sitting, UP};

fn many(args: &[&str], rows: u16, cols: u16) -> Sitting {
    let sitting = Sitting::at(&[&["many"], args].concat(), rows, cols);
    sitting.pty.wait_for("› [ ] ");
    sitting
}

#[test]
fn q8_boxes_toggle_the_count_is_live_and_done_sends_in_the_order_of_the_list() {
    let mut sitting = many(&[], 24, 80);
    sitting.shows("many");
    sitting.press(&["3", " ", UP, UP, ENTER]);
    sitting.shows("many-two");
    sitting.press(&["5", ENTER]);
    sitting.pty.wait_for("› Git ref, Flat files");
    assert_eq!(sitting.end(), (0, json!({ "answered": [0, 2] })));
}

#[test]
fn q8_a_toggles_all() {
    let mut sitting = many(&[], 24, 80);
    sitting.press(&["a"]);
    sitting.pty.wait_for("Done (4 selected)");
    sitting.press(&[DOWN, " "]);
    sitting.pty.wait_for("Done (3 selected)");
    sitting.press(&["a"]);
    sitting.pty.wait_for("Done (4 selected)");
    sitting.press(&["a"]);
    sitting.pty.wait_for("Done (select at least one)");
    sitting.press(&["a", "5", " "]);
    assert_eq!(sitting.end(), (0, json!({ "answered": [0, 1, 2, 3] })));
}

#[test]
fn q8_a_list_longer_than_the_window_scrolls_and_two_digits_jump() {
    let mut sitting = many(&["--long"], 10, 40);
    sitting.shows("many-long");
    sitting.press(&["1", "7", " "]);
    sitting.shows("many-long-17");
    sitting.press(&["\x1b[F"]);
    sitting.pty.wait_for("› Done (1 selected)");
    sitting.press(&[ENTER]);
    assert_eq!(sitting.end(), (0, json!({ "answered": [16] })));
}

#[test]
fn q9_done_with_nothing_selected_stays_and_escape_cancels() {
    let mut sitting = many(&[], 24, 80);
    sitting.press(&["5", ENTER]);
    sitting.pty.wait_for("select at least 1 first, with Space");
    sitting.pty.wait_for("› Done (select at least one)");
    sitting.escape();
    assert_eq!(sitting.end(), (5, json!({ "cancelled": "" })));
}

#[test]
fn q17_boxes_are_ticked_in_twenty_columns_and_three_rows() {
    let mut sitting = many(&[], 3, 20);
    sitting.press(&["4", " "]);
    sitting.shows("many-20x3");
    sitting.press(&[DOWN]);
    sitting.pty.wait_for("› Done (1");
    sitting.press(&[ENTER]);
    assert_eq!(sitting.end(), (0, json!({ "answered": [3] })));
}

#[test]
fn q9_plain_lines_ask_for_at_least_one() {
    let mut sitting = Sitting::at(&["many", "--plain"], 24, 80);
    sitting.pty.wait_for("numbers, all or none> ");
    sitting.press(&["none\r"]);
    sitting.pty.wait_for("that is too few");
    sitting.press(&["3, 1\r"]);
    assert_eq!(sitting.end(), (0, json!({ "answered": [0, 2] })));
}
