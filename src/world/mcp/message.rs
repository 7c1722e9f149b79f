//! What stands above a form. Clients hide titles, descriptions and defaults, so that everything a person needs to decide
//! stands in this text: what it is about, the choices with their reasons, why it is asked, and what it cites.

use crate::app::prompt::Choice;
use crate::domain::harmless::harmless;

/// The longest message, the longest text in it, and the longest line of a list, in characters.
const LONGEST: usize = 8000;
const LONGEST_PART: usize = 1500;
const LONGEST_LINE: usize = 300;
/// Room for the line that says how many entries of a list were left out.
const MORE: usize = 60;

/// The parts that say something, one below the other: harmless to look at, and cut where they are long.
pub(super) fn message<'a>(parts: impl IntoIterator<Item = &'a str>) -> String {
    cut(&texts(parts).join("\n"), LONGEST)
}

/// The message above a form with a list: heading and question, the choices with their reasons, and the background of
/// the decision. The list gets the room that the texts leave, so that a long list hides no text.
pub(super) fn above_list<'a>(
    heading: &'a str,
    question: &'a str,
    choices: &[Choice],
    background: impl IntoIterator<Item = &'a str>,
) -> String {
    let (mut parts, behind) = (texts([heading, question]), texts(background));
    let taken: usize = parts.iter().chain(&behind).map(|part| part.chars().count() + 1).sum();
    parts.extend(Some(listed(choices, LONGEST.saturating_sub(taken))).filter(|list| !list.is_empty()));
    parts.extend(behind);
    cut(&parts.join("\n"), LONGEST)
}

/// The message above one question of a form with several questions.
pub(super) fn one_of_several(label: &str, question: &str, choices: &[Choice]) -> String {
    format!("{label}: {question}\n{}", listed(choices, LONGEST_PART)).trim_end().to_owned()
}

/// The texts that are not blank, without control characters, each cut if it is long.
fn texts<'a>(parts: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let said = parts.into_iter().filter(|part| !part.trim().is_empty());
    said.map(|part| cut(&harmless(part), LONGEST_PART)).collect()
}

/// The longest document above a form, in characters; it leaves room for the question.
const LONGEST_DOCUMENT: usize = 4000;

/// A document above its question, cut if it is too long; `whole` says where to read all of it.
pub(super) fn below(document: &str, whole: &str, question: &str) -> String {
    let document = harmless(document.trim_end());
    let shown = cut(&document, LONGEST_DOCUMENT);
    let rest = if shown == document { String::new() } else { format!("\n({whole})") };
    cut(&format!("{shown}{rest}\n\n{question}"), LONGEST)
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

/// The choices with their numbers and reasons, one per line. If they need more than this many characters, the last line
/// says how many are named only in the form.
fn listed(choices: &[Choice], longest: usize) -> String {
    let line = |(at, choice): (usize, &Choice)| {
        let recommended = if choice.recommended { " (recommended)" } else { "" };
        let reason = choice.description.as_ref().map(|reason| format!(" – {reason}")).unwrap_or_default();
        let text = format!("{}. {}{recommended}{reason}", at + 1, choice.label);
        // The further lines of a reason stand under its first, as at a terminal.
        cut(&harmless(&text).replace('\n', "\n   "), LONGEST_LINE)
    };
    let mut lines: Vec<String> = choices.iter().enumerate().map(line).collect();
    let length = |line: &String| line.chars().count() + 1;
    if lines.iter().map(length).sum::<usize>() > longest {
        let mut left = longest.saturating_sub(MORE);
        let fits = |line: &&String| {
            let room = left.checked_sub(length(line));
            left = room.unwrap_or_default();
            room.is_some()
        };
        let shown = lines.iter().take_while(fits).count();
        lines.truncate(shown);
        lines.push(format!("… and {} more, named in the form", choices.len() - shown));
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choice(label: &str, description: Option<String>, recommended: bool) -> Choice {
        Choice { value: label.to_owned(), label: label.to_owned(), description, recommended }
    }

    #[test]
    fn a_message_is_bounded_and_harmless() {
        let choice = choice("Redis", Some("it is there\u{1b}[2J".to_owned()), true);
        let shown = above_list("", "Which?", &[choice], []);
        assert_eq!(shown, "Which?\n1. Redis (recommended) – it is there␛[2J");
        let part = "é\u{202e}".repeat(100_000);
        let long = message([part.as_str(); 100]);
        assert!(long.chars().count() <= LONGEST && long.ends_with('…'));
        assert!(!long.contains('\u{202e}'));
    }

    #[test]
    fn q8_a_long_list_hides_nothing_of_what_stands_around_it() {
        let many = |count: usize| -> Vec<Choice> {
            (1..=count).map(|at| choice(&format!("topic {at}"), Some("r\u{202e}".repeat(500)), false)).collect()
        };
        let long = "q".repeat(LONGEST_PART * 2);
        let background = ["why it matters", "src/a.rs:3-4", "the topic"];
        for (question, count) in [("Which?", 6), (&*long, 6), ("Which?", 2000), (&*long, 2000)] {
            let shown = above_list("question 1", question, &many(count), background);
            assert!(shown.chars().count() <= LONGEST, "{count}");
            assert!(shown.starts_with("question 1\n") && shown.contains("\n1. topic 1 – r"), "{shown}");
            assert!(shown.ends_with(&format!("\n{}", background.join("\n"))), "{shown}");
            assert!(shown.contains("\n6. topic 6 – r"), "{shown}");
            assert_eq!(shown.contains(" more, named in the form\n"), count > 6, "{shown}");
        }
        let none = above_list("", "Which?", &[], ["why"]);
        assert_eq!(none, "Which?\nwhy");
    }
}
