//! A decision with everything that speaks about it: why, what it was chosen from, and what was said against it.

use std::collections::{BTreeMap, BTreeSet};

use super::super::inline::{capital, inline, small, stopped, unstopped, within_line};
use super::item::{Detail, Item};
use crate::domain::debate::sentence::without_origin;
use crate::domain::ids::QuestionId;
use crate::domain::session::Session;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct Decision {
    /// The sentence that was decided, with the details that are neither its reason nor what was not chosen.
    pub item: Item,
    pub reason: Option<String>,
    pub rejected: Vec<Rejected>,
    /// The question that it answers, as it was worded.
    pub question: Option<String>,
    /// The label of the alternative that was taken.
    pub label: Option<String>,
    /// Decisions and other answers that its question stands on.
    pub builds_on: Vec<QuestionId>,
}

/// An alternative that was not taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct Rejected {
    /// Its short name.
    pub label: String,
    /// What would have been decided; none where only the name is known.
    pub value: Option<String>,
    /// What spoke for it.
    pub because: Option<String>,
    /// What was held against it in a debate.
    pub against: Option<String>,
}

impl Decision {
    /// The decision that an item of the checkpoint is.
    pub fn of(session: &Session, mut item: Item) -> Self {
        let reason = item.take("Reason").map(|one| one.text);
        let named: Vec<Detail> = ["Not chosen", "Also considered"]
            .iter()
            .flat_map(|label| std::iter::from_fn(|| item.take(label)).collect::<Vec<_>>())
            .collect();
        let mut seen = BTreeSet::new();
        let named = named.iter().flat_map(names).filter(|name| seen.insert(name.to_lowercase()));
        let named: Vec<String> = named.collect();
        let against = taken_against(&mut item, &named);
        let named: Vec<String> = named.iter().map(|name| inline(name)).collect();
        let asked = item.origin.as_ref().and_then(|origin| session.transcript.get(&origin.question));
        let Some(asked) = asked else {
            let rejected = named.into_iter().map(|label| rejected(label, &against)).collect();
            return Self { item, reason, rejected, question: None, label: None, builds_on: Vec::new() };
        };
        let taken = item.origin.as_ref().and_then(|origin| origin.alternative);
        let alternatives = asked.question.alternatives.as_slice();
        let offered = alternatives.iter().enumerate().filter(|(index, one)| Some(*index) != taken && !one.discuss);
        let mut rejected: Vec<Rejected> = offered
            .map(|(_, one)| {
                let label = inline(one.label.as_str());
                let value = inline(one.value.as_str());
                Rejected {
                    value: (value != label).then_some(value),
                    because: one.description.as_ref().map(|text| because(text.as_str())),
                    against: against.get(&label).cloned(),
                    label,
                }
            })
            .collect();
        let offered_labels: Vec<String> = rejected.iter().map(|one: &Rejected| one.label.clone()).collect();
        // What a hand added to the list was considered too.
        let known = |label: &String| offered_labels.iter().any(|one| one.eq_ignore_ascii_case(label));
        rejected.extend(named.into_iter().filter(|label| !known(label)).map(|label| self::rejected(label, &against)));
        let told = taken.and_then(|index| alternatives[index].description.as_ref());
        Self {
            reason: reason.or_else(|| told.map(|text| because(text.as_str()))),
            rejected,
            question: Some(inline(asked.question.text.as_str())),
            label: taken.map(|index| inline(alternatives[index].label.as_str())),
            builds_on: asked.question.builds_on.clone(),
            item,
        }
    }

    /// The question that it answers, by its id.
    pub fn id(&self) -> Option<&QuestionId> {
        self.item.origin.as_ref().map(|origin| &origin.question)
    }

    pub fn with_reason(&self) -> Item {
        let mut item = self.item.clone();
        if let Some(reason) = &self.reason {
            let detail = Detail { label: Some("Reason".to_owned()), text: reason.clone(), block: Vec::new() };
            item.details.insert(0, detail);
        }
        item
    }
}

/// What was held against options that were not chosen, by their names, as a debate tells it. Anything else stays.
fn taken_against(item: &mut Item, named: &[String]) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    item.details.retain(|detail| {
        let line = detail.line();
        // A name begins no line there, so that it is escaped in another way.
        let behind = |name: &String| {
            let forms = [name.clone(), within_line(name)];
            let told = forms.iter().find_map(|name| line.strip_prefix(&inline(&format!("Against {name}"))));
            Some(told?.strip_prefix(": ")?.to_owned())
        };
        let held = named.iter().find_map(|name| Some((name, behind(name)?)));
        if let Some((name, why)) = &held {
            found.insert(inline(name), why.clone());
        }
        held.is_none()
    });
    found
}

/// An option that only its name tells of, with what was held against it.
fn rejected(label: String, against: &BTreeMap<String, String>) -> Rejected {
    let against = against.get(&label).cloned();
    Rejected { label, value: None, because: None, against }
}

/// `A; B.` as its names. In which debate one was decided at first is none of its words.
fn names(detail: &Detail) -> Vec<String> {
    let listed = unstopped(&detail.text).split("; ").map(|name| unstopped(without_origin(name)).to_owned());
    listed.filter(|one| !one.is_empty()).collect()
}

/// A reason as a sentence of its own: `Then …` answered the sentence of its alternative.
fn because(text: &str) -> String {
    let text = inline(text);
    let own = text.strip_prefix("Then ").map(capital);
    stopped(&own.unwrap_or(text))
}

impl Rejected {
    pub fn line(&self) -> String {
        match (self.told(), &self.because) {
            (Some(told), Some(because)) => format!("{}: {told} For it: {}", self.label, small(because)),
            (Some(told), None) => format!("{}: {told}", self.label),
            (None, Some(because)) => format!("{}. For it: {}", unstopped(&self.label), small(because)),
            (None, None) => stopped(&self.label),
        }
    }

    /// What would have been decided, and what was held against it.
    pub fn told(&self) -> Option<String> {
        let against = self.against.iter().map(|why| format!("Against it: {}", stopped(why)));
        let told: Vec<String> = self.value.iter().map(|value| stopped(value)).chain(against).collect();
        (!told.is_empty()).then(|| told.join(" "))
    }

    /// Its name, with what was held against it, inside of a sentence.
    pub fn named(&self) -> String {
        let label = unstopped(&self.label);
        match &self.against {
            Some(why) => format!("{label} ({})", unstopped(why)),
            None => small(label),
        }
    }

    /// What is not done; none where only the name is known.
    pub fn not_done(&self) -> Option<String> {
        self.value.clone().or_else(|| self.against.as_ref().map(|_| self.named()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn d17_what_was_held_against_an_option_is_found_whatever_sign_its_name_begins_with() {
        let mut item = Item::default();
        let lines =
            ["Not chosen: > 3; 2. Postgres; pnpm", "Against > 3: too many.", "Against 2. Postgres: heavy.", "A note."];
        item.details = lines.map(Detail::parse).to_vec();
        let named = names(&item.take("Not chosen").unwrap());
        let found = taken_against(&mut item, &named);
        let expected = [("2\\. Postgres", "heavy."), ("\\> 3", "too many.")];
        assert_eq!(found.iter().map(|(name, why)| (name.as_str(), why.as_str())).collect::<Vec<_>>(), expected);
        assert_eq!(item.details.len(), 1, "a note stays");
    }
}
