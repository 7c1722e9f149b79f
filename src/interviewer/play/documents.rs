//! What holds of the checkpoint whoever answers, and whatever a person does to it meanwhile.

use super::*;
use crate::domain::interview;

#[test]
fn g9_an_alternative_that_is_named_in_words_is_not_listed_as_not_chosen() {
    let mut game = Game::begin("add rate limiting", Intent::Plan, Intensity::Standard, rich());
    while let Some(question) = game.ask() {
        if !question.alternatives.as_slice().iter().any(|one| one.label.as_str() == "By address") {
            game.move_on(Player::Recommended, &question);
            continue;
        }
        game.answer(&question, "by address.");
        let text = game.session.checkpoint.as_str();
        assert!(text.contains("The limit counts by network address"), "{text}");
        assert!(text.contains("Not chosen: By cost of the call; By key or account; One limit for all."), "{text}");
        return;
    }
    panic!("nothing was asked that is counted by address");
}

#[test]
fn what_was_refused_is_asked_in_another_way_and_what_was_skipped_is_not() {
    let mut game = Game::begin("add rate limiting", Intent::Plan, Intensity::Standard, rich());
    let question = game.ask().unwrap();
    game.move_on(Player::Refuses, &question);
    let again = game.ask().unwrap();
    assert_eq!(again.dimension, question.dimension);
    assert_ne!(again.probe, question.probe);
    game.move_on(Player::Skips, &again);
    let third = game.ask().unwrap();
    assert_ne!(third.dimension, question.dimension);
    let text = game.session.checkpoint.as_str();
    assert!(text.contains("- Not taken for granted (what changes): that is not the point"), "{text}");
    assert!(text.contains("Put off for now."), "{text}");
}

#[test]
fn what_is_not_known_comes_with_a_way_to_find_out() {
    let mut game = Game::begin("add rate limiting", Intent::Plan, Intensity::Standard, rich());
    let question = game.ask().unwrap();
    game.move_on(Player::Ignorant, &question);
    let text = game.session.checkpoint.as_str();
    assert!(text.contains("- Nobody knows yet what changes."), "{text}");
    assert!(text.contains("- What will be different") && text.contains("To find out: ask the person"), "{text}");
    assert!(text.contains("without naming a solution. Begin at `src/middleware/quota.rs:41`."), "{text}");
    let shown = gate(&game.session);
    assert!(shown.rationale.as_str().contains("1 of 1 answer was “I don't know”"), "{}", shown.rationale);
    assert!(shown.rationale.as_str().starts_with("Not ready"), "{}", shown.rationale);
    assert_eq!(shown.alternatives.recommended().unwrap().value.as_str(), "continue");
}

#[test]
fn a_changed_answer_replaces_its_lines_and_no_others() {
    let mut game = Game::begin("add rate limiting", Intent::Plan, Intensity::Standard, rich());
    let first = game.ask().unwrap();
    game.answer(&first, "Nobody is starved by one loud customer");
    let second = game.ask().unwrap();
    game.move_on(Player::Recommended, &second);
    let other = second.alternatives.recommended().unwrap().value.to_string();
    game.change(&Actor::Human, &interview::Command::Back { to: first.id.clone() }.into());
    assert!(game.session.checkpoint.as_str().contains("one loud customer"), "an answer holds until it is replaced");
    game.answer(&first, "Our bill stays flat");
    let text = game.session.checkpoint.as_str();
    assert!(text.contains("- What changes: Our bill stays flat") && !text.contains("loud"), "{text}");
    assert!(text.contains(&other), "{text}");
}

#[test]
fn answers_never_break_the_document() {
    let mut game = Game::begin("add rate limiting", Intent::Plan, Intensity::Standard, rich());
    let mut hostile =
        ["# Title", "a\n## Decisions\n\n- x\n```\n## y", "- [ ] item", "\u{1b}[2J\u{7}red", "> quote\r\n---\r\n<!--"]
            .into_iter()
            .cycle();
    while let Some(question) = game.ask() {
        game.answer(&question, hostile.next().unwrap());
    }
    let text = game.session.checkpoint.as_str();
    assert_eq!(text.matches("\n## Decisions\n").count(), 1, "{text}");
    let titles: Vec<String> = crate::domain::outline::Outline::parse(text)
        .sections
        .iter()
        .filter_map(|section| section.heading.clone())
        .collect();
    assert!(
        titles.iter().skip(1).all(|title| compose::SECTIONS.contains(&title.trim_start_matches("## "))),
        "{titles:?}"
    );
    assert!(!text.chars().any(|one| one.is_control() && one != '\n'), "{text:?}");
}

/// What a person does to the document between two questions.
#[derive(Clone, Debug)]
enum Edit {
    Nothing,
    Write(usize),
    Change(usize),
    Delete(usize),
}

fn edits() -> impl proptest::strategy::Strategy<Value = Vec<(Edit, usize)>> {
    use proptest::prelude::*;
    let place = 0..200_usize;
    let edit = prop_oneof![
        Just(Edit::Nothing),
        place.clone().prop_map(Edit::Write),
        place.clone().prop_map(Edit::Change),
        place.prop_map(Edit::Delete),
    ];
    proptest::collection::vec((edit, 0..PLAYERS.len()), 3..10)
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig { cases: 12, failure_persistence: None, ..Default::default() })]

    #[test]
    fn hand_edits_survive_every_later_answer(moves in edits()) {
        let mut game = Game::begin("add rate limiting", Intent::Plan, Intensity::Hard, rich());
        let mut mine: Vec<String> = Vec::new();
        let mut deleted: Vec<String> = Vec::new();
        for (number, (edit, player)) in moves.into_iter().enumerate() {
            let mut lines: Vec<String> = game.session.checkpoint.as_str().lines().map(str::to_owned).collect();
            let bullets: Vec<usize> = (0..lines.len()).filter(|index| lines[*index].starts_with("- ")).collect();
            let pick = |place: usize| bullets.get(place % bullets.len().max(1)).copied();
            match edit {
                Edit::Nothing => {}
                Edit::Write(place) => {
                    mine.push(format!("my line {number}"));
                    lines.insert(place % (lines.len() + 1), format!("my line {number}"));
                }
                Edit::Change(place) => if let Some(index) = pick(place) {
                    mine.retain(|one| *one != lines[index]);
                    lines[index] = format!("{} (mine {number})", lines[index]);
                    mine.push(lines[index].clone());
                },
                Edit::Delete(place) => if let Some(index) = pick(place) {
                    let line = lines.remove(index);
                    mine.retain(|one| *one != line);
                    deleted.push(line);
                },
            }
            let checkpoint = crate::domain::checkpoint::Checkpoint::parse(&lines.join("\n")).unwrap();
            let summary = crate::domain::text::Line::clipped("by hand");
            let source = CheckpointSource::Editor;
            let base = game.session.checkpoint.clone();
            let update = interview::Command::UpdateCheckpoint { checkpoint, base, summary, source, answer: None };
            game.apply(&Actor::Human, &update.into());
            let Some(question) = game.ask() else { break };
            game.move_on(PLAYERS[player], &question);
            let text = game.session.checkpoint.as_str();
            for line in &mine {
                proptest::prop_assert!(text.lines().any(|one| one == line), "{line:?} is lost in {text}");
            }
            for line in &deleted {
                proptest::prop_assert!(!text.lines().any(|one| one == line), "{line:?} is back in {text}");
            }
        }
    }
}
