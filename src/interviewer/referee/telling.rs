//! The words of an answer by which a reader recognises it: its first sentence that says something, not the "hm" in front.

use crate::domain::sentences::sentences;

use super::super::reading::contents;
use super::super::scene::quoted;

/// The longest quotation of an answer.
const LONGEST: usize = 150;

/// The fewest content words that tell one answer from another.
const FEWEST: usize = 2;

/// Words that open an answer and say nothing.
pub(super) const FILLERS: &[&str] = &[
    "ah", "eh", "er", "hm", "hmm", "mhm", "oh", "ok", "okay", "uh", "uhm", "um", "well", "yeah", "yep", "yes", "right",
];

/// The telling part of an answer, for quotation marks. An answer without one is quoted from its beginning.
pub(super) fn telling(text: &str) -> String {
    let sentences: Vec<&str> = text.lines().flat_map(sentences).map(bare).collect();
    let first = sentences.iter().position(|sentence| contents(sentence).len() >= FEWEST);
    let from = first.map_or(text, |at| sentences[at]);
    quoted(from.trim().trim_end_matches('.'), LONGEST)
}

/// A sentence without the fillers that open it.
fn bare(sentence: &str) -> &str {
    let mut rest = sentence;
    loop {
        let word = rest.split_whitespace().next().unwrap_or_default();
        let plain = word.trim_matches(|one: char| !one.is_alphanumeric()).to_lowercase();
        if word.is_empty() || !(plain.is_empty() || FILLERS.contains(&plain.as_str())) {
            return rest;
        }
        rest = rest.trim_start()[word.len()..].trim_start();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn g57_an_answer_is_quoted_by_what_it_says() {
        for (text, expected) in [
            ("hm\nin one sqlite file", "in one sqlite file"),
            ("Hm. Well, ok. In one sqlite file, beside the list. Yes.", "In one sqlite file, beside the list"),
            ("hm… let me think. The queue stays in memory", "The queue stays in memory"),
            ("yes, keep the old column for a release", "keep the old column for a release"),
            ("Right: certificate errors are final.", "certificate errors are final"),
            // Nothing in it tells more than its beginning.
            ("yes", "yes"),
            ("hm", "hm"),
            ("ok, no", "ok, no"),
            ("", ""),
            ("要件", "要件"),
        ] {
            assert_eq!(telling(text), expected, "{text}");
        }
        assert!(telling(&format!("hm. {}", "long words ".repeat(100))).chars().count() <= LONGEST + 1);
    }
}
