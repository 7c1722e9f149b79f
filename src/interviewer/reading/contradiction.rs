//! Where two texts cannot both hold: numbers and dates about the same thing, and what one denies and the other uses.
//!
//! A false alarm costs more trust than a missed one costs clarity, so every rule asks for the same words about the same
//! thing, and falls silent where something else could be meant: another time, another place, a condition. They see no
//! pronouns, no synonyms beyond the listed kinds, and no contradiction that needs a thought between two sentences.

use std::collections::{BTreeMap, BTreeSet};

use super::briefly::Asks;
use super::content::{holds, stem};
use super::dates::{When, dates};
use super::deed::{RuledOut, done, ruled_out};
use super::denial::{Denied, denials, used};
use super::opposites::{Claim, claims};
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

/// What belongs to a word: `database` has `postgres` and `sqlite`.
pub(super) type Kinds = BTreeMap<&'static str, Vec<&'static str>>;

/// The most words of a text that are compared with others.
const MOST_WORDS: usize = 400;

/// The most amounts, dates and denials of a text that are compared with others.
const MOST_CLAIMS: usize = 20;

/// A text as it was read, once for all comparisons.
#[derive(Debug)]
pub(in super::super) struct Statement<'a> {
    text: &'a str,
    tokens: Vec<Token<'a>>,
    amounts: Vec<Quantity>,
    dates: Vec<When>,
    denials: Vec<Denied>,
    ruled_out: Vec<RuledOut>,
    claims: Vec<Claim>,
    asks: Asks,
}

impl<'a> Statement<'a> {
    /// Reads what somebody wrote, up to [`MOST_WORDS`] and [`MOST_CLAIMS`]: a pasted log is no statement, and comparing
    /// every number in it with every other one would take minutes.
    pub fn read(text: &'a str) -> Self {
        let mut tokens = tokens(text);
        tokens.truncate(MOST_WORDS);
        let (mut amounts, mut dates, mut denials) = (quantities(&tokens), dates(&tokens), denials(&tokens));
        amounts.truncate(MOST_CLAIMS);
        dates.truncate(MOST_CLAIMS);
        denials.truncate(MOST_CLAIMS);
        let mut ruled_out = ruled_out(&tokens);
        ruled_out.truncate(MOST_CLAIMS);
        let mut claims = claims(&tokens);
        claims.truncate(MOST_CLAIMS);
        Self { text, tokens, amounts, dates, denials, ruled_out, claims, asks: Asks::default() }
    }

    /// Reads an answer with its question, which says what a short one is about.
    pub fn answering(question: &str, text: &'a str) -> Self {
        Self { asks: Asks::of(question, text), ..Self::read(text) }
    }

    /// What an amount or a date is about: by itself, and with the question.
    fn subjects(&self, at: usize, end: usize) -> Vec<Subject> {
        let alone = subject(&self.tokens, at, end);
        if self.asks.contents.is_empty() {
            return vec![alone];
        }
        let both = Subject {
            contents: alone.contents.union(&self.asks.contents).cloned().collect(),
            which: alone.which.union(&self.asks.which).cloned().collect(),
            asked: self.asks.contents.difference(&alone.contents).count(),
        };
        vec![alone, both]
    }

    /// Reads what the catalogue offered and was taken: its numbers are figures of speech (`a day or two`), so only what it
    /// denies and uses counts.
    pub fn taken(text: &'a str) -> Self {
        Self { amounts: Vec::new(), dates: Vec::new(), ..Self::read(text) }
    }
}

/// The first place in which two texts contradict each other.
pub(in super::super) fn clash(earlier: &Statement<'_>, later: &Statement<'_>, kinds: &Kinds) -> Option<Clash> {
    let (one, other) = amounts(earlier, later)
        .or_else(|| days(earlier, later))
        .or_else(|| denied(earlier, later, kinds))
        .or_else(|| denied(later, earlier, kinds).map(|(one, other)| (other, one)))
        .or_else(|| against(earlier, later))
        .or_else(|| against(later, earlier).map(|(one, other)| (other, one)))
        .or_else(|| opposed(earlier, later))?;
    Some(Clash { earlier: sentence(earlier, one), later: sentence(later, other) })
}

/// The sentence in which a token stands.
fn sentence(statement: &Statement<'_>, at: usize) -> String {
    let Statement { text, tokens, .. } = statement;
    let same = || tokens.iter().filter(|token| token.sentence == tokens[at].sentence);
    let start = same().map(|token| token.start).min().unwrap_or_default();
    let end = same().map(Token::end).max().unwrap_or(text.len());
    text[start..end].to_owned()
}

/// Verbs that say of an amount only that it is one.
pub(super) const MEASURING: &[&str] = &[
    "answer", "allow", "become", "cost", "expect", "finish", "last", "limit", "reach", "respond", "return", "run",
    "seem", "serve", "wait",
];

/// Words that say which of several amounts is meant; both sides must have the same of them.
pub(super) const WHICH: &[&str] = &[
    "after",
    "already",
    "average",
    "before",
    "best",
    "cold",
    "currently",
    "each",
    "eventually",
    "every",
    "except",
    "final",
    "finally",
    "first",
    "from",
    "if",
    "initially",
    "last",
    "later",
    "local",
    "max",
    "maximum",
    "mean",
    "median",
    "min",
    "minimum",
    "new",
    "next",
    "night",
    "normally",
    "now",
    "old",
    "once",
    "p50",
    "p90",
    "p95",
    "p99",
    "peak",
    "per",
    "production",
    "read",
    "second",
    "staging",
    "still",
    "test",
    "then",
    "third",
    "today",
    "together",
    "total",
    "typical",
    "unless",
    "until",
    "used",
    "usually",
    "was",
    "weekend",
    "were",
    "when",
    "worst",
    "write",
];

/// Words that limit the whole sentence, wherever in it they stand.
const CONDITIONS: &[&str] = &["currently", "except", "if", "now", "today", "unless", "until", "when"];

/// What a clause speaks of, apart from the amount itself.
#[derive(Debug, PartialEq, Eq)]
struct Subject {
    contents: BTreeSet<String>,
    which: BTreeSet<String>,
    /// How many of its words only the question has, which may say more than a statement repeats.
    asked: usize,
}

/// Words of bounds, which are part of the amount.
const BOUNDS: &[&str] =
    &["at", "most", "least", "max", "maximum", "min", "minimum", "than", "about", "around", "roughly", "within"];

fn subject(tokens: &[Token<'_>], at: usize, end: usize) -> Subject {
    let of = |index: &usize| {
        let (token, here) = (&tokens[*index], &tokens[at]);
        token.sentence == here.sentence && token.clause == here.clause && !(at..end).contains(index)
    };
    let near: Vec<&Token<'_>> = (0..tokens.len()).filter(of).map(|index| &tokens[index]).collect();
    let bound = |word: &str| BOUNDS.contains(&word);
    let speaks = |token: &&&Token<'_>| {
        let word = token.lower.as_str();
        !holds(word)
            && !bound(word)
            && !is_time(word)
            && !WHICH.contains(&word)
            && !MEASURING.contains(&stem(word).as_str())
    };
    Subject {
        asked: 0,
        contents: near.iter().filter(speaks).map(|token| stem(&token.lower)).collect(),
        which: near
            .iter()
            .filter(|token| WHICH.contains(&token.lower.as_str()) && !bound(&token.lower))
            .copied()
            .chain(
                tokens.iter().filter(|token| {
                    token.sentence == tokens[at].sentence && CONDITIONS.contains(&token.lower.as_str())
                }),
            )
            .map(|token| token.lower.clone())
            .collect(),
    }
}

impl Subject {
    /// Whether both speak of the same: the same words, or one has few more than the two that they share.
    fn same(&self, other: &Self) -> bool {
        const MOST_MORE: usize = 2;
        const MOST_ASKED: usize = 3;
        let common = self.contents.intersection(&other.contents).count();
        let mine = self.contents.len() - common;
        let theirs = other.contents.len() - common;
        let more = MOST_MORE.max(MOST_ASKED.min(self.asked.max(other.asked)));
        let close = (mine == 0 && theirs == 0) || (common >= 2 && mine.min(theirs) == 0 && mine.max(theirs) <= more);
        common > 0 && close && self.which == other.which
    }
}

fn amounts(earlier: &Statement<'_>, later: &Statement<'_>) -> Option<(usize, usize)> {
    earlier.amounts.iter().find_map(|one| {
        let about = earlier.subjects(one.at, one.end);
        later
            .amounts
            .iter()
            .find(|other| {
                one.excludes(other)
                    && any_same(&about, &later.subjects(other.at, other.end))
                    && (one.unit != Unit::Things || same_things((earlier, one), (later, other)))
            })
            .map(|other| (one.at, other.at))
    })
}

fn any_same(some: &[Subject], others: &[Subject]) -> bool {
    some.iter().any(|one| others.iter().any(|other| one.same(other)))
}

/// Whether two numbers count the same; a bare one counts what its question asks for.
fn same_things(one: (&Statement<'_>, &Quantity), other: (&Statement<'_>, &Quantity)) -> bool {
    let counts = |(statement, quantity): (&Statement<'_>, &Quantity)| counted(&statement.tokens, quantity);
    match (counts(one), counts(other)) {
        (None, Some(thing)) if !one.0.asks.contents.is_empty() => one.0.asks.contents.contains(&thing),
        (Some(thing), None) if !other.0.asks.contents.is_empty() => other.0.asks.contents.contains(&thing),
        (mine, theirs) => mine == theirs,
    }
}

/// What a number counts: the word behind it.
fn counted(tokens: &[Token<'_>], quantity: &Quantity) -> Option<String> {
    tokens.get(quantity.end).filter(|token| token.clause == tokens[quantity.at].clause).map(|token| stem(&token.lower))
}

fn days(earlier: &Statement<'_>, later: &Statement<'_>) -> Option<(usize, usize)> {
    // `by`, `until` and their like are part of the date.
    let about = |statement: &Statement<'_>, when: &When| {
        let mut subjects = statement.subjects(when.at, when.end);
        for subject in &mut subjects {
            for word in ["until", "before", "after", "from"] {
                subject.which.remove(word);
            }
        }
        subjects
    };
    earlier.dates.iter().find_map(|one| {
        let mine = about(earlier, one);
        later
            .dates
            .iter()
            .find(|other| one.excludes(other) && any_same(&mine, &about(later, other)))
            .map(|other| (one.at, other.at))
    })
}

fn denied(denying: &Statement<'_>, using: &Statement<'_>, kinds: &Kinds) -> Option<(usize, usize)> {
    denying
        .denials
        .iter()
        .find_map(|denial| used(&using.tokens, denial, kinds, using.asks.uses).map(|at| (denial.at, at)))
}

fn against(ruling: &Statement<'_>, doing: &Statement<'_>) -> Option<(usize, usize)> {
    ruling.ruled_out.iter().find_map(|ruled| done(&doing.tokens, ruled).map(|at| (ruled.at, at)))
}

fn opposed(earlier: &Statement<'_>, later: &Statement<'_>) -> Option<(usize, usize)> {
    earlier
        .claims
        .iter()
        .find_map(|one| later.claims.iter().find(|other| one.excludes(other)).map(|other| (one.at, other.at)))
}

#[cfg(test)]
mod tests {
    use super::super::denial::{DENYING, EMPTY, LIMITING, USING};
    use super::*;

    fn between(earlier: &str, later: &str) -> Option<Clash> {
        clash(&Statement::read(earlier), &Statement::read(later), &kinds())
    }

    fn kinds() -> Kinds {
        Kinds::from([("database", vec!["postgres", "sqlite", "mysql"]), ("queue", vec!["kafka"])])
    }

    #[test]
    fn the_lists_hold_no_word_twice() {
        for list in [WHICH, LIMITING, EMPTY, DENYING, USING, MEASURING] {
            assert_eq!(list.iter().collect::<BTreeSet<_>>().len(), list.len());
        }
    }

    #[test]
    fn what_cannot_both_hold_is_found() {
        for (earlier, later) in [
            ("A request is answered in under 50 ms", "A request may take 200 ms"),
            ("There are at most 10 customers", "We have 500 customers"),
            ("at least 3 replicas", "two replicas"),
            ("It is worth two weeks", "It is worth 3 months."),
            ("The window is 60 seconds", "The window is 5 minutes"),
            ("The release is by March", "The release is in May"),
            ("The release is on 2026-03-01. All is well.", "Fine. The release is on 2026-04-01"),
            ("No database", "We store it in postgres"),
            ("It works without a database.", "Each call is kept in the database"),
            ("We keep counters in sqlite", "We don't use a database"),
            ("We never use kafka here", "Events go through kafka"),
            ("No new dependency comes in; what is there today is enough.", "We add a new dependency for it"),
            ("No server", "It runs on a server"),
            ("No link is ever deleted", "A job deletes links older than 30 days"),
            ("No link is ever deleted.", "Links older than 30 days are deleted at night"),
            ("Links are never deleted", "An owner deletes a link"),
            ("We never delete the links", "They delete every link"),
            ("No link will be deleted", "We will delete links"),
            ("No expired link is ever removed", "A job removes expired links"),
            ("Nobody is stopped. No password is ever logged", "The server logs much; each password is logged"),
        ] {
            assert!(between(earlier, later).is_some(), "{earlier} / {later}");
            assert!(between(later, earlier).is_some(), "{later} / {earlier}");
        }
    }

    #[test]
    fn near_misses_are_left_alone() {
        for (earlier, later) in [
            // Bounds that both can hold.
            ("A request is answered in under 50 ms", "A request is answered in under 200 ms"),
            ("at least 3 replicas", "5 replicas"),
            ("There are at most 10 customers", "We have 8 customers"),
            ("about 100 rows", "90 rows"),
            ("10 or more customers", "500 customers"),
            ("1,000 rows", "1000 rows"),
            ("2 weeks", "14 days"),
            // Something else is counted.
            ("There are at most 10 customers", "There are 500 requests"),
            ("3 replicas in Oslo", "5 replicas in Bergen"),
            ("10 customers complained", "500 customers pay"),
            ("500 customers", "10 paying customers"),
            ("the first part takes 2 weeks", "the second part takes 6 weeks"),
            ("a request takes 2 s today", "a request takes 200 ms"),
            ("a read takes 5 ms", "a write takes 50 ms"),
            ("p50 is 5 ms for a request", "p99 is 50 ms for a request"),
            ("10 requests per second", "500 requests per day"),
            ("an import takes 5 minutes", "a login takes 2 seconds"),
            ("50 ms", "200 ms"),
            ("2 weeks", "3 months"),
            ("version 2 of the format", "version 3 of the format"),
            ("port 80 of the server", "port 8080 of the server"),
            ("if it rains, 3 buses run", "5 buses run"),
            // Dates of different things.
            ("The release is in March", "The review is in May"),
            ("The release is by March", "The release is by May"),
            ("The first release is in March", "The second release is in May"),
            ("It may march on", "We march in May"),
            // Denied, and not used by the other.
            ("No database", "There is no database either"),
            ("No database at first", "We store it in postgres"),
            ("No database", "Later we store it in postgres"),
            ("No database", "We could store it in postgres"),
            ("No database", "Not in postgres but in a file"),
            ("No database", "We move away from postgres"),
            ("No database", "If it grows, with postgres"),
            ("No database", "The database team uses it"),
            ("No new database", "We store it in postgres"),
            ("No database migration", "We store it in postgres"),
            ("No password is kept", "People use a passkey"),
            ("No problem", "We have a problem with it"),
            ("without doubt", "in doubt"),
            ("No users yet", "It is made with users"),
            ("There is no reason to use redis", "We use redis"),
            ("We don't know", "We know it in detail"),
            ("No queue", "It is no kafka, it is a file"),
            ("Nobody uses a database", "People use a database"),
            ("`no database`", "a file"),
            // Ruled out, and not done by the other.
            ("No link is ever deleted", "A job deletes accounts older than 30 days"),
            ("No link is ever deleted", "A job deletes link previews"),
            ("No link is ever deleted", "A job hides links older than 30 days"),
            ("No link is ever deleted", "Users of links are deleted after a year"),
            ("No link is ever deleted", "The owners of deleted links are told"),
            ("No link is ever deleted", "Nobody deletes links"),
            ("No link is ever deleted", "A job never deletes links"),
            ("No link is ever deleted", "No job deletes links"),
            ("No link is ever deleted", "If it is spam, a job deletes links"),
            ("No link is ever deleted", "In the test environment a job deletes links"),
            ("No link is ever deleted", "A job could delete links"),
            ("No link is ever deleted", "Who deletes links?"),
            ("No link is ever deleted", "The server refuses to delete links"),
            ("No link is ever deleted", "A link is marked as deleted"),
            ("No link is ever deleted", "Links are kept for 30 days"),
            ("No link is ever deleted", "Links are no longer deleted"),
            ("No link is ever deleted", "It deletes nothing"),
            ("No active link is ever deleted", "A job deletes links older than 30 days"),
            ("No link is ever deleted by us", "Links of users are deleted"),
            ("No link is deleted until it expires", "A job deletes links"),
            ("No link is deleted at first", "A job deletes links"),
            ("Links are not always deleted", "A job deletes links"),
            ("Links are deleted", "A job deletes links"),
            ("We never delete links", "We never deleted links"),
            ("No link is ever deleted", "`delete links`"),
            ("No link is ever deleted, only hidden", "A job deletes links"),
            ("No time is wasted", "A job wastes time"),
            ("No reviewer is expected", "A merge expects a reviewer"),
            ("We never deleted links", "A job deletes links"),
            ("No link is deleted by accident", "A job deletes links"),
            ("No link is deleted without a copy", "A job deletes links"),
            ("No link is deleted but those of guests", "A job deletes links of guests"),
            ("We never delete links of customers", "A job deletes links of guests"),
            ("Links of customers are never deleted", "A job deletes links of guests"),
            ("No link is ever deleted", "A link that is deleted shows a page"),
            ("No link is ever deleted", "We deleted links"),
            ("", "No database"),
            ("要件", "不要"),
        ] {
            assert_eq!(between(earlier, later), None, "{earlier} / {later}");
            assert_eq!(between(later, earlier), None, "{later} / {earlier}");
        }
    }

    /// Pairs of answers as people give them about software (`fixtures/contradictions.tsv`).
    #[test]
    fn g57_the_corpus_is_told_apart() {
        let corpus = include_str!("../../../fixtures/contradictions.tsv");
        let mut wrong = Vec::new();
        let mut counted = [0, 0];
        for row in corpus.lines().filter(|row| !row.starts_with('#') && !row.is_empty()) {
            let cells: Vec<&str> = row.split('\t').collect();
            let [expected, one, other] = cells[..] else { panic!("{row}") };
            let clashes = match expected {
                "clash" => true,
                "both" => false,
                _ => panic!("{row}"),
            };
            counted[usize::from(clashes)] += 1;
            for (one, other) in [(one, other), (other, one)] {
                if between(one, other).is_some() != clashes {
                    wrong.push(format!("{expected}: {one} / {other}"));
                }
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        assert!(counted.iter().all(|number| *number >= 40), "{counted:?}");
    }

    #[test]
    fn a_short_answer_is_read_with_its_question() {
        let between = |(question, answer): (&str, &str), other: &str| {
            clash(&Statement::answering(question, answer), &Statement::read(other), &kinds()).is_some()
        };
        let keeps = ("How long are expired links kept?", "6 hours");
        assert!(between(keeps, "Expired links are kept for 12 hours"));
        assert!(!between(keeps, "Expired links are kept for 6 hours"));
        assert!(!between(keeps, "Expired passwords are kept for 12 hours"));
        assert!(between(("How many instances of the poller run?", "3"), "5 instances of the poller run"));
        assert!(between(("Which database keeps the feeds?", "Postgres"), "It must not use Postgres"));
        assert!(!between(("Which database is ruled out?", "Postgres"), "It must not use Postgres"));
    }

    #[test]
    fn a_pasted_log_is_read_to_its_limit() {
        let lines: Vec<String> = (0..2_000).map(|line| format!("no x{line} took {line} ms")).collect();
        let log = lines.join("\n");
        let read = Statement::read(&log);
        assert!(read.tokens.len() <= MOST_WORDS && read.amounts.len() == MOST_CLAIMS);
        assert_eq!(between(&log, &log.replace("took", "needs")), None);
    }

    #[test]
    fn a_clash_quotes_the_sentences() {
        let found = between("All is well. No database, ever.", "Fast. We store it in postgres! Yes");
        assert_eq!(
            found,
            Some(Clash { earlier: "No database, ever".to_owned(), later: "We store it in postgres".to_owned() })
        );
    }
}
