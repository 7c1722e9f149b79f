//! Identifiers: how sessions, questions, answers and git objects are called.

use std::fmt;

use jiff::Timestamp;
use serde::{Deserialize, Deserializer, Serialize};

use super::text::{Topic, words};

/// The letters of random parts: no `0`, `1`, `l`, `o`, so that an id can be read out and typed.
const ALPHABET: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";

/// A text that is no identifier of this kind.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{text}' is not a {kind} id")]
pub struct BadId {
    pub text: String,
    pub kind: &'static str,
}

/// Writes the low bits of `nonce` as `length` characters, five bits each.
fn letters(nonce: u64, length: u32) -> String {
    (0..length).map(|place| char::from(ALPHABET[usize::try_from((nonce >> (5 * place)) & 31).unwrap_or(0)])).collect()
}

macro_rules! random_id {
    ($(#[$doc:meta])* $name:ident, $prefix:literal, $kind:literal) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
        #[serde(transparent)]
        pub struct $name(String);

        impl $name {
            /// Makes an id from 30 random bits.
            pub fn from_nonce(nonce: u64) -> Self {
                Self(format!("{}{}", $prefix, letters(nonce, 6)))
            }

            /// Reads an id as it is stored or typed.
            pub fn parse(text: &str) -> Result<Self, BadId> {
                let bad = || BadId { text: text.to_owned(), kind: $kind };
                let random = text.strip_prefix($prefix).ok_or_else(bad)?;
                if random.len() != 6 || !random.bytes().all(|byte| ALPHABET.contains(&byte)) {
                    return Err(bad());
                }
                Ok(Self(text.to_owned()))
            }

            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                Self::parse(&String::deserialize(deserializer)?).map_err(serde::de::Error::custom)
            }
        }
    };
}

random_id! {
    /// Names a question; random, so that two machines never give one id to two questions.
    QuestionId, "q-", "question"
}
random_id! {
    AnswerId, "a-", "answer"
}
random_id! {
    /// Names an agent session once and for all, while its handle (`g1`) may be given again after a clean-up.
    AgentSessionId, "s-", "agent session"
}

/// Names a session: `YYYYMMDD-slug-rrrrr`, one path component, lower case, never renamed.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub struct SessionId(String);

impl SessionId {
    /// Makes the id of a session about `topic` that starts at `at`, from 25 random bits.
    pub fn new(topic: &Topic, at: Timestamp, nonce: u64) -> Self {
        let day = at.strftime("%Y%m%d");
        Self(format!("{day}-{}-{}", slug(topic), letters(nonce, 5)))
    }

    /// Whether a session about `topic` may have this id; one about another topic may have it too.
    pub fn may_be_about(&self, topic: &Topic) -> bool {
        // The day and its hyphen stand before it, a hyphen and five characters behind.
        self.0.get(9..self.0.len().saturating_sub(6)) == Some(slug(topic).as_str())
    }

    /// Reads an id as it is stored or typed.
    pub fn parse(text: &str) -> Result<Self, BadId> {
        let legal = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        let dated =
            text.len() > 15 && text.as_bytes()[..8].iter().all(u8::is_ascii_digit) && text.as_bytes()[8] == b'-';
        if !dated || text.len() > 80 || !text.bytes().all(legal) {
            return Err(BadId { text: text.to_owned(), kind: "session" });
        }
        Ok(Self(text.to_owned()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub fn ref_name(&self) -> String {
        format!("refs/grill/sessions/{}", self.0)
    }
}

impl fmt::Display for SessionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for SessionId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::parse(&String::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}

/// Words that the name of a session passes over. The list is part of the stored format, as a session is looked for by the
/// name that its topic would get: it stays as it is, whatever else tells words that say nothing.
const PASSED_OVER: &[&str] = &[
    "about",
    "add",
    "and",
    "any",
    "are",
    "build",
    "can",
    "change",
    "could",
    "create",
    "does",
    "for",
    "from",
    "get",
    "give",
    "have",
    "how",
    "implement",
    "improve",
    "into",
    "its",
    "let",
    "like",
    "make",
    "more",
    "need",
    "new",
    "not",
    "our",
    "out",
    "own",
    "should",
    "some",
    "support",
    "that",
    "the",
    "their",
    "them",
    "then",
    "this",
    "use",
    "using",
    "want",
    "was",
    "what",
    "when",
    "where",
    "which",
    "who",
    "why",
    "will",
    "with",
    "would",
    "you",
    "your",
];

/// The part of a session id that a person recognises: up to four words, ASCII only, at most 32 characters.
fn slug(topic: &Topic) -> String {
    let all = words(topic.as_str());
    let mut telling: Vec<&String> = Vec::new();
    for word in &all {
        if word.chars().count() > 2 && !PASSED_OVER.contains(&word.as_str()) && !telling.contains(&word) {
            telling.push(word);
        }
    }
    let source = if telling.is_empty() { all.iter().collect() } else { telling };
    let mut slug = String::new();
    for word in source.iter().take(4) {
        let word: String = word.chars().filter(char::is_ascii_alphanumeric).collect();
        if word.is_empty() || slug.len() + word.len() >= 32 {
            continue;
        }
        if !slug.is_empty() {
            slug.push('-');
        }
        slug.push_str(&word);
    }
    if slug.is_empty() { "session".to_owned() } else { slug }
}

/// A git object id in hexadecimal, 4 to 64 digits; whether it exists is the repository's business.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub struct ObjectId(String);

impl ObjectId {
    /// Reads a (possibly shortened) object id.
    pub fn parse(text: &str) -> Result<Self, BadId> {
        if !(4..=64).contains(&text.len()) || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(BadId { text: text.to_owned(), kind: "git object" });
        }
        Ok(Self(text.to_ascii_lowercase()))
    }

    /// The id in hexadecimal.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The first ten digits, for people.
    pub fn short(&self) -> &str {
        &self.0[..self.0.len().min(10)]
    }
}

impl fmt::Display for ObjectId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for ObjectId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::parse(&String::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(topic: &str) -> String {
        let at: Timestamp = "2026-11-21T10:00:00Z".parse().unwrap();
        SessionId::new(&Topic::parse(topic).unwrap(), at, 7).as_str().to_owned()
    }

    #[test]
    fn session_ids_are_typeable() {
        assert_eq!(id("Add rate limiting to the API"), "20261121-rate-limiting-api-haaaa");
        // Sessions of earlier versions are found by names like this.
        assert_eq!(id("Let nothing change after the poll"), "20261121-nothing-after-poll-haaaa");
        assert_eq!(id("要件"), "20261121-session-haaaa");
        assert!(SessionId::parse(&id("../../etc/passwd; rm -rf /")).is_ok());
        assert!(id(&"word ".repeat(100)).len() < 60);
    }

    #[test]
    fn foreign_text_is_no_id() {
        for text in ["", "q-", "q-abcde", "q-abcdel1", "a-abcdef", "q-../..", "q-ABCDEF"] {
            assert!(QuestionId::parse(text).is_err(), "{text}");
        }
        assert!(QuestionId::parse(QuestionId::from_nonce(u64::MAX).as_str()).is_ok());
        for text in ["", "x", "20261121", "20261121-../x-aaaaa", "20261121-UPPER-aaaaa", "2026112x-slug-aaaaa"] {
            assert!(SessionId::parse(text).is_err(), "{text}");
        }
        assert!(ObjectId::parse("zz").is_err() && ObjectId::parse("abcd").is_ok());
    }

    #[test]
    fn whoever_has_the_same_topic_has_the_same_middle_of_an_id() {
        let topic = |text: &str| Topic::parse(text).unwrap();
        let at = Timestamp::UNIX_EPOCH;
        for (one, other) in [("Rate limiting!", "  rate LIMITING "), ("日本語", "日本語"), ("a b", "A, B")] {
            assert_eq!(topic(one).normalised(), topic(other).normalised());
            assert!(SessionId::new(&topic(one), at, 7).may_be_about(&topic(other)), "{one}");
        }
        assert!(!SessionId::new(&topic("rate limiting"), at, 7).may_be_about(&topic("rate")));
    }
}
