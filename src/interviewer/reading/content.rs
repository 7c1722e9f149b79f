//! Content words of what is read: how much of one text stands in another.

use std::collections::BTreeSet;

pub(super) use crate::domain::holding::holds;
pub(in super::super) use crate::domain::stem::contents;
pub(super) use crate::domain::stem::stem;

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
