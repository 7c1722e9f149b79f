//! Content words: what a sentence is about, without the words that hold it together, in a rough stem that makes
//! `customers` and `customer` the same. The stems are good for comparing, not for showing.

use std::collections::BTreeSet;

use super::holding::holds;
use super::text::words;

/// A word's stem, roughly: plural, `-ing` and `-ed` go.
pub fn stem(word: &str) -> String {
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
pub fn contents(text: &str) -> BTreeSet<String> {
    words(text).iter().filter(|word| word.chars().count() > 1 && !holds(word)).map(|word| stem(word)).collect()
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
}
