//! Makes foreign text harmless to look at. A question, a label or a file name must never move the cursor, recolour
//! the terminal or reverse the reading order, whoever wrote it.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Gives an emoji its coloured form.
const EMOJI_STYLE: char = '\u{fe0f}';
/// Joins two emoji into one, and letters of some scripts; its opposite keeps such letters apart.
const JOINER: char = '\u{200d}';
const NON_JOINER: char = '\u{200c}';

/// `text` with every character that a terminal acts on, or shows nothing for, replaced by a visible form: `ESC` becomes
/// `␛`, a bidirectional override becomes `\u{202e}`. Newlines stay; `\r\n` becomes one newline; a tab becomes four blanks.
pub fn harmless(text: &str) -> Cow<'_, str> {
    if !judged(text).any(|(_, hidden)| hidden) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len() + 16);
    let mut rest = judged(text).peekable();
    while let Some((character, hidden)) = rest.next() {
        match character {
            '\r' if rest.peek().is_some_and(|(next, _)| *next == '\n') => {}
            '\t' => safe.push_str("    "),
            acting if hidden => push_visible(&mut safe, acting),
            plain => safe.push(plain),
        }
    }
    Cow::Owned(safe)
}

/// A new line of a text that somebody is to approve: harmless, with a sign for each tab, and where `ends` says that
/// nothing follows, for each blank at its end.
pub fn seen(line: &str, ends: bool) -> String {
    let kept = if ends { line.trim_end() } else { line };
    let mut text = harmless(&kept.replace('\t', TAB)).into_owned();
    for blank in line[kept.len()..].chars() {
        match blank {
            ' ' => text.push('␠'),
            '\t' => text.push_str(TAB),
            other => push_visible(&mut text, other),
        }
    }
    text
}

/// A tab that is seen, as wide as one that is not.
const TAB: &str = "␉   ";

/// How many characters of `text` [`seen`] shows escaped, since nobody would see them otherwise.
pub fn invisible(text: &str) -> usize {
    judged(text).filter(|(character, hidden)| *hidden && *character != '\t').count()
}

/// Whether a terminal acts on a character instead of showing it, or shows nothing for it, wherever it stands.
pub fn acts_on_a_terminal(character: char) -> bool {
    match character {
        '\n' | EMOJI_STYLE | JOINER | NON_JOINER => false,
        ascii if ascii.is_ascii() => ascii.is_ascii_control(),
        other => other.is_control() || is_invisible(other),
    }
}

/// The characters that show nothing and can carry text that nobody sees: `Default_Ignorable_Code_Point` in Unicode 16.0
/// (`DerivedCoreProperties.txt`), which has the marks, embeddings, overrides and isolates of the bidirectional algorithm
/// (the flags of a few regions are spelled with some of them, and show as what they are); and what that property leaves
/// out: separators that some terminals break lines at, the braille blank, and annotations between lines.
pub fn is_invisible(character: char) -> bool {
    matches!(
        character,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fff8}'
            | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}'
            // Beyond the property.
            | '\u{2028}'..='\u{2029}' | '\u{2800}' | '\u{fff9}'..='\u{fffb}'
    )
}

/// Each character of `text`, and whether it has to be shown in another form. Three characters depend on what stands around
/// them.
fn judged(text: &str) -> impl Iterator<Item = (char, bool)> + '_ {
    let mut rest = text.chars().peekable();
    let mut before = None;
    let mut styled = false;
    std::iter::from_fn(move || {
        let character = rest.next()?;
        let hidden = match character {
            EMOJI_STYLE => styled || !before.is_some_and(is_emoji),
            JOINER | NON_JOINER => {
                let around = before.zip(rest.peek().copied());
                !around.is_some_and(|(before, after)| {
                    let emoji = character == JOINER && is_emoji(before) && is_emoji(after);
                    emoji || (is_joined(before) && is_joined(after))
                })
            }
            other => acts_on_a_terminal(other),
        };
        styled = character == EMOJI_STYLE && !hidden;
        // An emoji in its coloured form can be joined as well.
        if !styled {
            before = Some(character);
        }
        Some((character, hidden))
    })
}

/// Whether it is in a range of emoji.
fn is_emoji(character: char) -> bool {
    matches!(
        character,
        '©' | '®' | '‼' | '⁉' | '™' | 'ℹ' | 'Ⓜ' | '〰' | '〽' | '㊗' | '㊙'
            | '\u{2190}'..='\u{21ff}' | '\u{2300}'..='\u{23ff}' | '\u{25a0}'..='\u{27bf}' | '\u{2900}'..='\u{297f}'
            | '\u{2b00}'..='\u{2bff}' | '\u{1f000}'..='\u{1faff}'
    )
}

/// Whether it belongs to a script whose letters are joined or kept apart by invisible characters: those from Arabic to the
/// Indic ones, Myanmar, Khmer and Mongolian.
fn is_joined(character: char) -> bool {
    matches!(character, '\u{600}'..='\u{dff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{18af}')
        && !acts_on_a_terminal(character)
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

    #[test]
    fn g30_text_that_nobody_would_see_is_shown() {
        let smuggled: String =
            "A".chars().chain("rm ~".bytes().filter_map(|byte| char::from_u32(0xe0100 + u32::from(byte)))).collect();
        assert_eq!(harmless(&smuggled), "A\\u{e0172}\\u{e016d}\\u{e0120}\\u{e017e}");
        assert_eq!(invisible(&smuggled), 4);
        for hidden in
            "\u{200b}\u{2060}\u{2064}\u{ad}\u{34f}\u{180e}\u{206a}\u{fff9}\u{fffb}\u{3164}\u{2800}\u{fe00}".chars()
        {
            assert_eq!(harmless(&format!("a{hidden}b")), format!("a\\u{{{:x}}}b", u32::from(hidden)));
        }
    }

    #[test]
    fn g30_joiners_stay_where_they_are_written_and_are_shown_where_they_hide() {
        let written = ["❤\u{fe0f}\u{200d}🔥", "👩\u{200d}👩", "می\u{200c}خواهم", "क\u{94d}\u{200d}ष", "©\u{fe0f}"];
        for text in written {
            assert_eq!((harmless(text), invisible(text)), (Cow::Borrowed(text), 0));
        }
        let rows = [
            ("a\u{200d}b", "a\\u{200d}b"),
            ("a\u{200c}\u{200c}b", "a\\u{200c}\\u{200c}b"),
            ("❤\u{fe0f}\u{fe0f}", "❤\u{fe0f}\\u{fe0f}"),
            ("👩\u{200d}", "👩\\u{200d}"),
            ("م\u{200c}\u{61c}", "م\\u{200c}\\u{61c}"),
            ("a\u{fe0f}", "a\\u{fe0f}"),
        ];
        for (given, expected) in rows {
            assert_eq!(harmless(given), expected, "{given:?}");
        }
    }

    #[test]
    fn g30_a_new_line_shows_its_tabs_and_the_blanks_at_its_end() {
        let rows = [("a\tb c", "a␉   b c"), ("a  ", "a␠␠"), ("a \t", "a␠␉   "), ("a\u{a0}\r", "a\\u{a0}␍"), ("", "")];
        for (given, expected) in rows {
            assert_eq!(seen(given, true), expected, "{given:?}");
        }
        assert_eq!(seen("a\t ", false), "a␉    ");
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
