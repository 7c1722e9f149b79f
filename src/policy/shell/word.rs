//! Words of a simple command, as the command would receive them, as far as that can be known without running anything.

use super::number::{is_absolute_path, is_number, is_object_name};

/// One word of a simple command after quote removal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// The text itself when it is known, else how it was written.
    pub text: String,
    pub shape: Shape,
    certainty: Certainty,
}

/// What is certain about a text that is not known, the least first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Certainty {
    Nothing,
    NoOption,
    /// It is no option, and no unquoted use splits or expands it.
    Plain,
    /// It is a number without a sign.
    Number,
}

/// How much of a word is known before it is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// Exactly this text, one word.
    Literal,
    /// An unquoted glob or brace expansion: any number of words, each matching the source.
    Pattern,
    /// An expansion decides: any text, and without quotes any number of words.
    Unknown,
}

impl Word {
    pub fn literal(text: impl Into<String>) -> Self {
        Self { text: text.into(), shape: Shape::Literal, certainty: Certainty::Nothing }
    }

    /// A word that expands to names of files; `source` is how it was written.
    pub fn pattern(source: impl Into<String>) -> Self {
        Self { text: source.into(), shape: Shape::Pattern, certainty: Certainty::Nothing }
    }

    /// A word that an expansion decides; `source` is how it was written.
    pub fn unknown(source: impl Into<String>) -> Self {
        Self { text: source.into(), shape: Shape::Unknown, certainty: Certainty::Nothing }
    }

    #[must_use]
    pub(super) fn with(self, certainty: Certainty) -> Self {
        Self { certainty, ..self }
    }

    pub(super) fn is_certain_number(&self) -> bool {
        self.certainty == Certainty::Number
    }

    pub fn known(&self) -> Option<&str> {
        match self.shape {
            Shape::Literal => Some(&self.text),
            Shape::Pattern | Shape::Unknown => None,
        }
    }

    /// Whether anything it becomes could begin with `-`, and so be taken for an option.
    ///
    /// A pattern is safe behind a plain beginning (`src/*`), a quoted expansion too (`"src/$name"`). An unquoted
    /// expansion is not, wherever it stands: it may be split, and the second word begins anew.
    pub fn may_be_option(&self) -> bool {
        match self.shape {
            Shape::Literal => self.text.starts_with('-'),
            Shape::Pattern => !begins_plainly(&self.text),
            Shape::Unknown if self.certainty > Certainty::Nothing || is_number(self) || is_object_name(&self.text) => {
                false
            }
            Shape::Unknown if self.is_one_word() => {
                let inside = &self.text[1..self.text.len() - 1];
                !begins_plainly(inside) && !is_absolute_path(inside)
            }
            // A home directory is an absolute path.
            Shape::Unknown => !self.text.starts_with("~/") || self.text.contains(['$', '`', '*', '?', '[', '{']),
        }
    }

    /// The name of a long option and its value, for a word whose value alone is not known: `--since="$(date +%F)"`.
    pub(crate) fn long_option(&self) -> Option<(&str, Self)> {
        let (name, value) = self.text.split_once('=').filter(|_| self.shape == Shape::Unknown)?;
        let plain = name.strip_prefix("--").is_some_and(|name| {
            name.starts_with(|c: char| c.is_ascii_lowercase())
                && name.chars().all(|c| c.is_ascii_lowercase() || c == '-')
        });
        let value = Self::unknown(value);
        (plain && value.is_one_word()).then_some((name, value))
    }

    /// Whether it is exactly one word, whatever its text becomes.
    pub fn is_one_word(&self) -> bool {
        match self.shape {
            Shape::Literal => true,
            Shape::Pattern => false,
            Shape::Unknown => {
                let inner = self.text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
                // `"$@"` and `"${list[@]}"` are as many words as there are; `"a"$b"c"` is split in the middle.
                inner.is_some_and(|inner| !inner.contains(['"', '@']))
            }
        }
    }
}

fn begins_plainly(source: &str) -> bool {
    source.starts_with(|first: char| first.is_ascii_alphanumeric() || matches!(first, '/' | '.' | '_' | ':' | '^'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_plain_beginning_rules_an_option_out() {
        for (word, may) in [
            (Word::literal("-x"), true),
            (Word::literal("x"), false),
            (Word::literal(""), false),
            (Word::pattern("src/*.rs"), false),
            (Word::pattern("*.rs"), true),
            (Word::pattern("{-o,a}"), true),
            (Word::pattern("-*"), true),
            (Word::unknown("\"$f\""), true),
            (Word::unknown("\"src/$f\""), false),
            (Word::unknown("src/$f"), true),
            (Word::unknown("\"a\"$f\"b\""), true),
            (Word::unknown("\"a $@\""), true),
            (Word::unknown("~/x"), false),
            (Word::unknown("~/$x"), true),
        ] {
            assert_eq!(word.may_be_option(), may, "{word:?}");
        }
    }

    #[test]
    fn a_quoted_value_leaves_the_option_known() {
        let of = |text: &str| Word::unknown(text).long_option().map(|(name, value)| format!("{name} {}", value.text));
        assert_eq!(of("--since=\"$(date +%F)\""), Some("--since \"$(date +%F)\"".to_owned()));
        for text in
            ["--since=$x", "--since=\"$@\"", "--since=\"a\"$b\"c\"", "--$x=\"y\"", "-n=\"$x\"", "--=\"$x\"", "a=\"$x\""]
        {
            assert_eq!(of(text), None, "{text}");
        }
        assert!(Word::literal("--since=\"x\"").long_option().is_none());
    }

    #[test]
    fn quotes_around_everything_keep_one_word() {
        for (word, one) in [
            (Word::literal("a b"), true),
            (Word::pattern("*"), false),
            (Word::unknown("$f"), false),
            (Word::unknown("\"$f\""), true),
            (Word::unknown("\"$@\""), false),
            (Word::unknown("\""), false),
        ] {
            assert_eq!(word.is_one_word(), one, "{word:?}");
        }
    }
}
