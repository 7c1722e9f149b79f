//! Sentences as Markdown lines. The person's words are kept; only what would break the document's structure is made
//! harmless: several lines are quoted below their lead, control characters become visible ones.

/// A bullet. Without a lead the text stands for itself.
pub(super) fn bullet(lead: Option<&str>, text: &str) -> Vec<String> {
    item("", lead, text)
}

/// A bullet below a bullet.
pub(super) fn nested(lead: &str, text: &str) -> Vec<String> {
    item("  ", Some(lead), text)
}

fn item(indent: &str, lead: Option<&str>, text: &str) -> Vec<String> {
    let text = visible(text);
    let lead = lead.map(|lead| visible(lead).replace('\n', " "));
    let mut lines = text.trim().lines().map(str::trim_end);
    match (lead, lines.clone().count()) {
        (Some(lead), 0 | 1) => vec![format!("{indent}- {lead}: {}", lines.next().unwrap_or_default())],
        (None, 0 | 1) => vec![format!("{indent}- {}", escaped(lines.next().unwrap_or_default()))],
        (lead, _) => {
            let head = match lead {
                Some(lead) => format!("{indent}- {lead}:"),
                None => format!("{indent}- In these words:"),
            };
            let quoted = lines.map(|line| format!("{indent}  > {line}").trim_end().to_owned());
            std::iter::once(head).chain(quoted).collect()
        }
    }
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

/// The text with a full stop, if it ends like a sentence without one.
pub(super) fn stopped(text: &str) -> String {
    let text = text.trim();
    if text.ends_with(['.', '!', '?', '…', ':']) { text.to_owned() } else { format!("{text}.") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_never_break_the_structure() {
        for (lead, text, expected) in [
            (None, "Plain words.", vec!["- Plain words."]),
            (None, "# heading", vec!["- \\# heading"]),
            (None, "- item", vec!["- \\- item"]),
            (None, "*not* a list", vec!["- *not* a list"]),
            (None, "```", vec!["- \\```"]),
            (Some("Scope"), "# heading", vec!["- Scope: # heading"]),
            (
                Some("Scope"),
                "one\n## two\n\n```\nx",
                vec!["- Scope:", "  > one", "  > ## two", "  >", "  > ```", "  > x"],
            ),
            (None, "a\nb", vec!["- In these words:", "  > a", "  > b"]),
            (Some("Scope"), "red \u{1b}[31m", vec!["- Scope: red \u{241b}[31m"]),
        ] {
            assert_eq!(bullet(lead, text), expected, "{text:?}");
        }
    }

    #[test]
    fn code_survives_backticks() {
        assert_eq!(code("a`b"), "`` a`b ``");
        assert_eq!(code("a"), "`a`");
    }
}
