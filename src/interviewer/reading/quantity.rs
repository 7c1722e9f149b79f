//! Quantities: numbers with their unit and with what stands before them (`at most`, `about`), as a range.

use super::tokens::Token;

/// What a number counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    /// Seconds.
    Time,
    /// Bytes.
    Size,
    Percent,
    /// `3x`, `times`.
    Factor,
    Money,
    /// Something a second.
    Rate,
    /// Things: what they are stands behind the number.
    Things,
}

/// A number in a text.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Quantity {
    pub low: f64,
    pub high: f64,
    pub unit: Unit,
    /// The token of the number.
    pub at: usize,
    /// The token behind number and unit.
    pub end: usize,
}

impl Quantity {
    pub fn excludes(&self, other: &Self) -> bool {
        self.unit == other.unit && (self.high < other.low || other.high < self.low)
    }
}

const TIME: &[(&[&str], f64)] = &[
    (&["ns", "nanosecond", "nanoseconds"], 1e-9),
    (&["us", "µs", "microsecond", "microseconds"], 1e-6),
    (&["ms", "msec", "millisecond", "milliseconds"], 1e-3),
    (&["s", "sec", "secs", "second", "seconds"], 1.0),
    (&["min", "mins", "minute", "minutes"], 60.0),
    (&["h", "hr", "hrs", "hour", "hours"], 3_600.0),
    (&["d", "day", "days"], 86_400.0),
    (&["week", "weeks"], 604_800.0),
    (&["month", "months"], 2_629_800.0),
    (&["quarter", "quarters"], 7_889_400.0),
    (&["year", "years"], 31_557_600.0),
];

const SIZE: &[(&[&str], f64)] = &[
    (&["byte", "bytes"], 1.0),
    (&["kb", "kib", "kilobyte", "kilobytes"], 1e3),
    (&["mb", "mib", "megabyte", "megabytes"], 1e6),
    (&["gb", "gib", "gigabyte", "gigabytes"], 1e9),
    (&["tb", "tib", "terabyte", "terabytes"], 1e12),
];

const OTHER: &[(&[&str], Unit)] = &[
    (&["%", "percent"], Unit::Percent),
    (&["x", "×", "times", "fold"], Unit::Factor),
    (&["$", "€", "£", "usd", "eur", "gbp", "dollar", "dollars", "euro", "euros", "pounds"], Unit::Money),
    (&["rps", "qps", "req/s", "requests/s", "rpm", "hz", "fps", "mb/s", "gb/s", "/s"], Unit::Rate),
];

/// A unit's word, with what one of it is in the smallest one.
fn unit(word: &str) -> Option<(Unit, f64)> {
    let listed = |table: &[(&[&str], f64)]| table.iter().find(|(words, _)| words.contains(&word)).map(|(_, one)| *one);
    if let Some(one) = listed(TIME) {
        return Some((Unit::Time, one));
    }
    if let Some(one) = listed(SIZE) {
        return Some((Unit::Size, one));
    }
    OTHER.iter().find(|(words, _)| words.contains(&word)).map(|(_, unit)| (*unit, 1.0))
}

pub(super) fn is_time(word: &str) -> bool {
    matches!(unit(word), Some((Unit::Time, _)))
}

const WORDS: &[(&str, f64)] = &[
    ("two", 2.0),
    ("three", 3.0),
    ("four", 4.0),
    ("five", 5.0),
    ("six", 6.0),
    ("seven", 7.0),
    ("eight", 8.0),
    ("nine", 9.0),
    ("ten", 10.0),
    ("twelve", 12.0),
    ("dozen", 12.0),
    ("twenty", 20.0),
    ("fifty", 50.0),
    ("hundred", 100.0),
    ("thousand", 1_000.0),
    ("million", 1e6),
];

/// Words behind which a number is a name: `version 2` is no amount.
const LABELLED: &[&str] = &[
    "chapter",
    "error",
    "http",
    "issue",
    "java",
    "level",
    "line",
    "milestone",
    "option",
    "page",
    "part",
    "phase",
    "port",
    "python",
    "question",
    "release",
    "section",
    "status",
    "step",
    "tier",
    "version",
];

/// Words of an interview behind which numbers are names, one or several: `answers 4 and 6`.
const NUMBERED: &[&str] = &["answer", "answers", "question", "questions"];

/// Whether a number is a name. What counts something is none: `it answers 500 requests`.
fn is_name(tokens: &[Token<'_>], at: usize) -> bool {
    if at.checked_sub(1).is_some_and(|before| LABELLED.contains(&tokens[before].lower.as_str())) {
        return true;
    }
    let token = &tokens[at];
    let joins = |one: &Token<'_>| matches!(one.lower.as_str(), "and" | "or" | "to");
    let next = tokens.get(at + 1).filter(|next| next.sentence == token.sentence && next.clause == token.clause);
    let mut before = tokens[..at].iter().rev().take_while(|one| one.sentence == token.sentence);
    let opens = before.find(|one| !joins(one) && number(&one.lower).is_none());
    next.is_none_or(joins) && opens.is_some_and(|one| NUMBERED.contains(&one.lower.as_str()))
}

/// Every quantity of a text. It does not see `two hundred and five` as one number, nor a number that is written out
/// above twelve, and `one` only before a unit.
pub(super) fn quantities(tokens: &[Token<'_>]) -> Vec<Quantity> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        match read(tokens, at) {
            Some(quantity) => {
                at = quantity.end;
                found.push(quantity);
            }
            None => at += 1,
        }
    }
    found
}

fn read(tokens: &[Token<'_>], at: usize) -> Option<Quantity> {
    let token = &tokens[at];
    if token.code || is_name(tokens, at) {
        return None;
    }
    let (low, high, rest) = number(&token.lower).or_else(|| in_words(tokens, at))?;
    let next = tokens.get(at + 1).filter(|next| next.sentence == token.sentence && next.clause == token.clause);
    let (unit, one, end) = match (rest, next.and_then(|next| unit(&next.lower))) {
        ("" | "+", Some((unit, one))) => (unit, one, at + 2),
        ("" | "+", None) if token.lower.starts_with(['$', '€', '£']) => (Unit::Money, 1.0, at + 1),
        ("" | "+", None) => (Unit::Things, 1.0, at + 1),
        ("k", None) => (Unit::Things, 1e3, at + 1),
        ("k", Some(_)) => (Unit::Things, 1e3, at + 2),
        (rest, _) => {
            let (unit, one) = unit(rest)?;
            (unit, one, at + 1)
        }
    };
    let bound = if rest == "+" { Bound::AtLeast } else { bound(tokens, at, end) };
    let (low, high) = (low * one, high * one);
    let (low, high) = match bound {
        Bound::Exactly => (low, high),
        Bound::AtMost => (f64::NEG_INFINITY, high),
        Bound::AtLeast => (low, f64::INFINITY),
        Bound::About => (low * 0.7, high * 1.3),
    };
    Some(Quantity { low, high, unit, at, end })
}

/// `12`, `10,000`, `1.5`, `~50ms`, `10-20`: the range and what is written behind it.
fn number(word: &str) -> Option<(f64, f64, &str)> {
    let bare = word.trim_start_matches(['~', '<', '>', '≤', '≥', '±', '$', '€', '£', '=']);
    let (first, rest) = digits(bare)?;
    let second = rest.strip_prefix(['-', '–']).and_then(digits);
    match second {
        Some((second, rest)) if second >= first => Some((first, second, rest)),
        Some(_) => None,
        None => Some((first, first, rest)),
    }
}

fn digits(word: &str) -> Option<(f64, &str)> {
    let end = word.find(|one: char| !(one.is_ascii_digit() || matches!(one, ',' | '.' | '_'))).unwrap_or(word.len());
    let (digits, rest) = word.split_at(end);
    if !digits.starts_with(|one: char| one.is_ascii_digit()) {
        return None;
    }
    let digits = digits.replace('_', "");
    let grouped = digits.split(',').skip(1).all(|group| group.len() == 3);
    let plain = if grouped { digits.replace(',', "") } else { digits.replacen(',', ".", 1) };
    // Two full stops make a version or an address.
    Some((plain.parse().ok()?, rest))
}

fn in_words(tokens: &[Token<'_>], at: usize) -> Option<(f64, f64, &'static str)> {
    let word = tokens[at].lower.as_str();
    let value = match word {
        "a" | "an" | "one" => {
            let next = tokens.get(at + 1)?;
            // `a second way` is no time; a unit that stands alone in its number is singular.
            let unit = is_time(&next.lower) && next.lower.len() > 2 && !next.lower.ends_with('s');
            (unit && next.lower != "second").then_some(1.0)?
        }
        "half" => tokens.get(at + 1).filter(|next| matches!(next.lower.as_str(), "a" | "an")).map(|_| 0.5)?,
        _ => WORDS.iter().find(|(name, _)| *name == word).map(|(_, value)| *value)?,
    };
    Some((value, value, ""))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bound {
    Exactly,
    AtMost,
    AtLeast,
    About,
}

const BEFORE: &[(&str, Bound)] = &[
    ("at most", Bound::AtMost),
    ("no more than", Bound::AtMost),
    ("not more than", Bound::AtMost),
    ("less than", Bound::AtMost),
    ("fewer than", Bound::AtMost),
    ("faster than", Bound::AtMost),
    ("up to", Bound::AtMost),
    ("under", Bound::AtMost),
    ("below", Bound::AtMost),
    ("within", Bound::AtMost),
    ("until", Bound::AtMost),
    ("max", Bound::AtMost),
    ("maximum", Bound::AtMost),
    ("at least", Bound::AtLeast),
    ("no less than", Bound::AtLeast),
    ("not less than", Bound::AtLeast),
    ("more than", Bound::AtLeast),
    ("over", Bound::AtLeast),
    ("above", Bound::AtLeast),
    ("from", Bound::AtLeast),
    ("min", Bound::AtLeast),
    ("minimum", Bound::AtLeast),
    ("about", Bound::About),
    ("around", Bound::About),
    ("roughly", Bound::About),
    ("approx", Bound::About),
    ("ca", Bound::About),
    ("nearly", Bound::About),
    ("almost", Bound::About),
    ("some", Bound::About),
];

const BEHIND: &[(&str, Bound)] = &[
    ("or more", Bound::AtLeast),
    ("and more", Bound::AtLeast),
    ("or less", Bound::AtMost),
    ("or fewer", Bound::AtMost),
    ("or so", Bound::About),
    ("at most", Bound::AtMost),
    ("at least", Bound::AtLeast),
];

fn bound(tokens: &[Token<'_>], at: usize, end: usize) -> Bound {
    let token = &tokens[at];
    match token.lower.chars().next() {
        Some('<' | '≤') => return Bound::AtMost,
        Some('>' | '≥') => return Bound::AtLeast,
        Some('~' | '±') => return Bound::About,
        Some(_) | None => {}
    }
    let joined = |range: &[Token<'_>]| range.iter().map(|one| one.lower.as_str()).collect::<Vec<_>>().join(" ");
    let before = joined(&tokens[at.saturating_sub(3)..at]);
    // The longest wins: `no more than` is not `more than`.
    let found = BEFORE
        .iter()
        .filter(|(phrase, _)| before == *phrase || before.ends_with(&format!(" {phrase}")))
        .max_by_key(|(phrase, _)| phrase.len());
    if let Some((_, bound)) = found {
        return *bound;
    }
    let behind = joined(&tokens[end..tokens.len().min(end + 3)]);
    let found = BEHIND.iter().find(|(phrase, _)| behind.starts_with(phrase) || behind.ends_with(phrase));
    found.map_or(Bound::Exactly, |(_, bound)| *bound)
}

#[cfg(test)]
mod tests {
    use super::super::tokens::tokens;
    use super::*;

    #[test]
    fn numbers_are_read_with_unit_and_bound() {
        let inf = f64::INFINITY;
        for (text, expected) in [
            ("under 50 ms", vec![(-inf, 0.05, Unit::Time)]),
            ("50ms", vec![(0.05, 0.05, Unit::Time)]),
            ("at least 10,000 rows", vec![(10_000.0, inf, Unit::Things)]),
            ("no more than 3 replicas", vec![(-inf, 3.0, Unit::Things)]),
            ("more than 3 replicas", vec![(3.0, inf, Unit::Things)]),
            ("1.5 GB", vec![(1.5e9, 1.5e9, Unit::Size)]),
            ("1,5 s", vec![(1.5, 1.5, Unit::Time)]),
            ("10-20 days", vec![(864_000.0, 1_728_000.0, Unit::Time)]),
            ("20% of", vec![(20.0, 20.0, Unit::Percent)]),
            ("$500", vec![(500.0, 500.0, Unit::Money)]),
            ("10k users", vec![(10_000.0, 10_000.0, Unit::Things)]),
            ("10+ users", vec![(10.0, inf, Unit::Things)]),
            ("10 or more users", vec![(10.0, inf, Unit::Things)]),
            ("two weeks", vec![(1_209_600.0, 1_209_600.0, Unit::Time)]),
            ("within a day", vec![(-inf, 86_400.0, Unit::Time)]),
            ("3x", vec![(3.0, 3.0, Unit::Factor)]),
            ("version 2", vec![]),
            ("HTTP 429", vec![]),
            ("the 2nd one", vec![]),
            ("3.11.2", vec![]),
            ("a second way", vec![]),
            ("S3 and UTF-8", vec![]),
            ("`5` is code", vec![]),
            ("one of them", vec![]),
            ("20-10", vec![]),
            ("decided (answer 3)", vec![]),
            ("as in questions 5 and 6", vec![]),
            ("see answers 4, 6 and 7; it stays", vec![]),
            ("it answers 500 requests", vec![(500.0, 500.0, Unit::Things)]),
            ("question 5 and 6 replicas", vec![(6.0, 6.0, Unit::Things)]),
        ] {
            let found: Vec<_> =
                quantities(&tokens(text)).into_iter().map(|one| (one.low, one.high, one.unit)).collect();
            assert_eq!(found, expected, "{text}");
        }
    }
}
