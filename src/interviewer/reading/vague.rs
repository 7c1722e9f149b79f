//! Vague words: words that sound like an answer and measure nothing. Which ones stands in `follow-ups.yaml`.

use super::concrete::{Kind, concretes};
use super::names::Names;
use super::tokens::{Token, tokens};

/// A class of vague words, as far as reading needs it.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Cues<'a> {
    /// Words or phrases in lower case; `*` stands for any ending.
    pub words: &'a [&'a str],
    pub weaker: &'a [&'a str],
    /// Phrases in which such a word is none: `user interface`, `slow down`.
    pub except: &'a [&'a str],
    /// What makes such a word measurable when it stands beside it.
    pub settled_by: &'a [Kind],
}

/// Words behind which nothing is asked for: what nobody needs has no measure.
const UNNEEDED: &[&str] = &[
    "don't have to",
    "don't need",
    "doesn't have to",
    "doesn't need",
    "don’t have to",
    "don’t need",
    "doesn’t have to",
    "doesn’t need",
    "need not",
    "needn't",
    "needn’t",
    "no need",
    "nobody needs",
    "not have to",
    "not need",
];

/// Words by which a reason asks for something: `because it has to be fast`.
const REQUIRING: &[&str] = &["has", "have", "must", "should", "needs"];

/// How many clauses away something concrete still belongs to a word of the same sentence: `fast, under 50 ms`.
const BESIDE: usize = 1;

/// A text as it was read, once for all classes of words.
#[derive(Debug)]
pub(in super::super) struct Wording<'a> {
    text: &'a str,
    tokens: Vec<Token<'a>>,
    concretes: Vec<(Kind, usize)>,
}

impl<'a> Wording<'a> {
    pub fn read(text: &'a str, names: &Names) -> Self {
        let tokens = tokens(text);
        let concretes = concretes(&tokens, names);
        Self { text, tokens, concretes }
    }

    /// The first vague word of the text, exactly as it was written.
    ///
    /// It is not seen in code, in quotations, in paths and in compounds (`user-friendly`), after `no`, inside a phrase of
    /// `except`, in what nobody needs, in a reason, in a comparison (`simpler than a table`), and where something concrete
    /// of the right kind stands in its clause or the next one. What is concrete may speak of something else, though: `a
    /// fast start, 3 columns` is not asked about numbers of columns.
    pub fn vague(&self, cues: &Cues<'_>) -> Option<&'a str> {
        let tokens = &self.tokens;
        let found = (0..tokens.len()).find_map(|at| {
            let words = cues.words.iter().chain(cues.weaker);
            let length = words.filter_map(|cue| matches(tokens, at, cue)).max()?;
            let token = &tokens[at];
            let excepted = (at..at + length).any(|one| cues.except.iter().any(|phrase| inside(tokens, one, phrase)));
            let denied = at.checked_sub(1).is_some_and(|before| tokens[before].lower == "no");
            let settled = self.concretes.iter().any(|(kind, other)| {
                let other = &tokens[*other];
                cues.settled_by.contains(kind)
                    && other.sentence == token.sentence
                    && other.clause.abs_diff(token.clause) <= BESIDE
            });
            let asks =
                !token.code && !token.quoted && !is_compared(tokens, at + length) && asks_for_something(tokens, at);
            (asks && !excepted && !denied && !settled).then(|| (token.start, tokens[at + length - 1].end()))
        });
        found.map(|(start, end)| &self.text[start..end])
    }
}

/// Whether a word that ends here is held against something: `than` stands behind it.
fn is_compared(tokens: &[Token<'_>], end: usize) -> bool {
    tokens.get(end).is_some_and(|next| next.lower == "than" && next.sentence == tokens[end - 1].sentence)
}

/// Whether the clause asks for something as far as this word: it does not say that nobody needs it, and is no reason for
/// something else.
fn asks_for_something(tokens: &[Token<'_>], at: usize) -> bool {
    let first = tokens[..at].iter().rev().take_while(|one| one.clause == tokens[at].clause).count();
    let first = at - first;
    let unneeded = |start: usize| {
        UNNEEDED.iter().any(|phrase| matches(tokens, start, phrase).is_some_and(|length| start + length <= at))
    };
    let gives_a_reason = tokens[first].lower == "because" && !tokens[first].opens;
    let requires = || tokens[first..at].iter().any(|one| REQUIRING.contains(&one.lower.as_str()));
    !(first..at).any(unneeded) && (!gives_a_reason || requires())
}

/// How many tokens a cue takes at this place, if it stands there.
fn matches(tokens: &[Token<'_>], at: usize, cue: &str) -> Option<usize> {
    // Hundreds of cues are held against each word, and nearly all begin with another letter.
    if tokens[at].lower.as_bytes().first() != cue.as_bytes().first() {
        return None;
    }
    let mut length = 0;
    for word in cue.split(' ') {
        let token = tokens.get(at + length).filter(|token| token.sentence == tokens[at].sentence)?;
        let same = match word.strip_suffix('*') {
            Some(beginning) => token.lower.starts_with(beginning),
            None => token.lower == word,
        };
        if !same {
            return None;
        }
        length += 1;
    }
    (length > 0).then_some(length)
}

fn inside(tokens: &[Token<'_>], at: usize, phrase: &str) -> bool {
    let length = phrase.split(' ').count();
    (at.saturating_sub(length - 1)..=at)
        .any(|start| matches(tokens, start, phrase).is_some_and(|found| start + found > at))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heard(text: &str) -> Option<&str> {
        let classes: [(&[&str], &[&str], &[Kind]); 4] = [
            (&["fast", "quick*"], &["quick start"], &[Kind::Duration, Kind::Measure]),
            (&["users", "user"], &["user interface", "user id"], &[Kind::Name]),
            (&["etc", "and so on"], &[], &[]),
            (&["some", "many", "a few"], &[], &[Kind::Number]),
        ];
        let wording = Wording::read(text, &Names::default());
        classes
            .iter()
            .find_map(|(words, except, settled_by)| wording.vague(&Cues { words, weaker: &[], except, settled_by }))
    }

    #[test]
    fn vague_words_are_heard_unless_something_concrete_stands_beside_them() {
        for (text, expected) in [
            ("It has to be Fast", Some("Fast")),
            ("fast, under 50 ms", None),
            ("fast enough (50 ms at p99)", None),
            ("It is fast. It takes 50 ms", Some("fast")),
            ("fast, with 3 columns", Some("fast")),
            ("a quick start", None),
            ("it quickly ends", Some("quickly")),
            ("breakfast is ready", None),
            ("a fast-forward merge", None),
            ("our users wait", Some("users")),
            ("users like Ada in support", None),
            ("users of the platform", Some("users")),
            ("no users yet", None),
            ("the user interface", None),
            ("src/users.rs", None),
            ("`users` is a table", None),
            ("cats, dogs, etc.", Some("etc")),
            ("cats, dogs and so on.", Some("and so on")),
            ("and so it goes on", None),
            ("many, at least 500", None),
            ("a few customers", Some("a few")),
            ("a few customers, 5 of them", None),
            ("", None),
            ("要件", None),
        ] {
            assert_eq!(heard(text), expected, "{text}");
        }
    }
}
