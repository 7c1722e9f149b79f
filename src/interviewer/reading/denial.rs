//! What a text does without, and whether another one uses it.

use std::collections::BTreeSet;

use super::content::{holds, stem};
use super::contradiction::Kinds;
use super::tokens::Token;

/// Words that limit a sentence to a time or a case.
pub(super) const LIMITING: &[&str] = &[
    "anymore",
    "beginning",
    "can",
    "could",
    "currently",
    "else",
    "eventually",
    "except",
    "first",
    "former",
    "formerly",
    "if",
    "initially",
    "instead",
    "later",
    "longer",
    "maybe",
    "might",
    "now",
    "old",
    "once",
    "only",
    "perhaps",
    "possibly",
    "probably",
    "rather",
    "someday",
    "sometimes",
    "still",
    "than",
    "today",
    "unless",
    "until",
    "used",
    "was",
    "were",
    "when",
    "where",
    "whether",
    "yet",
];

/// What cannot be denied in a way that anybody would contradict.
pub(super) const EMPTY: &[&str] = &[
    "answer",
    "case",
    "change",
    "difference",
    "doubt",
    "effect",
    "effort",
    "end",
    "harm",
    "idea",
    "matter",
    "need",
    "number",
    "person",
    "point",
    "problem",
    "question",
    "reason",
    "thing",
    "time",
    "user",
    "work",
];

pub(super) const DENYING: &[&str] = &[
    "avoid", "can't", "cannot", "don't", "drop", "never", "no", "nor", "not", "remove", "replace", "without", "won't",
];

/// Verbs and prepositions behind which something is used.
pub(super) const USING: &[&str] = &[
    "add",
    "adds",
    "adopt",
    "have",
    "in",
    "install",
    "into",
    "introduce",
    "keep",
    "keeps",
    "need",
    "needs",
    "on",
    "run",
    "runs",
    "store",
    "stored",
    "stores",
    "through",
    "use",
    "uses",
    "using",
    "via",
    "with",
    "write",
    "writes",
];

/// A thing that is denied, with the words that belong to it.
#[derive(Debug)]
pub(super) struct Denied {
    pub at: usize,
    head: String,
    qualifiers: BTreeSet<String>,
}

/// Whether a part of a sentence holds without a condition.
fn plain(tokens: &[Token<'_>], part: usize) -> bool {
    let mut words = tokens.iter().filter(|token| token.part == part);
    words.all(|token| !LIMITING.contains(&token.lower.as_str()))
}

fn straight(word: &str) -> String {
    word.replace('’', "'")
}

/// What a text does without: `no database`, `without a server`, `we don't use redis`.
pub(super) fn denials(tokens: &[Token<'_>]) -> Vec<Denied> {
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let word = |offset: usize| {
            tokens.get(at + offset).filter(|one| one.clause == token.clause).map(|one| straight(&one.lower))
        };
        let verb = |word: Option<String>| {
            word.is_some_and(|word| matches!(word.as_str(), "use" | "need" | "want" | "add" | "have"))
        };
        let opened = match straight(&token.lower).as_str() {
            "no" | "without" => Some(1),
            "don't" | "won't" | "never" | "not" if verb(word(1)) => Some(2),
            _ => None,
        };
        let Some(mut offset) = opened.filter(|_| plain(tokens, token.part)) else { continue };
        offset += usize::from(word(offset).is_some_and(|word| matches!(word.as_str(), "a" | "an" | "any" | "the")));
        let phrase: Vec<usize> = (at + offset..tokens.len().min(at + offset + 3))
            .take_while(|index| {
                let one = &tokens[*index];
                one.clause == token.clause
                    && !one.code
                    && !holds(&one.lower)
                    && one.lower.chars().all(char::is_alphabetic)
            })
            .collect();
        let Some((head, qualifiers)) = phrase.split_last() else { continue };
        let head = stem(&tokens[*head].lower);
        if head.chars().count() > 2 && !EMPTY.contains(&head.as_str()) {
            let qualifiers = qualifiers.iter().map(|index| stem(&tokens[*index].lower)).collect();
            found.push(Denied { at, head, qualifiers });
        }
    }
    found
}

/// Where a text uses what another denies; `named` where its question makes a use of what it merely names.
pub(super) fn used(tokens: &[Token<'_>], denial: &Denied, kinds: &Kinds, named: bool) -> Option<usize> {
    const REACH: usize = 4;
    let kind = kinds.iter().find(|(name, _)| stem(name) == denial.head).map(|(_, members)| members);
    (0..tokens.len()).find(|at| {
        let token = &tokens[*at];
        let is_it =
            stem(&token.lower) == denial.head || kind.is_some_and(|members| members.contains(&token.lower.as_str()));
        if !is_it || !plain(tokens, token.part) {
            return false;
        }
        let clause = || tokens.iter().filter(|other| other.clause == token.clause);
        let denies = clause().any(|other| DENYING.contains(&straight(&other.lower).as_str()));
        let before = &tokens[at.saturating_sub(REACH)..*at];
        let same = before.iter().filter(|other| other.clause == token.clause);
        let uses = named || same.clone().any(|other| USING.contains(&other.lower.as_str()));
        let qualified = denial.qualifiers.iter().all(|wanted| same.clone().any(|other| stem(&other.lower) == *wanted));
        !denies && uses && qualified
    })
}
