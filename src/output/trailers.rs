//! What a commit of outputs says about where they come from: its subject, and trailers that git reads.

use super::inline::unstopped;
use super::material::Material;
use crate::domain::harmless::one_line;
use crate::domain::ids::SessionId;
use crate::domain::production::{Plan, PlannedOutput, TargetPath};
use crate::domain::session::Session;
use crate::domain::text::cut_at_word;

/// How wide a trailer is, its key included; what checks commit messages rarely lets longer lines pass.
const WIDEST: usize = 100;
/// How wide a subject is.
const SUBJECT: usize = 72;
/// How wide the names of the outputs are in it, before only their number is told.
const NAMES: usize = 30;
/// How many decisions are named; the rest is counted.
const MOST: usize = 12;

/// One line for the session and one for each decision of the states that the files were made of, which the session may have
/// left behind since: `Grill-Decision: <question> <what was decided>`.
pub fn trailers(id: &SessionId, states: &[Session]) -> Vec<String> {
    let mut decisions: Vec<String> = Vec::new();
    for decision in states.iter().flat_map(|state| Material::of(state).decisions) {
        let question = decision.id().map(|id| format!("{id} ")).unwrap_or_default();
        let line = clipped(&format!("Grill-Decision: {question}"), unstopped(&decision.item.text()));
        if !decisions.contains(&line) {
            decisions.push(line);
        }
    }
    let shown = if decisions.len() > MOST { MOST - 1 } else { decisions.len() };
    let rest = decisions.split_off(shown).len();
    let mut all = vec![format!("Grill-Session: {id}")];
    all.append(&mut decisions);
    if rest > 0 {
        all.push(format!("Grill-Decision: and {rest} more, in grill/sessions/{id}"));
    }
    all
}

/// A message with these trailers at its end, in the paragraph of trailers that it ends with or in one of their own. git
/// would write them, too, but acts by `trailer.*` of any configuration on them, which can start a program.
pub fn with_trailers(message: &str, trailers: &[String]) -> String {
    let message = message.trim_end();
    let before = message.lines().rev().position(|line| line.trim().is_empty());
    let ends_with_trailers = before.is_some_and(|lines| is_of_trailers(message.lines().rev().take(lines)));
    let between = if ends_with_trailers { "\n" } else { "\n\n" };
    format!("{message}{between}{}\n", trailers.join("\n"))
}

/// Whether git takes the lines of a paragraph for trailers: all of them are, or one that git itself writes is among them
/// and at most three in four are none.
fn is_of_trailers<'m>(paragraph: impl Iterator<Item = &'m str>) -> bool {
    const GITS: [&str; 2] = ["Signed-off-by: ", "(cherry picked from commit "];
    let is_gits = |line: &&str| GITS.iter().any(|start| line.starts_with(start));
    let is_keyed = |line: &&str| {
        let key = line.split_once(':').map(|(key, _)| key.trim_end()).unwrap_or_default();
        !key.is_empty() && key.chars().all(|one| one.is_ascii_alphanumeric() || one == '-')
    };
    // One that is indented goes on with the one before.
    let lines = paragraph.filter(|line| !line.starts_with([' ', '\t']));
    let (trailers, others): (Vec<&str>, Vec<&str>) = lines.partition(|line| is_gits(line) || is_keyed(line));
    others.is_empty() && !trailers.is_empty() || trailers.iter().any(is_gits) && trailers.len() * 3 >= others.len()
}

/// The subject of a commit of these files that nobody worded: `docs: <topic> (design-doc)`. An output that was left out
/// is not named.
pub fn commit_subject(session: &Session, plan: &Plan, files: &[TargetPath]) -> String {
    let mut names: Vec<String> = Vec::new();
    let held = |output: &&PlannedOutput| output.paths.iter().any(|path| files.contains(path));
    for output in plan.outputs.iter().filter(held) {
        let name = output.destination.to_string();
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let listed = names.join(", ");
    let listed = if listed.chars().count() > NAMES { format!("{} outputs", names.len()) } else { listed };
    let behind = format!(" ({})", one_line(&listed));
    let topic = fitted(&one_line(session.topic.as_str()), SUBJECT - "docs: ".len() - behind.chars().count());
    format!("docs: {topic}{behind}")
}

fn clipped(key: &str, text: &str) -> String {
    format!("{key}{}", fitted(&one_line(text), WIDEST - key.chars().count()))
}

/// As many whole words as fit; a single long one is cut.
fn fitted(text: &str, room: usize) -> String {
    if text.chars().count() <= room { text.to_owned() } else { cut_at_word(text, room - 1) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn g31_trailers_join_those_that_a_message_ends_with() {
        let ours = ["Grill-Session: s".to_owned(), "Grill-Decision: d".to_owned()];
        for (message, between) in [
            ("Subject", "\n\n"),
            ("key: subject\n", "\n\n"),
            ("Subject\n\nText: of a line\nand more.", "\n\n"),
            ("Subject\n\nReviewed-by: a\n goes on\nFixes : #1", "\n"),
            ("Subject\n\nText\n \nReviewed-by: a\n\n", "\n"),
            ("Subject\n\nSome text\nSigned-off-by: a", "\n"),
            ("Subject\n\na\nb\nc\nd\n(cherry picked from commit 1)", "\n\n"),
        ] {
            let whole = format!("{}{between}Grill-Session: s\nGrill-Decision: d\n", message.trim_end());
            assert_eq!(with_trailers(message, &ours), whole);
        }
    }

    #[test]
    fn what_is_too_long_ends_at_a_word() {
        assert_eq!(fitted("one two three", 13), "one two three");
        assert_eq!(fitted("one two three", 12), "one two…");
        assert_eq!(fitted("one, two three", 6), "one…");
        assert_eq!(fitted("übermäßig", 5), "über…");
        let key = "Grill-Decision: q-7f3k2a ";
        assert!(clipped(key, &"word ".repeat(100)).chars().count() <= WIDEST);
        assert_eq!(clipped(key, "a\nb\u{1b}[31m\tc").lines().count(), 1);
        assert!(!clipped(key, "a\u{1b}[31m").contains('\u{1b}'));
    }
}
