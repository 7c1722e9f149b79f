//! Where the answers around a debate stand: in the understanding, and behind what was decided (D17).

use super::debated::{asked, back, conclude, debate, decided, end};
use super::*;
use crate::domain::checkpoint::Checkpoint;
use crate::domain::debate::Dossier;
use crate::domain::debate::dossier::decisions;
use crate::domain::text::Line;

/// The answers to the first question stand in the understanding, and none among the decisions.
#[test]
fn d17_an_answer_that_is_no_decision_keeps_the_one_that_says_the_same_and_no_other() {
    let mut game = Game::begin("add rate limiting", Intent::Plan, Intensity::Standard, rich());
    let question = game.ask().unwrap();
    let taken = question.alternatives.recommended().unwrap().label.to_string();
    debate(&mut game, Dossier::Question { question: question.id.clone() }, &[&taken]);
    let before = decided(&game);
    assert_eq!(before.len(), 1);
    game.move_on(Player::Recommended, &question);
    assert_eq!(decided(&game), before, "{}", game.session.checkpoint.as_str());
    back(&mut game, &question);
    game.move_on(Player::Last, &question);
    assert!(decided(&game).is_empty(), "{}", game.session.checkpoint.as_str());
}

/// An answer in the understanding gives way to what a debate about its question decided, until it is given again.
#[test]
fn d17_an_answer_in_the_understanding_does_not_stand_against_the_decision_of_its_question() {
    let mut game = Game::begin("add rate limiting", Intent::Plan, Intensity::Standard, rich());
    let question = game.ask().unwrap();
    game.move_on(Player::Recommended, &question);
    let text = game.session.checkpoint.as_str().to_owned();
    let understood = |text: &str| {
        text.split_once("\n## Current Understanding\n").unwrap().1.split("\n## ").next().unwrap().to_owned()
    };
    let answered = understood(&text);
    let line = answered.lines().find(|line| line.starts_with("- ")).unwrap().to_owned();
    back(&mut game, &question);
    end(&mut game, Dossier::Question { question: question.id.clone() }, &["Zebras"]);
    assert_eq!(conclude(&mut game), [line[2..].to_owned()]);
    let text = game.session.checkpoint.as_str();
    assert!(!text.contains(&line) && text.contains(&format!("  - Taken back for it: {}\n", &line[2..])), "{text}");
    game.move_on(Player::Recommended, &question);
    let text = game.session.checkpoint.as_str();
    assert!(text.contains(&line) && decided(&game).is_empty(), "{text}");
}

/// What took the place of a decision for a question may be about something else; a new answer stands with all of its lines.
#[test]
fn d17_an_answer_after_a_debate_about_a_file_lists_what_was_offered() {
    let (mut game, question) = asked();
    let file = |path: &str| Dossier::File { path: Line::parse("file", path).unwrap() };
    let whole = |game: &Game| game.session.checkpoint.as_str().matches("  - Not chosen: ").count();
    game.move_on(Player::Recommended, &question);
    let answered = whole(&game);
    let first = decided(&game).remove(0);
    debate(&mut game, Dossier::Decision { decision: first }, &["Zebras"]);
    let second = decided(&game).remove(0);
    game.session.checkpoint =
        Checkpoint::parse(&game.session.checkpoint.as_str().replace(&format!("- {second}"), "- Lions.")).unwrap();
    debate(&mut game, file("cats.md"), &["Tigers"]);
    back(&mut game, &question);
    let before = whole(&game);
    game.move_on(Player::Last, &question);
    assert_eq!(whole(&game), before + answered, "{}", game.session.checkpoint.as_str());
}

/// A challenge that was asked before a debate decided otherwise changes nothing about what was decided.
#[test]
fn d17_a_challenge_of_an_answer_that_a_debate_overruled_changes_nothing() {
    for taken in 0..3 {
        let mut game = Game::begin("add rate limiting", Intent::Plan, Intensity::Hard, rich());
        let challenge = loop {
            let question = game.ask().unwrap();
            if question.probe.as_deref().is_some_and(|probe| probe.starts_with("challenge")) {
                break question;
            }
            game.move_on(Player::Recommended, &question);
        };
        let first = decided(&game).remove(0);
        debate(&mut game, Dossier::Decision { decision: first }, &["Zebras"]);
        let before = game.session.checkpoint.clone();
        let value = challenge.alternatives.as_slice()[taken].value.to_string();
        game.answer(&challenge, &value);
        let text = game.session.checkpoint.as_str();
        assert_eq!(decisions(text), decisions(before.as_str()), "{text}");
        assert!(!text.contains("Challenged") && !text.contains("fell to its challenge"), "{text}");
    }
}

/// An answer that comes behind a decision keeps what stands below that one with it.
#[test]
fn d17_the_next_answer_comes_between_no_decision_and_the_debate_that_confirmed_it() {
    let (mut game, question) = asked();
    let taken = question.alternatives.recommended().unwrap().label.to_string();
    debate(&mut game, Dossier::Question { question: question.id.clone() }, &[&taken]);
    game.move_on(Player::Recommended, &question);
    let confirmed = decided(&game).remove(0);
    while decided(&game).len() == 1 {
        let next = game.ask().unwrap();
        game.move_on(Player::Recommended, &next);
    }
    let text = game.session.checkpoint.as_str();
    let (_, below) = text.split_once(confirmed.as_str()).unwrap();
    let (item, _) = below.split_once("\n- ").unwrap();
    assert!(item.contains("  - Confirmed in debate 1: they graze.\n") || item.ends_with("they graze."), "{text}");
}
