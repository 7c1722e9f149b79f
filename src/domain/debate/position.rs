//! What a proxy says for the user (D20): the three answers of a round, replies to the roles' questions, and at round 5, or
//! when no round is left, what becomes of the debate.

use super::course::{Settlement, Step};
use super::document::Document;
use super::event::Decision;
use super::faults::Faults;
use super::round::Hearing;
use super::rounds::Rounds;
use crate::domain::text::Prose;

pub(super) const REPLIES: &str = "Replies";
pub(super) const DECISION: &str = "Decision";

/// The proxy's answers of a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// In the order of the questions: whether it is a yes, and what it is about.
    pub answers: Vec<(Hearing, bool, Option<Prose>)>,
    /// Replies to the roles' questions, in their order.
    pub replies: Vec<Prose>,
}

impl Position {
    /// Reads a position; the error names everything that is missing.
    pub fn parse(text: &str) -> Result<Self, Faults> {
        let document = Document::of(text);
        let (mut answers, mut missing) = (Vec::new(), Faults::default());
        for question in Hearing::ALL {
            let title = title(question);
            match document.field(title).as_deref().and_then(answer) {
                Some((true, None)) if question.needs_words() => {
                    missing.lacks(format!("what the yes of “{title}:” is about, behind a dash"));
                }
                Some((yes, words)) => answers.push((question, yes, words)),
                None => missing.lacks(format!("the line “{title}:” with yes or no")),
            }
        }
        let replies = document.entries(REPLIES).unwrap_or_default();
        let replies = replies.iter().filter_map(|entry| Prose::parse("the reply", &entry.first).ok()).collect();
        if missing.is_empty() { Ok(Self { answers, replies }) } else { Err(missing) }
    }
}

/// The name of the line that answers it.
pub(super) const fn title(question: Hearing) -> &'static str {
    match question {
        Hearing::Agree => "Agree",
        Hearing::Missed => "Missed concern",
        Hearing::Override => "Override",
    }
}

/// `yes — words`, or `no`.
fn answer(text: &str) -> Option<(bool, Option<Prose>)> {
    let (word, rest) = text.split_once(|c: char| !c.is_alphabetic()).unwrap_or((text, ""));
    let yes = match &*word.to_lowercase() {
        "yes" => true,
        "no" => false,
        _ => return None,
    };
    let rest = rest.trim_start_matches(|c: char| c.is_whitespace() || "—–-:,.".contains(c));
    Some((yes, Prose::parse("the answer", rest).ok()))
}

/// What a proxy can decide at a step, each by its word: at round 5 (D13), and when no round is left (D14). It extends within
/// the bound that the user gave (D20).
fn ways(step: Step, rounds: Rounds) -> &'static [(&'static str, Decision)] {
    match step {
        Step::Decide if rounds.allows_a_proxy_to_extend() => {
            &[("accept", Decision::Accept), ("extend", Decision::Extend), ("kill", Decision::Kill)]
        }
        Step::Decide => &[("accept", Decision::Accept), ("kill", Decision::Kill)],
        Step::Settle => &[
            ("accept", Decision::Settle(Settlement::Accepted)),
            ("restart", Decision::Settle(Settlement::Restarted)),
            ("table", Decision::Settle(Settlement::Tabled)),
        ],
        Step::Propose | Step::Criticize | Step::Attack | Step::Hear | Step::Synthesize | Step::Over(_) => &[],
    }
}

/// Those words as a sentence has them, such as `accept, extend or kill`.
pub fn ways_in_words(step: Step, rounds: Rounds) -> String {
    let words: Vec<&str> = ways(step, rounds).iter().map(|(way, _)| *way).collect();
    words.split_last().map(|(last, others)| format!("{} or {last}", others.join(", "))).unwrap_or_default()
}

/// What the proxy decides at this step.
pub fn ruling(text: &str, step: Step, rounds: Rounds) -> Result<Decision, Faults> {
    let word = Document::of(text).field(DECISION).unwrap_or_default().to_lowercase();
    let found = ways(step, rounds).iter().find(|(way, _)| *way == word).map(|(_, decision)| *decision);
    found.ok_or_else(|| {
        let mut faults = Faults::default();
        faults.lacks(format!("the line “Decision:” with {}", ways_in_words(step, rounds)));
        faults
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn d20_a_position_answers_all_three_and_a_yes_says_what_it_is_about() {
        let text = "Agree: yes, in part\nMissed concern: yes — mobile clients\n**Override:** no\n## Replies\n- The store we have\n";
        let position = Position::parse(text).unwrap();
        let told: Vec<_> =
            position.answers.iter().map(|(_, yes, words)| (*yes, words.as_ref().map(Prose::as_str))).collect();
        assert_eq!(told, [(true, Some("in part")), (true, Some("mobile clients")), (false, None)]);
        assert_eq!(position.replies[0].as_str(), "The store we have");
        assert_eq!(Position::parse("Agree: perhaps\nMissed concern: yes\n").unwrap_err().items().len(), 3);
        let six = Rounds::bounded(6).unwrap();
        let five = Rounds::default();
        assert_eq!(ruling("Decision: **Extend**\n", Step::Decide, six), Ok(Decision::Extend));
        assert_eq!(
            ruling("Decision: extend\n", Step::Decide, five).unwrap_err().items(),
            ["the line “Decision:” with accept or kill"],
            "without --rounds 6 or 7 there is nothing to extend to"
        );
        assert!(ruling("Decision: table", Step::Decide, six).is_err() && ruling("", Step::Decide, six).is_err());
        assert_eq!(ruling("Decision: table\n", Step::Settle, five), Ok(Decision::Settle(Settlement::Tabled)));
        assert_eq!(
            ruling("Decision: extend", Step::Settle, five).unwrap_err().items(),
            ["the line “Decision:” with accept, restart or table"]
        );
    }
}
