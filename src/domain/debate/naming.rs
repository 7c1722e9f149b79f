//! How decisions name an option: plainly, with a word of denial, or not at all (D17, D37). Decisions are free text, and what is
//! unclear in one counts as named plainly: nothing is listed as dropped by mistake.

use std::collections::BTreeSet;
use std::ops::Range;

use super::proposal::Reasoned;
use crate::domain::text::terms;

/// The strongest way in which any of some decisions names an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Naming {
    Nowhere,
    /// Denied, where the words around it may limit the denial (`No Redis cluster`).
    DeniedInPart,
    Denied,
    Plain,
}

impl Naming {
    /// `names` are those of all options: of two that fit, the longer one is meant.
    pub(super) fn of(name: &str, decisions: &[Reasoned], names: &[&str]) -> Self {
        let name = named(name);
        let names: Vec<Vec<String>> = names.iter().map(|name| named(name)).collect();
        let ways = decisions.iter().map(|decision| Sentence::of(&decision.what).naming(&name, &names));
        ways.max().unwrap_or(Self::Nowhere)
    }
}

/// The words of a name, without an article before them.
fn named(name: &str) -> Vec<String> {
    behind_article(&terms(name)).to_vec()
}

/// The same for words.
pub(super) fn behind_article(words: &[String]) -> &[String] {
    match words {
        [first, rest @ ..] if is_in(first, ARTICLES) => rest,
        all => all,
    }
}

/// A decision by its words, and where its clauses begin.
#[derive(Default)]
struct Sentence {
    words: Vec<String>,
    begins: BTreeSet<usize>,
}

impl Sentence {
    fn of(text: &str) -> Self {
        let mut sentence = Self::default();
        for clause in text.split([',', ';', ':', '.', '(', ')', '–', '—']) {
            sentence.begins.insert(sentence.words.len());
            sentence.words.extend(terms(clause));
        }
        sentence
    }

    fn naming(&self, name: &[String], names: &[Vec<String>]) -> Naming {
        // “Nothing” begins many a decision that decides something.
        if name.is_empty() || name == ["nothing"] && self.words != name {
            return Naming::Nowhere;
        }
        let longer: Vec<Range<usize>> =
            names.iter().filter(|other| other.len() > name.len()).flat_map(|other| self.places(other)).collect();
        let is_meant = |at: &Range<usize>| !longer.iter().any(|all| all.start <= at.start && at.end <= all.end);
        let ways = self.places(name).into_iter().filter(is_meant).map(|at| self.named_at(&at, names));
        ways.max().unwrap_or(Naming::Nowhere)
    }

    fn places(&self, name: &[String]) -> Vec<Range<usize>> {
        let windows = self.words.windows(name.len().max(1)).enumerate();
        windows.filter(|(_, said)| *said == name).map(|(at, said)| at..at + said.len()).collect()
    }

    fn named_at(&self, at: &Range<usize>, names: &[Vec<String>]) -> Naming {
        let begin = self.begins.range(..=at.start).next_back().copied().unwrap_or(0);
        let end = self.begins.range(at.end..).next().copied().unwrap_or(self.words.len());
        let before: Vec<&str> = self.words[begin..at.start].iter().map(String::as_str).collect();
        let behind: Vec<&str> = self.words[at.end..end].iter().map(String::as_str).collect();
        if behind.first().is_some_and(|word| is_in(word, &["alone", "only"])) {
            return Naming::Plain;
        }
        let way = denied_before(&before, names);
        match way {
            Naming::Denied if !ends_phrase(&behind) => Naming::DeniedInPart,
            Naming::Plain if is_denied_behind(&behind) => {
                let lead = without_last(&before, &["keep", "leave", "rule", "a", "an", "the"]);
                // “When Redis is dropped” decides nothing of Redis.
                let is_whole = lead.last().is_none_or(|word| is_in(word, &["and", "but"]));
                if is_whole { Naming::Denied } else { Naming::DeniedInPart }
            }
            Naming::Nowhere | Naming::DeniedInPart | Naming::Denied | Naming::Plain => way,
        }
    }
}

/// What the words of a clause before a name make of it.
fn denied_before(before: &[&str], names: &[Vec<String>]) -> Naming {
    let lead = without_last(before, FILLERS);
    let Some((last, earlier)) = lead.split_last() else { return Naming::Plain };
    // `Do not drop Redis` keeps it.
    if earlier.last().is_some_and(|word| is_in(word, DOUBTS)) {
        return Naming::Plain;
    }
    let next = before.get(lead.len()).copied().unwrap_or_default();
    let is_behind_option = names.iter().any(|name| {
        let begin = earlier.len().checked_sub(name.len()).filter(|_| !name.is_empty());
        begin.is_some_and(|begin| earlier[begin..] == name[..])
    });
    let is_denied = match (*last, next) {
        ("instead", "of") | ("rather", "than") => true,
        ("place", "of") => earlier.last() == Some(&"in"),
        // “A queue over Redis” is one that runs on it.
        ("over", _) => is_behind_option || earlier.last().is_some_and(|word| is_in(word, &["chosen", "preferred"])),
        // “Servers count by themselves without Redis” may be for the time that it is away.
        ("without", _) if !is_behind_option => return Naming::DeniedInPart,
        (word, _) => {
            is_in(word, PARTICLES) || is_in(word, VERBS) && before[lead.len()..].iter().all(|one| is_in(one, ARTICLES))
        }
    };
    if is_denied { Naming::Denied } else { Naming::Plain }
}

/// Whether the words of a clause behind a name say that it is gone.
fn is_denied_behind(behind: &[&str]) -> bool {
    let is_verb = behind.first().is_some_and(|word| is_in(word, &["is", "are", "was", "gets", "goes", "stays"]));
    match &behind[usize::from(is_verb)..] {
        ["out", rest @ ..] => ends_phrase(rest),
        ["ruled", "out", ..] => true,
        ["not", used, ..] | ["no", "longer", used, ..] => {
            is_verb && is_in(used, &["chosen", "kept", "needed", "taken", "used"])
        }
        [word, ..] => is_in(word, &["avoided", "dropped", "rejected", "removed", "replaced"]),
        [] => false,
    }
}

/// Whether no word goes on with a phrase that ended before it.
fn ends_phrase(behind: &[&str]) -> bool {
    match behind {
        [] | ["in", "favour" | "favor", "of", ..] => true,
        [word, ..] => is_in(word, &["and", "because", "but", "nor", "or", "since"]),
    }
}

const ARTICLES: &[&str] = &["a", "an", "the"];

/// Words that may stand between a denial and what it denies.
const FILLERS: &[&str] =
    &["a", "an", "any", "at", "by", "in", "keep", "longer", "more", "of", "on", "than", "the", "use", "using"];

const PARTICLES: &[&str] = &["neither", "never", "no", "nor", "not", "without"];

const VERBS: &[&str] = &[
    "avoid",
    "avoiding",
    "drop",
    "dropping",
    "reject",
    "rejecting",
    "remove",
    "removing",
    "replace",
    "replaces",
    "replacing",
];

/// Words that turn a denial behind them round, or leave it open; `t` is what is left of “don’t”.
const DOUBTS: &[&str] = &["cannot", "if", "never", "no", "not", "or", "t"];

fn is_in(word: &str, list: &[&str]) -> bool {
    list.contains(&word)
}

/// The words before those of a list at the end.
fn without_last<'a, 'b>(all: &'a [&'b str], list: &[&str]) -> &'a [&'b str] {
    let end = all.iter().rposition(|word| !is_in(word, list)).map_or(0, |last| last + 1);
    &all[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn d17_a_name_in_a_decision_is_plain_denied_or_denied_in_part() {
        use Naming::{Denied, DeniedInPart, Nowhere, Plain};
        for (decision, expected) in [
            ("Postgres", Nowhere),
            ("Counters in Redis", Plain),
            ("Use Postgres, with Redis as its cache", Plain),
            ("A queue over Redis", Plain),
            ("A drop-in Redis cache", Plain),
            ("Do not drop Redis", Plain),
            ("Don’t drop Redis", Plain),
            ("Not Redis alone, but with Postgres", Plain),
            ("Redis is not dropped", Plain),
            ("Redis is not persisted", Plain),
            ("Redis without Postgres", Plain),
            ("No eviction in Redis", Plain),
            ("Not without Redis", Plain),
            ("Redis for counters, no Redis for billing", Plain),
            ("Stores other than Redis, such as Postgres", Plain),
            ("No Redis cluster", DeniedInPart),
            ("Drop Redis persistence", DeniedInPart),
            ("Servers count by themselves without Redis", DeniedInPart),
            ("When Redis is dropped", DeniedInPart),
            ("Postgres without Redis", Denied),
            ("Postgres over Redis", Denied),
            ("Postgres is preferred over Redis", Denied),
            ("Postgres rather than Redis", Denied),
            ("Rather than Redis, Postgres", Denied),
            ("Postgres in place of a Redis", Denied),
            ("Use Postgres instead of Redis", Denied),
            ("Neither Redis nor files", Denied),
            ("Neither files nor Redis", Denied),
            ("Not Redis but Valkey", Denied),
            ("Do not use Redis", Denied),
            ("Drop Redis and use Postgres", Denied),
            ("Drop the Redis in favour of Postgres", Denied),
            ("Redis is dropped", Denied),
            ("Redis is dropped, and Redis is no longer used", Denied),
            ("Keep Redis out", Denied),
        ] {
            let decisions = [Reasoned { what: decision.to_owned(), why: "r".to_owned() }];
            assert_eq!(Naming::of("Redis", &decisions, &["Redis", "Postgres"]), expected, "{decision}");
        }
    }

    #[test]
    fn d37_of_two_names_that_fit_the_longer_one_is_meant() {
        let decisions = [Reasoned { what: "JWT with rotation".to_owned(), why: "r".to_owned() }];
        let names = ["JWT", "JWT with rotation"];
        assert_eq!(Naming::of("JWT", &decisions, &names), Naming::Nowhere);
        assert_eq!(Naming::of("The JWT with rotation", &decisions, &names), Naming::Plain);
        assert_eq!(Naming::of("JWT", &decisions, &names[..1]), Naming::Plain, "no other option says more");
        for name in ["", "Nothing"] {
            let decisions = [Reasoned { what: "Nothing is cached".to_owned(), why: "r".to_owned() }];
            assert_eq!(Naming::of(name, &decisions, &[name]), Naming::Nowhere);
        }
    }
}
