//! The topic as a person wrote it: what it is about without the words with which wishes begin, and the two options that
//! it may choose between. It sees words, not grammar, and leaves alone what it is not sure of.

use crate::domain::text::words;

/// The topic without the words with which people begin a wish, so that it can be quoted inside a sentence.
pub(super) fn subject(topic: &str) -> &str {
    let mut rest = topic.trim();
    while let Some(shorter) = OPENINGS.iter().find_map(|opening| {
        let head = rest.get(..opening.len())?;
        head.eq_ignore_ascii_case(opening).then(|| rest[opening.len()..].trim_start())
    }) {
        if shorter.is_empty() {
            break;
        }
        rest = shorter;
    }
    rest = without_writing(rest);
    rest.trim_end_matches(['.', '!', '?', ' '])
}

/// `write a guide` is a guide: what is written can be read, started and finished, the writing of it can not.
fn without_writing(wish: &str) -> &str {
    let mut words = wish.splitn(3, ' ');
    match (words.next().map(str::to_lowercase).as_deref(), words.next()) {
        (Some("write" | "draft"), Some("a" | "an" | "the" | "our" | "my")) => {
            wish.split_once(' ').map_or(wish, |(_, rest)| rest)
        }
        (Some(_) | None, Some(_) | None) => wish,
    }
}

/// The two things between which a topic chooses, as in `should we use sqlite or postgres for the event store?`. It sees
/// one separator between a few words; of three options it says nothing rather than leave one out.
pub(super) fn options(subject: &str) -> Option<(&str, &str)> {
    const SEPARATORS: &[&str] = &[" versus ", " vs. ", " vs ", " or "];
    const BEFORE: &[&str] = &[
        "between ",
        "whether ",
        "choose ",
        "pick ",
        "decide ",
        "use ",
        "take ",
        "adopt ",
        "go with ",
        "switch to ",
        ": ",
    ];
    const AFTER: &[&str] = &[" for ", " as ", " in ", " on ", " when ", " because ", ","];
    const MOST_WORDS: usize = 5;
    let mut found = SEPARATORS.iter().filter_map(|separator| subject.split_once(separator));
    let (left, right) = found.next()?;
    let first = BEFORE
        .iter()
        .filter_map(|opening| left.rfind(opening).map(|at| at + opening.len()))
        .max()
        .map_or(left, |start| &left[start..]);
    let end = AFTER.iter().filter_map(|closing| right.find(closing)).min().unwrap_or(right.len());
    let (first, second) = (first.trim(), right[..end].trim());
    let few = |text: &str| (1..=MOST_WORDS).contains(&text.split_whitespace().count());
    let two = !left.contains(',') && SEPARATORS.iter().all(|separator| !right.contains(separator));
    (two && few(first) && few(second)).then_some((first, second))
}

/// How wishes begin.
const OPENINGS: &[&str] = &[
    "i want to ",
    "i would like to ",
    "i'd like to ",
    "i need to ",
    "i have to ",
    "we want to ",
    "we would like to ",
    "we need to ",
    "we have to ",
    "we should ",
    "let us ",
    "let's ",
    "please ",
    "can you ",
    "could you ",
    "help me to ",
    "help me ",
];

/// Whether a text names an amount with its unit (`50 ms`, `3 GB`, `20%`), so that nobody has to ask for one.
pub(super) fn measures(text: &str) -> bool {
    const UNITS: &[&str] = &[
        "ns", "µs", "us", "ms", "s", "sec", "second", "seconds", "min", "minute", "minutes", "b", "kb", "mb", "gb",
        "tb", "kib", "mib", "gib", "rps", "qps", "rpm", "fps", "hz", "percent", "x", "times", "requests", "users",
        "rows",
    ];
    const PERIODS: &[&str] = &["second", "minute", "hour", "day", "week", "month", "year"];
    let lower = text.to_lowercase();
    let mut rest = lower.as_str();
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let number = &rest[start..];
        let end = number.find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | ',' | '_'))).unwrap_or(number.len());
        let after = number[end..].trim_start();
        let unit: String = after.chars().take_while(|c| c.is_alphabetic()).collect();
        // `10 exports an hour` names its unit two words later.
        let rate = after
            .split_whitespace()
            .take(4)
            .skip(1)
            .any(|word| PERIODS.contains(&word.trim_end_matches(|c: char| !c.is_alphabetic())));
        if after.starts_with(['%', '×']) || UNITS.contains(&unit.as_str()) || rate {
            return true;
        }
        rest = &number[end..];
    }
    false
}

/// Whether a text names a day (`2026-12-01`, `by Friday`, `1 December`), so that nobody has to ask for one.
pub(super) fn dates(text: &str) -> bool {
    const NAMES: &[&str] = &[
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "sunday",
        "january",
        "february",
        "april",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    ];
    let is_day = |token: &str| {
        let parts: Vec<&str> = token.split('-').collect();
        matches!(parts.as_slice(), [year, month, day]
            if year.len() == 4 && month.len() == 2 && day.len() == 2
                && parts.iter().all(|part| part.chars().all(|c| c.is_ascii_digit())))
    };
    words(text).iter().any(|word| NAMES.contains(&word.as_str()))
        || text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-')).any(is_day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wish_is_quoted_by_its_subject() {
        for (topic, expected) in [
            ("I want to make a game engine", "make a game engine"),
            ("please, help", "please, help"),
            ("Let's add rate limiting!", "add rate limiting"),
            ("please help me learn Rust", "learn Rust"),
            ("rate limiting", "rate limiting"),
            ("I want to write a post about ids", "a post about ids"),
            ("write tests", "write tests"),
            ("要件", "要件"),
            ("?", ""),
        ] {
            assert_eq!(subject(topic), expected);
        }
    }

    #[test]
    fn two_options_are_seen_and_three_are_left_alone() {
        for (topic, expected) in [
            ("sqlite or postgres for the event store", Some(("sqlite", "postgres"))),
            ("should we use plain files or a database", Some(("plain files", "a database"))),
            ("decide between REST vs gRPC, soon", Some(("REST", "gRPC"))),
            ("a, b or c", None),
            ("a or b or c", None),
            ("rate limiting", None),
            (" or x", None),
        ] {
            assert_eq!(options(topic), expected, "{topic}");
        }
    }

    #[test]
    fn amounts_and_days_are_recognised() {
        for text in [
            "under 50 ms",
            "50ms at most",
            "cut 20% of it",
            "1,000 requests a minute",
            "v2 in 3 seconds",
            "10 exports an hour",
        ] {
            assert!(measures(text), "{text}");
        }
        for text in ["http 2", "v2", "the 3 of us", "in 2026", "s", ""] {
            assert!(!measures(text), "{text}");
        }
        for text in ["ready by 2026-12-01.", "by Friday", "on 3 December"] {
            assert!(dates(text), "{text}");
        }
        for text in ["in 2026", "may it be", "12-1", "a-b-c", "march on"] {
            assert!(!dates(text), "{text}");
        }
    }
}
