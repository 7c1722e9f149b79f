//! A section that no generator knows: kept as it is written, except for what would break the document around it.

use super::super::inline::{heading, inline, outside_code};
use super::items::code_line;
use crate::domain::outline::{Fence, Section};

/// A section that somebody wrote by hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct HandWritten {
    /// How deep its heading stands; 0 for what comes before the first heading.
    pub level: usize,
    /// Its title; empty for what has none.
    pub title: String,
    pub lines: Vec<String>,
}

impl HandWritten {
    pub fn of(section: &Section) -> Option<Self> {
        let lines = kept(section.content());
        let title_alone = lines.is_empty() && section.level() <= 1;
        (!title_alone).then(|| Self { level: section.level(), title: heading(&inline(section.title())), lines })
    }
}

/// The lines with closed fences, no HTML, and no underlines that make headings.
fn kept(lines: &[String]) -> Vec<String> {
    let mut kept: Vec<String> = Vec::new();
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        let line = line.trim_end();
        let bare = line.trim_start();
        let margin = &line[..line.len() - bare.len()];
        let underlined = kept.last().is_some_and(|above| !above.is_empty());
        at += 1;
        if let Some(fence) = Fence::opened_by(bare) {
            kept.push(code_line(line));
            let code = lines[at..].iter().take_while(|line| !fence.closed_by(line.trim_start())).count();
            kept.extend(lines[at..at + code].iter().map(|line| code_line(line)));
            kept.push(lines.get(at + code).map_or_else(|| fence.mark(), |end| code_line(end)));
            at += code + 1;
        } else if let Some((mark, fence)) = Fence::opened_behind_marks(bare).filter(|(mark, _)| !mark.is_empty()) {
            let deep = margin.len() + mark.len();
            let inside = |line: &&String| line.trim().is_empty() || line.len() - line.trim_start().len() >= deep;
            let within = lines[at..].iter().take_while(inside).count();
            match lines[at..at + within].iter().position(|line| fence.closed_by(line.trim_start())) {
                Some(end) => {
                    kept.extend(lines[at - 1..=at + end].iter().map(|line| code_line(line)));
                    at += end + 1;
                }
                // Nothing closes it, so it is no code.
                None => kept.push(format!("{margin}{mark}\\{}", spaced(&bare[mark.len()..]))),
            }
        } else if underlined && underline(bare) {
            kept.push(format!("{margin}\\{bare}"));
        } else if bare.is_empty() {
            if underlined {
                kept.push(String::new());
            }
        } else {
            kept.push(format!("{margin}{}", spaced(bare)));
        }
    }
    kept
}

fn underline(line: &str) -> bool {
    ["=", "-"].iter().any(|mark| !line.is_empty() && line.replace(mark, "").is_empty())
}

/// A line without HTML; its marks stay, and so do the spaces in it.
fn spaced(line: &str) -> String {
    let mut safe = String::with_capacity(line.len());
    for (at, one) in line.char_indices() {
        let next = line[at + one.len_utf8()..].chars().next();
        let opens =
            one == '<' && next.is_some_and(|next| next.is_ascii_alphabetic() || matches!(next, '/' | '!' | '?'));
        let address = ["<https://", "<http://", "<mailto:"].iter().any(|scheme| line[at..].starts_with(scheme));
        if opens && !address && !safe.ends_with('\\') && outside_code(line, at) {
            safe.push('\\');
        }
        safe.push(one);
    }
    crate::domain::harmless::harmless(&safe).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::outline::Outline;

    fn shown(text: &str) -> String {
        let section = &Outline::parse(text).sections[1];
        HandWritten::of(section).map(|one| one.lines.join("\n")).unwrap_or_default()
    }

    #[test]
    fn a_section_is_kept_and_breaks_nothing() {
        for (text, expected) in [
            ("## A\n\n- x\n  - y\n\n\n\n| a |\n|---|\n", "- x\n  - y\n\n| a |\n|---|"),
            ("## A\ntext\n===\n", "text\n\\==="),
            ("## A\ntext\n\n---\n\nmore\n", "text\n\n---\n\nmore"),
            ("## A\n```sh\n<b>\n", "```sh\n<b>\n```"),
            ("## A\n```sh\na\tb \u{1b}[31m\n```\n", "```sh\na\tb ␛[31m\n```"),
            ("## A\n<details>\n`<b>` <!-- x\n", "\\<details>\n`<b>` \\<!-- x"),
            ("## A\n- ```\nx\n", "- \\```\nx"),
            ("## A\n- ```sh\n  <b>\n  ```\n- <b>\n", "- ```sh\n  <b>\n  ```\n- \\<b>"),
            ("## A\n<https://e.org>\n", "<https://e.org>"),
        ] {
            assert_eq!(shown(text), expected, "{text:?}");
        }
    }
}
