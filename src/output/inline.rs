//! Foreign words as one line of Markdown: they look as they were typed, and open nothing – no heading, list, table, quote,
//! fence, HTML or link definition. Code in backticks stays code, and emphasis is let be, since neither leaves its line.

use crate::domain::harmless::harmless;
use crate::domain::text;

/// The text on one line, safe at its beginning and anywhere else in a line.
pub(super) fn inline(text: &str) -> String {
    let seen = harmless(text);
    let words: Vec<&str> = seen.split_whitespace().collect();
    without_html(&at_margin(&words.join(" ")))
}

/// The line with a backslash where its beginning would open a block.
fn at_margin(line: &str) -> String {
    let digits = line.len() - line.trim_start_matches(|one: char| one.is_ascii_digit()).len();
    let after = &line[digits..];
    if digits > 0
        && digits < 10
        && (after.starts_with(['.', ')']))
        && after[1..].chars().next().is_none_or(|c| c == ' ')
    {
        return format!("{}\\{after}", &line[..digits]);
    }
    let mut letters = line.chars();
    let second_is_space = line.chars().nth(1).is_none_or(char::is_whitespace);
    let opens = match letters.next() {
        Some('#' | '>' | '|' | '=') => true,
        Some('-' | '+' | '*' | '_') => second_is_space || is_rule(line),
        Some('`') => line.starts_with("```"),
        Some('~') => line.starts_with("~~~"),
        Some(':') => line.starts_with(":--"),
        Some('[') => line.find(']').is_some_and(|end| line[end..].starts_with("]:")),
        Some(_) | None => false,
    };
    if opens { format!("\\{line}") } else { line.to_owned() }
}

/// The line without that backslash, as it stands behind other words.
pub(super) fn within_line(line: &str) -> String {
    let behind_number = line.trim_start_matches(|one: char| one.is_ascii_digit());
    match behind_number.strip_prefix('\\') {
        Some(rest) => format!("{}{rest}", &line[..line.len() - behind_number.len()]),
        None => line.to_owned(),
    }
}

/// Whether it is a line across the page, or would turn the line above it into a heading.
fn is_rule(line: &str) -> bool {
    let bare: String = line.chars().filter(|one| !one.is_whitespace()).collect();
    let mark = bare.chars().next();
    bare.chars().count() >= 2 && bare.chars().all(|one| Some(one) == mark)
}

/// The line with a backslash before what would be read as HTML, outside of code.
fn without_html(line: &str) -> String {
    let mut safe = String::with_capacity(line.len() + 8);
    let mut rest = line;
    while let Some(at) = rest.find(['`', '<', '\\']) {
        safe.push_str(&rest[..at]);
        rest = &rest[at..];
        let taken = if rest.starts_with('`') {
            code_span(rest)
        } else if rest.starts_with('\\') {
            // What is escaped already stays so; a backslash at the very end would break the line.
            if rest.len() == 1 {
                safe.push('\\');
            }
            rest.chars().take(2).map(char::len_utf8).sum()
        } else {
            let opens = rest[1..].starts_with(|one: char| one.is_ascii_alphabetic() || matches!(one, '/' | '!' | '?'));
            if opens && !is_autolink(rest) {
                safe.push('\\');
            }
            1
        };
        safe.push_str(&rest[..taken]);
        rest = &rest[taken..];
    }
    safe.push_str(rest);
    safe
}

/// How long the code span is that begins here; where nothing closes it, only its backticks.
pub(super) fn code_span(text: &str) -> usize {
    let length = text.len() - text.trim_start_matches('`').len();
    let mut at = length;
    while let Some(next) = text[at..].find('`') {
        let run = at + next;
        let closing = text[run..].len() - text[run..].trim_start_matches('`').len();
        at = run + closing;
        if closing == length {
            return at;
        }
    }
    length
}

fn is_autolink(text: &str) -> bool {
    let inside = text[1..].split('>').next().unwrap_or_default();
    let closed = text[1..].len() > inside.len();
    closed
        && ["https://", "http://", "mailto:"].iter().any(|scheme| inside.starts_with(scheme))
        && !inside.contains(' ')
}

pub(super) fn outside_code(text: &str, place: usize) -> bool {
    let mut at = 0;
    while let Some(next) = text[at..].find('`') {
        let start = at + next;
        if start >= place {
            return true;
        }
        at = start + code_span(&text[start..]);
        if at > place {
            return false;
        }
    }
    true
}

/// The text's first clause, short enough for a heading; nothing in it is cut inside code.
pub(super) fn clause(text: &str) -> String {
    const LONGEST: usize = 70;
    const FEWEST_WORDS: usize = 3;
    let ends = text.char_indices().find(|(at, one)| {
        let next = text[at + one.len_utf8()..].chars().next();
        let words = || text[..*at].split_whitespace().count();
        let ends_clause = match one {
            '.' | '?' | '!' => next.is_none_or(char::is_whitespace),
            ',' | ';' => next.is_none_or(char::is_whitespace) && words() >= FEWEST_WORDS,
            // A few words before a colon are about what comes behind it.
            ':' => next.is_some_and(char::is_whitespace) && words() > FEWEST_WORDS,
            '–' | '—' => {
                next.is_none_or(char::is_whitespace) && text[..*at].ends_with(' ') && words() >= FEWEST_WORDS
            }
            _ => false,
        };
        // The number of an item ends no clause.
        let is_behind_number = *one == '.' && text[..*at].trim_end_matches('\\').chars().all(|c| c.is_ascii_digit());
        ends_clause && *at > 0 && !is_behind_number && outside_code(text, *at)
    });
    let clause = match ends {
        Some((at, '?' | '!')) => &text[..=at],
        Some((at, _)) => text[..at].trim_end(),
        None => text,
    };
    let mut name = String::new();
    for word in clause.split_whitespace() {
        if !name.is_empty() && name.chars().count() + word.chars().count() >= LONGEST {
            name.push('…');
            break;
        }
        if !name.is_empty() {
            name.push(' ');
        }
        name.push_str(word);
    }
    if name.chars().count() > LONGEST * 2 {
        name = name.chars().take(LONGEST).chain(['…']).collect();
    }
    // A span that the cut left open would swallow what stands behind it.
    if name.matches('`').count().is_multiple_of(2) { name } else { name.replace('`', "") }
}

/// The text with its first letter large, unless its first word is a name with letters of its own, as in `iOS`.
pub(super) fn capital(text: &str) -> String {
    let word = text.split(' ').next().unwrap_or_default();
    if word.chars().skip(1).any(|one| !(one.is_lowercase() || matches!(one, ',' | '-' | '\'' | '’' | ';' | ':' | '.')))
    {
        return text.to_owned();
    }
    text::capital(text)
}

/// The text with its first letter small, unless it is a name in capitals, a quotation or code.
pub(super) fn small(text: &str) -> String {
    let alone = text.strip_prefix('I').is_some_and(|rest| !rest.starts_with(char::is_alphabetic));
    if alone { text.to_owned() } else { text::lower(text) }
}

/// The text without the full stop at its end.
pub(super) fn unstopped(text: &str) -> &str {
    text.strip_suffix('.').filter(|rest| !rest.ends_with('.')).unwrap_or(text)
}

/// The text with a full stop at its end where it ends in a word.
pub(super) fn stopped(text: &str) -> String {
    let text = text.trim_end();
    let ends_in_word = text.ends_with(|one: char| one.is_alphanumeric() || matches!(one, '”' | ')' | '%' | '`'));
    let said = ["?”", "!”", ".”", "…”"].iter().any(|end| text.ends_with(end));
    if ends_in_word && !said { format!("{text}.") } else { text.to_owned() }
}

/// A text for the end of a heading: marks that would close it are escaped.
pub(super) fn heading(text: &str) -> String {
    let text = unstopped(text).trim_end_matches([':', ';', ',']);
    let bare = text.trim_end_matches('#');
    let closes = bare.len() < text.len() && (bare.is_empty() || bare.ends_with(' '));
    if closes { format!("{bare}\\{}", &text[bare.len()..]) } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_words_open_nothing() {
        for (text, expected) in [
            ("plain", "plain"),
            ("# heading", "\\# heading"),
            ("- item", "\\- item"),
            ("*not* a list", "*not* a list"),
            ("12. item", "12\\. item"),
            ("1.5 s", "1.5 s"),
            ("| a | b |", "\\| a | b |"),
            ("``` rust", "\\``` rust"),
            ("---", "\\---"),
            ("--", "\\--"),
            ("==", "\\=="),
            ("-x is an option", "-x is an option"),
            ("[x]: http://e.org", "\\[x]: http://e.org"),
            ("[ ] task", "[ ] task"),
            ("<!-- gone", "\\<!-- gone"),
            ("a <b>bold</b> word", "a \\<b>bold\\</b> word"),
            ("a < b", "a < b"),
            ("`<id>` and <id>", "`<id>` and \\<id>"),
            ("`<id> and <id>", "`\\<id> and \\<id>"),
            ("``a ` <b>`` <b>", "``a ` <b>`` \\<b>"),
            ("<https://e.org> <http://a b>", "<https://e.org> \\<http://a b>"),
            ("\\<b> end\\", "\\<b> end\\\\"),
            ("a\n\n## b", "a ## b"),
            ("{{ 7 * 7 }}", "{{ 7 * 7 }}"),
            ("\u{1b}[31m", "\u{241b}[31m"),
        ] {
            assert_eq!(inline(text), expected, "{text:?}");
        }
        for text in ["# a", "<!-- a", "12. b", "a\\"] {
            let once = inline(text);
            assert_eq!(inline(&once).trim_end_matches('\\'), once.trim_end_matches('\\'), "{text:?} twice");
        }
    }

    #[test]
    fn a_clause_makes_a_heading() {
        for (text, expected) in
            [("so it is", "So it is"), ("iOS users", "iOS users"), ("a_b is", "a_b is"), ("é x", "É x")]
        {
            assert_eq!(capital(text), expected);
        }
        for (text, expected) in [
            ("It goes into `src/fetch.rs:8` itself, where all is.", "It goes into `src/fetch.rs:8` itself"),
            ("Only what may pass – a broken line, a time-out.", "Only what may pass"),
            ("How long is it? Ask.", "How long is it?"),
            ("It takes 1.5 s.", "It takes 1.5 s"),
            (".gitignore is read", ".gitignore is read"),
            ("1\\. It is numbered. So", "1\\. It is numbered"),
        ] {
            assert_eq!(clause(text), expected);
        }
        assert!(clause(&"word ".repeat(50)).chars().count() <= 75);
        assert!(clause(&"ä".repeat(4000)).chars().count() <= 75);
        assert!(!clause(&format!("a `{}", "b ".repeat(60))).contains('`'));
        assert_eq!((heading("use C#").as_str(), heading("use #").as_str()), ("use C#", "use \\#"));
        assert_eq!(
            (small("CI runs").as_str(), small("I see").as_str(), small("The").as_str()),
            ("CI runs", "I see", "the")
        );
    }
}
