//! The lines that an objection cites, as they stand in the repository now (D29).

use std::fmt::Write as _;

use crate::app::context::Context;
use crate::domain::debate::evidence::Evidence;
use crate::domain::debate::round::{Find, Looked, Raised};
use crate::domain::harmless::on_one_line;

use super::looking::file;

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

/// An objection, and below each citation the lines themselves.
pub(super) fn cited(context: &Context<'_>, raised: &Raised) -> String {
    let mut text = claimed(raised);
    for looked in &raised.evidence {
        // Writing to a String cannot fail.
        let _ = write!(text, "\n\n{}", checked(looked));
        match Evidence::parse(&looked.evidence) {
            Evidence::Lines { path, lines, .. } => text.push_str(&standing(context, looked, &path, lines)),
            Evidence::Commit(name) => {
                let _ = write!(text, "\n  git show --stat {name}");
            }
            Evidence::Sentence(_) | Evidence::Question(_) | Evidence::Words(_) => {}
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

/// What stands in these lines of a file, with their numbers; the cited ones have a mark.
fn standing(context: &Context<'_>, looked: &Looked, path: &str, (first, last): (u32, u32)) -> String {
    let bytes = match file(path, |path| context.citations.bytes(path)) {
        Ok(bytes) => bytes,
        Err(unread) => return format!("\n  {}", on_one_line(&unread.to_string())),
    };
    let number = |line: u32| usize::try_from(line).unwrap_or(usize::MAX);
    let (first, last) = match &looked.find {
        Find::Moved { line } => (number(*line), number(*line)),
        Find::Found | Find::NotThere { .. } | Find::Unquoted | Find::Unchecked => (number(first), number(last)),
    };
    let file = String::from_utf8_lossy(&bytes);
    let from = first.saturating_sub(AROUND).max(1);
    let shown = last.saturating_add(AROUND).saturating_sub(from).saturating_add(1).min(MOST_LINES);
    let mut text = String::new();
    for (number, line) in (1..).zip(file.lines()).skip(from - 1).take(shown) {
        let mark = if (first..=last).contains(&number) { '>' } else { ' ' };
        let line: String = on_one_line(line).chars().take(LONGEST).collect();
        // Writing to a String cannot fail.
        let _ = write!(text, "\n{mark} {number:>5}  {line}");
    }
    if text.is_empty() { format!("\n  the file has {} lines", file.lines().count()) } else { text }
}
