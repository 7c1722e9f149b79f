//! Options that were not chosen, below a decision of the checkpoint (D17): each stands there once, whichever debate or answer
//! it comes from. A decision that takes the place of another one keeps what was not chosen then.

use super::conclusions::{Conclusions, ended, one_line};
use super::naming::Naming;
use super::options;
use super::proposal::Reasoned;
use super::sentence::{Behind, behind, without_origin, worded};
use crate::domain::outline::{behind_mark, is_nested};
use crate::domain::text::terms;

const LISTS: [&str; 2] = [NOT_CHOSEN, CONSIDERED];
const NOT_CHOSEN: &str = "Not chosen:";
const CONSIDERED: &str = "Also considered:";

/// What stands below a decision of options that were not chosen: the reason is empty where none is told.
pub(super) fn listed(below: &[String]) -> Vec<Reasoned> {
    let details = details(below);
    let listed = details.iter().filter_map(|line| LISTS.iter().find_map(|list| line.strip_prefix(list)));
    let names = listed.flat_map(|names| names.split("; ")).map(|name| name.trim().trim_end_matches('.'));
    let mut found: Vec<Reasoned> = Vec::new();
    for name in names.filter(|name| !name.is_empty()) {
        if !found.iter().any(|one| is_one(&one.what, name)) {
            let against = format!("Against {name}: ");
            let why = details.iter().find_map(|line| line.strip_prefix(&against)).unwrap_or_default();
            found.push(Reasoned { what: name.to_owned(), why: why.trim().to_owned() });
        }
    }
    found
}

/// The lines below a decision without their marks, each with those that go on with it.
fn details(below: &[String]) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for line in below.iter().map(|line| line.trim()).filter(|line| !line.is_empty()) {
        match (behind_mark(line), found.last_mut()) {
            (Some(detail), _) => found.push(detail.trim().to_owned()),
            (None, Some(last)) => *last = format!("{last} {line}"),
            (None, None) => {}
        }
    }
    found
}

/// Whether two names are of one option.
fn is_one(one: &str, other: &str) -> bool {
    worded(one) == worded(other)
}

/// A name as it stands in a list.
fn name(text: &str) -> String {
    // Neither may look like the end of the name.
    one_line(text).trim_end_matches('.').replace("; ", ", ").replace(": ", ", ")
}

/// What a decision takes the place of.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Replaced<'a> {
    /// The decision, by its first line.
    pub(super) decision: Option<&'a str>,
    /// What stood below it, and below others that go with it, as not chosen.
    pub(super) listed: &'a [Reasoned],
}

impl Conclusions {
    /// The lines below its first decision.
    pub(super) fn not_chosen(&self, replaced: Replaced<'_>) -> Vec<String> {
        lines(NOT_CHOSEN, &self.options_beside(replaced), &[])
    }

    /// The lines below a decision that it confirmed, where these stand already.
    pub(super) fn not_chosen_besides(&self, there: &[Reasoned]) -> Vec<String> {
        lines(NOT_CHOSEN, &self.options_beside(Replaced { decision: None, listed: &self.handed_on }), there)
    }

    fn options_beside(&self, replaced: Replaced<'_>) -> Vec<Reasoned> {
        let decision = replaced.decision.map(without_origin);
        // An option of this name is listed with its reason.
        let names = |decision: &str, one: &Reasoned| {
            options::is(decision, &one.what) || behind(decision, &one.what) == Some(Behind::Nothing)
        };
        let known = |decision: &str| self.options.iter().chain(replaced.listed).any(|one| names(decision, one));
        let decision = decision.filter(|decision| !known(decision));
        let decision = decision.map(|what| Reasoned { what: what.to_owned(), why: String::new() });
        let mut all: Vec<Reasoned> = self.options.iter().cloned().chain(decision).collect();
        let names: Vec<&str> = replaced.listed.iter().map(|one| one.what.as_str()).collect();
        // Options of one question share words: only one that has all of what is decided by now, or less, may be just that.
        let may_be_decided = |one: &Reasoned| match Naming::of(&one.what, &self.decisions, &names) {
            Naming::Nowhere => self.decisions.iter().any(|other| options::may_be_in_more_words(&one.what, &other.what)),
            Naming::DeniedInPart | Naming::Denied => false,
            Naming::Plain => true,
        };
        for one in replaced.listed {
            match all.iter_mut().find(|known| is_one(&known.what, &one.what)) {
                // An answer lists its alternatives without a reason.
                Some(known) if known.why.is_empty() => known.why.clone_from(&one.why),
                Some(_) => {}
                None if may_be_decided(one) => {}
                None => all.push(one.clone()),
            }
        }
        all
    }
}

/// The lines below what is not decided any more: what was not chosen before is an option again.
pub(super) fn considered(listed: &[Reasoned]) -> Vec<String> {
    lines(CONSIDERED, listed, &[])
}

/// Whether a line can be one of these.
pub(super) fn is_considered(line: &str) -> bool {
    let detail = behind_mark(line.trim_start()).map(str::trim).filter(|_| is_nested(line));
    detail.is_some_and(|detail| detail.starts_with(CONSIDERED) || detail.starts_with("Against "))
}

/// Options with what is held against them, without what stands there.
fn lines(list: &str, options: &[Reasoned], there: &[Reasoned]) -> Vec<String> {
    let stands = |option: &&Reasoned| there.iter().find(|one| is_one(&one.what, &name(&option.what)));
    let names: Vec<String> =
        options.iter().filter(|option| stands(option).is_none()).map(|option| name(&option.what)).collect();
    let list = (!names.is_empty()).then(|| format!("  - {list} {}", names.join("; ")));
    let is_told = |option: &&Reasoned| !option.why.is_empty() && stands(option).is_none_or(|one| one.why.is_empty());
    let why = options.iter().filter(is_told);
    let why = why.map(|option| {
        let name = stands(&option).map_or_else(|| name(&option.what), |one| one.what.clone());
        format!("  - Against {name}: {}", ended(&option.why))
    });
    list.into_iter().chain(why).collect()
}

/// What debates may have written below a decision about options that were not chosen.
pub(super) struct Known {
    names: Vec<String>,
    against: Vec<Vec<String>>,
}

impl Known {
    pub(super) fn of(debates: &[Conclusions], replaced: Replaced<'_>) -> Self {
        // What was decided before stands as not chosen below what took its place.
        let all = debates.iter().flat_map(|debate| [&debate.options, &debate.stood, &debate.decisions]).flatten();
        let options: Vec<&Reasoned> = all.chain(replaced.listed).collect();
        let names = options.iter().map(|option| name(&option.what));
        let names = names.chain(replaced.decision.map(|decision| name(without_origin(decision))));
        let against = options.iter().map(|option| format!("Against {}: {}", name(&option.what), ended(&option.why)));
        Self { names: names.map(|name| worded(&name)).collect(), against: against.map(|line| terms(&line)).collect() }
    }

    pub(super) fn has(&self, line: &str) -> bool {
        let Some(detail) = behind_mark(line.trim_start()).map(str::trim) else { return false };
        if let Some(names) = LISTS.iter().find_map(|list| detail.strip_prefix(list)) {
            return names.split("; ").all(|name| self.names.contains(&worded(name)));
        }
        detail.starts_with("Against ") && self.against.contains(&terms(detail))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(list: &[(&str, &str)]) -> Vec<Reasoned> {
        list.iter().map(|(what, why)| Reasoned { what: (*what).to_owned(), why: (*why).to_owned() }).collect()
    }

    fn of(decided: &str, options: &[(&str, &str)]) -> Conclusions {
        let mut found = Conclusions::default();
        (found.number, found.decisions, found.options) = (2, all(&[(decided, "so")]), all(options));
        found
    }

    #[test]
    fn d17_what_stands_as_not_chosen_is_read_with_its_reasons() {
        let below = "  - Reason: it is.\n  - Not chosen: By address; By cost\n    of the call.\n  - Against By address: one \
                     office; many people.\n\n  - Also considered: Nothing; by address.\n";
        let below: Vec<String> = below.lines().map(str::to_owned).collect();
        let expected = [("By address", "one office; many people."), ("By cost of the call", ""), ("Nothing", "")];
        assert_eq!(listed(&below), all(&expected));
        assert!(listed(&[]).is_empty() && listed(&["  - Not chosen: ".to_owned()]).is_empty());
    }

    #[test]
    fn d17_a_decision_keeps_what_was_not_chosen_before_it() {
        let before = all(&[("By address", "offices"), ("By cost", ""), ("Fixed window", "edges"), ("Both", "dear")]);
        let replaced = Replaced { decision: Some("By key. (debate 1: Q)"), listed: &before };
        let found = of("By cost of the call", &[("Fixed window", "bursts"), ("Nothing", "outages")]);
        assert_eq!(
            found.not_chosen(replaced),
            [
                "  - Not chosen: Fixed window; Nothing; By key; By address; Both",
                "  - Against Fixed window: bursts.",
                "  - Against Nothing: outages.",
                "  - Against By address: offices.",
                "  - Against Both: dear.",
            ],
            "and “By cost” is decided by now"
        );
        assert!(of("By key", &[]).not_chosen(Replaced::default()).is_empty());
        let before = all(&[("The count of all keys", "no keys yet"), ("By address", ""), ("Coins", "")]);
        let listed = |decided| of(decided, &[]).not_chosen(Replaced { decision: None, listed: &before });
        assert_eq!(listed("Count keys"), ["  - Not chosen: By address; Coins"], "it may be what is decided");
        assert_eq!(listed("Count keys, no coins"), ["  - Not chosen: By address; Coins"]);
        let before = all(&[("Redis cluster", "dear"), ("Limit < 100", ""), ("Sliding window of a minute", "")]);
        let listed = |decided| of(decided, &[]).not_chosen(Replaced { decision: None, listed: &before });
        let whole = "  - Not chosen: Redis cluster; Limit < 100; Sliding window of a minute";
        for decided in ["Postgres cluster", "Limit > 100", "Fixed window of a minute"] {
            assert_eq!(listed(decided)[0], whole, "a word that both have makes none the other");
        }
    }

    /// An option that another one holds is one of its own, and a reason that one list has is kept.
    #[test]
    fn d17_each_option_that_was_rejected_stays_with_its_reason() {
        let before = all(&[("Redis", ""), ("Window", "edges"), ("Redis", "it forgets"), ("What is counted: Sled", "")]);
        let replaced = Replaced { decision: Some("What is counted: Sled."), listed: &before };
        let found = of("LMDB", &[("Redis cluster", "dear"), ("Sliding window", "slow"), ("Sled", "young")]);
        assert_eq!(
            found.not_chosen(replaced),
            [
                "  - Not chosen: Redis cluster; Sliding window; Sled; Redis; Window; What is counted, Sled",
                "  - Against Redis cluster: dear.",
                "  - Against Sliding window: slow.",
                "  - Against Sled: young.",
                "  - Against Redis: it forgets.",
                "  - Against Window: edges.",
            ]
        );
    }

    #[test]
    fn d17_below_a_decision_that_is_confirmed_each_option_stands_once() {
        let found = of("By key", &[("By address", "offices"), ("Both", "dear"), ("Nothing", "outages")]);
        let there = all(&[("By address", ""), ("Both", "it costs"), ("By cost", "")]);
        assert_eq!(
            found.not_chosen_besides(&there),
            ["  - Not chosen: Nothing", "  - Against By address: offices.", "  - Against Nothing: outages."]
        );
        assert!(found.not_chosen_besides(&found.options.clone()).is_empty());
    }

    #[test]
    fn d17_a_line_that_a_hand_wrote_is_known() {
        let mut debate = of("By key", &[("By address", "offices"), ("Both", "dear")]);
        debate.stood = all(&[("By cost", "")]);
        let known = Known::of(&[debate], Replaced { decision: Some("SQLite. (debate 1: Q)"), ..Replaced::default() });
        for (line, is_known) in [
            ("- Not chosen: By address; SQLite; By cost", true),
            ("  - Not chosen: Both", true),
            ("- Not chosen: By address; Coins", false),
            ("- Also considered: by cost.", true),
            ("- Against By address: offices.", true),
            ("- Against By address: offices and more.", false),
            ("- Against By cost: it is dear.", false),
            ("- By address", false),
            ("Not chosen: Both", false),
        ] {
            assert_eq!(known.has(line), is_known, "{line}");
        }
    }
}
