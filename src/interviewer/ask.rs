//! Wording: a probe and a scene make a question.

use crate::domain::facts::Evidence;
use crate::domain::fnv::fnv1a;
use crate::domain::ids::QuestionId;
use crate::domain::question::{Alternatives, FEWEST, Form, MOST, Question, RawAlternative};
use crate::domain::text::{Line, Prose};

use super::catalogue::{Choice, Dimension, Probe, Wording};
use super::follow_up::FollowUp;
use super::scene::{Filled, Order, Scene};

/// The most places that one question cites.
const MOST_EVIDENCE: usize = 5;

/// The first wording whose conditions hold and whose placeholders are known.
pub(super) fn wording(probe: &Probe, scene: &Scene) -> Option<Filled> {
    first(&probe.ask, scene)
}

fn first(wordings: &[Wording], scene: &Scene) -> Option<Filled> {
    wordings.iter().filter(|one| scene.holds(&one.when)).find_map(|one| scene.put(one.text))
}

/// Whether the probe has a wording and enough alternatives in this scene; asked of every probe before every question, so
/// it fills nothing.
pub(super) fn possible(probe: &Probe, scene: &Scene) -> bool {
    let worded = probe.ask.iter().any(|one| scene.holds(&one.when) && scene.can_fill(one.text));
    let mut labels: Vec<&str> = probe
        .alternatives
        .iter()
        .filter(|one| scene.holds(&one.when))
        .filter(|one| [one.value, one.because, one.label].into_iter().all(|text| scene.can_fill(text)))
        .map(|one| one.label)
        .collect();
    labels.sort_unstable();
    labels.dedup();
    worded && labels.len() >= FEWEST
}

/// An alternative with its templates filled.
struct Offer {
    raw: RawAlternative,
    stands_on: Vec<Filled>,
}

/// The alternatives that are possible, at most five: of several with one label the first; the recommendation and those that say most about this topic and this
/// repository stay, in the catalogue's order.
fn offered(choices: &[Choice], scene: &Scene) -> Vec<Offer> {
    let mut possible: Vec<(&Choice, Offer)> = Vec::new();
    for choice in choices.iter().filter(|choice| scene.holds(&choice.when)) {
        if let Some(offer) = offer(choice, scene)
            && possible.iter().all(|(_, earlier)| earlier.raw.label != offer.raw.label)
        {
            possible.push((choice, offer));
        }
    }
    let favourite = possible.iter().position(|(choice, _)| choice.recommended).unwrap_or(0);
    let mut ranked: Vec<usize> = (0..possible.len()).collect();
    ranked.sort_by_key(|index| (*index != favourite, std::cmp::Reverse(particular(possible[*index].0))));
    ranked.truncate(MOST);
    let kept = possible.into_iter().enumerate().filter(|(index, _)| ranked.contains(index));
    kept.map(|(index, (_, mut offer))| {
        offer.raw.recommended = index == favourite;
        offer
    })
    .collect()
}

/// The alternatives of a scene, for the tests of the data files.
#[cfg(test)]
pub(super) fn offers(choices: &[Choice], scene: &Scene) -> Vec<RawAlternative> {
    offered(choices, scene).into_iter().map(|offer| offer.raw).collect()
}

/// How much an alternative knows: every condition that something holds is something it was written for.
fn particular(choice: &Choice) -> usize {
    choice.when.iter().filter(|condition| !condition.starts_with('!')).count()
}

fn offer(choice: &Choice, scene: &Scene) -> Option<Offer> {
    let value = scene.fill(choice.value)?;
    let because = scene.fill(choice.because)?;
    let label = scene.fill(choice.label)?;
    let raw = RawAlternative {
        value: value.text.clone(),
        label: label.text,
        description: because.text.clone(),
        recommended: choice.recommended,
    };
    Some(Offer { raw, stands_on: vec![value, because] })
}

/// Orders alternatives by probe and topic alone: no clock and no chance, so that the same interview can be played again,
/// and no pattern by which the recommendation could be guessed while it is hidden (G13).
fn ordered(mut offers: Vec<Offer>, probe: &str, scene: &Scene) -> Vec<Offer> {
    let (order, topic) = scene.order();
    match order {
        Order::AsWritten => {}
        Order::Shuffled => {
            let mut state = hashed(&[probe, topic]);
            for last in (1..offers.len()).rev() {
                state = stirred(state);
                let below = u64::try_from(last + 1).unwrap_or(u64::MAX);
                let other = usize::try_from((state >> 16) % below).unwrap_or(0);
                offers.swap(last, other);
            }
        }
    }
    offers
}

/// A hash of the words with a mark after each, so that `ab`, `c` and `a`, `bc` differ.
fn hashed(words: &[&str]) -> u64 {
    fnv1a(words.iter().flat_map(|word| word.bytes().chain([0xff])))
}

/// One step of a mixing function (splitmix64), since neighbouring hashes are too much alike to draw from.
fn stirred(state: u64) -> u64 {
    let mut mixed = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// Words a probe of the catalogue; `None` when it is not possible in this scene.
pub(super) fn probe(id: QuestionId, dimension: &Dimension, probe: &Probe, scene: &Scene) -> Option<Question> {
    question(
        id,
        dimension.id,
        probe.id,
        &Parts { text: wording(probe, scene)?, why: scene.fill(probe.why)?, choices: &probe.alternatives },
        scene,
    )
}

pub(super) fn follow_up(id: QuestionId, follow_up: &FollowUp<'_>, scene: &Scene) -> Option<Question> {
    let FollowUp { of, say, .. } = follow_up;
    let parts = Parts { text: scene.fill(say.text)?, why: scene.fill(say.why)?, choices: &say.alternatives };
    question(id, of.question.dimension.as_str(), &follow_up.probe, &parts, scene)
}

struct Parts<'a> {
    text: Filled,
    why: Filled,
    choices: &'a [Choice],
}

fn question(id: QuestionId, dimension: &str, probe: &str, parts: &Parts<'_>, scene: &Scene) -> Option<Question> {
    // A follow-up's id ends with the question that it follows, whose random id must not shuffle its alternatives.
    let drawn_from = probe.split(":q-").next().unwrap_or(probe);
    let offers = ordered(offered(parts.choices, scene), drawn_from, scene);
    let raw: Vec<RawAlternative> = offers.iter().map(|offer| offer.raw.clone()).collect();
    let stands_on = || [&parts.text, &parts.why].into_iter().chain(offers.iter().flat_map(|offer| &offer.stands_on));
    let mut evidence: Vec<Evidence> = Vec::new();
    let mut builds_on: Vec<QuestionId> = Vec::new();
    for filled in stands_on() {
        for one in &filled.evidence {
            if !evidence.contains(one) && evidence.len() < MOST_EVIDENCE {
                evidence.push(one.clone());
            }
        }
        for one in &filled.builds_on {
            if !builds_on.contains(one) {
                builds_on.push(one.clone());
            }
        }
    }
    Some(Question {
        id,
        form: Form::Grill,
        text: Prose::parse("the question", &parts.text.text).ok()?,
        dimension: Line::parse("the dimension", dimension).ok()?,
        probe: Some(probe.to_owned()),
        why: Prose::parse("the reason", &parts.why.text).ok(),
        alternatives: Alternatives::parse(&raw).ok()?,
        evidence,
        builds_on,
        purpose: None,
    })
}

#[cfg(test)]
mod tests {
    use super::super::catalogue::Withdraws;
    use super::super::catalogue::catalogue;
    use super::*;

    fn places(number: usize, topics: &[String]) -> Vec<usize> {
        let mut places = vec![0; number];
        for topic in topics {
            for probe in catalogue().dimensions.iter().flat_map(|dimension| &dimension.probes) {
                let offers: Vec<Offer> = (0..number)
                    .map(|index| Offer {
                        raw: RawAlternative { recommended: index == 0, ..RawAlternative::default() },
                        stands_on: Vec::new(),
                    })
                    .collect();
                let scene = Scene::named(topic).shuffled();
                let place = ordered(offers, probe.id, &scene).iter().position(|offer| offer.raw.recommended).unwrap();
                places[place] += 1;
            }
        }
        places
    }

    #[test]
    fn g13_while_it_is_hidden_the_recommended_one_stands_at_each_place_about_equally_often() {
        let topics: Vec<String> = (0..8).map(|number| format!("add limit {number}")).collect();
        for number in FEWEST..=MOST {
            let places = places(number, &topics);
            let fair = places.iter().sum::<usize>() / number;
            assert!(fair > 100, "{fair}");
            for place in &places {
                assert!(place * 5 > fair * 4 && place * 5 < fair * 6, "{number}: {places:?}");
            }
        }
    }

    #[test]
    fn at_lower_intensities_the_catalogues_order_is_kept() {
        let offers = || -> Vec<Offer> {
            let named = |label: &str| RawAlternative { label: label.to_owned(), ..RawAlternative::default() };
            ["a", "b", "c", "d"].map(|label| Offer { raw: named(label), stands_on: Vec::new() }).into_iter().collect()
        };
        let labels = |offers: Vec<Offer>| offers.into_iter().map(|offer| offer.raw.label).collect::<Vec<_>>();
        let scene = Scene::named("add limits");
        assert_eq!(labels(ordered(offers(), "scope.depth", &scene)), ["a", "b", "c", "d"]);
        let scene = scene.shuffled();
        let once = labels(ordered(offers(), "scope.depth", &scene));
        assert_eq!(once, labels(ordered(offers(), "scope.depth", &scene)), "same inputs, same order");
        let other = Scene::named("add quotas").shuffled();
        let probes = ["scope.depth", "scope.cut", "risks.regret", "terms.first-word"];
        let differ =
            |probe: &&str| labels(ordered(offers(), probe, &scene)) != labels(ordered(offers(), probe, &other));
        assert!(probes.iter().any(differ), "the topic counts");
    }

    #[test]
    fn g8_of_more_than_five_the_recommended_and_the_most_particular_stay() {
        let choice = |label: &'static str, when: &[&'static str], recommended| Choice {
            when: when.to_vec(),
            label,
            value: format!("{label}.").leak(),
            because: format!("Because of {label}.").leak(),
            recommended,
            raises: Vec::new(),
            excludes: Vec::new(),
            withdraws: Withdraws::default(),
        };
        let scene = Scene::named("add limits").flagged("kind-library").flagged("looked");
        let six = [
            choice("a", &[], false),
            choice("b", &[], false),
            choice("c", &["!plan"], false),
            choice("d", &[], true),
            choice("e", &["kind-library"], false),
            choice("f", &["looked"], false),
            choice("g", &["kind-service"], true),
        ];
        let kept: Vec<(String, bool)> =
            offered(&six, &scene).into_iter().map(|offer| (offer.raw.label, offer.raw.recommended)).collect();
        let expected = [("a", false), ("b", false), ("d", true), ("e", false), ("f", false)];
        assert_eq!(kept, expected.map(|(label, favourite)| (label.to_owned(), favourite)));
    }
}
