//! The words of a topic and how they are recognised in source code: in the pieces of identifiers and in their
//! inflections (`rate limiting` in `RateLimiter`, `rate_limits` and `ratelimit`).

use crate::domain::text::{self, Topic};

/// The most words of a topic that are searched for; each one fits into a bit.
pub(super) const MOST_TERMS: usize = 12;

/// A shorter stem never matches the beginning of a longer word: `cat` is not in `category`.
const SHORTEST_PREFIX: usize = 4;

/// What may follow a stem without changing what the word is about.
const ENDINGS: &[&[u8]] = &[
    b"", b"s", b"es", b"e", b"d", b"r", b"rs", b"er", b"ers", b"or", b"ors", b"ed", b"ing", b"ings", b"ion", b"ions",
    b"y", b"ies", b"able", b"ment", b"ments",
];

/// Endings that are taken off a topic's word, with the least that has to be left.
const CUT: &[(&str, usize)] = &[
    ("ings", 4),
    ("ing", 4),
    ("ions", 5),
    ("ion", 5),
    ("ers", 5),
    ("er", 5),
    ("ies", 4),
    ("ed", 4),
    ("es", 4),
    ("s", 3),
    ("y", 4),
    ("e", 4),
];

/// How well a piece of text fits a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fit {
    Beginning,
    /// It is the word, inflected or as part of an identifier.
    Word,
}

/// A word of the topic.
struct Term {
    word: String,
    stem: Vec<u8>,
}

/// The words of a topic.
pub(super) struct Terms {
    terms: Vec<Term>,
    /// Whether some stem begins with this byte.
    begins: [bool; 256],
}

impl Terms {
    /// The words of this topic; short ones only when there are no others, and never a single letter: it is everywhere.
    pub(super) fn of(topic: &Topic) -> Self {
        let mut words = topic.keywords();
        if words.is_empty() {
            words = text::words(topic.as_str());
            words.retain(|word| word.chars().count() > 1);
        }
        let mut terms: Vec<Term> = Vec::new();
        for word in words {
            let stem = stem(&word).as_bytes().to_vec();
            if terms.len() < MOST_TERMS && terms.iter().all(|term| term.stem != stem) {
                terms.push(Term { word, stem });
            }
        }
        let mut begins = [false; 256];
        for term in &terms {
            begins[usize::from(term.stem[0])] = true;
        }
        Self { terms, begins }
    }

    pub(super) fn len(&self) -> usize {
        self.terms.len()
    }

    /// A word as it stands in the topic, in lower case.
    pub(super) fn word(&self, term: usize) -> &str {
        &self.terms[term].word
    }

    /// Their stems: whatever fits a word has its stem in it.
    pub(super) fn stems(&self) -> impl Iterator<Item = &str> {
        self.terms.iter().filter_map(|term| std::str::from_utf8(&term.stem).ok())
    }

    /// The words that a text has, in the order of the topic.
    pub(super) fn found_in(&self, text: &str) -> Vec<usize> {
        let mut found = Vec::new();
        self.scan(text.as_bytes(), |term, fit| {
            if fit == Fit::Word && !found.contains(&term) {
                found.push(term);
            }
        });
        found.sort_unstable();
        found
    }

    /// Calls `hit` for every piece of `text` that fits a word.
    pub(super) fn scan(&self, text: &[u8], mut hit: impl FnMut(usize, Fit)) {
        let mut start = 0;
        while start < text.len() {
            if !is_letter(text[start]) {
                start += 1;
                continue;
            }
            let end = end_of_piece(text, start);
            if self.begins[usize::from(text[start].to_ascii_lowercase())] {
                self.match_piece(&text[start..end], &mut hit);
            }
            start = end;
        }
    }

    fn match_piece(&self, piece: &[u8], hit: &mut impl FnMut(usize, Fit)) {
        for (number, term) in self.terms.iter().enumerate() {
            let Some(rest) = without_prefix(piece, &term.stem) else {
                continue;
            };
            if is_ending(rest, &term.stem) {
                hit(number, Fit::Word);
                continue;
            }
            // Words written together: `ratelimit`.
            let next =
                self.terms.iter().position(|other| other.stem.len() > 2 && without_prefix(rest, &other.stem).is_some());
            match next {
                Some(next) => {
                    hit(number, Fit::Word);
                    hit(next, Fit::Word);
                }
                None if term.stem.len() >= SHORTEST_PREFIX => hit(number, Fit::Beginning),
                None => {}
            }
        }
    }
}

/// Letters, digits, and every byte of a character outside ASCII.
fn is_letter(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte >= 0x80
}

/// Where a piece ends: at a sign, or where an identifier changes case (`rateLimit`, `HTTPServer`).
fn end_of_piece(text: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while at < text.len() && is_letter(text[at]) {
        let before = text[at - 1];
        let here = text[at];
        if here.is_ascii_uppercase() {
            let next_is_lower = text.get(at + 1).is_some_and(u8::is_ascii_lowercase);
            if !before.is_ascii_uppercase() || next_is_lower {
                break;
            }
        }
        at += 1;
    }
    at
}

fn without_prefix<'t>(text: &'t [u8], prefix: &[u8]) -> Option<&'t [u8]> {
    let (beginning, rest) = text.split_at_checked(prefix.len())?;
    beginning.eq_ignore_ascii_case(prefix).then_some(rest)
}

fn is_ending(rest: &[u8], stem: &[u8]) -> bool {
    let listed = |rest: &[u8]| ENDINGS.iter().any(|ending| ending.eq_ignore_ascii_case(rest));
    if listed(rest) || rest.iter().all(u8::is_ascii_digit) {
        return true;
    }
    // `logging`: the last consonant is doubled.
    match (rest.split_first(), stem.last()) {
        (Some((first, after)), Some(last)) => first.eq_ignore_ascii_case(last) && after.len() > 1 && listed(after),
        _ => false,
    }
}

/// The part of a word that its inflections share.
fn stem(word: &str) -> &str {
    for (ending, least) in CUT {
        let Some(rest) = word.strip_suffix(ending) else {
            continue;
        };
        if *ending == "s" && rest.ends_with(['s', 'u', 'i']) {
            return word;
        }
        let bytes = rest.as_bytes();
        let doubled = bytes.len() > 3
            && bytes[bytes.len() - 1] == bytes[bytes.len() - 2]
            && bytes[bytes.len() - 1].is_ascii_alphabetic()
            && !rest.ends_with(['l', 's', 'e'])
            && ending.len() > 1;
        if doubled {
            return &rest[..rest.len() - 1];
        }
        if rest.len() >= *least {
            return rest;
        }
    }
    word
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hits(topic: &str, text: &str) -> Vec<(String, Fit)> {
        let terms = Terms::of(&Topic::parse(topic).unwrap());
        let mut hits = Vec::new();
        terms.scan(text.as_bytes(), |term, fit| {
            hits.push((terms.word(term).to_owned(), fit));
        });
        hits
    }

    #[test]
    fn words_are_found_in_identifiers_and_inflected() {
        for text in ["RateLimiter", "rate_limits", "rate-limit", "ratelimit", "RATE_LIMITED", "HTTPRateLimit"] {
            let found = hits("rate limiting", text);
            assert_eq!(found, [("rate".to_owned(), Fit::Word), ("limiting".to_owned(), Fit::Word)], "{text}");
        }
        for (topic, text) in [
            ("logging", "logger"),
            ("caching", "cacheKey"),
            ("queries", "query_all"),
            ("authentication", "authenticate"),
            ("oauth", "OAUTH2"),
            ("übersicht", "übersicht"),
            ("ci", "ci"),
        ] {
            assert_eq!(hits(topic, text).first().map(|hit| hit.1), Some(Fit::Word), "{topic} in {text}");
        }
    }

    #[test]
    fn beginnings_count_less_and_short_ones_not_at_all() {
        assert_eq!(hits("port", "portfolio"), [("port".to_owned(), Fit::Beginning)]);
        assert_eq!(hits("cat", "category"), []);
        assert_eq!(hits("rate limiting", "generate delimiter"), []);
    }

    #[test]
    fn a_stem_is_never_empty() {
        for word in ["s", "es", "ing", "e", "ss", "y", "ions"] {
            assert!(!stem(word).is_empty(), "{word}");
        }
    }
}
