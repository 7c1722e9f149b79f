//! What in a text can be measured, looked up or met: numbers, dates, files, names.

use serde::Deserialize;

use super::dates::{dates, is_calendar};
use super::names::Names;
use super::quantity::{Unit, quantities};
use super::tokens::{Token, is_path};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(in super::super) enum Kind {
    /// A number without a unit: `500 customers`.
    Number,
    /// A number with a unit that is no time, or a share: `2 GB`, `20 %`, `3x`.
    Measure,
    /// A stretch of time: `50 ms`, `two weeks`.
    Duration,
    /// A day or a month.
    Date,
    /// Somebody or something by name: a capital letter inside a sentence.
    Name,
    /// Something that the repository knows by name, or code.
    Thing,
    /// A file or a folder.
    Path,
}

/// What is concrete in a text, with its token.
///
/// A name is a word with a capital letter that does not open its sentence: `Ada` and `Oslo` are seen, and so is
/// `Monday Club` or a German noun; a name at the beginning of a sentence is not, since every word is capital there.
pub(super) fn concretes(tokens: &[Token<'_>], names: &Names) -> Vec<(Kind, usize)> {
    let mut found: Vec<(Kind, usize)> = quantities(tokens)
        .iter()
        .map(|quantity| match quantity.unit {
            Unit::Things => (Kind::Number, quantity.at),
            Unit::Time => (Kind::Duration, quantity.at),
            Unit::Size | Unit::Percent | Unit::Factor | Unit::Money | Unit::Rate => (Kind::Measure, quantity.at),
        })
        .collect();
    found.extend(dates(tokens).into_iter().map(|at| (Kind::Date, at)));
    for (at, token) in tokens.iter().enumerate() {
        if is_path(token.text) {
            found.push((Kind::Path, at));
        } else if token.code || names.know(&token.lower) || is_camel(token.text) {
            found.push((Kind::Thing, at));
        } else if is_calendar(token) {
            found.push((Kind::Date, at));
        } else if is_name(token) {
            found.push((Kind::Name, at));
        }
    }
    found
}

fn is_name(token: &Token<'_>) -> bool {
    let mut letters = token.text.chars();
    let capital = letters.next().is_some_and(char::is_uppercase);
    let own = !matches!(token.lower.as_str(), "i" | "i'm" | "i'd" | "i’m" | "i’d" | "i've" | "i’ve" | "i'll" | "i’ll");
    capital && !token.opens && own && letters.any(char::is_lowercase)
}

/// `PostgreSQL`, `rateLimiter`, `rate_limiter`, `quota::allow`.
fn is_camel(word: &str) -> bool {
    let inner = word.chars().zip(word.chars().skip(1)).any(|(one, next)| one.is_lowercase() && next.is_uppercase());
    inner || word.contains("::") || (word.contains('_') && word.len() > 3)
}

#[cfg(test)]
mod tests {
    use super::super::tokens::tokens;
    use super::*;
    use crate::domain::facts::{Evidence, Finding, RepoFacts};

    #[test]
    fn what_can_be_checked_is_recognised() {
        let at = Evidence { path: "src/quota.rs".to_owned(), lines: None, blob: None };
        let facts =
            RepoFacts { dependencies: vec![Finding { what: "tokio 1.40".to_owned(), at }], ..RepoFacts::default() };
        let names = Names::of(&facts);
        for (text, expected) in [
            ("fast, under 50 ms", vec![Kind::Duration]),
            ("for 500 customers", vec![Kind::Number]),
            ("at 20 %", vec![Kind::Measure]),
            ("users like Ada in support", vec![Kind::Name]),
            ("Users wait", vec![]),
            ("I think I'm done", vec![]),
            ("in src/quota.rs", vec![Kind::Path]),
            ("in quota.rs", vec![Kind::Path]),
            ("with tokio", vec![Kind::Thing]),
            ("call `allow`", vec![Kind::Thing]),
            ("the rateLimiter", vec![Kind::Thing]),
            ("by 2026-12-01", vec![Kind::Date]),
            ("on Monday", vec![Kind::Date]),
            ("the API and the CLI", vec![]),
            ("", vec![]),
        ] {
            let found: Vec<Kind> = concretes(&tokens(text), &names).into_iter().map(|(kind, _)| kind).collect();
            assert_eq!(found, expected, "{text}");
        }
    }
}
