//! Public names of agent sessions and of their turns: `g1`, `t1` (A6). A handle becomes part of a path, so anything
//! else is refused before a path is built from it.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::domain::harmless::on_one_line;
use crate::domain::text::within;

/// The highest number of a handle: `[1-9][0-9]{0,5}`.
pub const HIGHEST: u32 = 999_999;
/// Characters of a foreign text that an error repeats.
const REPEATED: usize = 40;

/// A text that is no handle of this kind.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("\"{text}\" is not {kind}; they are named {examples}")]
pub struct BadHandle {
    /// The text, harmless and cut.
    text: String,
    kind: &'static str,
    examples: &'static str,
}

/// The number behind the letter, if it is written as we write it.
fn number_in(digits: &str) -> Option<u32> {
    let is_plain =
        matches!(digits.len(), 1..=6) && !digits.starts_with('0') && digits.bytes().all(|byte| byte.is_ascii_digit());
    if is_plain { digits.parse().ok() } else { None }
}

macro_rules! handle {
    ($(#[$doc:meta])* $name:ident, $letter:literal, $kind:literal, $examples:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(u32);

        impl $name {
            pub const FIRST: Self = Self(1);

            /// The handle with this number, from 1 to [`HIGHEST`].
            pub fn of(number: u32) -> Option<Self> {
                (1..=HIGHEST).contains(&number).then_some(Self(number))
            }

            /// Reads a handle as it is stored or typed.
            pub fn parse(text: &str) -> Result<Self, BadHandle> {
                let number = text.strip_prefix($letter).and_then(number_in);
                number.map(Self).ok_or_else(|| BadHandle {
                    text: on_one_line(&within(text, REPEATED)),
                    kind: $kind,
                    examples: $examples,
                })
            }

            pub fn number(self) -> u32 {
                self.0
            }

            /// The handle after this one, if there is one.
            pub fn following(self) -> Option<Self> {
                Self::of(self.0 + 1)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}{}", $letter, self.0)
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                Self::parse(&String::deserialize(deserializer)?).map_err(serde::de::Error::custom)
            }
        }
    };
}

handle! {
    /// Names an agent session within a repository.
    AgentHandle, "g", "an agent session", "g1, g2, …"
}
handle! {
    /// Names a turn within its session.
    TurnHandle, "t", "a turn", "t1, t2, …"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a6_only_what_we_write_ourselves_is_a_handle() {
        for number in [1, 9, 10, 999_999] {
            let handle = AgentHandle::of(number).unwrap();
            assert_eq!(AgentHandle::parse(&handle.to_string()), Ok(handle));
            assert_eq!(TurnHandle::parse(&format!("t{number}")).unwrap().number(), number);
        }
        let bad = [
            "", "g", "g0", "g01", "g1000000", "g+1", "g-1", "g 1", "g1 ", " g1", "G1", "t1", "1", "g1\n", "g1/..",
            "../g1", "g1\0", "g１", "g1.5", "gg1", ".", "..", "/",
        ];
        for text in bad {
            assert!(AgentHandle::parse(text).is_err(), "{text:?}");
        }
        assert!(TurnHandle::parse("g1").is_err());
        assert_eq!((AgentHandle::of(0), AgentHandle::of(HIGHEST + 1)), (None, None));
        assert_eq!(AgentHandle::FIRST.following(), AgentHandle::of(2));
        assert_eq!(TurnHandle::of(HIGHEST).and_then(TurnHandle::following), None);
    }

    #[test]
    fn a6_the_refusal_repeats_foreign_text_harmless_and_short() {
        let refused = AgentHandle::parse(&format!("g1\u{1b}[31m\n{}", "x".repeat(5_000))).unwrap_err().to_string();
        assert!(
            refused.starts_with("\"g1␛[31m␤xxx")
                && refused.ends_with("is not an agent session; they are named g1, g2, …")
        );
        assert!(refused.chars().count() < 120 && !refused.contains('\u{1b}'), "{refused}");
    }
}
