//! Makes foreign text harmless to look at. A question, a label or a file name must never move the cursor, recolour
//! the terminal or reverse the reading order, whoever wrote it.

mod emoji;
mod letters;

use std::borrow::Cow;
use std::fmt::Write as _;

pub use self::emoji::FLAGS;
use self::emoji::{JOINER, STYLE};
pub use self::letters::as_read;

/// Keeps letters of some scripts apart, which the joiner joins.
const NON_JOINER: char = '\u{200c}';

/// `text` with every character that a terminal acts on, or shows nothing for, replaced by a visible form: `ESC` becomes
/// `␛`, a bidirectional override becomes `\u{202e}`. Newlines stay; `\r\n` becomes one newline; a tab becomes four blanks.
pub fn harmless(text: &str) -> Cow<'_, str> {
    with_tab_as("    ", text)
}

/// [`harmless`] for a text that is stored: a tab does no harm there, and stays one.
pub fn harmless_but_tabs(text: &str) -> Cow<'_, str> {
    with_tab_as("\t", text)
}

fn with_tab_as<'t>(tab: &str, text: &'t str) -> Cow<'t, str> {
    if !judged(text).any(|(_, hidden)| hidden) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len() + 16);
    let mut rest = judged(text).peekable();
    while let Some((character, hidden)) = rest.next() {
        match character {
            '\r' if rest.peek().is_some_and(|(next, _)| *next == '\n') => {}
            '\t' => safe.push_str(tab),
            acting if hidden => push_visible(&mut safe, acting),
            plain => safe.push(plain),
        }
    }
    Cow::Owned(safe)
}

/// [`harmless`] on one line: a line end becomes `␤`.
pub fn on_one_line(text: &str) -> String {
    harmless(&text.replace(['\n', '\r'], "␤")).into_owned()
}

/// The words of a text, [`harmless`] and on one line, as `git log` shows it.
pub fn one_line(text: &str) -> String {
    harmless(text).split_whitespace().collect::<Vec<_>>().join(" ")
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

/// Whether a terminal acts on a character instead of showing it, or shows nothing for it, wherever it stands but in a flag
/// ([`FLAGS`]).
pub fn acts_on_a_terminal(character: char) -> bool {
    match character {
        '\n' | STYLE | JOINER | NON_JOINER => false,
        ascii if ascii.is_ascii() => ascii.is_ascii_control(),
        other => other.is_control() || is_invisible(other),
    }
}

/// The characters that show nothing and can carry text that nobody sees, by the tables of Unicode 16.0, against which a test
/// compares them: `Default_Ignorable_Code_Point`, which has the controls of the bidirectional algorithm; separators that
/// some terminals break lines at; other characters of format but those that stand around a number; what no font has to
/// show, for private use or no character at all; and the braille blank.
pub fn is_invisible(character: char) -> bool {
    matches!(
        character,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fff8}'
            | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}'
            // Beyond that property.
            | '\u{2028}'..='\u{2029}' | '\u{2800}' | '\u{e000}'..='\u{f8ff}' | '\u{fdd0}'..='\u{fdef}'
            | '\u{fff9}'..='\u{fffb}' | '\u{13430}'..='\u{1343f}' | '\u{f0000}'..='\u{10ffff}'
    ) || u32::from(character) & 0xfffe == 0xfffe
}

/// Each character of `text`, and whether it has to be shown in another form. That of an emoji depends on the emoji, and
/// that of a joiner on the letters around it.
fn judged(text: &str) -> impl Iterator<Item = (char, bool)> + '_ {
    let mut before = None;
    let mut seen_to = 0;
    text.char_indices().map(move |(at, character)| {
        if at >= seen_to {
            seen_to = at + emoji::at_start(&text[at..]);
        }
        let after = text[at + character.len_utf8()..].chars().next();
        let hidden = at >= seen_to
            && match character {
                STYLE => true,
                JOINER | NON_JOINER => {
                    !before.zip(after).is_some_and(|(before, after)| is_joined(before) && is_joined(after))
                }
                other => acts_on_a_terminal(other),
            };
        before = Some(character);
        (character, hidden)
    })
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
    use std::collections::BTreeSet;

    use regex_syntax::hir::{Class, HirKind};

    use super::*;
    use proptest::prelude::*;

    /// What emoji are made of, and what stands around them.
    const PIECES: [&str; 12] =
        ["1", "a", "م", "©", "👩", "🏴", "\u{1f3fd}", "\u{fe0f}", "\u{20e3}", "\u{200d}", "\u{200c}", FLAGS[0]];

    /// Every character of this class of a regular expression, by Unicode's own tables.
    pub(super) fn with(class: &str) -> BTreeSet<char> {
        let parsed = regex_syntax::parse(class).unwrap();
        let HirKind::Class(Class::Unicode(ranges)) = parsed.kind() else { panic!("{class} is no class") };
        ranges.iter().flat_map(|range| range.start()..=range.end()).collect()
    }

    /// The characters of which one of the two says otherwise.
    pub(super) fn differing(ours: impl Fn(char) -> bool, theirs: &BTreeSet<char>) -> String {
        let all = ('\0'..=char::MAX).filter(|one| ours(*one) != theirs.contains(one));
        all.map(|one| format!("{:x}", u32::from(one))).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn g30_no_character_that_unicode_says_is_unseen_is_shown_as_it_is() {
        let mut unseen = with(
            r"[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Noncharacter_Code_Point}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}--\p{Prepended_Concatenation_Mark}]",
        );
        unseen.remove(&'\n');
        unseen.insert('\u{2800}');
        let hidden = |one: char| judged(one.encode_utf8(&mut [0; 4])).any(|(_, hidden)| hidden);
        assert_eq!(differing(hidden, &unseen), "");
    }

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
        assert_eq!(harmless_but_tabs("\ta\r\n\u{7}\t\u{200b}b"), "\ta\n␇\t\\u{200b}b");
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
        let written = [
            "❤\u{fe0f}\u{200d}🔥",
            "👩\u{200d}👩",
            "👩\u{1f3fd}\u{200d}⚕\u{fe0f}",
            "می\u{200c}خواهم",
            "क\u{94d}\u{200d}ष",
            "©\u{fe0f}",
            "step 1\u{fe0f}\u{20e3}, #\u{fe0f}\u{20e3}",
        ];
        for text in written.into_iter().chain(FLAGS) {
            assert_eq!((harmless(text), invisible(text)), (Cow::Borrowed(text), 0));
        }
        let rows = [
            ("a\u{200d}b", "a\\u{200d}b"),
            ("a\u{200c}\u{200c}b", "a\\u{200c}\\u{200c}b"),
            ("❤\u{fe0f}\u{fe0f}", "❤\u{fe0f}\\u{fe0f}"),
            ("👩\u{200d}", "👩\\u{200d}"),
            ("م\u{200c}\u{61c}", "م\\u{200c}\\u{61c}"),
            ("a\u{fe0f}", "a\\u{fe0f}"),
            ("→\u{fe0f}", "→\\u{fe0f}"),
            ("1\u{fe0f}", "1\\u{fe0f}"),
            ("a\u{fe0f}\u{20e3}", "a\\u{fe0f}\u{20e3}"),
            ("👋\u{1f3fd}\u{fe0f}", "👋\u{1f3fd}\\u{fe0f}"),
            ("🇩\u{200d}🇪", "🇩\\u{200d}🇪"),
            // Another region, a flag without its end, and tags behind one.
            ("🏴\u{e0075}\u{e0073}\u{e007f}", "🏴\\u{e0075}\\u{e0073}\\u{e007f}"),
            ("🏴\u{e0067}\u{e0062}", "🏴\\u{e0067}\\u{e0062}"),
            ("\u{e0067}\u{e007f}", "\\u{e0067}\\u{e007f}"),
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

    #[test]
    fn g30_what_follows_a_flag_is_judged_by_itself() {
        for flag in FLAGS {
            assert_eq!(harmless(&format!("{flag}\u{e0041}{flag}")), format!("{flag}\\u{{e0041}}{flag}"));
        }
    }

    proptest! {
        #[test]
        fn g30_pieces_of_emoji_settle_and_hide_nothing(
            pieces in proptest::collection::vec(proptest::sample::select(PIECES.to_vec()), 0..12),
        ) {
            let safe = harmless(&pieces.concat()).into_owned();
            prop_assert_eq!(invisible(&safe), 0);
            prop_assert_eq!(harmless(&safe), safe.as_str());
        }

        #[test]
        fn nothing_acting_is_left_and_twice_changes_nothing(text in any::<String>()) {
            let safe = harmless(&text).into_owned();
            let plain = FLAGS.iter().fold(safe.clone(), |text, flag| text.replace(flag, ""));
            prop_assert!(!plain.chars().any(acts_on_a_terminal));
            prop_assert!(!plain.chars().any(|c| c.is_control() && c != '\n'));
            prop_assert_eq!(harmless(&safe), safe.as_str());
        }
    }
}
