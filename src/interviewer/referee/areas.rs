//! Areas that no question touched. An agent says which area a question is about, in its own word or in one of ours. A
//! question that names none known here counts for the area that its words speak of, if any: leaving the name out closes no
//! area.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use crate::domain::concern::{Concern, ConcernKind};
use crate::domain::interview::TranscriptEntry;
use crate::domain::settings::{Intensity, Interviewer};

use super::super::catalogue::catalogue;
use super::super::ledger::{Account, Ledger};
use super::super::reading::contents;
use super::concern;

/// Words by which others call an area, beside its id and its name.
const ALSO: &[(&str, &str)] = &[
    ("objective", "goal purpose aim problem motivation symptom gain different broken"),
    ("audience", "user reader caller customer client stakeholder operator hurt affected notices"),
    ("constraints", "limit deadline budget performance latency compatibility security requirement"),
    ("next", "step rollout milestone order sequence"),
    ("outcome", "output deliverable document"),
    ("precedent", "history existing current prior"),
    ("risks", "failure fail rollback danger loss hazard wrong breaks mortem"),
    ("scope", "non-goals boundary exclude exclusion deliberately outside"),
    ("terms", "term glossary vocabulary naming definition"),
    ("tradeoffs", "trade-off tradeoff approach alternatives price cost sacrifice"),
    ("unknowns", "assumption uncertainty unclear guess know"),
    ("upkeep", "maintenance maintains operations monitoring ownership support upgrades"),
    ("verification", "test testing acceptance measure metric validation criteria success prove proof works"),
];

/// The content words of each area: its id, its name, and what else it is called.
static KNOWN: LazyLock<Vec<(&'static str, BTreeSet<String>)>> = LazyLock::new(|| {
    let also = |id: &str| ALSO.iter().find(|(area, _)| *area == id).map_or("", |(_, words)| words);
    let areas = catalogue().dimensions.iter();
    areas.map(|one| (one.id, contents(&format!("{} {} {}", one.id, one.name, also(one.id))))).collect()
});

pub(in super::super) struct Areas {
    /// Those that are worth a question here and were never touched, the heaviest first: id, name, weight for the intent.
    pub untouched: Vec<(&'static str, &'static str, u32)>,
    /// The number of questions that neither name an area known here nor speak of one.
    pub unlabelled: usize,
    /// The weight from which on an untouched area is a concern.
    heavy: u32,
    led_by_an_agent: bool,
}

impl Areas {
    pub fn of(ledger: &Ledger<'_>) -> Self {
        let heard = ledger.heard();
        let session = heard.session;
        let weight = |account: &Account| catalogue().weight(heard.intent(), account.dimension.id);
        let open = ledger.accounts().iter().filter(|account| account.is_wanted() && !account.touched());
        let mut untouched: Vec<_> =
            open.map(|account| (account.dimension.id, account.dimension.name, weight(account))).collect();
        untouched.sort_by_key(|(_, _, weight)| std::cmp::Reverse(*weight));
        let unknown = |asked: &&TranscriptEntry| {
            asked.question.is_from_a_tool() && asked.question.purpose.is_none() && area_of(asked).is_none()
        };
        Self {
            untouched,
            unlabelled: session.transcript.asked.iter().filter(unknown).count(),
            heavy: match session.settings.intensity {
                Intensity::Gentle => 8,
                Intensity::Standard | Intensity::Hard | Intensity::Adversarial => 7,
            },
            led_by_an_agent: matches!(session.settings.interviewer, Interviewer::Agent(_)),
        }
    }

    /// The untouched areas that weigh most.
    pub(super) fn concerns(&self) -> Vec<Concern> {
        if !self.led_by_an_agent {
            return Vec::new();
        }
        let heavy = self.untouched.iter().filter(|(_, _, weight)| *weight >= self.heavy);
        heavy
            .map(|(id, name, _)| concern(ConcernKind::Area, id, id, &format!("no question was about {name} yet")))
            .collect()
    }
}

/// The area that a question is about. One of ours names it by its id; one of an agent's by some word for it, or else by
/// what it asks.
pub(in super::super) fn area_of(asked: &TranscriptEntry) -> Option<&str> {
    let word = asked.question.dimension.as_str();
    if asked.question.is_from_a_tool() { named(word).or_else(|| spoken_of(asked)) } else { Some(word) }
}

/// The area that a question's own word for its subject means, if it is one of the catalogue's: its id, its name, or words
/// of them.
pub(super) fn named(word: &str) -> Option<&'static str> {
    let exact = catalogue().dimensions.iter().find(|one| one.id == word).map(|one| one.id);
    exact.or_else(|| {
        let wanted = contents(word);
        KNOWN.iter().find(|(_, known)| !wanted.is_empty() && wanted.is_subset(known)).map(|(id, _)| *id)
    })
}

/// The area whose words a question speaks most of.
fn spoken_of(asked: &TranscriptEntry) -> Option<&'static str> {
    let said = contents(asked.question.text.as_str());
    let spoken =
        KNOWN.iter().map(|(id, known)| (*id, known.intersection(&said).count())).filter(|(_, count)| *count > 0);
    // The first of those that are equal.
    spoken.rev().max_by_key(|(_, count)| *count).map(|(id, _)| id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn g57_an_area_is_known_by_its_id_its_name_and_their_words() {
        for (word, area) in [
            ("scope", Some("scope")),
            ("Scope and non-goals", Some("scope")),
            ("non-goals", Some("scope")),
            ("risk", Some("risks")),
            ("Trade-offs", Some("tradeoffs")),
            ("tradeoff", Some("tradeoffs")),
            ("next steps", Some("next")),
            ("status quo", Some("precedent")),
            ("testing", Some("verification")),
            ("acceptance criteria", Some("verification")),
            ("Users", Some("audience")),
            ("storage", None),
            ("to decide", None),
            ("one of these", None),
            ("any of these", None),
            ("risk of storage", None),
            ("", None),
        ] {
            assert_eq!(named(word), area, "{word}");
        }
    }

    #[test]
    fn every_other_name_is_of_an_area_and_of_one_alone() {
        let mut seen = BTreeSet::new();
        for (id, words) in ALSO {
            assert!(catalogue().dimensions.iter().any(|one| one.id == *id), "{id}");
            for word in words.split(' ') {
                assert!(seen.insert(word), "{word}");
                assert_eq!(named(word), Some(*id), "{word}");
            }
        }
    }
}
