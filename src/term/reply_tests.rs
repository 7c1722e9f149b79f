//! The rules of the reply editor (G9), key by key.

use proptest::prelude::*;

use super::*;
use crate::term::sure::NEW;
use crate::term::testing::{assert_asks_in_sight, assert_fits_everywhere, choices, picture};

fn prompt() -> ReplyPrompt {
    let rows = [("sqlite, one file", "SQLite"), ("postgres", "Postgres"), ("flat files", "No database")];
    let choice = |(at, (value, label)): (usize, (&str, &str))| Choice {
        value: value.to_owned(),
        label: label.to_owned(),
        description: (at == 0).then(|| "nothing to install".to_owned()),
        recommended: at == 0,
    };
    ReplyPrompt {
        heading: "question 3 · scope".to_owned(),
        question: "Where does the state live?".to_owned(),
        choices: rows.into_iter().enumerate().map(choice).collect(),
        draft: String::new(),
        status: "interview · 3 answered".to_owned(),
        keys: "Tab alternatives, Enter sends".to_owned(),
        help: "/help".to_owned(),
        slash: Slash::Refused,
    }
}

fn type_in(reply: &mut Reply<'_>, text: &str) {
    for character in text.chars() {
        assert_eq!(reply.key(Key::Char(character)), Step::Stay);
    }
}

#[test]
fn it_shows_editor_choices_status_and_help() {
    let prompt = prompt();
    let mut reply = Reply::new(&prompt);
    reply.key(Key::BackTab);
    assert_eq!(
        picture(&reply, 60, 20),
        [
            "› flat files",
            "  1. SQLite (recommended)",
            "     nothing to install",
            "  2. Postgres",
            "› 3. No database",
            "interview · 3 answered",
            "Tab alternatives, Enter sends · /help",
        ]
    );
}

#[test]
fn tab_fills_the_exact_value_and_enter_sends_it() {
    let prompt = prompt();
    let mut reply = Reply::new(&prompt);
    reply.key(Key::Tab);
    assert_eq!(reply.draft(), "sqlite, one file");
    reply.key(Key::Tab);
    reply.key(Key::Tab);
    reply.key(Key::Tab);
    assert_eq!(reply.key(Key::Enter), Step::Send("sqlite, one file".to_owned()));
}

#[test]
fn a_value_that_was_edited_is_sent_as_edited_and_not_replaced() {
    let prompt = prompt();
    let mut reply = Reply::new(&prompt);
    reply.key(Key::Tab);
    type_in(&mut reply, " per user");
    reply.key(Key::Tab);
    assert_eq!(picture(&reply, 60, 20)[5..], ["your own words stay", "interview · 3 answered"]);
    assert_eq!(reply.key(Key::Enter), Step::Send("sqlite, one file per user".to_owned()));
}

#[test]
fn g11_a_slash_behind_an_untouched_alternative_begins_a_verb() {
    for keys in [[Key::Tab, Key::Tab], [Key::Char('2'), Key::Enter]] {
        let prompt = prompt();
        let mut reply = Reply::new(&prompt);
        for key in keys {
            reply.key(key);
        }
        assert_eq!(reply.draft(), "postgres");
        type_in(&mut reply, "/why");
        assert_eq!(reply.key(Key::Enter), Step::Send("/why".to_owned()));
    }
    // The alternative that stands there as the draft is untouched too.
    let prompt = ReplyPrompt { draft: "postgres".to_owned(), ..prompt() };
    let mut reply = Reply::new(&prompt);
    type_in(&mut reply, "/back");
    assert_eq!(reply.draft(), "/back");
    // In words of one's own, and within an alternative, it is a character like any other.
    let mut reply = Reply::new(&prompt);
    type_in(&mut reply, " 16/17");
    assert_eq!(reply.draft(), "postgres 16/17");
    let mut reply = Reply::new(&prompt);
    reply.key(Key::Home);
    type_in(&mut reply, "my/");
    assert_eq!(reply.draft(), "my/postgres");
    let mut reply = Reply::new(&prompt);
    reply.key(Key::Left);
    type_in(&mut reply, "/");
    assert_eq!(reply.draft(), "postgre/s");
}

#[test]
fn q15_a_key_that_a_new_question_did_not_take_is_explained() {
    let prompt = ReplyPrompt { draft: "mine".to_owned(), ..prompt() };
    let mut reply = Reply::new(&prompt);
    assert!(reply.decides(Key::Enter) && !reply.decides(Key::Char('y')));
    reply.held_back(NEW);
    assert_eq!(picture(&reply, 80, 20)[5..], [NEW, "interview · 3 answered"]);
    assert_eq!(reply.key(Key::Enter), Step::Send("mine".to_owned()));
}

#[test]
fn a_typed_word_narrows_and_comes_back() {
    let prompt = prompt();
    let mut reply = Reply::new(&prompt);
    type_in(&mut reply, "POST");
    reply.key(Key::Tab);
    assert_eq!(reply.draft(), "postgres");
    reply.key(Key::Left);
    reply.key(Key::Tab);
    assert_eq!(reply.draft(), "POST");
}

#[test]
fn up_and_down_walk_the_choices_in_one_line_and_the_lines_in_several() {
    let prompt = prompt();
    let mut reply = Reply::new(&prompt);
    reply.key(Key::Down);
    reply.key(Key::Down);
    assert_eq!(reply.draft(), "postgres");
    reply.key(Key::Newline);
    type_in(&mut reply, "x");
    reply.key(Key::Up);
    type_in(&mut reply, "|");
    assert_eq!(reply.draft(), "p|ostgres\nx");
}

#[test]
fn a_blank_reply_is_not_sent() {
    let prompt = prompt();
    let mut reply = Reply::new(&prompt);
    type_in(&mut reply, "  ");
    assert_eq!(reply.key(Key::Enter), Step::Stay);
}

#[test]
fn control_d_closes_only_an_empty_editor() {
    let mut prompt = prompt();
    assert_eq!(Reply::new(&prompt).key(Key::Close), Step::Cancel);
    prompt.draft = "kept".to_owned();
    let mut reply = Reply::new(&prompt);
    reply.key(Key::Home);
    assert_eq!(reply.key(Key::Close), Step::Stay);
    assert_eq!(reply.draft(), "ept");
    assert_eq!(reply.key(Key::Escape), Step::Cancel);
    assert_eq!(reply.draft(), "ept");
}

#[test]
fn a_paste_keeps_its_lines() {
    let prompt = prompt();
    let mut reply = Reply::new(&prompt);
    reply.paste("one\ntwo");
    assert_eq!(picture(&reply, 60, 20)[..2], ["› one", "  two"]);
    assert_eq!(reply.key(Key::Enter), Step::Send("one\ntwo".to_owned()));
}

#[test]
fn twenty_columns_and_four_rows_are_enough() {
    let prompt = prompt();
    let mut reply = Reply::new(&prompt);
    reply.key(Key::Tab);
    reply.key(Key::Tab);
    assert_eq!(picture(&reply, 20, 4), ["Where does the", "state live?", "› postgres", "› 2. Postgres"]);
    reply.key(Key::Char('!'));
    reply.paste(&"long ".repeat(30));
    let view = picture(&reply, 20, 4);
    assert!(view[1] == "state live?" && view[2].trim_start().contains("long"), "{view:?}");
}

#[test]
fn it_fits_every_window() {
    let many = ReplyPrompt { choices: choices(9), draft: "日本語 ".repeat(40), ..prompt() };
    let mut reply = Reply::new(&many);
    assert_fits_everywhere(&reply);
    reply.key(Key::Home);
    assert_fits_everywhere(&reply);
    let prompt = prompt();
    let mut reply = Reply::new(&prompt);
    reply.key(Key::BackTab);
    assert_fits_everywhere(&reply);
}

#[test]
fn q8_the_question_stays_in_sight_above_the_editor_in_every_window() {
    let question = "Which of its callers has to go on working on the day on which the first one changes, and who \
                    stands in the line above that call?";
    let prompt = ReplyPrompt { question: question.to_owned(), choices: choices(6), ..prompt() };
    let mut reply = Reply::new(&prompt);
    for key in [Key::Redraw, Key::Tab, Key::BackTab, Key::Char('x'), Key::Tab] {
        reply.key(key);
        for (cols, rows) in [(20, 8), (60, 15), (72, 24), (80, 24), (120, 40)] {
            assert_asks_in_sight(&reply, question, Size { cols, rows });
        }
    }
    // Descriptions give way first, and the picture does not repeat a question that stands above it.
    let reply = Reply::new(&prompt);
    assert_eq!(picture(&reply, 80, 20)[..3], ["› ", "  1. choice one (recommended)", "     why one would take it"]);
    assert_eq!(picture(&reply, 80, 15)[..3], ["› ", "  1. choice one (recommended)", "  2. choice two"]);
    assert!(picture(&reply, 80, 8)[0].starts_with("Which of its callers"));
}

#[test]
fn q8_help_that_is_cut_says_so() {
    let prompt = ReplyPrompt { status: String::new(), ..prompt() };
    let lines = picture(&Reply::new(&prompt), 20, 8);
    assert!(lines.last().is_some_and(|line| line == "Tab alternatives,…"), "{lines:?}");
}

proptest! {
    #[test]
    fn q8_whatever_is_asked_its_first_words_are_on_the_screen(
        words in proptest::collection::vec("[a-z語é]{1,14}", 1..80),
        (count, draft) in (0usize..14, "[a-z \n]{0,200}"),
        keys in proptest::collection::vec(proptest::sample::select(vec![Key::Tab, Key::BackTab, Key::Enter]), 0..4),
        (cols, rows) in (8usize..130, 3usize..45),
    ) {
        let question = words.join(" ");
        let prompt = ReplyPrompt { question: question.clone(), choices: choices(count), draft, ..prompt() };
        let mut reply = Reply::new(&prompt);
        for key in keys {
            reply.key(key);
            assert_asks_in_sight(&reply, &question, Size { cols, rows });
        }
        assert_asks_in_sight(&reply, &question, Size { cols, rows });
    }

    #[test]
    fn text_with_a_blank_that_is_no_value_is_never_replaced(text in "[a-z]{1,8} [a-z ]{0,20}", backwards in any::<bool>()) {
        let prompt = ReplyPrompt { draft: text.clone(), ..prompt() };
        prop_assume!(prompt.choices.iter().all(|choice| choice.value != text));
        let mut reply = Reply::new(&prompt);
        reply.key(if backwards { Key::BackTab } else { Key::Tab });
        prop_assert_eq!(reply.draft(), text);
    }

    #[test]
    fn going_round_always_comes_back_to_a_typed_word(word in "[a-zA-Z,]{1,6}", turns in 1usize..5) {
        let prompt = ReplyPrompt { draft: word.clone(), ..prompt() };
        let mut reply = Reply::new(&prompt);
        for _ in 0..turns { reply.key(Key::Tab); }
        for _ in 0..turns { reply.key(Key::BackTab); }
        prop_assert_eq!(reply.draft(), word);
    }
}

#[test]
fn a_bare_number_fills_its_choice_in_and_the_next_enter_sends_it() {
    let prompt = prompt();
    let mut reply = Reply::new(&prompt);
    type_in(&mut reply, "2");
    assert_eq!(reply.key(Key::Enter), Step::Stay);
    assert_eq!(reply.draft(), "postgres");
    assert!(picture(&reply, 60, 20).iter().any(|line| line.starts_with("Enter sends it")));
    assert_eq!(reply.key(Key::Enter), Step::Send("postgres".to_owned()));
}

#[test]
fn g9_tab_behind_a_bare_number_fills_that_choice_in_and_goes_on_from_there() {
    let prompt = prompt();
    for key in [Key::Tab, Key::BackTab] {
        let mut reply = Reply::new(&prompt);
        type_in(&mut reply, "2");
        reply.key(key);
        assert_eq!(reply.draft(), "postgres");
        reply.key(Key::Tab);
        assert_eq!(reply.draft(), "flat files");
    }
    let mut reply = Reply::new(&prompt);
    type_in(&mut reply, "7");
    reply.key(Key::Tab);
    assert_eq!(reply.draft(), "7", "there is no seventh");
}

#[test]
fn a_number_that_is_no_choice_or_is_one_is_sent_as_it_stands() {
    let mut prompt = prompt();
    let mut reply = Reply::new(&prompt);
    type_in(&mut reply, "7");
    assert_eq!(reply.key(Key::Enter), Step::Send("7".to_owned()));
    prompt.choices[2].value = "1".to_owned();
    let mut reply = Reply::new(&prompt);
    type_in(&mut reply, "1");
    assert_eq!(reply.key(Key::Enter), Step::Send("1".to_owned()));
}

#[test]
fn p14_a_key_toggles_plan_mode_where_a_verb_is_served_and_nothing_is_lost_by_it() {
    let served = ReplyPrompt { slash: Slash::Verb, ..prompt() };
    let mut reply = Reply::new(&served);
    assert_eq!(reply.key(Key::PlanMode), Step::Send("/plan".to_owned()));
    type_in(&mut reply, "half");
    assert_eq!(reply.key(Key::PlanMode), Step::Stay);
    assert_eq!(reply.draft(), "half");
    assert!(picture(&reply, 80, 20).iter().any(|line| line.contains("in an empty line")));
    let elsewhere = prompt();
    assert_eq!(Reply::new(&elsewhere).key(Key::PlanMode), Step::Stay);
}
