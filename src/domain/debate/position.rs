//! What a proxy says for the user (D20): the three answers of a round, replies to the roles' questions, and at round 5 what
//! becomes of the debate.

use super::document::Document;
use super::event::Decision;
use super::round::Hearing;
use crate::domain::text::Prose;

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
    pub fn parse(text: &str) -> Result<Self, Vec<String>> {
        let document = Document::of(text);
        let (mut answers, mut missing) = (Vec::new(), Vec::new());
        for question in Hearing::ALL {
            let title = title(question);
            match document.field(title).as_deref().and_then(answer) {
                Some((true, None)) if question.needs_words() => {
                    missing.push(format!("what the yes of “{title}:” is about, behind a dash"));
                }
                Some((yes, words)) => answers.push((question, yes, words)),
                None => missing.push(format!("the line “{title}:” with yes or no")),
            }
        }
        let replies = document.entries("Replies").unwrap_or_default();
        let replies = replies.iter().filter_map(|entry| Prose::parse("the reply", &entry.first).ok()).collect();
        if missing.is_empty() { Ok(Self { answers, replies }) } else { Err(missing) }
    }
}

const fn title(question: Hearing) -> &'static str {
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

/// What the proxy decides at round 5.
pub fn ruling(text: &str) -> Result<Decision, Vec<String>> {
    let word = Document::of(text).field("Decision");
    match word.as_deref().map(str::to_lowercase).as_deref() {
        Some("accept") => Ok(Decision::Accept),
        Some("extend") => Ok(Decision::Extend),
        Some("kill") => Ok(Decision::Kill),
        Some(_) | None => Err(vec!["the line “Decision:” with accept, extend or kill".to_owned()]),
    }
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
        assert_eq!(Position::parse("Agree: perhaps\nMissed concern: yes\n").unwrap_err().len(), 3);
        assert_eq!(ruling("Decision: **Extend**\n"), Ok(Decision::Extend));
        assert!(ruling("Decision: table").is_err() && ruling("").is_err());
    }
}
