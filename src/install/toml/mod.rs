//! Our entries in TOML files, put in, updated and taken out without another byte being touched.

pub mod rule;
pub mod server;

use std::ops::Range;

use toml_edit::Document;

use super::trouble::{Trouble, line_of};

fn parsed(text: &str) -> Result<Document<&str>, Trouble> {
    Document::parse(text).map_err(|error| Trouble::Broken {
        line: line_of(text, error.span().map_or(0, |span| span.start)),
        why: error.message().lines().next().unwrap_or_default().to_owned(),
    })
}

fn newline(text: &str) -> &'static str {
    if text.contains("\r\n") { "\r\n" } else { "\n" }
}

/// A range of lines with the line end in front of it, which was put in with them. Where something was written behind them
/// since, that line end is given up only if it ends no line of somebody else's.
fn with_line_end_before(text: &str, lines: Range<usize>) -> Range<usize> {
    let without_line_end =
        |text: &str| text.strip_suffix('\n').map(|rest| rest.strip_suffix('\r').unwrap_or(rest).len());
    let before = &text[..lines.start];
    let start = without_line_end(before).unwrap_or(lines.start);
    let blank = start == 0 || before[..start].ends_with('\n');
    if blank || lines.end == text.len() { start..lines.end } else { lines }
}
