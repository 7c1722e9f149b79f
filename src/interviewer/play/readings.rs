//! What the interviewer makes of answers: contradictions, refusals, challenges that turn a decision round, lenses, and what
//! the gate says about answers that were waved through.

use super::*;
use crate::domain::citations::{Fate, Rechecked, Seen};
use crate::domain::interview::{Command as Talk, TranscriptEntry};

fn game(intensity: Intensity) -> Game {
    Game::begin("add rate limiting", Intent::Plan, intensity, rich())
}

/// Answers with the recommendation until a probe of this beginning is asked.
fn until(game: &mut Game, probe: &str) -> Question {
    for _ in 0..TOO_MANY {
        let question = game.ask().unwrap_or_else(|| panic!("{probe} was never asked"));
        if question.probe.as_deref().is_some_and(|one| one.starts_with(probe)) {
            return question;
        }
        game.move_on(Player::Recommended, &question);
    }
    panic!("no end in sight");
}

fn take(game: &mut Game, question: &Question, label: &str) {
    let taken = question.alternatives.as_slice().iter().find(|one| one.label.as_str() == label);
    let value = taken.unwrap_or_else(|| panic!("no {label} in {question:?}")).value.to_string();
    game.answer(question, &value);
}

fn numbered(game: &Game, number: u32) -> TranscriptEntry {
    game.session.transcript.numbered(number).unwrap().clone()
}

/// An interview in which question 2 is answered with another number than question 1.
fn contradicted(intensity: Intensity) -> (Game, Question) {
    let mut game = game(intensity);
    let first = game.ask().unwrap();
    game.answer(&first, "Nobody is starved. A counter lives for 2 days.");
    let second = game.ask().unwrap();
    game.answer(&second, "A counter lives for 7 days");
    let question = game.ask().unwrap();
    (game, question)
}

#[test]
fn a_contradiction_is_asked_about_before_anything_else_at_every_intensity() {
    for intensity in Intensity::ALL.iter().copied() {
        let (mut game, question) = contradicted(intensity);
        let text = question.text.as_str();
        assert!(text.contains("Question 1: “A counter lives for 2 days”"), "{intensity}: {text}");
        assert!(text.contains("Question 2: “A counter lives for 7 days”"), "{intensity}: {text}");
        let both = [numbered(&game, 1).question.id, numbered(&game, 2).question.id];
        assert!(both.iter().all(|id| question.builds_on.contains(id)), "a changed answer makes it stale");
        game.session.transcript.asked.pop();
        let rationale = gate(&game.session).rationale;
        assert!(rationale.as_str().contains("Questions 1 and 2 were answered in ways that do not go"), "{rationale}");
        assert!(rationale.as_str().contains(" would be asked first; answers may add more."));
    }
}

#[test]
fn the_answer_to_a_contradiction_says_which_one_is_left() {
    for (label, stays, goes) in [
        ("The later one", "A counter lives for 7 days.", "  A counter lives for 2 days."),
        ("The earlier one", "  A counter lives for 2 days.", "- What is counted: A counter"),
    ] {
        let (mut game, question) = contradicted(Intensity::Standard);
        let before = game.session.checkpoint.as_str().to_owned();
        assert!(before.contains(stays) && before.contains(goes), "{before}");
        take(&mut game, &question, label);
        let text = game.session.checkpoint.as_str();
        assert!(text.contains(stays) && !text.contains(goes), "{label}: {text}");
        assert!(text.contains("  - Taken back for it: “"), "{label}: {text}");
        assert!(text.contains("- What changes: Nobody is starved."), "the other sentence stays: {text}");
        let next = game.ask().unwrap();
        assert!(!next.text.as_str().contains("go together"), "once is enough: {}", next.text);
        assert_eq!(game.session.transcript.answered().count(), 3, "no answer is lost");
    }
    let (mut game, question) = contradicted(Intensity::Standard);
    take(&mut game, &question, "Both, of different things");
    let text = game.session.checkpoint.as_str();
    assert!(text.contains("Nobody is starved") && text.contains("lives for 7 days."), "{text}");
    assert!(text.contains("Both hold, since they speak of different things."), "{text}");
}

#[test]
fn a_contradiction_settled_in_other_words_replaces_both() {
    let (mut game, question) = contradicted(Intensity::Standard);
    game.answer(&question, "It lives as its key does");
    let text = game.session.checkpoint.as_str();
    assert!(text.contains("It lives as its key does."), "{text}");
    assert!(!text.contains("for 2 days.") && !text.contains("- What is counted:"), "{text}");
    assert!(text.contains("- What changes: Nobody is starved.\n"), "{text}");
    assert_eq!(text.matches("Taken back for it").count(), 2, "{text}");
}

/// An older version saw more, and asked about it: what its question quoted is what was taken back.
#[test]
fn a_contradiction_that_the_rules_do_not_see_any_more_stays_settled() {
    let (mut game, question) = contradicted(Intensity::Standard);
    let older = |text: &Prose| {
        let text = text.as_str().replace("A counter lives for 2 days", "It works without a database");
        Prose::parse("it", &text.replace("A counter lives for 7 days", "It is stored in postgres")).unwrap()
    };
    for asked in &mut game.session.transcript.asked {
        asked.question.text = older(&asked.question.text);
        for answer in &mut asked.answers {
            answer.text = older(&answer.text);
        }
    }
    take(&mut game, &question, "The later one");
    let heard = SessionReading::of(&game.session);
    assert!(matches!(heard.withdrawn(), [one] if one.sentence() == Some("It works without a database")));
    let change = game.session.last_change.as_ref().unwrap().to_string();
    assert!(change.starts_with("Beside “It works without a database”: The later answer holds"), "{change}");
    let text = game.session.checkpoint.as_str();
    assert!(text.contains("- Taken back for it: “It works without a database” (question 1)."), "{text}");
}

#[test]
fn alternatives_that_exclude_one_another_contradict() {
    let mut game = game(Intensity::Hard);
    let where_ = until(&mut game, "scope.non-goals");
    take(&mut game, &where_, "No change to what exists");
    let place = until(&mut game, "tradeoffs.where");
    take(&mut game, &place, "In its place");
    let question = game.ask().unwrap();
    assert!(question.probe.as_deref().unwrap().starts_with("contradiction:"), "{question:?}");
    assert!(question.text.as_str().contains("keeps its behaviour"), "{}", question.text);
}

#[test]
fn whoever_contradicts_themselves_on_purpose_is_left_alone_after_three() {
    let mut game = game(Intensity::Gentle);
    let mut asked = Vec::new();
    while let Some(question) = game.ask() {
        let contradicts = question.probe.as_deref().unwrap().starts_with("contradiction:");
        match (contradicts, asked.len() % 2) {
            (true, _) => take(&mut game, &question, "Both, of different things"),
            (false, 0) => game.answer(&question, "A counter lives for 2 days"),
            (false, _) => game.answer(&question, "A counter lives for 7 days"),
        }
        asked.push(contradicts);
        assert!(asked.len() < TOO_MANY);
    }
    assert_eq!(asked.iter().filter(|one| **one).count(), 3);
}

#[test]
fn a_refusal_is_quoted_by_the_next_question_about_the_same() {
    let mut game = game(Intensity::Standard);
    let question = game.ask().unwrap();
    let because = Prose::parse("it", "Nothing changes for anybody. We are told to do it.").unwrap();
    game.change(&Actor::Human, &Talk::PushBack { question: question.id.clone(), because }.into());
    let again = game.ask().unwrap();
    let text = again.text.as_str();
    assert!(text.starts_with("Question 1 was the wrong one, you said: “Nothing changes for anybody. We"), "{text}");
    assert!(text.contains("Another question in its place: "), "{text}");
    game.move_on(Player::Recommended, &again);
    let third = game.ask().unwrap();
    assert!(!third.text.as_str().contains("wrong one"), "said once: {}", third.text);
}

#[test]
fn a_decision_that_falls_to_its_challenge_is_replaced() {
    let mut game = game(Intensity::Hard);
    let challenge = until(&mut game, "challenge:0");
    let decided = numbered(&game, u32::try_from(game.session.transcript.asked.len()).unwrap() - 1);
    let said = decided.answer().unwrap().text.to_string();
    let number = format!("In question {} you decided: “", decided.number);
    assert!(challenge.text.as_str().starts_with(&number), "{}", challenge.text);
    take(&mut game, &challenge, "The other way after all");
    let text = game.session.checkpoint.as_str();
    assert!(!text.contains(&format!("- {said}")), "{text}");
    assert!(text.contains("which fell to its challenge."), "{text}");
    let rest = game.play(Player::Recommended);
    let quoted = format!("“{}”", said.trim_end_matches('.'));
    assert!(rest.iter().all(|question| !question.text.as_str().contains(&quoted)), "nothing is built on it");
}

#[test]
fn lenses_are_deepened_with_a_decision_that_was_made() {
    let mut game = game(Intensity::Adversarial);
    let story = until(&mut game, "risks.premortem");
    game.answer(&story, "The first single case worked from end to end, and nobody built the second one");
    let deeper = until(&mut game, "deepen:premortem");
    let text = deeper.text.as_str();
    assert!(text.contains("nobody built the second one"), "{text}");
    assert!(text.contains("“First comes a single case from end to end"), "the nearest decision: {text}");
    game.move_on(Player::Recommended, &deeper);
    let checkpoint = game.session.checkpoint.as_str();
    assert!(
        checkpoint.contains("  - What follows from it: The story begins with something that nobody"),
        "{checkpoint}"
    );
    for intensity in [Intensity::Gentle, Intensity::Standard, Intensity::Hard] {
        let mut quiet = self::game(intensity);
        let asked = quiet.play(Player::Recommended);
        assert!(asked.iter().all(|question| !question.probe.as_deref().unwrap().starts_with("deepen:")));
    }
}

#[test]
fn what_is_measurable_is_not_measured() {
    for (text, expected) in [
        ("It has to be fast", Some("fast")),
        ("It has to be fast, under 50 ms", None),
        ("Users like Ada in support see it", None),
        ("Our users see it", Some("users")),
        ("No user notices the limit", None),
    ] {
        let mut game = game(Intensity::Standard);
        let question = game.ask().unwrap();
        game.answer(&question, text);
        let next = game.ask().unwrap();
        let measured = next.probe.as_deref().unwrap().starts_with("measure:");
        assert_eq!(measured, expected.is_some(), "{text}: {}", next.text);
        if let Some(word) = expected {
            assert!(next.text.as_str().contains(&format!("“{word}” in question 1")), "{}", next.text);
        }
    }
}

#[test]
fn the_gate_names_sentences_that_no_answer_supports() {
    let mut game = game(Intensity::Gentle);
    let question = game.ask().unwrap();
    game.answer(&question, "One loud customer must not slow down the others");
    let text = format!(
        "{}\n- The loud customer slows down nobody.\n- We rewrite everything in Haskell. Then we sell it to a bank.\n",
        game.session.checkpoint.as_str()
    );
    let checkpoint = crate::domain::checkpoint::Checkpoint::parse(&text).unwrap();
    let summary = crate::domain::text::Line::clipped("by hand");
    let source = CheckpointSource::WorkingTree;
    let base = game.session.checkpoint.clone();
    game.apply(&Actor::Unattended, &Talk::UpdateCheckpoint { checkpoint, base, summary, source, answer: None }.into());
    let shown = gate(&game.session);
    let named: Vec<&str> = shown.findings.unsupported.iter().map(crate::domain::text::Line::as_str).collect();
    assert_eq!(named, ["We rewrite everything in Haskell.", "Then we sell it to a bank."]);
    assert!(
        shown.rationale.as_str().contains("No answer supports this in the checkpoint: “We rewrite"),
        "{}",
        shown.rationale
    );
}

#[test]
fn the_gate_flags_answers_whose_evidence_changed() {
    let blob = |digit: char| Some(crate::domain::ids::ObjectId::parse(&digit.to_string().repeat(40)).unwrap());
    let mut facts = rich();
    facts.related[0].at.blob = blob('1');
    let mut game = Game::begin("add rate limiting", Intent::Plan, Intensity::Gentle, facts.clone());
    let question = game.ask().unwrap();
    game.answer(&question, "One loud customer must not starve the others");
    assert!(gate(&game.session).findings.doubted.is_empty());
    let at = facts.related[0].at.clone();
    let changed = Rechecked { at, fate: Fate::Changed, seen: Seen::Head, now: blob('2') };
    game.change(&Actor::System, &Talk::RecordCitations(vec![changed]).into());
    let shown = gate(&game.session);
    assert_eq!(shown.findings.doubted[0].question, 1);
    let said =
        "In doubt: question 1 (“One loud customer must not starve the others”), since src/middleware/quota.rs:41 says";
    assert!(shown.rationale.as_str().contains(said), "{}", shown.rationale);
    assert_eq!(shown.rationale.as_str().matches("In doubt").count(), 1, "said once");
}

#[test]
fn an_answer_changes_only_the_lines_that_it_concerns() {
    for (player, intensity) in [
        (Player::Recommended, Intensity::Hard),
        (Player::OwnWords, Intensity::Adversarial),
        (Player::Ignorant, Intensity::Hard),
        (Player::Last, Intensity::Standard),
    ] {
        let mut game = game(intensity);
        while let Some(question) = game.ask() {
            let before: Vec<String> = game.session.checkpoint.as_str().lines().map(str::to_owned).collect();
            game.move_on(player, &question);
            let after: Vec<String> = game.session.checkpoint.as_str().lines().map(str::to_owned).collect();
            // New answers only add, unless they take one back; what stays keeps its order.
            let probe = question.probe.as_deref().unwrap();
            if probe.starts_with("contradiction:") || probe.starts_with("challenge:") {
                continue;
            }
            let mut rest = after.iter();
            for line in &before {
                assert!(rest.any(|one| one == line), "{probe} moved or removed {line:?}");
            }
        }
    }
}
