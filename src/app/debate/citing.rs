//! The lines that an objection cites, as they stand in the repository now (D29).

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::app::context::Context;
use crate::domain::debate::evidence::Evidence;
use crate::domain::debate::round::{Find, Looked, Raised};
use crate::domain::harmless::on_one_line;

use super::looking::{file, in_lines};

/// So many lines before and behind the cited ones are shown.
const AROUND: usize = 2;
/// The most lines of one citation that are shown.
const MOST_LINES: usize = 40;
/// The most signs of a line that are shown.
const LONGEST: usize = 200;

/// Whether there are lines of a file to show.
pub(super) fn has_lines(raised: &Raised) -> bool {
    raised.evidence.iter().any(|looked| matches!(Evidence::parse(&looked.evidence), Evidence::Lines { .. }))
}

/// A citation, with the lines that stand there now.
pub(super) struct Place<'r> {
    looked: &'r Looked,
    lines: Vec<Standing>,
    /// Why there are no lines, or the command that shows it; or that the lines read otherwise than when they were checked.
    note: Option<String>,
}

/// A line of a file.
struct Standing {
    number: usize,
    text: String,
    is_cited: bool,
}

impl Place<'_> {
    /// For programs.
    pub(super) fn json(&self) -> Value {
        let line = |line: &Standing| json!({"line": line.number, "text": line.text, "cited": line.is_cited});
        let lines: Vec<Value> = self.lines.iter().map(line).collect();
        json!({
            "evidence": self.looked.evidence, "check": self.looked.find.in_words(), "lines": lines, "note": self.note,
        })
    }
}

/// What an objection cites, as it stands now.
pub(super) fn places<'r>(context: &Context<'_>, raised: &'r Raised) -> Vec<Place<'r>> {
    let place = |looked: &'r Looked| match Evidence::parse(&looked.evidence) {
        Evidence::Lines { path, lines, quote } => standing(context, looked, &path, lines, quote.as_deref()),
        Evidence::Commit(name) => Place { looked, lines: Vec::new(), note: Some(format!("git show --stat {name}")) },
        Evidence::Sentence(_) | Evidence::Question(_) | Evidence::Words(_) => {
            Place { looked, lines: Vec::new(), note: None }
        }
    };
    raised.evidence.iter().map(place).collect()
}

/// An objection, and below each citation the lines themselves.
pub(super) fn cited(context: &Context<'_>, raised: &Raised) -> String {
    in_words(raised, &places(context, raised))
}

/// The same, once they are looked up.
pub(super) fn in_words(raised: &Raised, places: &[Place<'_>]) -> String {
    let mut text = claimed(raised);
    for Place { looked, lines, note } in places {
        // Writing to a String cannot fail.
        let _ = write!(text, "\n\n{}", checked(looked));
        for Standing { number, text: line, is_cited } in lines {
            let _ = write!(text, "\n{} {number:>5}  {line}", if *is_cited { '>' } else { ' ' });
        }
        if let Some(note) = note {
            let _ = write!(text, "\n  {note}");
        }
    }
    if raised.evidence.is_empty() {
        text.push_str("\nno evidence (unchecked)");
    }
    text
}

/// What an objection says, in a line.
pub(super) fn claimed(raised: &Raised) -> String {
    format!("{} [{}] {}: {}", raised.id, raised.severity, raised.facet, on_one_line(&raised.claim))
}

/// A piece of evidence with the result of its check, in a line.
pub(super) fn checked(looked: &Looked) -> String {
    format!("{} ({})", on_one_line(&looked.evidence), on_one_line(&looked.find.in_words()))
}

/// What stands in these lines of a file, and around them.
fn standing<'r>(
    context: &Context<'_>,
    looked: &'r Looked,
    path: &str,
    (first, last): (u32, u32),
    quote: Option<&str>,
) -> Place<'r> {
    let none = |note: String| Place { looked, lines: Vec::new(), note: Some(note) };
    let bytes = match file(path, |path| context.citations.bytes(path)) {
        Ok(bytes) => bytes,
        Err(unread) => return none(on_one_line(&unread.to_string())),
    };
    let since = since(&looked.find, &in_lines(&bytes, (first, last), quote));
    let number = |line: u32| usize::try_from(line).unwrap_or(usize::MAX);
    let (first, last) = match &looked.find {
        Find::Moved { line } => (number(*line), number(*line)),
        Find::Found | Find::NotThere { .. } | Find::Unquoted | Find::Unchecked => (number(first), number(last)),
    };
    let file = String::from_utf8_lossy(&bytes);
    let from = first.saturating_sub(AROUND).max(1);
    let shown = last.saturating_add(AROUND).saturating_sub(from).saturating_add(1).min(MOST_LINES);
    let around = (1..).zip(file.lines()).skip(from - 1).take(shown);
    let lines: Vec<Standing> = around
        .map(|(number, line)| {
            let text = on_one_line(line).chars().take(LONGEST).collect();
            Standing { number, text, is_cited: (first..=last).contains(&number) }
        })
        .collect();
    if lines.is_empty() {
        let few = format!("the file has {} lines", file.lines().count());
        return none(since.map_or_else(|| few.clone(), |since| format!("{since}; {few}")));
    }
    Place { looked, lines, note: since }
}

/// What the same check comes to now, where that is something else. The result that is recorded stays what it was then.
fn since(then: &Find, now: &Find) -> Option<String> {
    // Why something is not there may be put in other words by another version.
    if then == now || matches!((then, now), (Find::NotThere { .. }, Find::NotThere { .. })) {
        return None;
    }
    let was = match then {
        Find::Found => "found when it was checked; the file has changed since, and".to_owned(),
        Find::Moved { line } => format!("found at line {line} when it was checked; the file has changed since, and"),
        Find::NotThere { .. } => "not there when it was checked, and".to_owned(),
        // Nothing was compared.
        Find::Unquoted | Find::Unchecked => return None,
    };
    let is = match now {
        Find::Found => "the lines that it cites hold the words now".to_owned(),
        Find::Moved { line } => {
            format!("the lines that it cites do not hold the words now; the words begin at line {line}")
        }
        Find::NotThere { why } => format!("now {why}"),
        Find::Unquoted | Find::Unchecked => return None,
    };
    Some(format!("{was} {is}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn d29_what_was_checked_stays_and_what_reads_otherwise_now_is_said() {
        let gone = || Find::NotThere { why: "these words are not in the file".to_owned() };
        let moved = |line| Find::Moved { line };
        for (then, now, expected) in [
            (Find::Found, Find::Found, None),
            (moved(2), moved(2), None),
            (gone(), Find::NotThere { why: "the file has 2 lines".to_owned() }, None),
            (Find::Unquoted, gone(), None),
            (Find::Unchecked, Find::Found, None),
            (
                Find::Found,
                moved(5),
                Some(
                    "found when it was checked; the file has changed since, and the lines that it cites do not hold the \
                     words now; the words begin at line 5",
                ),
            ),
            (
                moved(2),
                gone(),
                Some(
                    "found at line 2 when it was checked; the file has changed since, and now these words are \
                     not in the file",
                ),
            ),
            (
                gone(),
                Find::Found,
                Some("not there when it was checked, and the lines that it cites hold the words now"),
            ),
        ] {
            assert_eq!(since(&then, &now).as_deref(), expected, "{then:?} {now:?}");
        }
    }
}
