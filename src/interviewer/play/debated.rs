//! Questions that were debated, and are answered anew (D17).

use super::*;
use crate::domain::checkpoint::Checkpoint;
use crate::domain::debate::dossier::{decisions, of_decision};
use crate::domain::debate::part::{self, Part};
use crate::domain::debate::round::Round;
use crate::domain::debate::{Debate, Dossier, Event, Players};
use crate::domain::subsystem::Folded as _;
use crate::domain::text::Line;

/// A question whose answer is a decision; it is open.
pub(super) fn asked() -> (Game, Question) {
    let mut game = Game::begin("add rate limiting", Intent::Plan, Intensity::Standard, rich());
    while let Some(question) = game.ask() {
        let (session, seq) = (game.session.clone(), game.seq);
        game.move_on(Player::Recommended, &question);
        if !decided(&game).is_empty() {
            (game.session, game.seq) = (session, seq);
            return (game, question);
        }
        assert!(game.nonce < 100, "no decision");
    }
    panic!("no question is about a decision");
}

pub(super) fn decided(game: &Game) -> Vec<Line> {
    decisions(game.session.checkpoint.as_str())
}

/// A debate that decided this, as the checkpoint has it afterwards.
pub(super) fn debate(game: &mut Game, dossier: Dossier, all: &[&str]) {
    end(game, dossier, all);
    conclude(game);
}

/// A debate that has decided this, and is not concluded.
pub(super) fn end(game: &mut Game, dossier: Dossier, all: &[&str]) {
    let at = game.session.updated_at;
    let checkpoint = game.session.checkpoint.clone();
    let debates = &mut game.session.own.debate;
    let number = u32::try_from(debates.debates.len()).unwrap() + 1;
    if let Dossier::Decision { decision } = &dossier {
        debates.texts.insert(part::dossier(number), of_decision(decision, checkpoint.as_str()));
    }
    debates.debates.push(Debate {
        name: Line::parse("it", "It").unwrap(),
        dossier,
        most: 5,
        players: Players::ME,
        constitution: None,
        again: None,
        by: Actor::Human,
        at,
        rounds: vec![Round::default()],
        asked_next: Vec::new(),
        decided: Vec::new(),
        concluded: false,
    });
    let all: Vec<String> = all.iter().map(|one| format!("- {one}: they graze")).collect();
    let text = format!(
        "## Solution\nIt.\n### Key technical decisions\n{}\n## Assessments\n## Defended\n- It: it stood\n\nRecommendation: \
         consensus\n",
        all.join("\n")
    );
    debates.texts.insert(Part::Synthesis.path(number, 1), text);
    // However it ends, the interview goes on.
    let killed = Event::DebateDecided { decision: crate::domain::debate::Decision::Kill };
    debates.evolve(&Actor::Human, at, &killed);
}

/// Concludes it; what it takes the place of.
pub(super) fn conclude(game: &mut Game) -> Vec<String> {
    let (at, before) = (game.session.updated_at, game.session.clone());
    let number = u32::try_from(before.own.debate.debates.len()).unwrap();
    let written = concluded(&before, number).unwrap();
    game.session.own.debate.evolve(&Actor::System, at, &Event::DebateConcluded);
    assert!(game.session.own.debate.debate(number).unwrap().concluded);
    game.session.checkpoint = Checkpoint::parse(&written.checkpoint).unwrap();
    // What follows from it for the rest of the checkpoint.
    if let Some((checkpoint, _)) = compose(&before, &game.session) {
        game.session.checkpoint = checkpoint;
    }
    written.replaced
}

pub(super) fn back(game: &mut Game, question: &Question) {
    game.change(&Actor::Human, &Talk::Back { to: question.id.clone() }.into());
}

#[test]
fn d17_an_answer_to_a_debated_question_takes_the_place_of_all_that_was_decided() {
    let (mut game, question) = asked();
    debate(&mut game, Dossier::Question { question: question.id.clone() }, &["Zebras", "Lions"]);
    assert_eq!(decided(&game).len(), 2);
    game.move_on(Player::Recommended, &question);
    let text = game.session.checkpoint.as_str();
    assert!(decided(&game).len() == 1 && !text.contains("(debate 1: "), "{text}");
    assert!(!text.contains("they graze"), "{text}");
}

#[test]
fn d17_an_answer_that_says_what_a_debate_decided_confirms_it() {
    let (mut game, question) = asked();
    let taken = question.alternatives.recommended().unwrap().label.to_string();
    debate(&mut game, Dossier::Question { question: question.id.clone() }, &[&taken, "Lions"]);
    game.move_on(Player::Recommended, &question);
    let text = game.session.checkpoint.as_str();
    assert!(text.contains("  - Confirmed in debate 1: they graze.\n"), "{text}");
    let firsts: Vec<String> = decided(&game).iter().map(ToString::to_string).collect();
    assert_eq!(firsts.iter().filter(|first| first.contains("(debate 1: It)")).count(), 1, "{firsts:?}");
    assert!(firsts.len() == 2 && firsts.contains(&"Lions. (debate 1: It)".to_owned()), "{firsts:?}");
    // Another answer is no longer what the debate decided.
    back(&mut game, &question);
    game.move_on(Player::Last, &question);
    let text = game.session.checkpoint.as_str();
    assert!(decided(&game).len() == 1 && !text.contains("debate 1"), "{text}");
}

#[test]
fn d17_a_new_answer_takes_the_place_of_a_whole_chain_of_debates() {
    let (mut game, question) = asked();
    game.move_on(Player::Recommended, &question);
    let first = decided(&game).remove(0);
    let answered = game.session.checkpoint.clone();
    debate(&mut game, Dossier::Decision { decision: first }, &["Zebras", "Lions"]);
    let second = decided(&game).remove(0);
    assert_eq!(second.as_str(), "Zebras. (debate 1: It)");
    debate(&mut game, Dossier::Decision { decision: second }, &["Bears"]);
    let text = game.session.checkpoint.as_str().to_owned();
    assert!(text.contains("- Bears. (debate 2: It)") && text.contains("- Lions. (debate 1: It)"), "{text}");
    assert!(
        text.contains("\n  - Not chosen: Zebras; ") && text.contains("\n  - Taken back for it: Zebras.\n"),
        "{text}"
    );
    back(&mut game, &question);
    let (session, seq) = (game.session.clone(), game.seq);
    game.move_on(Player::Last, &question);
    let text = game.session.checkpoint.as_str();
    assert!(decided(&game).len() == 1 && !text.contains("(debate "), "{text}");
    // The same answer again stands again.
    (game.session, game.seq) = (session, seq);
    game.move_on(Player::Recommended, &question);
    let text = game.session.checkpoint.as_str();
    assert_eq!(decisions(text), decisions(answered.as_str()), "{text}");
    assert!(!text.contains("(debate "), "{text}");
}

#[test]
fn d17_d20_a_debate_that_is_concluded_takes_the_place_of_an_answer_that_was_given_meanwhile() {
    let (mut game, question) = asked();
    let start = game.session.clone();
    end(&mut game, Dossier::Question { question: question.id.clone() }, &["Zebras"]);
    game.move_on(Player::Recommended, &question);
    let answer = decided(&game).remove(0);
    assert_eq!(conclude(&mut game), [answer.to_string()]);
    let text = game.session.checkpoint.as_str();
    assert!(decided(&game).len() == 1 && text.contains("- Zebras. (debate 1: It)"), "{text}");
    assert!(text.contains(&format!("  - Taken back for it: {answer}")), "{text}");
    // So does one about a decision that an answer replaced meanwhile.
    game.session = start;
    game.move_on(Player::Recommended, &question);
    let first = decided(&game).remove(0);
    end(&mut game, Dossier::Decision { decision: first.clone() }, &["Zebras"]);
    back(&mut game, &question);
    game.move_on(Player::Last, &question);
    let answer = decided(&game).remove(0);
    assert_ne!(answer, first);
    assert_eq!(conclude(&mut game), [answer.to_string()]);
    let text = game.session.checkpoint.as_str();
    assert!(decided(&game).len() == 1 && text.contains("- Zebras. (debate 1: It)"), "{text}");
}

#[test]
fn d17_a_second_debate_about_a_question_takes_the_place_of_the_first() {
    let (mut game, question) = asked();
    let taken = question.alternatives.recommended().unwrap().label.to_string();
    let about = || Dossier::Question { question: question.id.clone() };
    debate(&mut game, about(), &[&taken, "Lions"]);
    end(&mut game, about(), &["Bears"]);
    assert_eq!(conclude(&mut game).len(), 2);
    let text = game.session.checkpoint.as_str().to_owned();
    assert!(decided(&game).len() == 1 && text.contains("- Bears. (debate 2: It)"), "{text}");
    assert!(text.contains("  - Taken back for it: Lions.\n"), "{text}");
    // What stands no longer is confirmed by no answer, and what one confirmed is confirmed by no other.
    game.move_on(Player::Recommended, &question);
    let text = game.session.checkpoint.as_str();
    assert!(decided(&game).len() == 1 && !text.contains("debate "), "{text}");
}

#[test]
fn d17_a_skipped_question_that_a_debate_decided_is_not_open() {
    let (mut game, question) = asked();
    debate(&mut game, Dossier::Question { question: question.id.clone() }, &["Zebras"]);
    game.change(&Actor::Human, &Talk::Defer { question: question.id.clone() }.into());
    let text = game.session.checkpoint.as_str();
    assert!(decided(&game).len() == 1 && !text.contains("Put off for now."), "{text}");
    let decides = |game: &Game| decided_by(&game.session, game.session.transcript.get(&question.id).unwrap());
    assert_eq!(decides(&game), Some(1));
    // Once it is answered, nothing of the debate stands, and it can be put off.
    back(&mut game, &question);
    game.move_on(Player::Recommended, &question);
    back(&mut game, &question);
    game.change(&Actor::Human, &Talk::Defer { question: question.id.clone() }.into());
    let text = game.session.checkpoint.as_str();
    assert!(decided(&game).is_empty() && text.contains("Put off for now."), "{text}");
    assert_eq!(decides(&game), None);
}

/// So is one that a debate confirmed.
#[test]
fn d17_a_skipped_question_whose_answer_a_debate_confirmed_keeps_it() {
    let (mut game, question) = asked();
    game.move_on(Player::Recommended, &question);
    let first = decided(&game).remove(0);
    debate(&mut game, Dossier::Decision { decision: first.clone() }, &[first.as_str().trim_end_matches('.')]);
    let confirmed = game.session.checkpoint.as_str().to_owned();
    assert!(confirmed.contains("  - Confirmed in debate 1: they graze.\n"), "{confirmed}");
    back(&mut game, &question);
    game.change(&Actor::Human, &Talk::Defer { question: question.id.clone() }.into());
    assert_eq!(
        decisions(game.session.checkpoint.as_str()),
        decisions(&confirmed),
        "{}",
        game.session.checkpoint.as_str()
    );
}

#[test]
fn d17_d26_who_goes_back_to_an_answer_that_a_debate_overruled_is_told_of_the_debate() {
    let (mut game, question) = asked();
    let entry = |game: &Game| game.session.transcript.get(&question.id).unwrap().clone();
    game.move_on(Player::Recommended, &question);
    back(&mut game, &question);
    assert!(!is_overruled(&game.session, &entry(&game)));
    assert_eq!(debate_about(&game.session, &entry(&game)), None);
    let first = decided(&game).remove(0);
    let start = game.session.clone();
    // A debate that came to the same overruled nothing.
    debate(&mut game, Dossier::Decision { decision: first.clone() }, &[first.as_str(), "Lions"]);
    assert!(!is_overruled(&game.session, &entry(&game)), "{}", game.session.checkpoint.as_str());
    game.session = start;
    debate(&mut game, Dossier::Decision { decision: first }, &["Zebras"]);
    assert!(is_overruled(&game.session, &entry(&game)), "{}", game.session.checkpoint.as_str());
    assert_eq!(debate_about(&game.session, &entry(&game)), Some(1));
    assert_eq!(decided_by(&game.session, &entry(&game)), Some(1));
    // A new answer holds again.
    game.move_on(Player::Last, &question);
    assert!(!is_overruled(&game.session, &entry(&game)), "{}", game.session.checkpoint.as_str());
    assert_eq!(decided_by(&game.session, &entry(&game)), None);
}

#[test]
fn d17_what_was_not_chosen_stays_so_through_a_chain_of_debates() {
    let (mut game, question) = asked();
    game.move_on(Player::Recommended, &question);
    let taken = question.alternatives.recommended().unwrap().label.to_string();
    let labels = question.alternatives.as_slice().iter().map(|one| one.label.to_string());
    let others: Vec<String> = labels.filter(|label| *label != taken).collect();
    assert!(!others.is_empty());
    let all_stand = |game: &Game| {
        let text = game.session.checkpoint.as_str();
        for label in &others {
            assert_eq!(text.matches(label.as_str()).count(), 1, "{label}: {text}");
        }
    };
    all_stand(&game);
    let answered = game.session.checkpoint.clone();
    for instead in ["Zebras", "Bears"] {
        let before = decided(&game).remove(0);
        debate(&mut game, Dossier::Decision { decision: before }, &[instead]);
        all_stand(&game);
    }
    // Nobody changed them by hand: the answer takes the place of them all.
    back(&mut game, &question);
    game.move_on(Player::Recommended, &question);
    let text = game.session.checkpoint.as_str();
    assert_eq!(decisions(text), decisions(answered.as_str()), "{text}");
    all_stand(&game);
}

#[test]
fn d17_a_second_debate_about_a_file_takes_the_place_of_the_first_and_one_about_another_file_does_not() {
    let (mut game, _) = asked();
    let file = |name: &str| Dossier::File { path: Line::parse("a path", name).unwrap() };
    debate(&mut game, file("limits.md"), &["Zebras", "Lions"]);
    debate(&mut game, file("others.md"), &["Tigers"]);
    end(&mut game, file("limits.md"), &["Bears", "Lions"]);
    assert_eq!(conclude(&mut game), ["Zebras. (debate 1: It)"]);
    let firsts: Vec<String> = decided(&game).iter().map(ToString::to_string).collect();
    assert_eq!(firsts, ["Bears. (debate 3: It)", "Lions. (debate 1: It)", "Tigers. (debate 2: It)"]);
    let text = game.session.checkpoint.as_str();
    assert!(text.contains("  - Confirmed in debate 3: they graze.\n"), "{text}");
    // One that was changed by hand stays, and is named.
    let edited = text.replacen("- Bears. (debate 3: It)", "- Bears, all of them. (debate 3: It)", 1);
    game.session.checkpoint = Checkpoint::parse(&edited).unwrap();
    end(&mut game, file("limits.md"), &["Wolves"]);
    let before = game.session.clone();
    conclude(&mut game);
    assert_eq!(kept_by_hand(&before, &game.session), ["Bears, all of them. (debate 3: It)"]);
}

/// Lets the newest debate reject an option.
pub(super) fn reject(game: &mut Game, option: &str) {
    let number = u32::try_from(game.session.own.debate.debates.len()).unwrap();
    let text = format!(
        "## Architecture overview\nIt.\n## Key technical decisions\n- Zebras: they graze\n## File structure changes\nNone.\n## \
         Potential risks\nNone.\n## Options considered\n- Zebras: chosen, they graze\n- **{option}**: no\n"
    );
    game.session.own.debate.texts.insert(Part::Proposal.path(number, 1), text);
}

#[test]
fn d17_an_answer_that_a_debate_about_the_checkpoint_rejects_gives_way_until_it_is_given_again() {
    let (mut game, question) = asked();
    game.move_on(Player::Recommended, &question);
    let (first, answered) = (decided(&game).remove(0).to_string(), game.session.checkpoint.clone());
    end(&mut game, Dossier::Checkpoint, &["Zebras"]);
    reject(&mut game, first.trim_end_matches('.'));
    assert_eq!(conclude(&mut game), std::slice::from_ref(&first));
    let text = game.session.checkpoint.as_str();
    assert!(decided(&game).len() == 1 && text.contains(&format!("\n  - Taken back for it: {first}")), "{text}");
    let entry = game.session.transcript.get(&question.id).unwrap();
    assert!(is_overruled(&game.session, entry));
    assert_eq!(decided_by(&game.session, entry), Some(1));
    back(&mut game, &question);
    game.move_on(Player::Recommended, &question);
    let text = game.session.checkpoint.as_str();
    assert_eq!(decisions(text), decisions(answered.as_str()), "{text}");
}
