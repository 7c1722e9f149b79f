//! Content words: what a sentence is about, without the words that hold it together, in a rough stem that makes
//! `customers` and `customer` the same. The stems are good for comparing, not for showing.

use std::collections::BTreeSet;

pub(super) use crate::domain::holding::holds;
use crate::domain::text::words;

/// A word's stem, roughly: plural, `-ing` and `-ed` go.
pub(super) fn stem(word: &str) -> String {
    let word = word.strip_suffix("'s").or_else(|| word.strip_suffix("’s")).unwrap_or(word);
    let long = |rest: &str| rest.chars().count() >= 3;
    if let Some(rest) = word.strip_suffix("ies").filter(|rest| long(rest)) {
        return format!("{rest}y");
    }
    for ending in ["ing", "ed"] {
        if let Some(rest) = word.strip_suffix(ending).filter(|rest| rest.chars().count() >= 4) {
            return without_e(rest);
        }
    }
    let plural = ["sses", "xes", "ches", "shes"].iter().any(|ending| word.ends_with(ending));
    if plural {
        return word[..word.len() - 2].to_owned();
    }
    match word.strip_suffix('s') {
        Some(rest) if long(rest) && !rest.ends_with(['s', 'u', 'i']) => without_e(rest),
        Some(_) | None => without_e(word),
    }
}

/// `store`, `stores` and `storing` share `stor`.
fn without_e(word: &str) -> String {
    word.strip_suffix('e').filter(|rest| rest.chars().count() >= 3).unwrap_or(word).to_owned()
}

/// The stems of a text's content words.
pub(in super::super) fn contents(text: &str) -> BTreeSet<String> {
    words(text).iter().filter(|word| word.chars().count() > 1 && !holds(word)).map(|word| stem(word)).collect()
}

/// The last sentence of a question, without its mark; empty where nothing is asked.
pub(in super::super) fn last_sentence(text: &str) -> &str {
    let asks = text.rsplit_once('?').map_or("", |(before, _)| before);
    asks.rsplit(['.', '!', '?', '\n']).next().unwrap_or(asks)
}

/// How many of `wanted` stand in `found`, in hundredths; nothing wanted is nothing shared.
pub(in super::super) fn shared(wanted: &BTreeSet<String>, found: &BTreeSet<String>) -> usize {
    if wanted.is_empty() {
        return 0;
    }
    wanted.intersection(found).count() * 100 / wanted.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_one_word_share_a_stem() {
        for (one, other) in [
            ("customer", "customers"),
            ("query", "queries"),
            ("store", "storing"),
            ("stores", "stored"),
            ("class", "classes"),
            ("batch", "batches"),
            ("request", "request's"),
        ] {
            assert_eq!(stem(one), stem(other), "{one}, {other}");
        }
        for (one, other) in [("status", "stat"), ("bus", "bu"), ("ring", "r"), ("red", "r"), ("news", "knew")] {
            assert_ne!(stem(one), stem(other), "{one}, {other}");
        }
    }

    #[test]
    fn contents_leave_out_what_holds_together() {
        let found: Vec<String> = contents("The one request of every customer must not be lost").into_iter().collect();
        assert_eq!(found, ["customer", "lost", "request"]);
        assert_eq!(shared(&contents("lost requests"), &contents("a request is lost")), 100);
        assert_eq!(shared(&contents("lost requests"), &contents("a request")), 50);
        assert_eq!(shared(&contents("it is"), &contents("it is")), 0);
    }

    #[test]
    fn the_last_sentence_is_what_a_question_asks() {
        for (text, expected) in [
            ("The cache is small. How long are links kept?", " How long are links kept"),
            ("Which one? Why? Say it.", " Why"),
            ("No question.", ""),
        ] {
            assert_eq!(last_sentence(text), expected, "{text}");
        }
    }
}
