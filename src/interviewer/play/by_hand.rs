//! Decisions of debates that were changed by hand (D17).

use super::debated::{asked, back, conclude, debate, decided, end, reject};
use super::*;
use crate::domain::checkpoint::Checkpoint;
use crate::domain::debate::Dossier;

#[test]
fn d17_a_decision_that_was_changed_by_hand_is_named_where_it_stays() {
    let (mut game, question) = asked();
    game.move_on(Player::Recommended, &question);
    let first = decided(&game).remove(0);
    end(&mut game, Dossier::Decision { decision: first.clone() }, &["Zebras"]);
    let edit = |game: &mut Game, from: &str, to: &str| {
        let text = game.session.checkpoint.as_str().replacen(&format!("- {from}"), &format!("- {to}"), 1);
        game.session.checkpoint = Checkpoint::parse(&text).unwrap();
    };
    let edited = format!("{} Mostly.", first.as_str());
    edit(&mut game, first.as_str(), &edited);
    let before = game.session.clone();
    assert_eq!(conclude(&mut game), Vec::<String>::new());
    assert_eq!(decided(&game).len(), 2);
    assert_eq!(kept_by_hand(&before, &game.session), [edited]);
    // So is the decision of a debate.
    edit(&mut game, "Zebras. (debate 1", "White zebras. (debate 1");
    back(&mut game, &question);
    let before = game.session.clone();
    game.move_on(Player::Last, &question);
    let kept = kept_by_hand(&before, &game.session);
    assert!(kept.contains(&"White zebras. (debate 1: It)".to_owned()), "{kept:?}");
    assert_eq!(kept_by_hand(&game.session, &game.session), Vec::<String>::new());
}

#[test]
fn d17_a_decision_with_a_reason_that_was_changed_by_hand_is_named_where_it_stays() {
    let (mut game, question) = asked();
    debate(&mut game, Dossier::Question { question: question.id.clone() }, &["Zebras"]);
    let text = game.session.checkpoint.as_str().replacen("they graze", "they graze, and they run", 1);
    assert_ne!(text, game.session.checkpoint.as_str());
    game.session.checkpoint = Checkpoint::parse(&text).unwrap();
    let before = game.session.clone();
    game.move_on(Player::Recommended, &question);
    let text = game.session.checkpoint.as_str();
    assert!(decided(&game).len() == 2 && text.contains("they graze, and they run"), "{text}");
    assert_eq!(kept_by_hand(&before, &game.session), ["Zebras. (debate 1: It)"]);
}

#[test]
fn d17_a_rejected_answer_with_a_line_below_it_that_was_changed_by_hand_stays_and_is_named() {
    let (mut game, question) = asked();
    game.move_on(Player::Recommended, &question);
    let first = decided(&game).remove(0).to_string();
    let text = game.session.checkpoint.as_str();
    let text = text.replacen(&format!("- {first}\n"), &format!("- {first}\n  - Mine.\n"), 1);
    game.session.checkpoint = Checkpoint::parse(&text).unwrap();
    end(&mut game, Dossier::Checkpoint, &["Zebras"]);
    reject(&mut game, first.trim_end_matches('.'));
    let before = game.session.clone();
    assert_eq!(conclude(&mut game), Vec::<String>::new());
    assert_eq!(decided(&game).len(), 2);
    assert_eq!(kept_by_hand(&before, &game.session), [first]);
}

#[test]
fn d17_who_answers_a_question_whose_debated_decision_was_edited_is_told_that_it_stays() {
    let (mut game, question) = asked();
    debate(&mut game, Dossier::Question { question: question.id.clone() }, &["Zebras", "Lions"]);
    let edited = |game: &Game| edited_for(&game.session, game.session.transcript.get(&question.id).unwrap());
    assert_eq!(edited(&game), (Vec::new(), true));
    let text = game.session.checkpoint.as_str().replacen("- Zebras", "- White zebras", 1);
    game.session.checkpoint = Checkpoint::parse(&text).unwrap();
    let white = "White zebras. (debate 1: It)".to_owned();
    assert_eq!(edited(&game), (vec![white.clone()], true));
    let text = text.replacen("- Lions. (debate 1: It)\n", "- Lions. (debate 1: It)\n  - They roar.\n", 1);
    game.session.checkpoint = Checkpoint::parse(&text).unwrap();
    assert_eq!(edited(&game), (vec![white, "Lions. (debate 1: It)".to_owned()], false));
}

/// What somebody wrote below a decision stays below the one that takes its place, as it is.
#[test]
fn d17_lines_below_a_decision_that_is_debated_stay() {
    let mine = "  - Ben checks it\n    - by Friday\n\n  A paragraph.\n\n  ```sh\n  curl\n  ```\n";
    let (mut game, question) = asked();
    game.move_on(Player::Recommended, &question);
    let first = decided(&game).remove(0);
    let text = game.session.checkpoint.as_str().to_owned();
    let at = text.find(first.as_str()).unwrap();
    let end = at + text[at..].find("\n\n").map_or(text.len() - at, |end| end + 1);
    game.session.checkpoint = Checkpoint::parse(&format!("{}{mine}{}", &text[..end], &text[end..])).unwrap();
    debate(&mut game, Dossier::Decision { decision: first }, &["Zebras"]);
    let text = game.session.checkpoint.as_str();
    assert!(text.contains(mine), "{text}");
    assert!(!text.contains("; A paragraph") && !text.contains(". A paragraph"), "{text}");
}
