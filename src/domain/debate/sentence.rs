//! Decisions as sentences: which debate one came from, and whether two are one.

use super::conclusions::one_line;
use super::proposal::Reasoned;
use crate::domain::harmless::harmless;

/// Decisions and options as a role put them. Which debate a decision came from is for git grill to say: where a role says it,
/// it may have copied it from the dossier.
pub(super) fn in_own_words(mut all: Vec<Reasoned>) -> Vec<Reasoned> {
    for one in &mut all {
        while let Some((before, _)) = cut(&one.what) {
            one.what = before.to_owned();
        }
        one.what = unmarked(&one.what).to_owned();
    }
    all
}

/// A name without the box of a task and the mark of a heading before it, which would stand in the checkpoint as one.
fn unmarked(name: &str) -> &str {
    let boxed = ["[ ] ", "[x] ", "[X] "].iter().find_map(|mark| name.strip_prefix(mark));
    let behind = boxed.or_else(|| name.starts_with('#').then(|| name.trim_start_matches('#').strip_prefix(' '))?);
    match behind.map(str::trim_start).filter(|name| !name.is_empty()) {
        Some(name) => unmarked(name),
        None => name,
    }
}

/// Whether a sentence is this one, word for word and sign for sign: `< 100` is not `> 100`, and `A && B` is not `A || B`.
pub(super) fn is_sentence(first: &str, what: &str) -> bool {
    worded(without_origin(first)) == worded(what)
}

/// A sentence without what makes no other one of it: case, marks of code, quotation and emphasis, and the full stop.
pub(super) fn worded(text: &str) -> String {
    let line = harmless(&one_line(text)).replace("**", "").to_lowercase();
    let plain: String = line.chars().filter(|sign| !"`\"“”".contains(*sign)).collect();
    let inside = plain.strip_prefix('*').and_then(|inside| inside.strip_suffix('*')).unwrap_or(&plain);
    let found = inside.trim().trim_end_matches('.');
    if found.is_empty() { line } else { found.to_owned() }
}

/// What a sentence of the checkpoint says behind some words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Behind {
    Nothing,
    Clause,
}

/// What a sentence says behind these words, where it begins with them, or goes on with them behind a lead that says what it
/// answers.
pub(super) fn behind(first: &str, what: &str) -> Option<Behind> {
    let what = worded(what);
    let of = |text: &str| {
        let text = worded(text);
        match text.strip_prefix(&what)? {
            "" => Some(Behind::Nothing),
            rest => [", ", "; ", " ("].iter().any(|mark| rest.starts_with(mark)).then_some(Behind::Clause),
        }
    };
    of(first).or_else(|| of(first.split_once(": ")?.1))
}

/// A sentence of the checkpoint without the debate that it came from: the debate's name is none of its words.
pub fn without_origin(sentence: &str) -> &str {
    cut(sentence).map_or(sentence, |(before, _)| before)
}

/// The number of the debate that a sentence of the checkpoint came from.
pub fn origin(sentence: &str) -> Option<u32> {
    cut(sentence).map(|(_, number)| number)
}

fn cut(sentence: &str) -> Option<(&str, u32)> {
    let of_debate = |at: usize| {
        let (number, _) = sentence[at + " (debate ".len()..].split_once(": ")?;
        // No sign stands before it.
        number.bytes().all(|byte| byte.is_ascii_digit()).then_some(())?;
        Some((&sentence[..at], number.parse().ok()?))
    };
    let ends = sentence.trim_end().trim_end_matches('.').ends_with(')');
    // The last one is the one that git grill wrote.
    sentence.rmatch_indices(" (debate ").filter(|_| ends).find_map(|(at, _)| of_debate(at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn d17_a_name_is_no_task_and_no_heading_of_the_checkpoint() {
        for (name, expected) in [
            ("[x] Boxed", "Boxed"),
            ("[ ] # Both", "Both"),
            ("### Deep", "Deep"),
            ("C# client", "C# client"),
            ("#1 first", "#1 first"),
            ("[x]", "[x]"),
            ("> 3 requests", "> 3 requests"),
        ] {
            assert_eq!(unmarked(name), expected);
        }
    }

    #[test]
    fn d17_a_sentence_is_known_without_the_debate_that_it_came_from() {
        for (sentence, without) in [
            ("By key. (debate 1: It counts by address, since (so) it is.)", "By key."),
            ("By key (debate 12: a).", "By key"),
            ("By key (debate it: a)", "By key (debate it: a)"),
            ("A (debate 1: b) c", "A (debate 1: b) c"),
            ("By key.", "By key."),
        ] {
            assert_eq!(without_origin(sentence), without);
        }
        assert_eq!((origin("By key (debate 12: a)."), origin("By key.")), (Some(12), None));
    }
}
