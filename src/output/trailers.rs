//! What a commit of outputs says about where they come from: its subject, and trailers that git reads.

use super::inline::unstopped;
use super::material::Material;
use crate::domain::harmless::harmless;
use crate::domain::production::{Plan, PlannedOutput, TargetPath};
use crate::domain::session::Session;

/// How wide a trailer is, its key included; what checks commit messages rarely lets longer lines pass.
const WIDEST: usize = 100;
/// How wide a subject is.
const SUBJECT: usize = 72;
/// How wide the names of the outputs are in it, before only their number is told.
const NAMES: usize = 30;
/// How many decisions are named; the rest is counted.
const MOST: usize = 12;

/// One line for the session and one for each of its decisions: `Grill-Decision: <question> <what was decided>`.
pub fn trailers(session: &Session) -> Vec<String> {
    let decisions = Material::of(session).decisions;
    let mut all = vec![format!("Grill-Session: {}", session.id)];
    let shown = if decisions.len() > MOST { MOST - 1 } else { decisions.len() };
    for decision in decisions.iter().take(shown) {
        let question = decision.id().map(|id| format!("{id} ")).unwrap_or_default();
        all.push(clipped(&format!("Grill-Decision: {question}"), unstopped(&decision.item.text())));
    }
    if decisions.len() > shown {
        let rest = decisions.len() - shown;
        all.push(format!("Grill-Decision: and {rest} more, in grill/sessions/{}", session.id));
    }
    all
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
    let behind = format!(" ({})", flat(&listed));
    let topic = fitted(&flat(session.topic.as_str()), SUBJECT - "docs: ".len() - behind.chars().count());
    format!("docs: {topic}{behind}")
}

fn clipped(key: &str, text: &str) -> String {
    format!("{key}{}", fitted(&flat(text), WIDEST - key.chars().count()))
}

/// Words on one line, without what would steer a terminal that shows the log.
fn flat(text: &str) -> String {
    harmless(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// As many whole words as fit; a single long one is cut.
fn fitted(text: &str, room: usize) -> String {
    if text.chars().count() <= room {
        return text.to_owned();
    }
    let cut: String = text.chars().take(room - 1).collect();
    let whole = cut.rsplit_once(' ').map_or(cut.as_str(), |(words, _)| words);
    format!("{}…", whole.trim_end_matches([',', ';', ':', ' ']))
}

#[cfg(test)]
mod tests {
    use super::*;

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
