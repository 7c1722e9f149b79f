//! Makes foreign text harmless to look at. A question, a label or a file name must never move the cursor, recolour
//! the terminal or reverse the reading order, whoever wrote it.

use std::borrow::Cow;
use std::fmt::Write as _;

/// `text` with every character that a terminal acts on replaced by a visible form: `ESC` becomes `␛`, a bidirectional
/// override becomes `\u{202e}`. Newlines stay; `\r\n` becomes one newline; a tab becomes four blanks.
pub fn harmless(text: &str) -> Cow<'_, str> {
    if !text.chars().any(acts_on_a_terminal) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len() + 16);
    let mut rest = text.chars().peekable();
    while let Some(character) = rest.next() {
        match character {
            '\r' if rest.peek() == Some(&'\n') => {}
            '\t' => safe.push_str("    "),
            acting if acts_on_a_terminal(acting) => push_visible(&mut safe, acting),
            plain => safe.push(plain),
        }
    }
    Cow::Owned(safe)
}

/// Whether a terminal acts on a character instead of showing it.
pub fn acts_on_a_terminal(character: char) -> bool {
    match character {
        '\n' => false,
        // Marks, embeddings, overrides and isolates of the bidirectional algorithm; separators that some terminals
        // break lines at; the byte order mark; and the invisible copies of ASCII, which carry text that nobody sees
        // (the flags of a few regions are spelled with them, and show as what they are).
        '\u{061c}'
        | '\u{200e}'
        | '\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2066}'..='\u{2069}'
        | '\u{feff}'
        | '\u{e0000}'..='\u{e007f}' => true,
        other => other.is_control(),
    }
}

fn push_visible(safe: &mut String, acting: char) {
    match acting {
        // Unicode has a picture for each C0 control and for DEL.
        '\u{0}'..='\u{1f}' => safe.extend(char::from_u32(0x2400 + u32::from(acting))),
        '\u{7f}' => safe.push('␡'),
        other => {
            write!(safe, "\\u{{{:x}}}", u32::from(other)).expect("writing to a String cannot fail");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn ordinary_text_is_borrowed() {
        let text = "two lines\nand 日本語, e\u{301}, 👩‍👩‍👧";
        assert!(matches!(harmless(text), Cow::Borrowed(same) if same == text));
    }

    #[test]
    fn every_acting_character_gets_a_visible_form() {
        let rows = [
            ("\u{1b}[2Jgone", "␛[2Jgone"),
            ("a\u{7}b", "a␇b"),
            ("a\r\nb\rc", "a\nb␍c"),
            ("a\tb", "a    b"),
            ("\u{7f}", "␡"),
            ("\u{9b}31m", "\\u{9b}31m"),
            ("abc\u{202e}fed", "abc\\u{202e}fed"),
            ("\u{2066}x\u{2069}", "\\u{2066}x\\u{2069}"),
            ("\u{0}", "␀"),
            ("ok\u{e0079}", "ok\\u{e0079}"),
        ];
        for (given, expected) in rows {
            assert_eq!(harmless(given), expected, "{given:?}");
        }
    }

    proptest! {
        #[test]
        fn nothing_acting_is_left_and_twice_changes_nothing(text in any::<String>()) {
            let safe = harmless(&text).into_owned();
            prop_assert!(!safe.chars().any(acts_on_a_terminal));
            prop_assert!(!safe.chars().any(|c| c.is_control() && c != '\n'));
            prop_assert_eq!(harmless(&safe), safe.as_str());
        }
    }
}
