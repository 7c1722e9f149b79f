//! Opposites: what two texts say of the same thing in words that exclude each other (`in memory` and `survives a restart`).
//! Only a plain sentence counts, only about a thing that both name in the same word, or about everything and nothing.

use std::collections::{BTreeSet, HashSet};
use std::sync::LazyLock;

use super::content::{holds, stem};
use super::contradiction::WHICH;
use super::deed::{ARTICLES, unconditional};
use super::denial::DENYING;
use super::tokens::Token;

/// Words that exclude others, said of the same thing.
struct Axis {
    one: Side,
    other: Side,
}

/// The words of one side.
struct Side {
    /// They stand behind a form of `to be`: `is blocked`.
    is: &'static [&'static str],
    /// They stand behind anything: `in memory`.
    loose: &'static [&'static str],
}

const fn side(is: &'static [&'static str], loose: &'static [&'static str]) -> Side {
    Side { is, loose }
}

/// The table. Where the other side is empty, only the denial of the one excludes it.
const AXES: &[Axis] = &[
    Axis {
        one: side(&["volatile"], &["in memory", "in ram"]),
        other: side(
            &["persisted", "persistent", "durable"],
            &[
                "on disk",
                "to disk",
                "survives a restart",
                "survive a restart",
                "survives restarts",
                "survive restarts",
                "survives a reboot",
                "survive a reboot",
            ],
        ),
    },
    Axis {
        one: side(&["synchronous", "blocking"], &["synchronously"]),
        other: side(&["asynchronous", "non-blocking"], &["asynchronously", "in the background"]),
    },
    Axis {
        one: side(&[], &["per user", "per account", "per client", "per tenant"]),
        other: side(&["global"], &["globally"]),
    },
    Axis { one: side(&[], &["fails open", "fail open"]), other: side(&[], &["fails closed", "fail closed"]) },
    Axis {
        one: side(&["blocked", "rejected", "refused", "denied", "forbidden"], &[]),
        other: side(&["allowed", "accepted", "admitted", "permitted"], &[]),
    },
    Axis { one: side(&["required", "mandatory"], &[]), other: side(&["optional"], &[]) },
    Axis { one: side(&["public"], &[]), other: side(&["private"], &[]) },
    Axis { one: side(&["encrypted"], &[]), other: side(&["unencrypted"], &["in plain text", "in the clear"]) },
    Axis { one: side(&["immutable", "read-only"], &[]), other: side(&["mutable", "writable", "editable"], &[]) },
    Axis {
        one: side(&["opt-out"], &["on by default", "enabled by default"]),
        other: side(&["opt-in"], &["off by default", "disabled by default"]),
    },
    Axis {
        one: side(&["manual"], &["by hand", "manually"]),
        other: side(&["automatic", "automated"], &["automatically"]),
    },
    Axis {
        one: side(&[], &["forever", "for good", "indefinitely"]),
        other: side(&["deleted", "purged", "erased"], &[]),
    },
    Axis { one: side(&["case-sensitive"], &[]), other: side(&["case-insensitive"], &[]) },
    Axis { one: side(&[], &["newest first"]), other: side(&[], &["oldest first"]) },
    Axis { one: side(&["stateless"], &[]), other: side(&["stateful"], &[]) },
    Axis { one: side(&["ordered"], &["in order"]), other: side(&["unordered"], &["in any order", "out of order"]) },
    Axis { one: side(&["logged"], &[]), other: side(&[], &[]) },
    Axis { one: side(&["retried"], &[]), other: side(&[], &[]) },
    Axis { one: side(&["cached"], &[]), other: side(&["uncached"], &[]) },
    Axis { one: side(&["compressed"], &[]), other: side(&["uncompressed"], &[]) },
    Axis { one: side(&["signed"], &[]), other: side(&["unsigned"], &[]) },
    Axis { one: side(&["shared"], &[]), other: side(&[], &[]) },
    Axis { one: side(&["validated"], &[]), other: side(&[], &[]) },
    Axis { one: side(&["versioned"], &[]), other: side(&[], &[]) },
    Axis { one: side(&["replicated"], &[]), other: side(&[], &[]) },
    Axis { one: side(&["indexed"], &[]), other: side(&[], &[]) },
];

/// The first words of all phrases of the table. Most words are none, and the table need not be gone through for them.
static FIRST: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    let sides = AXES.iter().flat_map(|axis| [&axis.one, &axis.other]);
    let phrases = sides.flat_map(|side| side.is.iter().chain(side.loose));
    phrases.filter_map(|phrase| phrase.split(' ').next()).collect()
});

const BEING: &[&str] = &["are", "aren't", "be", "is", "isn't", "remain", "remains", "stay", "stays"];

/// Verbs that say of a thing only that it is somewhere or in some way.
const PLACING: &[&str] = &[
    "deliver",
    "delivers",
    "delivered",
    "happen",
    "happens",
    "held",
    "hold",
    "holds",
    "keep",
    "keeps",
    "kept",
    "listed",
    "live",
    "lives",
    "process",
    "processed",
    "processes",
    "run",
    "runs",
    "save",
    "saved",
    "saves",
    "sent",
    "shown",
    "sit",
    "sits",
    "store",
    "stored",
    "stores",
    "work",
    "works",
    "write",
    "writes",
    "written",
];

/// Behind these a noun says of which thing something is a part.
const JOINING: &[&str] =
    &["about", "and", "at", "between", "by", "for", "from", "in", "into", "like", "of", "on", "or", "to", "with"];

const NOT: &[&str] = &["aren't", "doesn't", "isn't", "nobody", "none", "neither"];

/// A thing that a claim is about.
#[derive(Debug, PartialEq, Eq)]
enum About {
    Everything,
    Thing { name: String, which: BTreeSet<String> },
}

/// Something that is said of a thing.
#[derive(Debug)]
pub(super) struct Claim {
    pub at: usize,
    axis: usize,
    other: bool,
    denied: bool,
    about: About,
    when: BTreeSet<String>,
}

impl Claim {
    /// Whether both cannot hold.
    pub fn excludes(&self, later: &Self) -> bool {
        let opposed =
            if self.other == later.other { self.denied != later.denied } else { !self.denied && !later.denied };
        let same = match (&self.about, &later.about) {
            (About::Everything, _) | (_, About::Everything) => true,
            (About::Thing { name: one, which: mine }, About::Thing { name: other, which: theirs }) => {
                one == other && mine == theirs
            }
        };
        self.axis == later.axis && opposed && same && self.when == later.when
    }
}

fn straight(token: &Token<'_>) -> String {
    token.lower.replace('’', "'")
}

fn denies(word: &str) -> bool {
    DENYING.contains(&word) || NOT.contains(&word) || word == "nothing"
}

/// What a text claims. A clause that has both sides of an axis claims neither.
pub(super) fn claims(tokens: &[Token<'_>]) -> Vec<Claim> {
    let mut found = Vec::new();
    for at in (0..tokens.len()).filter(|at| FIRST.contains(tokens[*at].lower.as_str())) {
        for (axis, Axis { one, other }) in AXES.iter().enumerate() {
            let of = |side: &Side| length(tokens, at, side);
            let (Some(length), is_other) = (match (of(one), of(other)) {
                (Some(length), _) => (Some(length), false),
                (None, length) => (length, true),
            }) else {
                continue;
            };
            let opposite = if is_other { one } else { other };
            let mixed = (0..tokens.len()).any(|near| {
                tokens[near].sentence == tokens[at].sentence && self::length(tokens, near, opposite).is_some()
            });
            if !mixed && let Some(claim) = claim(tokens, (at, at + length), axis, is_other) {
                found.push(claim);
            }
        }
    }
    found
}

/// How many tokens of a side stand here.
fn length(tokens: &[Token<'_>], at: usize, side: &Side) -> Option<usize> {
    let stands = |phrase: &&&str| {
        phrase.split(' ').enumerate().all(|(offset, word)| {
            let token = tokens.get(at + offset).filter(|token| token.clause == tokens[at].clause && !token.code);
            token.is_some_and(|token| token.lower == word)
        })
    };
    let words = |phrase: &&str| phrase.split(' ').count();
    let is = || at.checked_sub(1).is_some_and(|before| leads(tokens, before));
    let phrase = side.loose.iter().find(stands).or_else(|| side.is.iter().find(stands).filter(|_| is()));
    phrase.map(words)
}

/// Whether a form of `to be` stands here, or in front of an adverb that does.
fn leads(tokens: &[Token<'_>], at: usize) -> bool {
    let being = |at: usize| BEING.contains(&straight(&tokens[at]).as_str());
    being(at) || (is_adverb(&straight(&tokens[at])) && at.checked_sub(1).is_some_and(being))
}

fn is_adverb(word: &str) -> bool {
    matches!(word, "all" | "also" | "always" | "ever" | "never" | "not" | "simply")
}

fn claim(tokens: &[Token<'_>], (at, end): (usize, usize), axis: usize, other: bool) -> Option<Claim> {
    let here = &tokens[at];
    // Behind the phrase may stand in which case it holds, or that it holds of something else.
    let ends = tokens.get(end).is_none_or(|next| next.clause != here.clause || next.sentence != here.sentence);
    let alone = tokens.get(end).is_some_and(|next| next.lower == "only")
        && tokens.get(end + 1).is_none_or(|next| next.clause != here.clause);
    if !(ends || alone) || !unconditional(tokens, here.part, &(at..end + usize::from(alone))) {
        return None;
    }
    let before = |index: usize| index.checked_sub(1).filter(|one| tokens[*one].clause == here.clause);
    let mut last = before(at)?;
    loop {
        let word = straight(&tokens[last]);
        let passed = BEING.contains(&word.as_str())
            || PLACING.contains(&word.as_str())
            || is_adverb(&word)
            || matches!(word.as_str(), "do" | "does" | "don't" | "doesn't" | "will" | "won't" | "must");
        if !passed {
            break;
        }
        last = before(last)?;
    }
    let (about, start) = match straight(&tokens[last]).as_str() {
        "everything" | "nothing" | "anything" if before(last).is_none_or(|one| !joins(&tokens[one])) => {
            (About::Everything, last)
        }
        _ => thing(tokens, last)?,
    };
    let clause = || tokens.iter().filter(|token| token.clause == here.clause);
    let denials = clause().filter(|token| denies(&straight(token))).count();
    let which =
        |token: &&Token<'_>| WHICH.contains(&token.lower.as_str()) && !matches!(token.lower.as_str(), "every" | "each");
    let outside = |index: &usize| !(at..end).contains(index) && tokens[*index].sentence == here.sentence;
    let when = (0..tokens.len()).filter(outside).map(|index| &tokens[index]).filter(which);
    let when = when.map(|token| token.lower.clone()).collect();
    // Two denials may deny each other, one behind the phrase something else, and one in front of the thing what is said or
    // thought of it.
    let leading = (start..at).filter(|one| denies(&straight(&tokens[*one]))).count();
    (denials <= 1 && denials == leading).then_some(Claim { at, axis, other, denied: denials == 1, about, when })
}

fn joins(token: &Token<'_>) -> bool {
    JOINING.contains(&token.lower.as_str())
}

/// The thing whose name ends here, and where that begins with its article, unless it is part of another one.
fn thing(tokens: &[Token<'_>], last: usize) -> Option<(About, usize)> {
    let says = |at: usize| {
        let token = &tokens[at];
        !token.code
            && !holds(&token.lower)
            && !PLACING.contains(&token.lower.as_str())
            && !denies(&straight(token))
            && token.clause == tokens[last].clause
            && token.lower.chars().all(char::is_alphabetic)
    };
    if !says(last) {
        return None;
    }
    let start = (0..=last).rev().take_while(|at| says(*at)).last()?;
    let front = start.checked_sub(1).map(|one| &tokens[one]).filter(|one| one.clause == tokens[last].clause);
    let article = front.is_some_and(|one| ARTICLES.contains(&one.lower.as_str()) || one.lower == "no");
    let beyond = start.checked_sub(if article { 2 } else { 1 }).map(|one| &tokens[one]);
    if beyond.filter(|one| one.clause == tokens[last].clause).is_some_and(joins) {
        return None;
    }
    let which = tokens[start..last].iter().map(|token| stem(&token.lower)).collect();
    Some((About::Thing { name: stem(&tokens[last].lower), which }, start - usize::from(article)))
}
