//! Which decision a sentence belongs to: one question was built on the other's answer, both name the same place, or they
//! share their telling words.

use std::collections::BTreeSet;

use super::material::item::Item;
use super::material::{Decision, Material, telling};
use crate::domain::ids::QuestionId;

/// Fewer shared words than this are chance.
const FEWEST_WORDS: usize = 2;

/// The decisions, prepared for comparing.
pub(super) struct Related {
    decisions: Vec<Known>,
    /// Words of the topic stand everywhere and tell nothing apart.
    everywhere: BTreeSet<String>,
}

struct Known {
    id: Option<QuestionId>,
    builds_on: Vec<QuestionId>,
    words: BTreeSet<String>,
    places: BTreeSet<String>,
}

impl Related {
    pub fn of(material: &Material) -> Self {
        let everywhere = telling(&material.topic);
        let decisions = material.decisions.iter().map(|decision| Known::of(decision, &everywhere)).collect();
        Self { decisions, everywhere }
    }

    /// The decision that an item has most to do with.
    pub fn decision(&self, item: &Item) -> Option<usize> {
        let text = whole(item);
        let words: BTreeSet<String> = telling(&text).difference(&self.everywhere).cloned().collect();
        let places = places(&text);
        let id = item.origin.as_ref().map(|origin| &origin.question);
        let weigh = |known: &Known| {
            let built = id.is_some_and(|id| known.builds_on.contains(id));
            let shared = known.words.intersection(&words).count();
            let same_place = known.places.intersection(&places).count();
            let by_words = if shared >= FEWEST_WORDS { shared } else { 0 };
            usize::from(built) * 10 + same_place * 3 + by_words
        };
        let weighed = self.decisions.iter().map(weigh).enumerate().filter(|(_, weight)| *weight > 0);
        // Of equals the first: `max_by_key` would take the last.
        weighed.max_by_key(|(index, weight)| (*weight, usize::MAX - index)).map(|(index, _)| index)
    }

    /// Earlier decisions that the one at `index` was built on.
    pub fn before(&self, index: usize) -> Vec<usize> {
        let here = &self.decisions[index];
        let stands_on = |known: &Known| known.id.as_ref().is_some_and(|id| here.builds_on.contains(id));
        (0..index).filter(|at| stands_on(&self.decisions[*at])).collect()
    }
}

impl Known {
    fn of(decision: &Decision, everywhere: &BTreeSet<String>) -> Self {
        let text = whole(&decision.item);
        Self {
            id: decision.id().cloned(),
            builds_on: decision.builds_on.clone(),
            words: telling(&text).difference(everywhere).cloned().collect(),
            places: places(&text),
        }
    }
}

/// An item with everything below it.
fn whole(item: &Item) -> String {
    let details = item.details.iter().map(|detail| detail.text.as_str());
    std::iter::once(item.text().as_str()).chain(details).collect::<Vec<_>>().join(" ")
}

/// Places in code spans.
fn places(text: &str) -> BTreeSet<String> {
    text.split('`').skip(1).step_by(2).filter(|one| one.contains(['/', '.'])).map(str::to_owned).collect()
}
