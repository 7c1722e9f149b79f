//! Dates: days and months, in digits and in words.

use super::tokens::Token;

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

/// Where the dates of a text begin. Relative ones (`next week`) and seasons are none.
pub(super) fn dates(tokens: &[Token<'_>]) -> Vec<usize> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        match end(tokens, at) {
            Some(end) => {
                found.push(at);
                at = end;
            }
            None => at += 1,
        }
    }
    found
}

/// The token behind the date that begins here.
fn end(tokens: &[Token<'_>], at: usize) -> Option<usize> {
    match &tokens[at] {
        token if token.code => None,
        token if is_iso(&token.lower) => Some(at + 1),
        _ => in_words(tokens, at),
    }
}

/// `2026-12` and `2026-12-01`.
fn is_iso(word: &str) -> bool {
    let number = |text: &str, most: u32| text.parse::<u32>().is_ok_and(|number| (1..=most).contains(&number));
    let parts: Vec<&str> = word.split('-').collect();
    match parts.as_slice() {
        [year, month, rest @ ..] => {
            let days = rest.len() <= 1 && rest.iter().all(|day| number(day, 31));
            year.len() == 4 && year.parse::<u32>().is_ok() && number(month, 12) && days
        }
        _ => false,
    }
}

/// `21 March 2026`, `March 21st`, `March`.
fn in_words(tokens: &[Token<'_>], at: usize) -> Option<usize> {
    let is_month = |at: usize| tokens.get(at).is_some_and(is_month);
    let is_day = |at: usize| {
        tokens.get(at).is_some_and(|token| {
            let digits = token.lower.trim_end_matches(|one: char| one.is_ascii_alphabetic());
            let ordinal = matches!(&token.lower[digits.len()..], "" | "st" | "nd" | "rd" | "th");
            ordinal && digits.parse::<u32>().is_ok_and(|day| (1..=31).contains(&day))
        })
    };
    let is_year = |at: usize| {
        let year = tokens.get(at).and_then(|token| token.lower.parse::<u32>().ok());
        year.is_some_and(|year| (1990..2100).contains(&year))
    };
    let end = if is_month(at) {
        if !is_day(at + 1) && !is_year(at + 1) && !is_calendar(&tokens[at]) {
            return None;
        }
        at + 1 + usize::from(is_day(at + 1))
    } else if is_day(at) && is_month(at + 1) {
        at + 2
    } else {
        return None;
    };
    Some(end + usize::from(is_year(end)))
}

#[cfg(test)]
mod tests {
    use super::super::tokens::tokens;
    use super::*;

    #[test]
    fn each_date_is_read_once() {
        for text in
            ["by March", "not before March 1", "2026-03-01", "2026-03", "March 1st", "21 March 2026", "March 2026"]
        {
            assert_eq!(dates(&tokens(text)).len(), 1, "{text}");
        }
        assert_eq!(dates(&tokens("from 2026-03-01 to 21 March")), [1, 3]);
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
