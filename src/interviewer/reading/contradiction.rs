//! Two amounts of which at most one holds: the same unit, another number, said of the same thing.
//!
//! A false alarm costs more trust than a missed one costs clarity: both clauses state their amount, and speak of the same
//! thing in the same words, and of the same one of several. Other contradictions are not looked for: finding one takes
//! understanding both texts.

use std::collections::BTreeSet;

use super::content::{contents, holds, last_sentence, stem};
use super::dates::is_calendar;
use super::quantity::{Quantity, Unit, is_time, quantities};
use super::tokens::{Token, tokens};

/// Two statements of which at most one holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct Clash {
    /// The sentence of the earlier text.
    pub earlier: String,
    /// The sentence of the later text.
    pub later: String,
}

/// The most words and amounts of a text that are compared with others: a pasted log is no statement.
const MOST_WORDS: usize = 400;
const MOST_AMOUNTS: usize = 20;

/// The most content words of an answer that is read with its question, which says what `6 hours` is about.
const SHORT: usize = 4;

/// Words of bounds, which are part of the amount.
const BOUNDS: &[&str] = &["around", "max", "maximum", "min", "minimum", "roughly", "within"];

/// Words of a question that only say what kind of answer it wants.
const WANTING: &[&str] = &["big", "default", "fast", "high", "large", "long", "low", "often", "quick", "right", "soon"];

/// Stems of verbs that say of an amount only that it is one.
const MEASURING: &[&str] = &[
    "answer", "allow", "cost", "expect", "finish", "last", "limit", "reach", "respond", "return", "run", "seem", "wait",
];

/// Words that say which of several amounts is meant; both sides must have the same of them.
const WHICH: &[&str] = &[
    "after", "all", "already", "average", "before", "best", "cold", "each", "every", "final", "finally", "first",
    "from", "last", "later", "local", "max", "maximum", "mean", "median", "min", "minimum", "new", "next", "night",
    "normally", "old", "once", "p50", "p90", "p95", "p99", "peak", "per", "read", "second", "staging", "still", "test",
    "then", "third", "together", "total", "typical", "used", "usually", "was", "weekend", "were", "worst", "write",
];

/// Such words that count for the whole sentence, wherever in it they stand.
const CONDITIONS: &[&str] =
    &["currently", "eventually", "except", "if", "initially", "now", "production", "today", "unless", "until", "when"];

/// Words that deny what stands behind them; with a bound they make one: `not more than 50 ms`.
const DENYING: &[&str] = &["cannot", "never", "no", "nobody", "not", "without"];

/// Words behind which an amount is only possible, or replaced.
const UNSTATED: &[&str] = &["could", "instead", "might", "rather", "would"];

/// Whether somebody states an amount: it is not quoted, denied, merely possible or called too much.
fn is_stated(tokens: &[Token<'_>], amount: &Quantity) -> bool {
    let here = &tokens[amount.at];
    let is_bound = amount.low.is_infinite() || amount.high.is_infinite();
    let denies = |word: &str| DENYING.contains(&word) || word.ends_with("n't") || word.ends_with("n’t");
    let withheld = |one: &Token<'_>| {
        let word = one.lower.as_str();
        UNSTATED.contains(&word) || (!is_bound && denies(word))
    };
    let mut before = tokens[..amount.at].iter().rev().take_while(|one| one.clause == here.clause);
    let mut behind = tokens[amount.end..].iter().take_while(|one| one.clause == here.clause);
    !here.quoted && !before.any(withheld) && !behind.any(|one| one.lower == "too")
}

/// What words speak of, and which of several they mean.
#[derive(Debug, Default)]
struct Subject {
    contents: BTreeSet<String>,
    which: BTreeSet<String>,
    /// Words with the one right behind them: `silent feed`.
    pairs: BTreeSet<(String, String)>,
    /// Words behind `of` and `for`.
    behind: BTreeSet<String>,
}

impl Subject {
    /// The subject of some words, apart from `plain` ones.
    fn of<'t, 'w: 't>(tokens: impl Iterator<Item = &'t Token<'w>>, plain: &[&str]) -> Self {
        let mut found = Self::default();
        let (mut last, mut is_behind): (Option<String>, bool) = (None, false);
        for token in tokens.filter(|token| !plain.contains(&token.lower.as_str())) {
            let word = token.lower.as_str();
            let stem = stem(word);
            if WHICH.contains(&word) || CONDITIONS.contains(&word) || is_calendar(token) {
                found.which.insert(word.to_owned());
            } else if !holds(word) && !is_time(word) && !MEASURING.contains(&stem.as_str()) {
                found.pairs.extend(last.replace(stem.clone()).map(|before| (before, stem.clone())));
                found.behind.extend(is_behind.then(|| stem.clone()));
                found.contents.insert(stem);
                continue;
            }
            last = None;
            is_behind = matches!(word, "of" | "for") || (is_behind && matches!(word, "a" | "an" | "the"));
        }
        found
    }

    fn with(&self, other: &Self) -> Self {
        Self {
            contents: &self.contents | &other.contents,
            which: &self.which | &other.which,
            pairs: &self.pairs | &other.pairs,
            behind: &self.behind | &other.behind,
        }
    }

    /// Whether both speak of the same: in the same words, or one in few more than the two or more that they share, none of
    /// which makes it a narrower thing.
    fn is(&self, other: &Self) -> bool {
        const MOST_MORE: usize = 2;
        let (fewer, more) = if self.contents.is_subset(&other.contents) { (self, other) } else { (other, self) };
        let (shared, more_words) = (&fewer.contents, more.contents.difference(&fewer.contents));
        let extra: Vec<&String> = more_words.collect();
        let fewest = if extra.is_empty() { 1 } else { 2 };
        self.which == other.which
            && shared.is_subset(&more.contents)
            && shared.len() >= fewest
            && extra.len() <= MOST_MORE
            && !extra.iter().any(|word| more.narrows(word, shared))
    }

    /// Whether a word makes something a narrower thing: right before one of these words, or behind `of` or `for`.
    fn narrows(&self, word: &str, shared: &BTreeSet<String>) -> bool {
        self.behind.contains(word) || self.pairs.iter().any(|(before, one)| before == word && shared.contains(one))
    }
}

/// A text as it was read, once for all comparisons.
#[derive(Debug)]
pub(in super::super) struct Statement<'a> {
    text: &'a str,
    tokens: Vec<Token<'a>>,
    amounts: Vec<Quantity>,
    /// What the question speaks of that a short answer leaves out.
    asked: Option<Subject>,
}

impl<'a> Statement<'a> {
    /// Reads what somebody wrote, up to [`MOST_WORDS`] and [`MOST_AMOUNTS`].
    pub fn read(text: &'a str) -> Self {
        let mut tokens = tokens(text);
        tokens.truncate(MOST_WORDS);
        let mut amounts = quantities(&tokens);
        amounts.retain(|amount| is_stated(&tokens, amount));
        amounts.truncate(MOST_AMOUNTS);
        Self { text, tokens, amounts, asked: None }
    }

    /// Reads an answer, a short one with its question.
    pub fn answering(question: &str, text: &'a str) -> Self {
        let asked = Subject::of(tokens(last_sentence(question)).iter(), WANTING);
        let helps = !asked.contents.is_empty() && contents(text).len() <= SHORT;
        Self { asked: helps.then_some(asked), ..Self::read(text) }
    }

    /// What an amount is about: by itself, and with the question.
    fn subjects(&self, amount: &Quantity) -> Vec<Subject> {
        let here = &self.tokens[amount.at];
        let near = self.tokens.iter().enumerate().filter(|(at, token)| {
            let limits = token.sentence == here.sentence && CONDITIONS.contains(&token.lower.as_str());
            (token.clause == here.clause || limits) && !(amount.at..amount.end).contains(at)
        });
        let alone = Subject::of(near.map(|(_, token)| token), BOUNDS);
        let both = self.asked.as_ref().map(|asked| alone.with(asked));
        std::iter::once(alone).chain(both).collect()
    }

    /// What a number without a unit counts: the word behind it.
    fn counted(&self, amount: &Quantity) -> Option<String> {
        let behind = self.tokens.get(amount.end).filter(|token| token.clause == self.tokens[amount.at].clause);
        behind.filter(|_| amount.unit == Unit::Things).map(|token| stem(&token.lower))
    }

    fn asks_for(&self, thing: &str) -> bool {
        self.asked.as_ref().is_some_and(|asked| asked.contents.contains(thing))
    }

    /// The sentence in which a token stands.
    fn sentence(&self, at: usize) -> String {
        let here = self.tokens[at].sentence;
        let in_it = |token: &&Token<'_>| token.sentence == here;
        let start = self.tokens.iter().find(in_it).map_or(0, |token| token.start);
        let end = self.tokens.iter().rfind(in_it).map_or(self.text.len(), Token::end);
        self.text[start..end].to_owned()
    }
}

/// The first two amounts of which at most one holds.
pub(in super::super) fn clash(earlier: &Statement<'_>, later: &Statement<'_>) -> Option<Clash> {
    earlier.amounts.iter().find_map(|one| {
        let mine = earlier.subjects(one);
        let other = later.amounts.iter().find(|other| {
            // A bare number counts what its question asks for.
            let counts_the_same = || match (earlier.counted(one), later.counted(other)) {
                (None, Some(thing)) => earlier.asks_for(&thing),
                (Some(thing), None) => later.asks_for(&thing),
                (thing, another) => thing == another,
            };
            let same = || later.subjects(other).iter().any(|theirs| mine.iter().any(|about| about.is(theirs)));
            one.excludes(other) && same() && counts_the_same()
        })?;
        Some(Clash { earlier: earlier.sentence(one.at), later: later.sentence(other.at) })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn between(earlier: &str, later: &str) -> Option<Clash> {
        clash(&Statement::read(earlier), &Statement::read(later))
    }

    #[test]
    fn the_lists_hold_no_word_twice() {
        let which = [WHICH, CONDITIONS].concat();
        for list in [BOUNDS, WANTING, MEASURING, DENYING, UNSTATED, which.as_slice()] {
            assert_eq!(list.iter().collect::<BTreeSet<_>>().len(), list.len());
        }
    }

    /// Pairs of answers as people give them about software (`fixtures/contradictions.tsv`).
    #[test]
    fn g57_the_table_of_pairs_is_told_apart() {
        let table = include_str!("../../../fixtures/contradictions.tsv");
        let mut wrong = Vec::new();
        let mut seen = [0, 0];
        for row in table.lines().filter(|row| !row.starts_with('#') && !row.is_empty()) {
            let cells: Vec<&str> = row.split('\t').collect();
            let [expected, one, other] = cells[..] else { panic!("{row}") };
            let clashes = match expected {
                "clash" => true,
                "missed" | "both" => false,
                _ => panic!("{row}"),
            };
            seen[usize::from(clashes)] += 1;
            for (one, other) in [(one, other), (other, one)] {
                if between(one, other).is_some() != clashes {
                    wrong.push(format!("{expected}: {one} / {other}"));
                }
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        assert!(seen.iter().all(|number| *number >= 12), "{seen:?}");
    }

    #[test]
    fn a_short_answer_is_read_with_its_question() {
        let between = |(question, answer): (&str, &str), other: &str| {
            clash(&Statement::answering(question, answer), &Statement::read(other)).is_some()
        };
        let keeps = ("How long are expired links kept?", "6 hours");
        assert!(between(keeps, "Expired links are kept for 12 hours"));
        assert!(!between(keeps, "Expired links are kept for 6 hours"));
        assert!(!between(keeps, "Expired passwords are kept for 12 hours"));
        assert!(between(("How many instances of the poller run?", "3"), "5 instances of the poller run"));
        assert!(!between(("How many instances of the poller run?", "3"), "5 users of the poller run instances"));
        assert!(!between(("How many instances of the poller ran at first?", "3"), "5 instances of the poller run"));
        let long = "6 hours, since each region holds a nightly copy of its links beside the backup";
        assert!(!between(("How long are expired links kept?", long), "Expired links are kept for 12 hours"));
    }

    #[test]
    fn a_pasted_log_is_read_to_its_limit() {
        let lines: Vec<String> = (0..2_000).map(|line| format!("at x{line} took {line} ms")).collect();
        let log = lines.join("\n");
        let read = Statement::read(&log);
        assert!(read.tokens.len() <= MOST_WORDS && read.amounts.len() == MOST_AMOUNTS);
        assert_eq!(between(&log, &log.replace("took", "needs")), None);
    }

    #[test]
    fn a_clash_quotes_the_sentences() {
        let found = between("All is well. The window is 60 seconds, always.", "Fast. The window is 5 minutes! Yes");
        assert_eq!(
            found,
            Some(Clash {
                earlier: "The window is 60 seconds, always".to_owned(),
                later: "The window is 5 minutes".to_owned()
            })
        );
    }
}
