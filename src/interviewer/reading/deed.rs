//! Deeds that a text rules out (`no link is ever deleted`, `we never delete links`), and whether another one does them
//! (`a job deletes links older than 30 days`). Only what is ruled out altogether counts, and only a sentence that says
//! without a condition that it is done; a verb and its object must be the same words.

use std::collections::BTreeSet;
use std::ops::Range;

use super::content::{holds, stem};
use super::denial::{DENYING, EMPTY, LIMITING};
use super::tokens::Token;

/// A deed that is ruled out.
#[derive(Debug)]
pub(super) struct RuledOut {
    pub at: usize,
    /// The stem of the verb.
    deed: String,
    /// The stem of what it is done to, and of the words in front of it that say which.
    object: String,
    which: BTreeSet<String>,
}

/// Words that stand in front of a thing and leave open which one is meant.
pub(super) const ARTICLES: &[&str] =
    &["a", "all", "an", "any", "every", "each", "its", "our", "the", "their", "these", "those"];

/// Behind these stands which things are meant, and no other thing.
const NARROWING: &[&str] = &["older", "newer", "longer", "larger", "bigger", "smaller"];

/// Where something is done that counts for nothing elsewhere, questions, and what is kept from being done.
const APART: &[&str] = &[
    "demo",
    "forbid",
    "forbids",
    "how",
    "local",
    "nobody",
    "none",
    "nothing",
    "prevent",
    "prevents",
    "previously",
    "refuse",
    "refuses",
    "sandbox",
    "should",
    "staging",
    "stop",
    "stops",
    "test",
    "tests",
    "what",
    "which",
    "who",
    "why",
    "would",
];

/// Whoever does it, in front of a verb without an ending.
const DOERS: &[&str] = &["i", "must", "shall", "they", "we", "will"];

/// Stems of deeds that are no deeds: somebody may well need what nobody needs elsewhere.
const EMPTY_DEEDS: &[&str] = &[
    "affect", "allow", "assum", "call", "chang", "consider", "expect", "involv", "know", "mean", "mention", "need",
    "plan", "requir", "want",
];

const BEING: &[&str] = &["are", "be", "get", "gets", "is"];

/// Whether a part of a sentence holds altogether.
fn plain(tokens: &[Token<'_>], part: usize) -> bool {
    let limits = |at: usize, word: &str| {
        let compared = word == "than" && at.checked_sub(1).is_some_and(|one| narrows(&tokens[one]));
        (LIMITING.contains(&word) && !compared) || APART.contains(&word)
    };
    (0..tokens.len()).filter(|at| tokens[*at].part == part).all(|at| !limits(at, &tokens[at].lower))
}

/// Whether a part of a sentence holds altogether, some words of it apart. `nothing` denies it, and limits it to no case.
pub(super) fn unconditional(tokens: &[Token<'_>], part: usize, apart: &Range<usize>) -> bool {
    let limits = |word: &str| word != "nothing" && (LIMITING.contains(&word) || APART.contains(&word));
    let mut own = (0..tokens.len()).filter(|at| tokens[*at].part == part && !apart.contains(at));
    own.all(|at| !limits(&tokens[at].lower))
}

fn narrows(token: &Token<'_>) -> bool {
    NARROWING.contains(&token.lower.as_str())
}

/// A word that stands for something: no number, no code, and none that only holds the sentence together.
fn says(token: &Token<'_>) -> bool {
    !token.code && !holds(&token.lower) && !narrows(token) && token.lower.chars().all(char::is_alphabetic)
}

/// What is spoken of: the last of some words that say something, with those in front of it, which say which.
struct Thing {
    start: usize,
    name: String,
    which: BTreeSet<String>,
}

impl Thing {
    fn between(tokens: &[Token<'_>], start: usize, end: usize) -> Option<Self> {
        let (last, which) = tokens.get(start..end)?.split_last()?;
        let which = which.iter().map(|token| stem(&token.lower)).collect();
        Some(Self { start, name: stem(&last.lower), which })
    }

    /// The one that ends in front of a token.
    fn before(tokens: &[Token<'_>], end: usize) -> Option<Self> {
        let clause = tokens.get(end.checked_sub(1)?)?.clause;
        let start = (0..end).rev().take_while(|at| tokens[*at].clause == clause && says(&tokens[*at])).last()?;
        Self::between(tokens, start, end)
    }

    /// The one that stands behind a verb, with the token behind it.
    fn behind(tokens: &[Token<'_>], verb: usize) -> Option<(Self, usize)> {
        let same = |at: usize| tokens.get(at).filter(|token| token.clause == tokens[verb].clause);
        let article = same(verb + 1).is_some_and(|token| ARTICLES.contains(&token.lower.as_str()));
        let start = verb + 1 + usize::from(article);
        let end = (start..=tokens.len()).find(|at| !same(*at).is_some_and(says))?;
        Some((Self::between(tokens, start, end)?, end))
    }
}

/// What is done at a word that ends in `-ed` behind a form of `to be`, with the place of that.
fn passive(tokens: &[Token<'_>], at: usize) -> Option<usize> {
    let token = &tokens[at];
    let before = |back: usize| at.checked_sub(back).filter(|one| tokens[*one].clause == token.clause);
    let is = |one: usize| BEING.contains(&tokens[one].lower.as_str());
    let ever = |one: usize| matches!(tokens[one].lower.as_str(), "ever" | "never");
    if !token.lower.ends_with("ed") || !says(token) {
        return None;
    }
    let nearest = before(1)?;
    if is(nearest) { Some(nearest) } else { before(2).filter(|one| ever(nearest) && is(*one)) }
}

/// Where the subject of `being` ends: in front of it, of `will`, and of `older than 30 days`.
fn subject_end(tokens: &[Token<'_>], being: usize) -> usize {
    let clause = tokens[being].clause;
    let end = match being.checked_sub(1) {
        Some(before) if tokens[before].lower == "will" => before,
        Some(_) | None => being,
    };
    let own = (0..end).rev().take_while(|at| tokens[*at].clause == clause);
    own.into_iter().find(|at| narrows(&tokens[*at])).unwrap_or(end)
}

/// What a text rules out. The deed ends its clause, since anything behind it may say in which case.
pub(super) fn ruled_out(tokens: &[Token<'_>]) -> Vec<RuledOut> {
    let ends = |end: usize, part: usize, clause: usize| {
        tokens.get(end).is_none_or(|next| next.part != part || (next.clause != clause && next.lower != "but"))
    };
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let word = |one: Option<usize>| one.map(|one| &tokens[one]).filter(|one| one.clause == token.clause);
        let (object, end) = if let Some(being) = passive(tokens, at) {
            // `no link is (ever) deleted`, `links are never deleted`
            let Some(subject) = Thing::before(tokens, subject_end(tokens, being)) else { continue };
            let lead = word(subject.start.checked_sub(1)).map(|one| one.lower.as_str());
            let never = tokens[at - 1].lower == "never";
            let all = lead.is_none_or(|lead| ARTICLES.contains(&lead));
            (Some(subject).filter(|_| lead == Some("no") || (never && all)), at + 1)
        } else if says(token) && !token.lower.ends_with("ed") && word(at.checked_sub(1)).is_some_and(is_never) {
            // `we never delete links`
            Thing::behind(tokens, at).map_or((None, at), |(object, end)| (Some(object), end))
        } else {
            continue;
        };
        let deed = stem(&token.lower);
        let Some(object) = object.filter(|object| EMPTY.iter().all(|one| stem(one) != object.name)) else { continue };
        // The costliest question comes last.
        let counts = ends(end, token.part, token.clause) && !EMPTY_DEEDS.contains(&deed.as_str());
        if counts && plain(tokens, token.part) {
            found.push(RuledOut { at, deed, object: object.name, which: object.which });
        }
    }
    found
}

fn is_never(token: &Token<'_>) -> bool {
    token.lower == "never"
}

/// Where a text does what another one rules out.
pub(super) fn done(tokens: &[Token<'_>], ruled: &RuledOut) -> Option<usize> {
    (0..tokens.len()).find(|at| {
        let token = &tokens[*at];
        if stem(&token.lower) != ruled.deed || !says(token) || !plain(tokens, token.part) {
            return false;
        }
        let mut clause = tokens.iter().filter(|other| other.clause == token.clause);
        if clause.any(|other| DENYING.contains(&other.lower.replace('’', "'").as_str())) {
            return false;
        }
        let before = at.checked_sub(1).map(|one| &tokens[one]).filter(|one| one.clause == token.clause);
        // What was done once is not done.
        let acts = match before {
            Some(one) if DOERS.contains(&one.lower.as_str()) => !token.lower.ends_with("ed"),
            Some(one) => token.lower.ends_with('s') && says(one),
            None => false,
        };
        let done_to = match passive(tokens, *at) {
            Some(being) => Thing::before(tokens, subject_end(tokens, being)).filter(|thing| {
                let lead = thing.start.checked_sub(1).map(|one| &tokens[one]).filter(|one| one.clause == token.clause);
                lead.is_none_or(|one| ARTICLES.contains(&one.lower.as_str()))
            }),
            None if acts => Thing::behind(tokens, *at).map(|(thing, _)| thing),
            None => None,
        };
        done_to.is_some_and(|thing| thing.name == ruled.object && ruled.which.is_subset(&thing.which))
    })
}
