//! Content words: what a sentence is about, without the words that hold it together, in a rough stem that makes
//! `customers` and `customer` the same. The stems are good for comparing, not for showing.

use std::collections::BTreeSet;

use crate::domain::text::words;

/// Words that hold sentences together, and verbs that say nothing by themselves.
const HOLDING: &[&str] = &[
    "a",
    "about",
    "above",
    "after",
    "again",
    "all",
    "also",
    "always",
    "am",
    "an",
    "and",
    "any",
    "anybody",
    "anything",
    "are",
    "as",
    "at",
    "back",
    "be",
    "because",
    "been",
    "before",
    "being",
    "below",
    "between",
    "both",
    "but",
    "by",
    "can",
    "cannot",
    "come",
    "comes",
    "could",
    "did",
    "do",
    "does",
    "doing",
    "done",
    "down",
    "each",
    "either",
    "else",
    "even",
    "ever",
    "every",
    "everything",
    "few",
    "for",
    "from",
    "get",
    "gets",
    "give",
    "given",
    "gives",
    "go",
    "goes",
    "had",
    "has",
    "have",
    "having",
    "he",
    "her",
    "here",
    "him",
    "his",
    "how",
    "i",
    "if",
    "in",
    "into",
    "is",
    "it",
    "its",
    "itself",
    "just",
    "keep",
    "keeps",
    "kept",
    "least",
    "less",
    "let",
    "like",
    "made",
    "make",
    "makes",
    "many",
    "may",
    "me",
    "might",
    "more",
    "most",
    "much",
    "must",
    "my",
    "need",
    "needs",
    "neither",
    "never",
    "no",
    "nobody",
    "nor",
    "not",
    "nothing",
    "now",
    "of",
    "off",
    "on",
    "once",
    "one",
    "ones",
    "only",
    "or",
    "other",
    "others",
    "our",
    "out",
    "over",
    "own",
    "per",
    "put",
    "rather",
    "s",
    "said",
    "same",
    "say",
    "see",
    "shall",
    "she",
    "should",
    "since",
    "so",
    "some",
    "somebody",
    "something",
    "still",
    "such",
    "t",
    "take",
    "takes",
    "than",
    "that",
    "the",
    "their",
    "them",
    "then",
    "there",
    "these",
    "they",
    "thing",
    "things",
    "this",
    "those",
    "through",
    "to",
    "today",
    "too",
    "under",
    "until",
    "up",
    "us",
    "use",
    "used",
    "uses",
    "using",
    "very",
    "want",
    "wants",
    "was",
    "way",
    "we",
    "were",
    "what",
    "when",
    "where",
    "whether",
    "which",
    "while",
    "who",
    "why",
    "will",
    "with",
    "without",
    "would",
    "yet",
    "you",
    "your",
];

/// Whether a word (in lower case) only holds a sentence together.
pub(super) fn holds(word: &str) -> bool {
    HOLDING.binary_search(&word).is_ok()
}

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
    fn the_list_is_sorted_for_searching() {
        assert!(HOLDING.is_sorted());
    }

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
}
