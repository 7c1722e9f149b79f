//! What a text has told already, so that nobody asks for it: an amount that something has to meet, a day.

use super::dates::{dates, is_calendar};
use super::quantity::{Quantity, Unit, quantities};
use super::tokens::{Token, tokens};

/// What somebody said of amounts and days.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) struct Told {
    /// An amount with its unit: `50 ms`, `3 GB`, `20 %`, `10 exports an hour`.
    pub amount: bool,
    /// A day or a month: `2026-12-01`, `by Friday`, `in March`.
    pub day: bool,
}

impl Told {
    pub fn of(text: &str) -> Self {
        let tokens = tokens(text);
        let amount = quantities(&tokens).iter().any(|one| is_amount(&tokens, one));
        let day = !dates(&tokens).is_empty() || tokens.iter().any(|token| !token.code && is_calendar(token));
        Self { amount, day }
    }
}

/// From here on a stretch of time says how long the work takes, and not how fast something has to be.
const DAY: f64 = 86_400.0;

/// What is counted where a load is spoken of.
const LOAD: &[&str] = &["requests", "users", "rows"];

/// What a rate is counted by.
const PERIODS: &[&str] = &["second", "minute", "hour", "day", "week", "month", "year"];

fn is_amount(tokens: &[Token<'_>], quantity: &Quantity) -> bool {
    match quantity.unit {
        Unit::Size | Unit::Percent | Unit::Factor | Unit::Money | Unit::Rate => true,
        Unit::Time => [quantity.low, quantity.high].into_iter().any(|bound| bound.is_finite() && bound < DAY),
        Unit::Things => {
            let clause = tokens[quantity.at].clause;
            let mut behind = tokens[quantity.end..].iter().take_while(|one| one.clause == clause);
            let load = |one: &Token<'_>| LOAD.contains(&one.lower.as_str());
            // `10 exports an hour` names its unit two words later.
            let rate = |one: &Token<'_>| PERIODS.contains(&one.lower.as_str());
            behind.next().is_some_and(load) || behind.take(3).any(rate)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_and_days_that_were_told_are_recognised() {
        for text in [
            "under 50 ms",
            "50ms at most",
            "cut 20% of it",
            "1,000 requests a minute",
            "v2 in 3 seconds",
            "10 exports an hour",
            "10 per second",
            "10k users",
            "60 hz",
            "within two hours",
            "at most $500",
            "twice as fast, 3x at best",
        ] {
            assert!(Told::of(text).amount, "{text}");
        }
        for text in [
            "http 2",
            "v2",
            "the 3 of us",
            "in 2026",
            "s",
            "",
            "in 3 days",
            "two weeks of work",
            "500 customers",
            "5 of them; a day later",
            "`50 ms`",
            "part 2 s",
        ] {
            assert!(!Told::of(text).amount, "{text}");
        }
        for text in [
            "ready by 2026-12-01.",
            "by Friday",
            "on 3 December",
            "in March",
            "by 2026-12",
            "March 21st is too late",
            "friday at noon",
        ] {
            assert!(Told::of(text).day, "{text}");
        }
        for text in [
            "in 2026",
            "may it be",
            "May it be fast",
            "March on",
            "12-1",
            "a-b-c",
            "march on",
            "2026-13-01",
            "`2026-12-01`",
            "",
        ] {
            assert!(!Told::of(text).day, "{text}");
        }
    }
}
