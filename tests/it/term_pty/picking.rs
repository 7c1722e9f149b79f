//! The picker with our two entries behind the options (Q2 to Q6).

use serde_json::json;

use super::{ALT_ENTER, DOWN, ENTER, Sitting, UP};

fn pick(rows: u16, cols: u16) -> Sitting {
    let sitting = Sitting::at(&["pick"], rows, cols);
    sitting.pty.wait_for("› 1. ");
    sitting
}

#[test]
fn q2_q3_q4_the_list_is_numbered_with_our_entries_behind_and_says_its_keys() {
    let mut sitting = pick(24, 80);
    sitting.shows("pick");
    sitting.press(&[DOWN, ENTER]);
    sitting.shows("pick-selected");
    assert_eq!(sitting.end(), (0, json!({ "answered": { "choice": 1, "note": null } })));
}

#[test]
fn q2_descriptions_are_muted_and_without_colour_nothing_is_styled() {
    let styled = |args: &[&str]| {
        let mut sitting = Sitting::at(args, 24, 80);
        sitting.pty.wait_for("Esc cancels");
        let raw = sitting.pty.raw();
        sitting.press(&[ENTER]);
        assert_eq!(sitting.end().0, 0);
        (raw.contains("\x1b[2mfast, but one more thing to back up\x1b[0m"), sgr(&raw))
    };
    assert_eq!(styled(&["pick", "--colour"]), (true, true));
    assert_eq!(styled(&["pick"]), (false, false));
}

/// Whether a text holds a sequence that sets style: ESC, `[`, digits and semicolons, `m`.
fn sgr(text: &str) -> bool {
    text.split("\x1b[").skip(1).any(|rest| {
        rest.trim_start_matches(|character: char| character.is_ascii_digit() || character == ';').starts_with('m')
    })
}

#[test]
fn q4_up_and_down_do_not_wrap_digits_jump_and_escape_cancels() {
    let mut sitting = pick(24, 80);
    sitting.press(&[DOWN, DOWN, UP, UP, UP, UP]);
    sitting.pty.wait_for("› 1. Git ref");
    sitting.press(&["6"]);
    sitting.pty.wait_for("› 6. Let's discuss this");
    sitting.press(&[DOWN, DOWN, DOWN, UP]);
    sitting.pty.wait_for("› 5. Something else");
    // There is no ninth row; the place stays.
    sitting.press(&["9", "3"]);
    sitting.pty.wait_for("› 3. Flat files");
    sitting.escape();
    sitting.shows("pick-cancelled");
    assert_eq!(sitting.end(), (5, json!({ "cancelled": "" })));
    let mut sitting = pick(24, 80);
    sitting.press(&["6", ENTER]);
    sitting.pty.wait_for("\n› Let's discuss this");
    assert_eq!(sitting.end(), (0, json!({ "answered": "discuss" })));
}

#[test]
fn q5_something_else_is_written_in_place_escape_keeps_it_and_enter_sends_it_trimmed() {
    let mut sitting = pick(24, 80);
    sitting.press(&["5", ENTER, "  a kanban 日本 board "]);
    sitting.shows("pick-words");
    sitting.escape();
    sitting.shows("pick-words-kept");
    sitting.press(&[ENTER, "\x17", "wall", ALT_ENTER, "in two lines "]);
    sitting.pty.wait_for("› 5. Something else (I'll explain)\n     ›   a kanban 日本 wall\n       in two lines");
    sitting.press(&[ENTER]);
    sitting.pty.wait_for("\n› a kanban 日本 wall\n  in two lines");
    assert_eq!(sitting.end(), (0, json!({ "answered": { "wrote": "a kanban 日本 wall\nin two lines" } })));
}

#[test]
fn q5_blank_words_are_not_submitted() {
    let mut sitting = pick(24, 80);
    sitting.press(&["5", ENTER, "   ", ENTER]);
    sitting.pty.wait_for("nothing is written yet; Esc goes back to the list");
    sitting.press(&["x", ENTER]);
    assert_eq!(sitting.end(), (0, json!({ "answered": { "wrote": "x" } })));
}

#[test]
fn q6_a_note_is_written_below_its_option_and_comes_back_with_it() {
    let mut sitting = pick(24, 80);
    sitting.press(&["2", "n", "only for 1 user, no server"]);
    sitting.shows("pick-note");
    sitting.press(&[ENTER]);
    sitting.shows("pick-noted");
    // Escape keeps what was added, too.
    sitting.press(&["n", " today"]);
    sitting.escape();
    sitting.pty.wait_for("     note: only for 1 user, no server today");
    sitting.press(&[ENTER]);
    sitting.pty.wait_for("› 2. SQLite file\n  note: only for 1 user, no server today");
    let note = "only for 1 user, no server today";
    assert_eq!(sitting.end(), (0, json!({ "answered": { "choice": 1, "note": note } })));
}

#[test]
fn q6_a_note_stays_with_its_option_and_our_entries_take_none() {
    let mut sitting = pick(24, 80);
    sitting.press(&["2", "n", "no", ENTER, "5", "n"]);
    sitting.pty.wait_for("a note goes with one of the options above");
    sitting.press(&["1", ENTER]);
    assert_eq!(sitting.end(), (0, json!({ "answered": { "choice": 0, "note": null } })));
}

#[test]
fn q15_what_was_written_is_the_draft_of_a_cancelled_prompt_and_words_from_before_stand_there() {
    let mut sitting = Sitting::at(&["pick", "--draft"], 24, 80);
    sitting.pty.wait_for("     half a thought");
    sitting.press(&["2", "n", "and a note"]);
    sitting.pty.wait_for("note › and a note");
    sitting.press(&["\x03"]);
    sitting.pty.wait_for("half a thought\nnote on 2. SQLite file: and a note\n› (interrupted, nothing was sent)");
    assert_eq!(sitting.end(), (130, json!({ "interrupted": "half a thought\nnote on 2. SQLite file: and a note" })));
    let mut sitting = Sitting::at(&["pick", "--draft"], 24, 80);
    sitting.pty.wait_for("     half a thought");
    sitting.press(&["5", ENTER, " more", ENTER]);
    assert_eq!(sitting.end(), (0, json!({ "answered": { "wrote": "half a thought more" } })));
}

#[test]
fn q17_twenty_columns_and_three_rows_are_enough_for_words_and_notes() {
    let mut sitting = pick(3, 20);
    sitting.shows("pick-20x3");
    sitting.press(&["4"]);
    sitting.shows("pick-20x3-wide");
    sitting.press(&["5", ENTER, "日本語 and words that need more than one row"]);
    sitting.shows("pick-20x3-words");
    sitting.press(&[ENTER]);
    assert_eq!(sitting.end(), (0, json!({ "answered": { "wrote": "日本語 and words that need more than one row" } })));
}

#[test]
fn q17_a_resized_window_keeps_the_open_note() {
    let mut sitting = pick(24, 80);
    sitting.press(&["3", "n", "a note that has to be wrapped in a narrow window"]);
    sitting.pty.wait_for("note › a note that has to be wrapped");
    sitting.pty.resize(24, 30);
    sitting.pty.wait_for("     note › a note that has");
    sitting.pty.resize(12, 20);
    sitting.shows("pick-resized");
    sitting.press(&[ENTER, ENTER]);
    let note = "a note that has to be wrapped in a narrow window";
    assert_eq!(sitting.end(), (0, json!({ "answered": { "choice": 2, "note": note } })));
}

#[test]
fn q3_q5_q6_plain_lines_take_a_number_words_and_notes() {
    let plain = || {
        let sitting = Sitting::at(&["pick", "--plain"], 30, 80);
        sitting.pty.wait_for("number or your words> ");
        sitting
    };
    let mut sitting = plain();
    sitting.press(&["9\r"]);
    // What is typed before the prompt is there is shown before it.
    let asks_again = |sitting: &Sitting, said: &str| {
        sitting.pty.wait_until(&format!("a prompt below {said:?}"), |screen| {
            screen.split_once(said).is_some_and(|(_, below)| below.contains("number or your words>"))
        });
    };
    asks_again(&sitting, "a number of the list, or words of your own");
    sitting.press(&["n 2 no server\r"]);
    asks_again(&sitting, "noted on 2; its number selects it");
    sitting.press(&["2\r"]);
    sitting.pty.wait_for("> 2");
    assert!(!sitting.pty.raw().contains('\x1b'), "no escape sequence in {:?}", sitting.pty.raw());
    sitting.shows("pick-plain");
    assert_eq!(sitting.end(), (0, json!({ "answered": { "choice": 1, "note": "no server" } })));
    let mut sitting = plain();
    sitting.press(&["5\r"]);
    sitting.pty.wait_for("\nyour words> ");
    sitting.press(&[" a board \r"]);
    assert_eq!(sitting.end(), (0, json!({ "answered": { "wrote": "a board" } })));
    let mut sitting = plain();
    sitting.press(&["6\r"]);
    assert_eq!(sitting.end(), (0, json!({ "answered": "discuss" })));
}
