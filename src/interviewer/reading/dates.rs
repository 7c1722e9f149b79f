//! Dates: days and months as ranges of days, so that `by March` and `in May` can be compared.

use super::tokens::Token;

/// A date in a text, as days in a calendar of months of 31 days; with a year only where one was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct When {
    pub low: i64,
    pub high: i64,
    pub year: Option<i64>,
    pub at: usize,
    pub end: usize,
}

const MONTHS: &[&str] = &[
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

const DAYS: &[&str] = &["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

/// Long before and long after every date of a year.
const EVER: i64 = 1_000_000;

impl When {
    /// Whether no day fits both. Years count only when both have one.
    pub fn excludes(&self, other: &Self) -> bool {
        let years = match (self.year, other.year) {
            (Some(one), Some(another)) => (one, another),
            (Some(_) | None, Some(_) | None) => (0, 0),
        };
        let shift = |day: i64, year: i64| if day.abs() >= EVER { day } else { day + year * 372 };
        shift(self.high, years.0) < shift(other.low, years.1) || shift(other.high, years.1) < shift(self.low, years.0)
    }
}

/// Whether a word is a weekday or a month that is nothing else: `may` and `march` are also verbs, and so they may be where
/// a sentence begins (`May it be fast`).
pub(super) fn is_calendar(token: &Token<'_>) -> bool {
    let word = token.lower.as_str();
    DAYS.contains(&word) || (is_month(token) && !(token.opens && matches!(word, "may" | "march")))
}

/// Whether a word is a month as far as its letters tell.
fn is_month(token: &Token<'_>) -> bool {
    let word = token.lower.as_str();
    let capital = token.text.starts_with(char::is_uppercase);
    MONTHS.contains(&word) && (capital || !matches!(word, "may" | "march" | "august"))
}

/// Every date of a text. Relative ones (`next week`), weekdays and seasons are not placed in a year.
pub(super) fn dates(tokens: &[Token<'_>]) -> Vec<When> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        match read(tokens, at) {
            Some(when) => {
                at = when.end;
                found.push(when);
            }
            None => at += 1,
        }
    }
    found
}

fn read(tokens: &[Token<'_>], at: usize) -> Option<When> {
    let token = &tokens[at];
    if token.code {
        return None;
    }
    let (year, month, day, end) = iso(&token.lower)
        .map(|(year, month, day)| (Some(year), month, day, at + 1))
        .or_else(|| in_words(tokens, at))?;
    let first = month * 31 + day.unwrap_or(1);
    let last = month * 31 + day.unwrap_or(31);
    let joined: Vec<&str> = tokens[at.saturating_sub(2)..at].iter().map(|one| one.lower.as_str()).collect();
    let (low, high) = match joined.as_slice() {
        ["not" | "no", "before"] | [.., "after" | "from" | "since"] => (first, EVER),
        [.., "by" | "before" | "until" | "till"] => (-EVER, last),
        _ => (first, last),
    };
    Some(When { low, high, year, at, end })
}

fn iso(word: &str) -> Option<(i64, i64, Option<i64>)> {
    let parts: Vec<&str> = word.split('-').collect();
    let [year, month, rest @ ..] = parts.as_slice() else {
        return None;
    };
    if year.len() != 4 || rest.len() > 1 {
        return None;
    }
    let month: i64 = month.parse().ok().filter(|month| (1..=12).contains(month))?;
    let day = match rest.first() {
        Some(day) => Some(day.parse().ok().filter(|day| (1..=31).contains(day))?),
        None => None,
    };
    Some((year.parse().ok()?, month - 1, day))
}

/// `21 March 2026`, `March 21st`, `March`.
fn in_words(tokens: &[Token<'_>], at: usize) -> Option<(Option<i64>, i64, Option<i64>, usize)> {
    let month_at = |index: usize| {
        let token = tokens.get(index).filter(|token| is_month(token))?;
        MONTHS.iter().position(|month| *month == token.lower)
    };
    let day_at = |index: usize| {
        let token = tokens.get(index)?;
        let digits = token.lower.trim_end_matches(|one: char| one.is_ascii_alphabetic());
        let ordinal = matches!(&token.lower[digits.len()..], "" | "st" | "nd" | "rd" | "th");
        digits.parse::<i64>().ok().filter(|day| ordinal && (1..=31).contains(day))
    };
    let year_at = |index: usize| {
        let token = tokens.get(index)?;
        token.lower.parse::<i64>().ok().filter(|year| (1990..2100).contains(year))
    };
    let (month, day, mut end) = if let Some(month) = month_at(at) {
        let day = day_at(at + 1);
        if day.is_none() && year_at(at + 1).is_none() && !is_calendar(&tokens[at]) {
            return None;
        }
        (month, day, at + 1 + usize::from(day.is_some()))
    } else {
        (month_at(at + 1)?, Some(day_at(at)?), at + 2)
    };
    let year = year_at(end);
    end += usize::from(year.is_some());
    Some((year, i64::try_from(month).ok()?, day, end))
}

#[cfg(test)]
mod tests {
    use super::super::tokens::tokens;
    use super::*;

    fn one(text: &str) -> When {
        let found = dates(&tokens(text));
        assert_eq!(found.len(), 1, "{text}: {found:?}");
        found[0].clone()
    }

    #[test]
    fn dates_are_read_and_compared() {
        for (earlier, later, excludes) in [
            ("by March", "in May", true),
            ("by May", "in March", false),
            ("by March 1", "not before April", true),
            ("2026-03-01", "2027-03-01", true),
            ("2026-03-01", "March 1st", false),
            ("21 March", "March 21", false),
            ("21 March", "22 March", true),
            ("March 2026", "2026-03-09", false),
            ("after June", "by May", true),
            ("by May", "by June", false),
        ] {
            assert_eq!(one(earlier).excludes(&one(later)), excludes, "{earlier}, {later}");
        }
    }

    #[test]
    fn verbs_and_versions_are_no_dates() {
        for text in [
            "it may fail",
            "May it fail",
            "we march on",
            "2026",
            "version 2-3",
            "10 may be enough",
            "`2026-01-01`",
            "2026-13-01",
        ] {
            assert!(dates(&tokens(text)).is_empty(), "{text}");
        }
    }
}
