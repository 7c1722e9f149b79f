//! Foreign words within a sentence of ours: one line, harmless to a terminal, not too long.

use crate::domain::harmless::on_one_line;

/// The most characters of a command that a reason repeats.
const LONGEST: usize = 200;

/// `text` between the marks in which reasons quote commands.
pub fn quoted(text: &str) -> String {
    let text = text.trim();
    let mut shown: String = text.chars().take(LONGEST).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    // A shell reads a line end and a semicolon alike; a reason has only one line.
    format!("`{}`", on_one_line(&shown))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_quoted_stays_one_harmless_line() {
        assert_eq!(quoted(" rm x\nls "), "`rm x␤ls`");
        assert_eq!(quoted("a\u{1b}[31m\u{202e}"), "`a␛[31m\\u{202e}`");
        let long = quoted(&"é".repeat(1000));
        assert_eq!(long.chars().count(), LONGEST + 3, "{long}");
    }
}
