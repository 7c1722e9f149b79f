//! Sentences as Markdown lines, one a line. The person's words are kept; only what would break the document's structure
//! is made harmless: a text with a structure of its own is quoted below its lead, control characters become visible ones.

use crate::domain::outline::behind_mark;
use crate::domain::sentences::sentences;
pub(super) use crate::domain::text::{capital, lower};

/// A bullet. Without a lead the text stands for itself.
pub(super) fn bullet(lead: Option<&str>, text: &str) -> Vec<String> {
    item("", lead, text)
}

/// A bullet below a bullet.
pub(super) fn nested(lead: Option<&str>, text: &str) -> Vec<String> {
    item("  ", lead, text)
}

fn item(indent: &str, lead: Option<&str>, text: &str) -> Vec<String> {
    let text = visible(text);
    let lead = lead.map(|lead| visible(lead).replace('\n', " "));
    let lines: Vec<&str> = text.trim().lines().map(str::trim_end).collect();
    if lines.len() > 1 && lines.iter().any(|line| has_structure(line)) {
        let head = match lead {
            Some(lead) => format!("{indent}- {lead}:"),
            None => format!("{indent}- In these words:"),
        };
        let quoted = lines.iter().map(|line| format!("{indent}  > {line}").trim_end().to_owned());
        return std::iter::once(head).chain(quoted).collect();
    }
    let mut said = lines.iter().flat_map(|line| sentences(line));
    let first = said.next().unwrap_or_default();
    let head = match lead {
        Some(lead) => format!("{indent}- {lead}: {first}"),
        None => format!("{indent}- {}", escaped(first)),
    };
    // Further sentences are lines of the same paragraph.
    let mut item: Vec<String> =
        std::iter::once(head).chain(said.map(|one| format!("{indent}  {}", escaped(one)))).collect();
    if let Some(last) = item.last_mut() {
        *last = stopped(last);
    }
    item
}

/// Whether a line means something to Markdown, so that joining it with others would change it.
fn has_structure(line: &str) -> bool {
    let bare = line.trim_start();
    bare.is_empty() || line.len() - bare.len() >= 2 || behind_mark(bare).is_some() || escaped(bare) != bare
}

/// The text with a backslash where its beginning would open a block of its own.
fn escaped(text: &str) -> String {
    let opens_block = match text.chars().next() {
        Some('#' | '>' | '|' | '=') => true,
        Some('-' | '+' | '*') => text.chars().nth(1).is_none_or(char::is_whitespace) || text.starts_with("---"),
        Some('`') => text.starts_with("```"),
        Some('~') => text.starts_with("~~~"),
        Some(_) | None => false,
    };
    if opens_block { format!("\\{text}") } else { text.to_owned() }
}

/// Control characters other than line ends as their pictures, so that a terminal does nothing on reading the document.
fn visible(text: &str) -> String {
    text.chars()
        .map(|one| match one {
            '\n' => '\n',
            '\t' => ' ',
            '\u{7f}' => '\u{2421}',
            one if u32::from(one) < 0x20 => char::from_u32(0x2400 + u32::from(one)).unwrap_or('\u{fffd}'),
            one if one.is_control() => '\u{fffd}',
            one => one,
        })
        .collect()
}

/// A text as inline code on one line.
pub(super) fn code(text: &str) -> String {
    let text = visible(text).replace('\n', " ");
    if text.contains('`') { format!("`` {text} ``") } else { format!("`{text}`") }
}

/// The text with a full stop, if it ends in a word without one.
pub(super) fn stopped(text: &str) -> String {
    let text = text.trim_end();
    let ends_in_word = text.ends_with(|one: char| one.is_alphanumeric() || matches!(one, '”' | ')' | '%' | '`'));
    let sentence_inside = ["?”", "!”", ".”", "…”"].iter().any(|end| text.ends_with(end));
    if ends_in_word && !sentence_inside { format!("{text}.") } else { text.to_owned() }
}

/// The reason of an alternative where it stands by itself: `Then …` answered the alternative's sentence.
pub(super) fn reason(text: &str) -> String {
    match text.strip_prefix("Then ") {
        Some(rest) => capital(rest),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_never_break_the_structure() {
        for (lead, text, expected) in [
            (None, "Plain words.", vec!["- Plain words."]),
            (None, "# heading", vec!["- \\# heading."]),
            (None, "- item", vec!["- \\- item."]),
            (None, "*not* a list", vec!["- *not* a list."]),
            (None, "```", vec!["- \\```."]),
            (Some("Scope"), "# heading", vec!["- Scope: # heading."]),
            (
                Some("Scope"),
                "one\n## two\n\n```\nx",
                vec!["- Scope:", "  > one", "  > ## two", "  >", "  > ```", "  > x"],
            ),
            (None, "a\n  b", vec!["- In these words:", "  > a", "  >   b"]),
            (None, "a\n1. b", vec!["- In these words:", "  > a", "  > 1. b"]),
            (None, "a\nb", vec!["- a", "  b."]),
            (Some("Scope"), "One. Two! three", vec!["- Scope: One.", "  Two! three."]),
            (None, "One. # Two", vec!["- One. # Two."]),
            (Some("Scope"), "red \u{1b}[31m", vec!["- Scope: red \u{241b}[31m."]),
        ] {
            assert_eq!(bullet(lead, text), expected, "{text:?}");
        }
    }

    #[test]
    fn a_full_stop_comes_where_a_word_ends() {
        for (text, expected) in [
            ("a", "a."),
            ("a.", "a."),
            ("a?", "a?"),
            ("a:", "a:"),
            ("“a”", "“a”."),
            ("“a?”", "“a?”"),
            ("", ""),
            ("`a`", "`a`."),
        ] {
            assert_eq!(stopped(text), expected);
        }
    }

    #[test]
    fn reasons_stand_by_themselves() {
        assert_eq!(reason("Then it is done."), "It is done.");
        assert_eq!(reason("Thenceforth it is."), "Thenceforth it is.");
        assert_eq!(
            (lower("What breaks").as_str(), lower("CI runs").as_str(), lower("").as_str()),
            ("what breaks", "CI runs", "")
        );
    }

    #[test]
    fn code_survives_backticks() {
        assert_eq!(code("a`b"), "`` a`b ``");
        assert_eq!(code("a"), "`a`");
    }
}
