//! Emoji of several characters, as UTS #51 defines them: a keycap, a coloured form, a skin tone, several that are joined,
//! and the flags that are spelled with tags. What hides nothing is shown as it is; everything else is none.

/// Gives an emoji its coloured form.
pub(super) const STYLE: char = '\u{fe0f}';
/// Joins two emoji into one.
pub(super) const JOINER: char = '\u{200d}';

/// Behind a digit, `#` or `*`.
const KEYCAP: &str = "\u{fe0f}\u{20e3}";

/// The flags of England, Scotland and Wales: the only ones that fonts have, so tags spell nothing else here.
pub const FLAGS: [&str; 3] = [
    "\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
    "\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}",
    "\u{1f3f4}\u{e0067}\u{e0062}\u{e0077}\u{e006c}\u{e0073}\u{e007f}",
];

/// Bytes of the emoji that `text` begins with; 0 if it begins with none.
pub(super) fn at_start(text: &str) -> usize {
    match text.chars().next() {
        None => 0,
        Some('0'..='9' | '#' | '*') => text[1..].strip_prefix(KEYCAP).map_or(0, |rest| text.len() - rest.len()),
        Some(ascii) if ascii.is_ascii() => 0,
        Some(_) => FLAGS.iter().find(|flag| text.starts_with(**flag)).map_or_else(|| joined(text), |flag| flag.len()),
    }
}

/// Bytes of an emoji and of those that are joined to it.
fn joined(text: &str) -> usize {
    let mut length = element(text);
    while let Some(rest) = text[length..].strip_prefix(JOINER).filter(|_| length > 0) {
        match element(rest) {
            0 => break,
            next => length += JOINER.len_utf8() + next,
        }
    }
    length
}

/// Bytes of one emoji with its coloured form or its skin tone.
fn element(text: &str) -> usize {
    let mut characters = text.chars();
    let Some(emoji) = characters.next().filter(|one| is_emoji(*one)) else { return 0 };
    let form = characters.next().filter(|one| matches!(*one, STYLE | '\u{1f3fb}'..='\u{1f3ff}'));
    emoji.len_utf8() + form.map_or(0, char::len_utf8)
}

/// A character that is an emoji by itself: `Emoji` and `Extended_Pictographic` in Unicode 16.0 (`emoji-data.txt`), which
/// leaves out digits, the letters of flags and skin tones.
fn is_emoji(character: char) -> bool {
    matches!(
        character,
        '\u{a9}' | '\u{ae}' | '\u{203c}' | '\u{2049}' | '\u{2122}' | '\u{2139}' | '\u{2194}'..='\u{2199}'
            | '\u{21a9}'..='\u{21aa}' | '\u{231a}'..='\u{231b}' | '\u{2328}' | '\u{23cf}' | '\u{23e9}'..='\u{23f3}'
            | '\u{23f8}'..='\u{23fa}' | '\u{24c2}' | '\u{25aa}'..='\u{25ab}' | '\u{25b6}' | '\u{25c0}'
            | '\u{25fb}'..='\u{25fe}' | '\u{2600}'..='\u{2604}' | '\u{260e}' | '\u{2611}' | '\u{2614}'..='\u{2615}'
            | '\u{2618}' | '\u{261d}' | '\u{2620}' | '\u{2622}'..='\u{2623}' | '\u{2626}' | '\u{262a}'
            | '\u{262e}'..='\u{262f}' | '\u{2638}'..='\u{263a}' | '\u{2640}' | '\u{2642}' | '\u{2648}'..='\u{2653}'
            | '\u{265f}'..='\u{2660}' | '\u{2663}' | '\u{2665}'..='\u{2666}' | '\u{2668}' | '\u{267b}'
            | '\u{267e}'..='\u{267f}' | '\u{2692}'..='\u{2697}' | '\u{2699}' | '\u{269b}'..='\u{269c}'
            | '\u{26a0}'..='\u{26a1}' | '\u{26a7}' | '\u{26aa}'..='\u{26ab}' | '\u{26b0}'..='\u{26b1}'
            | '\u{26bd}'..='\u{26be}' | '\u{26c4}'..='\u{26c5}' | '\u{26c8}' | '\u{26ce}'..='\u{26cf}' | '\u{26d1}'
            | '\u{26d3}'..='\u{26d4}' | '\u{26e9}'..='\u{26ea}' | '\u{26f0}'..='\u{26f5}' | '\u{26f7}'..='\u{26fa}'
            | '\u{26fd}' | '\u{2702}' | '\u{2705}' | '\u{2708}'..='\u{270d}' | '\u{270f}' | '\u{2712}' | '\u{2714}'
            | '\u{2716}' | '\u{271d}' | '\u{2721}' | '\u{2728}' | '\u{2733}'..='\u{2734}' | '\u{2744}' | '\u{2747}'
            | '\u{274c}' | '\u{274e}' | '\u{2753}'..='\u{2755}' | '\u{2757}' | '\u{2763}'..='\u{2764}'
            | '\u{2795}'..='\u{2797}' | '\u{27a1}' | '\u{27b0}' | '\u{27bf}' | '\u{2934}'..='\u{2935}'
            | '\u{2b05}'..='\u{2b07}' | '\u{2b1b}'..='\u{2b1c}' | '\u{2b50}' | '\u{2b55}' | '\u{3030}' | '\u{303d}'
            | '\u{3297}' | '\u{3299}' | '\u{1f004}' | '\u{1f0cf}' | '\u{1f170}'..='\u{1f171}'
            | '\u{1f17e}'..='\u{1f17f}' | '\u{1f18e}' | '\u{1f191}'..='\u{1f19a}' | '\u{1f201}'..='\u{1f202}'
            | '\u{1f21a}' | '\u{1f22f}' | '\u{1f232}'..='\u{1f23a}' | '\u{1f250}'..='\u{1f251}'
            | '\u{1f300}'..='\u{1f321}' | '\u{1f324}'..='\u{1f393}' | '\u{1f396}'..='\u{1f397}'
            | '\u{1f399}'..='\u{1f39b}' | '\u{1f39e}'..='\u{1f3f0}' | '\u{1f3f3}'..='\u{1f3f5}'
            | '\u{1f3f7}'..='\u{1f3fa}' | '\u{1f400}'..='\u{1f4fd}' | '\u{1f4ff}'..='\u{1f53d}'
            | '\u{1f549}'..='\u{1f54e}' | '\u{1f550}'..='\u{1f567}' | '\u{1f56f}'..='\u{1f570}'
            | '\u{1f573}'..='\u{1f57a}' | '\u{1f587}' | '\u{1f58a}'..='\u{1f58d}' | '\u{1f590}'
            | '\u{1f595}'..='\u{1f596}' | '\u{1f5a4}'..='\u{1f5a5}' | '\u{1f5a8}' | '\u{1f5b1}'..='\u{1f5b2}'
            | '\u{1f5bc}' | '\u{1f5c2}'..='\u{1f5c4}' | '\u{1f5d1}'..='\u{1f5d3}' | '\u{1f5dc}'..='\u{1f5de}'
            | '\u{1f5e1}' | '\u{1f5e3}' | '\u{1f5e8}' | '\u{1f5ef}' | '\u{1f5f3}' | '\u{1f5fa}'..='\u{1f64f}'
            | '\u{1f680}'..='\u{1f6c5}' | '\u{1f6cb}'..='\u{1f6d2}' | '\u{1f6d5}'..='\u{1f6d7}'
            | '\u{1f6dc}'..='\u{1f6e5}' | '\u{1f6e9}' | '\u{1f6eb}'..='\u{1f6ec}' | '\u{1f6f0}'
            | '\u{1f6f3}'..='\u{1f6fc}' | '\u{1f7e0}'..='\u{1f7eb}' | '\u{1f7f0}' | '\u{1f90c}'..='\u{1f93a}'
            | '\u{1f93c}'..='\u{1f945}' | '\u{1f947}'..='\u{1f9ff}' | '\u{1fa70}'..='\u{1fa7c}'
            | '\u{1fa80}'..='\u{1fa89}' | '\u{1fa8f}'..='\u{1fac6}' | '\u{1face}'..='\u{1fadc}'
            | '\u{1fadf}'..='\u{1fae9}' | '\u{1faf0}'..='\u{1faf8}'
    )
}

#[cfg(test)]
mod tests {
    use super::super::tests::{differing, with};
    use super::*;

    #[test]
    fn g30_the_emoji_are_those_of_unicode() {
        assert_eq!(differing(is_emoji, &with(r"[\p{Emoji}&&\p{Extended_Pictographic}]")), "");
    }

    #[test]
    fn g30_an_emoji_ends_where_its_grammar_ends() {
        for (text, bytes) in [
            ("", 0),
            ("1", 0),
            ("1\u{fe0f}", 0),
            ("1\u{fe0f}\u{20e3}2", 7),
            ("a\u{fe0f}\u{20e3}", 0),
            ("©\u{fe0f}\u{fe0f}", 5),
            ("👋\u{1f3fd}\u{fe0f}", 8),
            ("👩\u{1f3fd}\u{200d}⚕\u{fe0f}\u{200d}", 17),
            ("👩\u{200d}\u{200d}👩", 4),
            ("👩\u{200d}a", 4),
            ("\u{200d}👩", 0),
            ("\u{1f3f4}\u{e0067}", 4),
        ] {
            assert_eq!(at_start(text), bytes, "{text:?}");
        }
        assert!(FLAGS.iter().all(|flag| at_start(flag) == flag.len()));
    }
}
