//! The rules of the picker (Q2 to Q6), key by key.

use super::*;
use crate::app::prompt::Slash;
use crate::term::slash::{REFUSED, REFUSED_WORDS};
use crate::term::testing::{assert_asks_above_its_list, assert_fits_everywhere, choices, deeds, live_through, picture};
use proptest::prelude::*;

fn prompt() -> PickPrompt {
    PickPrompt {
        heading: "question 3 · scope".to_owned(),
        question: "Which?".to_owned(),
        choices: choices(2),
        other: Some("Something else (I'll explain)".to_owned()),
        discuss: Some("Let's discuss this".to_owned()),
        draft: String::new(),
        status: "interview".to_owned(),
        ..PickPrompt::default()
    }
}

fn press(pick: &mut Pick<'_>, keys: &[Key]) {
    for key in keys {
        assert_eq!(pick.key(*key), Step::Stay, "{key:?}");
    }
}

fn type_in(pick: &mut Pick<'_>, text: &str) {
    for character in text.chars() {
        press(pick, &[Key::Char(character)]);
    }
}

#[test]
fn our_entries_continue_the_numbers_and_the_help_says_what_keys_do() {
    let prompt = prompt();
    assert_eq!(
        picture(&Pick::new(&prompt), 80, 20),
        [
            "› 1. choice one (recommended)",
            "     why one would take it",
            "  2. choice two",
            "     why one would take it",
            "  3. Something else (I'll explain)",
            "  4. Let's discuss this",
            "interview",
            LIST_KEYS,
        ]
    );
}

#[test]
fn g11_a_slash_begins_a_verb_in_the_words_of_one_s_own() {
    let prompt = PickPrompt { slash: Slash::Verb, ..prompt() };
    let mut pick = Pick::new(&prompt);
    type_in(&mut pick, "/why");
    assert_eq!(pick.key(Key::Enter), Step::Send(Picked::Wrote("/why".to_owned())));
    // A blank before it makes an answer of a path, here too.
    let mut pick = Pick::new(&prompt);
    press(&mut pick, &[Key::Char('3'), Key::Enter]);
    type_in(&mut pick, " /etc is read");
    assert_eq!(pick.key(Key::Enter), Step::Send(Picked::Wrote(" /etc is read".to_owned())));
    // What is written already stays as it is, and the verb is typed beside it.
    let prompt = PickPrompt { draft: "half".to_owned(), ..prompt };
    let mut pick = Pick::new(&prompt);
    type_in(&mut pick, "/why");
    assert_eq!(picture(&pick, 80, 20).last().expect("one"), "/why · Enter ends this line, Esc clears it");
    assert_eq!(pick.draft(), "half");
    assert_eq!(pick.key(Key::Enter), Step::Send(Picked::Wrote("/why".to_owned())));
}

#[test]
fn g11_where_nobody_serves_a_verb_it_is_refused_and_the_question_stays_open() {
    let prompt = prompt();
    let mut pick = Pick::new(&prompt);
    type_in(&mut pick, "/why");
    press(&mut pick, &[Key::Enter]);
    let shown = picture(&pick, 100, 20);
    assert_eq!(shown.last().expect("one"), REFUSED_WORDS);
    press(&mut pick, &[Key::Home]);
    type_in(&mut pick, " ");
    assert_eq!(pick.key(Key::Enter), Step::Send(Picked::Wrote("/why".to_owned())));
    // Where no words can be written, its letters are no keys, and Enter takes no entry.
    let prompt = PickPrompt { other: None, ..prompt };
    let mut pick = Pick::new(&prompt);
    type_in(&mut pick, "/n2");
    press(&mut pick, &[Key::Enter]);
    assert_eq!(picture(&pick, 100, 20).last().expect("one"), REFUSED);
    assert_eq!(pick.key(Key::Enter), Step::Send(Picked::Choice { index: 0, note: None }));
}

#[test]
fn up_and_down_stop_at_the_ends_and_digits_jump_to_our_entries_too() {
    let prompt = prompt();
    let mut pick = Pick::new(&prompt);
    press(&mut pick, &[Key::Up]);
    assert_eq!(pick.key(Key::Enter), Step::Send(Picked::Choice { index: 0, note: None }));
    press(&mut pick, &[Key::Down; 9]);
    assert_eq!(pick.key(Key::Enter), Step::Send(Picked::Discuss));
    press(&mut pick, &[Key::Char('2')]);
    assert_eq!(pick.key(Key::Enter), Step::Send(Picked::Choice { index: 1, note: None }));
    assert_eq!(pick.key(Key::Escape), Step::Cancel);
    assert_eq!(pick.key(Key::Close), Step::Cancel);
}

#[test]
fn something_else_opens_in_place_escape_keeps_and_enter_sends_it_trimmed() {
    let prompt = prompt();
    let mut pick = Pick::new(&prompt);
    press(&mut pick, &[Key::Char('3'), Key::Enter]);
    type_in(&mut pick, "  2 boards nobody");
    let lines = picture(&pick, 80, 20);
    assert_eq!(lines[4..6], ["› 3. Something else (I'll explain)", "     ›   2 boards nobody"]);
    assert_eq!(lines.last().expect("one"), WORDS_KEYS);
    press(&mut pick, &[Key::Escape]);
    assert_eq!(picture(&pick, 80, 20)[5], "     2 boards nobody", "what was typed is seen");
    assert_eq!(pick.draft(), "  2 boards nobody");
    press(&mut pick, &[Key::Enter, Key::EraseWord, Key::Newline]);
    assert_eq!(pick.key(Key::Enter), Step::Send(Picked::Wrote("2 boards".to_owned())));
}

#[test]
fn blank_words_are_not_submitted() {
    let prompt = prompt();
    let mut pick = Pick::new(&prompt);
    press(&mut pick, &[Key::Char('3'), Key::Enter, Key::Char(' '), Key::Newline, Key::Enter]);
    assert_eq!(picture(&pick, 80, 20).last().expect("one"), "nothing is written yet; Esc goes back to the list");
    press(&mut pick, &[Key::Backspace, Key::Backspace, Key::Close]);
    assert_eq!(pick.key(Key::Close), Step::Cancel, "the first Ctrl-D went back to the list");
}

#[test]
fn a_note_stands_below_its_option_and_goes_with_it_alone() {
    let prompt = prompt();
    let mut pick = Pick::new(&prompt);
    press(&mut pick, &[Key::Down, Key::Char('n')]);
    type_in(&mut pick, "no new table");
    assert_eq!(picture(&pick, 80, 20)[4], "     note › no new table");
    press(&mut pick, &[Key::Enter]);
    assert_eq!(picture(&pick, 80, 20)[4], "     note: no new table");
    let noted = Picked::Choice { index: 1, note: Some("no new table".to_owned()) };
    assert_eq!(pick.key(Key::Enter), Step::Send(noted.clone()));
    assert_eq!(pick.outro(&noted), "2. choice two\nnote: no new table");
    press(&mut pick, &[Key::Up]);
    assert_eq!(pick.key(Key::Enter), Step::Send(Picked::Choice { index: 0, note: None }));
    press(&mut pick, &[Key::Down, Key::Char('n'), Key::EraseToStart, Key::Escape]);
    assert_eq!(pick.key(Key::Enter), Step::Send(Picked::Choice { index: 1, note: None }));
    press(&mut pick, &[Key::Down, Key::Char('n')]);
    assert_eq!(picture(&pick, 80, 20).last().expect("one"), "a note goes with one of the options above");
}

#[test]
fn everything_typed_is_the_draft_of_a_cancelled_prompt() {
    let prompt = PickPrompt { draft: "from before".to_owned(), ..prompt() };
    let mut pick = Pick::new(&prompt);
    assert_eq!(pick.draft(), "from before");
    press(&mut pick, &[Key::Char('n')]);
    type_in(&mut pick, "a note");
    assert_eq!(pick.draft(), "from before\nnote on 1. choice one: a note");
}

#[test]
fn q15_a_note_that_was_kept_comes_back_as_a_note_on_its_option() {
    let prompt = PickPrompt { draft: "note on 2. choice two: only if cheap".to_owned(), ..prompt() };
    let mut pick = Pick::new(&prompt);
    assert_eq!(pick.draft(), prompt.draft);
    assert_eq!(picture(&pick, 80, 20)[4], "     note: only if cheap");
    let noted = Picked::Choice { index: 1, note: Some("only if cheap".to_owned()) };
    assert_eq!(pick.key(Key::Enter), Step::Send(noted));
    press(&mut pick, &[Key::Char('3'), Key::Enter, Key::Enter]);
    assert_eq!(pick.options.typing(), Some(Typing::Words), "there are no words of one's own to send");
}

#[test]
fn a_paste_opens_the_editor_for_own_words_and_keeps_its_lines() {
    let prompt = prompt();
    let mut pick = Pick::new(&prompt);
    pick.paste("one\ntwo");
    assert_eq!(picture(&pick, 80, 20)[4..7], ["› 3. Something else (I'll explain)", "     › one", "       two"]);
    assert_eq!(pick.key(Key::Enter), Step::Send(Picked::Wrote("one\ntwo".to_owned())));
    let prompt = PickPrompt { other: None, ..prompt };
    let mut pick = Pick::new(&prompt);
    pick.paste("one\ntwo");
    assert_eq!(picture(&pick, 80, 20).last().expect("one"), "nothing here takes pasted text");
    press(&mut pick, &[Key::Char('n')]);
    pick.paste("why");
    assert_eq!(pick.draft(), "note on 1. choice one: why");
}

#[test]
fn the_cursor_row_of_a_long_text_is_in_sight_in_three_rows_of_twenty_columns() {
    let prompt = prompt();
    let mut pick = Pick::new(&prompt);
    assert_eq!(picture(&pick, 20, 3), ["Which?", "› 1. choice one", "Up/Down move,…"]);
    pick.paste(&"long ".repeat(100));
    type_in(&mut pick, "end");
    for rows in 1..6 {
        let lines = picture(&pick, 20, rows);
        assert!(lines.iter().any(|line| line.contains("end")), "{rows}: {lines:?}");
    }
}

#[test]
fn q8_the_question_stands_above_a_list_that_fills_the_window() {
    for question in ["Which?".to_owned(), "Which of these? ".repeat(200)] {
        let prompt = PickPrompt { question: question.clone(), choices: choices(40), ..prompt() };
        let mut pick = Pick::new(&prompt);
        assert_asks_above_its_list(&pick, &question);
        press(&mut pick, &[Key::Down, Key::Char('n')]);
        type_in(&mut pick, "no");
        let lines = picture(&pick, 20, 6);
        assert!(lines[0].starts_with("Which") && lines.iter().any(|line| line.ends_with("› no")), "{lines:?}");
    }
}

#[test]
fn it_fits_every_window() {
    let prompt = PickPrompt { choices: choices(9), ..prompt() };
    let mut pick = Pick::new(&prompt);
    assert_fits_everywhere(&pick);
    press(&mut pick, &[Key::Down, Key::Char('n')]);
    pick.paste(&"日本語 e\u{301} 👩‍👩‍👧\n".repeat(20));
    assert_fits_everywhere(&pick);
    press(&mut pick, &[Key::Escape]);
    assert_fits_everywhere(&pick);
    press(&mut pick, &[Key::Char('1'), Key::Char('0'), Key::Enter]);
    pick.paste(&"日本語 ".repeat(40));
    assert_fits_everywhere(&pick);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn whatever_is_pressed_only_options_and_written_words_are_sent(
        deeds in deeds(), cols in 1usize..50, rows in 1usize..16, own in any::<bool>(),
    ) {
        let mut prompt = prompt();
        if !own {
            (prompt.other, prompt.discuss) = (None, None);
        }
        let mut pick = Pick::new(&prompt);
        for picked in live_through(&mut pick, &deeds, Size { cols, rows }) {
            prop_assert!(!pick.outro(&picked).is_empty());
            match picked {
                Picked::Choice { index, note } => {
                    prop_assert!(index < 2);
                    prop_assert!(note.is_none_or(|note| !note.is_empty() && note.trim() == note));
                }
                Picked::Wrote(words) => prop_assert!(own && !words.is_empty() && words.trim() == words),
                Picked::Discuss => prop_assert!(own),
            }
        }
    }
}

#[test]
fn p14_a_key_toggles_plan_mode_from_a_list_too() {
    let served = PickPrompt { slash: Slash::Verb, ..prompt() };
    assert_eq!(Pick::new(&served).key(Key::PlanMode), Step::Send(Picked::Wrote("/plan".to_owned())));
    let begun = PickPrompt { draft: "half".to_owned(), ..served };
    let mut pick = Pick::new(&begun);
    assert_eq!((pick.key(Key::PlanMode), pick.draft()), (Step::Stay, "half".to_owned()));
    let elsewhere = prompt();
    assert_eq!(Pick::new(&elsewhere).key(Key::PlanMode), Step::Stay);
}
