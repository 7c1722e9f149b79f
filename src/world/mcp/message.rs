//! What stands above a form. Clients hide titles, descriptions and defaults, so that everything a person needs to decide
//! stands in this text: what it is about, the choices with their reasons, why it is asked, and what it cites.

use crate::app::prompt::Choice;
use crate::domain::harmless::harmless;

/// The longest message, and the longest part of it, in characters.
const LONGEST: usize = 6000;
const LONGEST_PART: usize = 1500;

/// The parts that say something, one below the other: harmless to look at, and cut where they are long.
pub(super) fn message(parts: &[String]) -> String {
    let parts: Vec<String> =
        parts.iter().filter(|part| !part.trim().is_empty()).map(|part| cut(part, LONGEST_PART)).collect();
    cut(&harmless(&parts.join("\n")), LONGEST)
}

/// A text of at most so many characters; one that was longer says so.
fn cut(text: &str, longest: usize) -> String {
    if text.chars().count() <= longest {
        return text.to_owned();
    }
    let mut short: String = text.chars().take(longest - 1).collect();
    short.push('…');
    short
}

/// The choices with their numbers and reasons, one a line.
pub(super) fn listed(choices: &[Choice]) -> String {
    let line = |(at, choice): (usize, &Choice)| {
        let recommended = if choice.recommended { " (recommended)" } else { "" };
        let reason = choice.description.as_ref().map(|reason| format!(" – {reason}")).unwrap_or_default();
        cut(&format!("{}. {}{recommended}{reason}", at + 1, choice.label), 300)
    };
    choices.iter().enumerate().map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_bounded_and_harmless() {
        let choice = Choice {
            value: "a".to_owned(),
            label: "Redis".to_owned(),
            description: Some("it is there\u{1b}[2J".to_owned()),
            recommended: true,
        };
        let shown = message(&[String::new(), "Which?".to_owned(), listed(&[choice])]);
        assert_eq!(shown, "Which?\n1. Redis (recommended) – it is there␛[2J");
        let long = message(&vec!["é\u{202e}".repeat(100_000); 100]);
        assert!(long.chars().count() <= LONGEST && long.ends_with('…'));
        assert!(!long.contains('\u{202e}'));
    }
}
