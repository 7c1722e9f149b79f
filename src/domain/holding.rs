//! Words that hold a sentence together and say nothing by themselves. One list tells what a text is about, wherever that
//! is asked: a topic, an answer, evidence in the repository.

use std::sync::LazyLock;

/// Words that hold sentences together, and verbs that say nothing by themselves, sorted for searching.
static HOLDING: LazyLock<Vec<&str>> = LazyLock::new(|| WORDS.split(' ').collect());

const WORDS: &str = "\
    a about above after again all also always am an and any anybody anything are as at back be because been before \
    being below between both but by can cannot come comes could did do does doing done down each either else even \
    ever every everything few for from get gets give given gives go goes had has have having he her here him his how \
    i if in into is it its itself just keep keeps kept least less let like made make makes many may me might more \
    most much must my need needs neither never no nobody nor not nothing now of off on once one ones only or other \
    others our out over own per put rather s said same say see shall she should since so some somebody something \
    still such t take takes than that the their them then there these they thing things this those through to today \
    too under until up us use used uses using very want wants was way we were what when where whether which while who \
    why will with without would yet you your";

/// Whether a word (in lower case) only holds a sentence together.
pub fn holds(word: &str) -> bool {
    HOLDING.binary_search(&word).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_sorted_for_searching() {
        assert!(HOLDING.is_sorted());
        assert!(HOLDING.iter().all(|word| !word.is_empty()));
    }
}
