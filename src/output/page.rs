//! The last hand on a document, whoever wrote its template: one blank line at a time, no space at the end of a line, one
//! line end at the end, headings that never skip a level, no heading without anything below it, and links to cited files.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::inline::code_span;
use crate::domain::outline::{Fences, Stands};

/// A document in its final form.
pub(super) fn finished(text: &str) -> String {
    let mut lines: Vec<Line> = Vec::new();
    // A fence may be the whole of a bullet.
    let mut code = Fences::new(Stands::BehindMarks);
    for line in text.lines() {
        let line = line.trim_end();
        let read = if code.holds(line) { Line::Text(line.to_owned()) } else { Line::read(line) };
        let twice = read == Line::Blank && lines.last().is_none_or(|last| *last == Line::Blank);
        if !twice {
            lines.push(read);
        }
    }
    let mut page = String::new();
    for line in stepped(without_empty(lines)) {
        match line {
            Line::Blank => {}
            Line::Heading(level, title) => {
                let _ = write!(page, "{} {title}", "#".repeat(level));
            }
            Line::Text(text) => page.push_str(&text),
        }
        page.push('\n');
    }
    while page.ends_with("\n\n") {
        page.pop();
    }
    page
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Line {
    Blank,
    Heading(usize, String),
    Text(String),
}

impl Line {
    fn read(line: &str) -> Self {
        let level = line.bytes().take_while(|one| *one == b'#').count();
        if line.is_empty() {
            Self::Blank
        } else if (1..=6).contains(&level) && line[level..].starts_with(' ') {
            Self::Heading(level, line[level..].trim().to_owned())
        } else {
            Self::Text(line.to_owned())
        }
    }
}

/// Leaves out headings below which nothing stands; the title stays.
fn without_empty(lines: Vec<Line>) -> Vec<Line> {
    let mut kept: Vec<Line> = Vec::new();
    // What level the next thing below has, seen from the end.
    let mut below: Option<usize> = None;
    for line in lines.into_iter().rev() {
        match &line {
            Line::Blank => {}
            Line::Heading(level, _) => {
                if *level > 1 && below.is_none_or(|below| below <= *level) {
                    // Nothing is below it but what is on its own level or above.
                    while kept.last() == Some(&Line::Blank) {
                        kept.pop();
                    }
                    continue;
                }
                below = Some(*level);
            }
            // A line across the page ends what is above it.
            Line::Text(text) if text == "---" => below = Some(0),
            Line::Text(_) => below = Some(usize::MAX),
        }
        kept.push(line);
    }
    kept.reverse();
    let mut single: Vec<Line> = Vec::new();
    for line in kept {
        let twice = line == Line::Blank && single.last().is_none_or(|last| *last == Line::Blank);
        if !twice {
            single.push(line);
        }
    }
    single
}

/// Headings that go down one level at a time, with blank lines around them.
fn stepped(lines: Vec<Line>) -> Vec<Line> {
    let mut page: Vec<Line> = Vec::new();
    let mut before = 0;
    for line in lines {
        let after_heading = matches!(page.last(), Some(Line::Heading(..)));
        match line {
            Line::Heading(level, title) => {
                if page.last().is_some_and(|last| *last != Line::Blank) {
                    page.push(Line::Blank);
                }
                // A document has one title.
                let level = level.max(if before == 0 { 1 } else { 2 }).min(before + 1);
                before = level;
                page.push(Line::Heading(level, title));
            }
            Line::Text(text) => {
                if after_heading {
                    page.push(Line::Blank);
                }
                page.push(Line::Text(text));
            }
            Line::Blank => page.push(Line::Blank),
        }
    }
    page
}

/// Makes links of cited files, as seen from the document's own place: `` `src/a.rs:8` `` leads to that line.
pub(super) fn linked(text: &str, target: &str, cited: &BTreeSet<String>) -> String {
    let mut page = String::with_capacity(text.len());
    let mut code = Fences::new(Stands::BehindMarks);
    for line in text.split_inclusive('\n') {
        // A heading is linked to, and does not link.
        if code.holds(line.trim_end()) || line.starts_with('#') {
            page.push_str(line);
        } else {
            page.push_str(&linked_line(line, target, cited));
        }
    }
    page
}

fn linked_line(line: &str, target: &str, cited: &BTreeSet<String>) -> String {
    let mut made = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find('`') {
        made.push_str(&rest[..at]);
        let span = &rest[at..at + code_span(&rest[at..])];
        let code = span.trim_matches('`');
        let single = span.len() == code.len() + 2;
        // What is in brackets may be a link already.
        let inside = made.matches('[').count() > made.matches(']').count();
        match place(code, cited).filter(|_| single && !inside) {
            Some((path, anchor)) => {
                let way = relative(target, path);
                let bracket = way.contains([' ', '(', ')']);
                let way = if bracket { format!("<{way}{anchor}>") } else { format!("{way}{anchor}") };
                let _ = write!(made, "[{span}]({way})");
            }
            None => made.push_str(span),
        }
        rest = &rest[at + span.len()..];
    }
    made.push_str(rest);
    made
}

/// A cited file, and the lines of it, as an address has them.
fn place<'c>(code: &'c str, cited: &BTreeSet<String>) -> Option<(&'c str, String)> {
    // Marks that mean something in an address are rare in names; such a file is named without a link.
    if code.contains(['<', '>', '#', '?', '%', '[', ']', '\\']) {
        return None;
    }
    if cited.contains(code) {
        return Some((code, String::new()));
    }
    let (path, lines) = code.rsplit_once(':')?;
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|one| one.is_ascii_digit());
    if !cited.contains(path) {
        return None;
    }
    match lines.split_once('-') {
        Some((first, last)) if digits(first) && digits(last) => Some((path, format!("#L{first}-L{last}"))),
        None if digits(lines) => Some((path, format!("#L{lines}"))),
        Some(_) | None => None,
    }
}

/// The way from a document to a file.
pub(super) fn relative(from: &str, to: &str) -> String {
    let from: Vec<&str> = from.split('/').collect();
    let to: Vec<&str> = to.split('/').collect();
    let folders = from.len() - 1;
    let same = from[..folders].iter().zip(&to[..to.len() - 1]).take_while(|(one, two)| one == two).count();
    let up = std::iter::repeat_n("..", folders - same);
    up.chain(to[same..].iter().copied()).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_tidy() {
        for (text, expected) in [
            ("\n\n# A  \n\n\n\nb \n\n\n", "# A\n\nb\n"),
            ("# A\n## B\nx\n#### C\ny\n", "# A\n\n## B\n\nx\n\n### C\n\ny\n"),
            ("# A\n\n## Empty\n\n## B\n\nx\n\n## Last\n", "# A\n\n## B\n\nx\n"),
            ("# A\n\n## B\n\n### C\n\n## D\n\nx\n", "# A\n\n## D\n\nx\n"),
            ("# A\n\n# B\n\nx\n", "# A\n\n## B\n\nx\n"),
            ("# A\n\n```\n# x\n\n\n## y\n```\n", "# A\n\n```\n# x\n\n\n## y\n```\n"),
            ("# A\n\n## Last\n\n---\n\nfoot\n", "# A\n\n---\n\nfoot\n"),
            ("# A\n", "# A\n"),
            ("", ""),
        ] {
            assert_eq!(finished(text), expected, "{text:?}");
        }
    }

    #[test]
    fn cited_files_become_links() {
        let cited: BTreeSet<String> = ["src/a.rs", "a b.md", "README.md"].map(str::to_owned).into();
        for (target, text, expected) in [
            ("docs/x/y.md", "in `src/a.rs:8`.", "in [`src/a.rs:8`](../../src/a.rs#L8)."),
            ("y.md", "`src/a.rs:8-9` `b`", "[`src/a.rs:8-9`](src/a.rs#L8-L9) `b`"),
            ("src/y.md", "`src/a.rs`", "[`src/a.rs`](a.rs)"),
            ("docs/y.md", "`a b.md`", "[`a b.md`](<../a b.md>)"),
            ("y.md", "# `src/a.rs`", "# `src/a.rs`"),
            ("y.md", "`src/a.rs:8`: `` x ` y ``", "[`src/a.rs:8`](src/a.rs#L8): `` x ` y ``"),
            ("y.md", "[see `src/a.rs`](x) `", "[see `src/a.rs`](x) `"),
            ("y.md", "`src/a.rs:x` `src/b.rs` ``src/a.rs``", "`src/a.rs:x` `src/b.rs` ``src/a.rs``"),
            ("y.md", "```\n`src/a.rs`\n```", "```\n`src/a.rs`\n```"),
        ] {
            assert_eq!(linked(text, target, &cited), expected);
        }
    }
}
