//! One whole interview, kept as a document that a person can read and judge: `golden.md`. Whoever changes the wording sees
//! here what it does to a conversation.

use std::fmt::Write as _;

use crate::domain::ids::AnswerId;
use crate::domain::interview::Command as Talk;

use super::*;

/// What the person does with each question, in turn; then they take the recommendation.
const MOVES: &[&str] = &[
    "say One loud customer must not slow down the others, probably at night",
    "take",
    "take",
    "unknown",
    "take",
    "discuss We talked to operations.\nThey want to see who was stopped.",
    "skip",
    "refuse it goes live for a single customer first",
    "say It has to stay fast:\n# no extra round trip\n- and no new store",
];

fn play_aloud() -> String {
    let mut game = Game::begin("add rate limiting", Intent::Auto, Intensity::Hard, rich());
    let mut text = format!("<!-- {} as {} -->\n", game.session.topic, inferred_intent(&game.session));
    let mut moves = MOVES.iter();
    while let Some(question) = game.ask() {
        let left = estimate(&game.session);
        let probe = question.probe.as_deref().unwrap_or_default().split(":q-").next().unwrap_or_default().to_owned();
        writeln!(text, "\n**{}** ({probe}, {} to {} left)\n", question.text, left.start(), left.end()).unwrap();
        for one in question.alternatives.as_slice() {
            let mark = if one.recommended { "*" } else { "-" };
            writeln!(text, "{mark} {}: {} {}", one.label, one.value, one.description.as_ref().unwrap()).unwrap();
        }
        let doing = moves.next().copied().unwrap_or("take");
        writeln!(text, "\n> {}", doing.replace('\n', "\n> ")).unwrap();
        let words = doing.split_once(' ').map_or("", |(_, words)| words);
        match doing.split(' ').next() {
            Some("say") => game.answer(&question, words),
            Some("unknown") => game.move_on(Player::Ignorant, &question),
            Some("skip") => game.move_on(Player::Skips, &question),
            Some("refuse") => {
                let because = Prose::parse("it", words).unwrap();
                game.change(&Actor::Human, &Talk::PushBack { question: question.id.clone(), because }.into());
            }
            Some("discuss") => {
                game.change(&Actor::Human, &Talk::Discuss.into());
                let summary = Prose::parse("it", words).unwrap();
                game.change(&Actor::Human, &Talk::EndDiscussion { summary, answer: AnswerId::from_nonce(0) }.into());
                game.move_on(Player::Recommended, &question);
            }
            Some(_) | None => game.move_on(Player::Recommended, &question),
        }
        writeln!(text, "\n_{}_", game.session.last_change.as_ref().unwrap()).unwrap();
    }
    let shown = gate(&game.session);
    writeln!(text, "\n**{}**\n\n{}\n", shown.question, shown.rationale).unwrap();
    text + game.session.checkpoint.as_str()
}

#[test]
fn the_interview_reads_as_it_was_kept() {
    let now = play_aloud();
    let new = concat!(env!("CARGO_MANIFEST_DIR"), "/target/golden.md");
    if now != include_str!("golden.md") {
        std::fs::write(new, &now).unwrap();
    }
    assert!(
        now == include_str!("golden.md"),
        "read {new}, and if it is better, keep it as src/interviewer/play/golden.md"
    );
}
