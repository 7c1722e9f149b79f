//! The rules of the form (P3), key by key.

use super::*;
use crate::term::slash::REFUSED_WORDS;
use crate::term::testing::{assert_asks_in_sight, assert_fits_everywhere, choices, deeds, live_through, picture};
use proptest::prelude::*;

fn prompt() -> FormPrompt {
    let question = |label: &str, count: usize, other: Option<&str>| FormQuestion {
        label: label.to_owned(),
        prompt: format!("About {label}?"),
        choices: choices(count),
        other: other.map(str::to_owned),
        ..FormQuestion::default()
    };
    let other = Some("Something else");
    let questions = vec![question("Auth", 2, other), question("Cache", 2, None), question("Name", 0, other)];
    FormPrompt { heading: "A form".to_owned(), questions }
}

fn press(form: &mut Form<'_>, keys: &[Key]) {
    for key in keys {
        assert_eq!(form.key(*key), Step::Stay, "{key:?}");
    }
}

fn type_in(form: &mut Form<'_>, text: &str) {
    for character in text.chars() {
        press(form, &[Key::Char(character)]);
    }
}

fn tabs(form: &Form<'_>) -> String {
    picture(form, 80, 20)[0].clone()
}

#[test]
fn tabs_wrap_both_ways_through_submit() {
    let prompt = prompt();
    let mut form = Form::new(&prompt);
    assert_eq!(tabs(&form), "[Auth]  Cache  Name  Submit");
    press(&mut form, &[Key::Left]);
    assert_eq!(tabs(&form), "Auth  Cache  Name  [Submit]");
    press(&mut form, &[Key::Right]);
    assert_eq!(tabs(&form), "[Auth]  Cache  Name  Submit");
    press(&mut form, &[Key::BackTab, Key::BackTab]);
    assert_eq!(tabs(&form), "Auth  Cache  [Name]  Submit");
    press(&mut form, &[Key::Tab, Key::Tab, Key::Tab]);
    assert_eq!(tabs(&form), "Auth  [Cache]  Name  Submit");
}

#[test]
fn g11_a_verb_answers_and_submits_nothing() {
    let prompt = prompt();
    let mut form = Form::new(&prompt);
    let last = |form: &Form<'_>| picture(form, 100, 20).last().cloned().expect("one");
    type_in(&mut form, "/why");
    press(&mut form, &[Key::Enter]);
    assert_eq!(last(&form), REFUSED_WORDS);
    press(&mut form, &[Key::Escape, Key::Tab]);
    type_in(&mut form, "/2");
    press(&mut form, &[Key::Enter]);
    assert_eq!(last(&form), REFUSED);
    press(&mut form, &[Key::Char('1'), Key::Enter]);
    type_in(&mut form, " /etc");
    press(&mut form, &[Key::Enter, Key::Char('2'), Key::Enter]);
    type_in(&mut form, "/yes");
    assert_fits_everywhere(&form);
    press(&mut form, &[Key::Enter]);
    assert_eq!(last(&form), REFUSED, "and the form is not submitted");
    let answers = vec![FormAnswer::choice(1), FormAnswer::choice(0), FormAnswer::own("/etc")];
    assert_eq!(form.key(Key::Enter), Step::Send(answers));
}

#[test]
fn it_looks_like_a_question_under_its_tab() {
    let prompt = prompt();
    let mut form = Form::new(&prompt);
    press(&mut form, &[Key::Down, Key::Enter, Key::Left]);
    assert_eq!(
        picture(&form, 90, 20),
        [
            "[✓ Auth]  Cache  Name  Submit",
            "About Auth?",
            "  1. choice one (recommended)",
            "     why one would take it",
            "› 2. choice two ✓",
            "     why one would take it",
            "  3. Something else",
            LIST_KEYS,
        ]
    );
}

#[test]
fn submit_lists_what_is_missing_and_sends_when_nothing_is() {
    let prompt = prompt();
    let mut form = Form::new(&prompt);
    press(&mut form, &[Key::Right, Key::Enter]);
    assert_eq!(tabs(&form), "Auth  ✓ Cache  [Name]  Submit", "an answer leads to the next question without one");
    press(&mut form, &[Key::Tab, Key::Enter]);
    let lines = picture(&form, 80, 20);
    let expected = [
        "1 of 3 answered",
        "  Auth: not answered yet",
        "  Cache: 1. choice one",
        "  Name: not answered yet",
        "› Submit",
        "still to be answered: Auth, Name",
    ];
    assert_eq!(lines[1..], expected);
    press(&mut form, &[Key::Home, Key::Enter]);
    assert_eq!(tabs(&form), "[Auth]  ✓ Cache  Name  Submit");
    press(&mut form, &[Key::Char('2'), Key::Enter]);
    type_in(&mut form, " grill ");
    press(&mut form, &[Key::Enter]);
    assert_eq!(tabs(&form), "✓ Auth  ✓ Cache  ✓ Name  [Submit]");
    press(&mut form, &[Key::Left, Key::Left, Key::Char('2'), Key::Enter]);
    assert_eq!(tabs(&form), "✓ Auth  ✓ Cache  ✓ Name  [Submit]", "an earlier answer was changed");
    let sent = vec![FormAnswer::choice(1), FormAnswer::choice(1), FormAnswer::own("grill")];
    assert_eq!(form.key(Key::Enter), Step::Send(sent.clone()));
    let expected =
        "Auth · About Auth?\n  2. choice two\nCache · About Cache?\n  2. choice two\nName · About Name?\n  grill";
    assert_eq!(form.outro(&sent), expected);
}

#[test]
fn in_a_text_entry_arrows_edit_tab_leaves_and_escape_goes_back_to_the_options() {
    let prompt = prompt();
    let mut form = Form::new(&prompt);
    press(&mut form, &[Key::Char('3'), Key::Enter]);
    type_in(&mut form, "ac");
    press(&mut form, &[Key::Left]);
    type_in(&mut form, "b");
    assert!(picture(&form, 80, 20).contains(&"     › abc".to_owned()));
    press(&mut form, &[Key::Tab]);
    assert_eq!(tabs(&form), "Auth  [Cache]  Name  Submit", "what is not sent is no answer");
    press(&mut form, &[Key::BackTab, Key::Escape]);
    assert!(picture(&form, 80, 20).contains(&"     abc".to_owned()));
    assert_eq!(form.draft(), "abc");
    assert_eq!(form.key(Key::Escape), Step::Cancel);
}

#[test]
fn words_changed_after_they_were_sent_are_no_answer_until_they_are_sent_again() {
    let prompt = prompt();
    let mut form = Form::new(&prompt);
    press(&mut form, &[Key::Char('3'), Key::Enter]);
    type_in(&mut form, "abc");
    press(&mut form, &[Key::Enter, Key::Left]);
    assert_eq!(tabs(&form), "[✓ Auth]  Cache  Name  Submit");
    press(&mut form, &[Key::Enter, Key::Char('d')]);
    assert_eq!(tabs(&form), "[Auth]  Cache  Name  Submit");
    press(&mut form, &[Key::Enter]);
    assert_eq!(tabs(&form), "✓ Auth  [Cache]  Name  Submit");
}

#[test]
fn a_question_without_options_is_typed_at_once_and_blank_is_no_answer() {
    let prompt = prompt();
    let mut form = Form::new(&prompt);
    press(&mut form, &[Key::Tab, Key::Tab, Key::Char(' '), Key::Enter]);
    assert_eq!(picture(&form, 80, 20).last().expect("one"), "nothing is written yet; Esc goes back to the list");
    press(&mut form, &[Key::Escape]);
    assert_eq!(picture(&form, 80, 20)[2], "› 1. Something else");
    form.paste("pasted\ntext");
    assert_eq!(form.draft(), " pasted\ntext");
    press(&mut form, &[Key::Enter, Key::BackTab]);
    form.paste("x");
    assert_eq!(picture(&form, 80, 20).last().expect("one"), "nothing here takes pasted text");
    press(&mut form, &[Key::BackTab, Key::BackTab]);
    form.paste("x");
    assert_eq!(picture(&form, 80, 20).last().expect("one"), "nothing here takes pasted text");
    assert_eq!(form.key(Key::Close), Step::Cancel);
}

#[test]
fn in_small_windows_the_question_and_the_row_one_is_on_are_seen() {
    let prompt = prompt();
    let mut form = Form::new(&prompt);
    assert_eq!(picture(&form, 20, 3), ["[Auth]  Cache  …", "About Auth?", "› 1. choice one"]);
    press(&mut form, &[Key::BackTab, Key::Enter]);
    assert_eq!(picture(&form, 20, 3), ["0 of 3 answered", "› Submit", "still to be…"]);
}

#[test]
fn q8_the_question_stands_above_a_list_that_fills_the_window() {
    for question in ["Which of them?".to_owned(), "Which of these topics? ".repeat(100)] {
        let mut prompt = prompt();
        prompt.questions[0].prompt.clone_from(&question);
        prompt.questions[0].choices = choices(40);
        let mut form = Form::new(&prompt);
        for key in [Key::Redraw, Key::PageDown, Key::End, Key::Enter] {
            press(&mut form, &[key]);
            for (cols, rows) in [(20, 2), (20, 3), (20, 6), (80, 8), (80, 24)] {
                assert_asks_in_sight(&form, &question, Size { cols, rows });
                let lines = picture(&form, cols, rows);
                assert!(lines.iter().any(|line| line.contains('›')), "{cols}x{rows}: {lines:?}");
            }
        }
        // A warning takes a row as well.
        form.paste("/why");
        press(&mut form, &[Key::Enter]);
        for (cols, rows) in [(20, 3), (20, 6), (80, 8)] {
            assert_asks_in_sight(&form, &question, Size { cols, rows });
        }
    }
}

#[test]
fn it_fits_every_window() {
    let mut prompt = prompt();
    prompt.questions[0].prompt = "Where does 日本語 go?\n".repeat(9);
    prompt.questions[1].label = "a label 日本語 that is long".to_owned();
    let mut form = Form::new(&prompt);
    for _ in 0..4 {
        assert_fits_everywhere(&form);
        form.paste(&"日本語 ".repeat(40));
        assert_fits_everywhere(&form);
        press(&mut form, &[Key::Tab]);
    }
    press(&mut form, &[Key::BackTab, Key::Enter]);
    assert_fits_everywhere(&form);
}

#[test]
fn a_long_question_stands_above_the_form_in_full() {
    let mut prompt = prompt();
    prompt.questions[1].prompt = "one\ntwo\nthree\nfour\nfive\nsix\nseven".to_owned();
    let mut form = Form::new(&prompt);
    let theme = Theme::new(crate::term::settings::Colours::Off, crate::term::settings::Marks::Unicode);
    assert_eq!(form.intro(40, &theme), ["A form", "Cache · one", "two", "three", "four", "five", "six", "seven"]);
    press(&mut form, &[Key::Tab]);
    assert_eq!(picture(&form, 40, 8)[1..4], ["one", "two…", "› 1. choice one (recommended)"]);
}

fn rich() -> FormPrompt {
    let question = FormQuestion {
        label: "Locks".to_owned(),
        prompt: "Which of these?".to_owned(),
        choices: choices(3),
        other: Some("Something else".to_owned()),
        kind: Kind::Many,
        note: true,
        previews: vec![None, Some("# Two\n\nIt waits.".to_owned())],
    };
    let other = FormQuestion { kind: Kind::One, label: "Name".to_owned(), ..question.clone() };
    FormPrompt { heading: String::new(), questions: vec![question, other] }
}

#[test]
fn p18_several_are_chosen_with_space_and_sent_with_what_stands_beside_them() {
    let prompt = rich();
    let mut form = Form::new(&prompt);
    press(&mut form, &[Key::Enter]);
    assert!(picture(&form, 100, 20).last().is_some_and(|line| line.contains("Space chooses")), "nothing is chosen yet");
    press(&mut form, &[Key::Char(' '), Key::Down, Key::Down, Key::Char(' '), Key::Char('n')]);
    type_in(&mut form, "so");
    press(&mut form, &[Key::Enter, Key::Down, Key::Enter]);
    type_in(&mut form, "mine too");
    press(&mut form, &[Key::Enter, Key::Up, Key::Enter]);
    assert_eq!(tabs(&form), "✓ Locks  [Name]  Submit");
    // A changed answer is none (P3).
    press(&mut form, &[Key::BackTab, Key::Char(' ')]);
    assert!(tabs(&form).starts_with("[Locks]"));
    press(&mut form, &[Key::Char(' '), Key::Enter, Key::Down, Key::Char('n')]);
    type_in(&mut form, "why");
    press(&mut form, &[Key::Escape, Key::Enter]);
    let several = FormAnswer {
        chosen: vec![0, 2],
        other: Some("mine too".to_owned()),
        note: Some(format!("{}: so", prompt.questions[0].choices[2].label)),
    };
    assert_eq!(
        form.key(Key::Enter),
        Step::Send(vec![several, FormAnswer { note: Some("why".to_owned()), ..FormAnswer::choice(1) }])
    );
}

#[test]
fn p18_the_preview_of_the_option_in_focus_stands_below_it() {
    let prompt = rich();
    let mut form = Form::new(&prompt);
    assert!(!picture(&form, 80, 24).iter().any(|line| line.contains("# Two")));
    press(&mut form, &[Key::Down]);
    for columns in [20, 80, 120] {
        let picture = picture(&form, columns, 24);
        let at = picture.iter().position(|line| line.contains("| # Two")).expect("the preview");
        assert!(picture[..at].iter().any(|line| line.contains("choice two")), "{picture:?}");
        assert!(picture[at..].iter().any(|line| line.contains("| It waits.")), "{picture:?}");
    }
    assert_fits_everywhere(&form);
}

#[test]
fn p3_a_single_question_is_answered_without_a_tab_to_submit() {
    let mut prompt = rich();
    prompt.questions.truncate(1);
    let mut form = Form::new(&prompt);
    press(&mut form, &[Key::Char(' '), Key::Tab]);
    let several = FormAnswer { chosen: vec![0], other: None, note: None };
    assert_eq!(form.key(Key::Enter), Step::Send(vec![several]));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn whatever_is_pressed_a_form_is_sent_whole(deeds in deeds(), cols in 1usize..50, rows in 1usize..16) {
        let prompt = prompt();
        let mut form = Form::new(&prompt);
        for answers in live_through(&mut form, &deeds, Size { cols, rows }) {
            prop_assert_eq!(answers.len(), prompt.questions.len());
            for (answer, question) in answers.iter().zip(&prompt.questions) {
                match (answer.chosen.as_slice(), &answer.other) {
                    ([index], None) => prop_assert!(*index < question.choices.len()),
                    ([], Some(words)) => {
                        prop_assert!(question.other.is_some() && !words.is_empty() && words.trim() == words);
                    }
                    (_, Some(_) | None) => prop_assert!(false, "none of them takes several"),
                }
            }
        }
    }
}
