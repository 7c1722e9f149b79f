//! A question stays above what answers it in windows that are too small for both (Q8).

use serde_json::json;

use super::{ENTER, Sitting, TAB};

const END: &str = "\x1b[F";

/// Waits until the question's first words stand above the row one is on.
#[track_caller]
fn asks(sitting: &Sitting, first: &str, row: &str) {
    sitting.pty.wait_until(&format!("{first:?} above {row:?}"), |screen| {
        screen.split_once(first).is_some_and(|(_, below)| below.contains(row))
    });
}

#[test]
fn q8_the_question_of_a_form_stays_above_its_long_list() {
    let mut sitting = Sitting::at(&["form", "--long"], 6, 20);
    for (rows, cols) in [(6, 20), (2, 20), (8, 80), (3, 20), (6, 20)] {
        sitting.pty.resize(rows, cols);
        sitting.press(&["1"]);
        asks(&sitting, "Where does", "›  1. Topic 1");
        sitting.press(&[END]);
        asks(&sitting, "Where does", "› 31. Something");
    }
    sitting.press(&[TAB]);
    asks(&sitting, "Who may write?", "› 1. Git ref");
    sitting.escape();
    assert_eq!(sitting.end(), (5, json!({ "cancelled": "" })));
}

#[test]
fn q8_yes_or_no_stands_below_its_question() {
    let mut sitting = Sitting::at(&["confirm"], 2, 20);
    asks(&sitting, "Write these three", "[y/n]");
    for (rows, cols) in [(3, 20), (5, 20), (8, 80), (3, 20)] {
        sitting.pty.resize(rows, cols);
        asks(&sitting, "Write these three", "[y/n]");
        sitting.press(&[ENTER]);
        asks(&sitting, "Write these three", "there is no");
    }
    sitting.press(&["y"]);
    assert_eq!(sitting.end(), (0, json!({ "answered": true })));
}
