//! Text, checked once at the door: after `parse`, nobody asks again whether it is blank or too long.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize};

use super::holding::holds;

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TextError {
    #[error("{what} is empty")]
    Blank {
        /// What the text was meant to be.
        what: &'static str,
    },
    #[error("{what} has {bytes} bytes, more than the {limit} that fit")]
    TooLong {
        /// What the text was meant to be.
        what: &'static str,
        bytes: usize,
        limit: usize,
    },
}

/// Trims `text` and checks that something is left and that it fits.
fn checked<'a>(what: &'static str, text: &'a str, limit: usize) -> Result<&'a str, TextError> {
    let trimmed = text.trim();
    if trimmed.is_empty() {
        return Err(TextError::Blank { what });
    }
    if trimmed.len() > limit {
        return Err(TextError::TooLong { what, bytes: trimmed.len(), limit });
    }
    Ok(trimmed)
}

/// One line: trimmed, not blank, line breaks become single spaces, at most [`Line::LIMIT`] bytes.
///
/// Other control characters are kept as they were given; whoever shows the text makes them harmless.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub struct Line(String);

impl Line {
    /// The longest line, in bytes.
    pub const LIMIT: usize = 4_000;

    /// Checks `text`; `what` names it in the error.
    pub fn parse(what: &'static str, text: &str) -> Result<Self, TextError> {
        let text = checked(what, text, Self::LIMIT)?;
        if !text.contains(['\n', '\r']) {
            return Ok(Self(text.to_owned()));
        }
        let pieces: Vec<&str> = text.split(['\n', '\r']).map(str::trim).filter(|piece| !piece.is_empty()).collect();
        Ok(Self(pieces.join(" ")))
    }

    /// Shortens a text that we made ourselves until it fits; for summaries, never for what a person wrote.
    pub fn clipped(text: &str) -> Self {
        let flat: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let mut end = flat.len().min(200);
        while !flat.is_char_boundary(end) {
            end -= 1;
        }
        let cut = if end < flat.len() { format!("{}…", flat[..end].trim_end()) } else { flat };
        Self(if cut.is_empty() { "(nothing said)".to_owned() } else { cut })
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Running text of one or more lines: trimmed, not blank, `\n` line ends, at most [`Prose::LIMIT`] bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Prose(String);

impl Prose {
    /// The longest prose, in bytes: with every byte escaped it still fits into one stored YAML file.
    pub const LIMIT: usize = 12_000;

    /// Checks `text`; `what` names it in the error.
    pub fn parse(what: &'static str, text: &str) -> Result<Self, TextError> {
        Ok(Self(checked(what, text, Self::LIMIT)?.replace("\r\n", "\n").replace('\r', "\n")))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub fn first_line(&self) -> &str {
        self.0.lines().next().unwrap_or_default()
    }
}

impl fmt::Display for Prose {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What a session is about: one line of at most [`Topic::LIMIT`] bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Topic(Line);

impl Topic {
    /// The longest topic, in bytes; what is longer belongs into an answer or a file.
    pub const LIMIT: usize = 1_000;

    pub fn parse(text: &str) -> Result<Self, TextError> {
        checked("the topic", text, Self::LIMIT)?;
        Line::parse("the topic", text).map(Self)
    }

    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// The topic as it is compared (G3): lower case, words only, single spaces.
    pub fn normalised(&self) -> String {
        words(self.as_str()).join(" ")
    }

    /// The words that carry meaning: lower case, at least three letters, no filler.
    pub fn keywords(&self) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        for word in words(self.as_str()) {
            if word.chars().count() > 2 && !is_filler(&word) && !found.contains(&word) {
                found.push(word);
            }
        }
        found
    }
}

impl fmt::Display for Topic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Stored text passes the same check as typed text: what we stored comes back unchanged, since the check leaves alone
/// what has passed it once, and what somebody else wrote is brought into form or turned away.
macro_rules! checked_when_read {
    ($name:ident, $parse:expr) => {
        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = String::deserialize(deserializer)?;
                let parse: fn(&str) -> Result<Self, TextError> = $parse;
                parse(&text).map_err(serde::de::Error::custom)
            }
        }
    };
}

checked_when_read!(Line, |text| Line::parse("a stored line", text));
checked_when_read!(Prose, |text| Prose::parse("a stored text", text));
checked_when_read!(Topic, Topic::parse);

/// The words of `text` in lower case; everything that is neither letter nor digit separates.
pub fn words(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}

/// The words of `text` with the signs that tell one name from another: `C++` is not `C#`, `< 3` is not `> 3`, `-f` is not
/// `f`, and a symbol is a word. Punctuation and marks of emphasis still separate.
pub fn terms(text: &str) -> Vec<String> {
    let text = &without_contractions(text);
    let mut found: Vec<String> = Vec::new();
    let mut term = String::new();
    let (mut before, mut signs) = (' ', text.chars().peekable());
    while let Some(sign) = signs.next() {
        let goes_on = !term.is_empty() && before != ' ';
        let is_led = |next: Option<&char>| before.is_whitespace() && next.is_some_and(|next| next.is_alphanumeric());
        match sign {
            _ if sign.is_alphanumeric() => term.extend(sign.to_lowercase()),
            '+' | '#' if goes_on => term.push(sign),
            '-' if is_led(signs.peek()) => {
                found.extend((!term.is_empty()).then(|| std::mem::take(&mut term)));
                term.push(sign);
            }
            _ => {
                found.extend((!term.is_empty()).then(|| std::mem::take(&mut term)));
                found.extend(of_its_own(sign).map(String::from));
            }
        }
        before = sign;
    }
    found.extend((!term.is_empty()).then_some(term));
    found
}

/// `don’t` as `do not`, and `cannot` as `can not`: what is denied there is denied in every spelling.
fn without_contractions(text: &str) -> String {
    let plain = text.replace('’', "'").replace("n't", " not").replace("N'T", " NOT");
    plain.replace("cannot", "can not").replace("Cannot", "Can not")
}

/// A sign that is a word: a comparison, or a symbol.
fn of_its_own(sign: char) -> Option<char> {
    match sign {
        // A text that was made harmless has these for the signs of its markup.
        '<' | '\u{2039}' => Some('<'),
        '>' | '\u{203a}' => Some('>'),
        '=' => Some('='),
        _ if sign.is_ascii() || sign.is_whitespace() || sign.is_control() => None,
        // Latin signs, and general punctuation with what is not seen.
        '\u{a0}'..='\u{bf}' | '\u{2000}'..='\u{206f}' | '\u{3000}'..='\u{303f}' | '\u{fe00}'..='\u{fe0f}' => None,
        _ => Some(sign),
    }
}

fn is_filler(word: &str) -> bool {
    holds(word) || WISHES.contains(&word)
}

/// Words that say what is wanted of a topic, and nothing about what it touches.
const WISHES: &[&str] = &["add", "build", "change", "create", "implement", "improve", "new", "support"];

/// The text with one line feed at the end of each line, however many returns stood before it, and with a line feed for
/// each return that stands alone, which Markdown takes for the end of a line as well. No return is left, so that everybody
/// who reads the text counts the same lines, and what is read again is the same.
pub fn plain_line_ends(text: &str) -> String {
    let lines: Vec<&str> = text.split('\n').map(|line| line.trim_end_matches('\r')).collect();
    lines.join("\n").replace('\r', "\n")
}

/// The words of a foreign text on one line; a control character separates words, as white space does.
pub fn flat(text: &str) -> String {
    let words = text.split(|one: char| one.is_whitespace() || one.is_control()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ")
}

/// The first `most` characters, and a sign where there were more.
pub fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((at, _)) => format!("{}…", text[..at].trim_end()),
        None => text.to_owned(),
    }
}

/// At most `most` characters; one of them is the sign that there were more.
pub fn within(text: &str, most: usize) -> String {
    if text.chars().nth(most).is_none() { text.to_owned() } else { cut(text, most.saturating_sub(1)) }
}

/// [`cut`], at a word where one ends in the second half of what is left.
pub fn cut_at_word(text: &str, most: usize) -> String {
    let Some((at, _)) = text.char_indices().nth(most) else { return text.to_owned() };
    let kept = &text[..at];
    let kept = kept.rfind(' ').filter(|space| space * 2 > kept.len()).map_or(kept, |space| &kept[..space]);
    format!("{}…", kept.trim_end_matches([',', ';', ':', '.', ' ']))
}

/// A number of things that take an s where they are several: `1 file`, `2 files`.
pub fn counted<N: Copy + fmt::Display + From<u8> + PartialEq>(number: N, of: &str) -> String {
    let ending = if number == N::from(1) { "" } else { "s" };
    format!("{number} {of}{ending}")
}

/// The text with its first letter large.
pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// The text with its first letter small, to stand inside a sentence; names in capitals stay.
pub fn lower(text: &str) -> String {
    let mut letters = text.chars();
    let Some(first) = letters.next() else { return String::new() };
    if letters.clone().next().is_some_and(char::is_uppercase) {
        return text.to_owned();
    }
    first.to_lowercase().chain(letters).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_are_words_with_the_signs_that_tell_names_apart() {
        for (text, expected) in [
            ("Use **C++**, not `C#`.", &["use", "c++", "not", "c#"][..]),
            ("Retry > 3 or x=1", &["retry", ">", "3", "or", "x", "=", "1"]),
            ("Retry \u{2039} 3", &["retry", "<", "3"]),
            ("- TTL -1 s, in-memory - or -f", &["ttl", "-1", "s", "in", "memory", "or", "-f"]),
            ("\u{201c}On\u{201d} \u{2705}\u{fe0f} \u{2013} a\u{200b}b", &["on", "\u{2705}", "a", "b"]),
            ("# +1 ##", &["1"]),
            ("", &[]),
        ] {
            assert_eq!(terms(text), expected, "{text}");
        }
    }

    #[test]
    fn several_things_are_counted_with_an_s() {
        let told = [counted(0_usize, "file"), counted(1_u32, "file"), counted(2_u64, "file")];
        assert_eq!(told, ["0 files", "1 file", "2 files"]);
    }

    #[test]
    fn a_foreign_text_is_one_line_and_cut_where_it_is_long() {
        assert_eq!(flat("a\u{1b}[31m\n\tb\u{7}  c"), "a [31m b c");
        assert_eq!(cut("one two", 7), "one two");
        assert_eq!(cut("one two", 4), "one…");
        assert_eq!(cut("ääää", 3), "äää…");
        assert_eq!(within("one two", 7), "one two");
        assert_eq!(within("one two", 6), "one t…");
    }

    #[test]
    fn what_is_cut_at_a_word_ends_with_one() {
        assert_eq!(cut_at_word("one two three", 13), "one two three");
        assert_eq!(cut_at_word("one two three", 9), "one two…");
        assert_eq!(cut_at_word("one, two three", 5), "one…");
        assert_eq!(cut_at_word(&"ä".repeat(20), 5), "äääää…");
        assert_eq!(cut_at_word("a longerword", 7), "a longe…");
    }

    #[test]
    fn a_line_is_trimmed_and_never_broken() {
        assert_eq!(Line::parse("it", "  a\n\n b\r\nc ").unwrap().as_str(), "a b c");
        assert_eq!(Line::parse("it", " \t\n"), Err(TextError::Blank { what: "it" }));
        assert!(matches!(Line::parse("it", &"x".repeat(4_001)), Err(TextError::TooLong { bytes: 4_001, .. })));
    }

    #[test]
    fn returns_end_lines_and_none_is_left() {
        for (given, plain) in [
            ("a\r\nb", "a\nb"),
            ("a\r\r\nb\r", "a\nb"),
            ("a\rb\r\rc\n", "a\nb\n\nc\n"),
            ("\r=======\r", "\n======="),
            ("\r", ""),
        ] {
            assert_eq!(plain_line_ends(given), plain, "{given:?}");
        }
    }

    #[test]
    fn control_characters_are_stored_as_given() {
        assert_eq!(Prose::parse("it", "a\u{1b}[31mb").unwrap().as_str(), "a\u{1b}[31mb");
    }

    #[test]
    fn topics_compare_by_their_words() {
        let topic = |text| Topic::parse(text).unwrap();
        assert_eq!(topic("Add  rate-limiting!").normalised(), topic("add rate limiting").normalised());
        assert_eq!(topic("I want to make a game engine").keywords(), ["game", "engine"]);
        assert_eq!(topic("see what was done before the poll, after each failure").keywords(), ["poll", "failure"]);
        assert!(Topic::parse(&"x".repeat(200_000)).is_err());
    }

    #[test]
    fn stored_text_is_checked_and_what_we_stored_is_unchanged() {
        use serde::de::IntoDeserializer as _;
        use serde::de::value::{Error, StrDeserializer};
        let read = |text: &'static str| -> StrDeserializer<'static, Error> { text.into_deserializer() };
        assert_eq!(Line::deserialize(read(" a\n b ")).unwrap().as_str(), "a b");
        assert!(Line::deserialize(read(" \n")).is_err() && Prose::deserialize(read("")).is_err());
        let long: &'static str = "x".repeat(Prose::LIMIT + 1).leak();
        assert!(Prose::deserialize(read(long)).is_err() && Topic::deserialize(read(long)).is_err());
        for text in ["a\n\n  b", "a\tb", "\u{1b}[31m"] {
            assert_eq!(Prose::deserialize(read(text)).unwrap().as_str(), text);
        }
        let odd = Prose::parse("it", "a\r\r\nb\r").unwrap();
        let stored: &'static str = odd.as_str().to_owned().leak();
        assert_eq!(Prose::deserialize(read(stored)).unwrap(), odd);
        assert_eq!(Line::deserialize(read("(nothing said)")).unwrap(), Line::clipped(" "));
    }

    #[test]
    fn clipping_respects_character_boundaries() {
        assert!(Line::clipped(&"ä".repeat(500)).as_str().ends_with('…'));
        assert_eq!(Line::clipped(" a\n b ").as_str(), "a b");
    }
}
