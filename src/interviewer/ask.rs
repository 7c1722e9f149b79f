//! Wording: a probe and a scene make a question.

use crate::domain::facts::Evidence;
use crate::domain::ids::QuestionId;
use crate::domain::question::{Alternatives, FEWEST, MOST, Question, RawAlternative};
use crate::domain::text::{Line, Prose};

use super::catalogue::{Choice, Dimension, Probe, Wording};
use super::follow_up::FollowUp;
use super::scene::{Filled, Scene};

/// The most places that one question cites.
const MOST_EVIDENCE: usize = 5;

/// The first wording whose conditions hold and whose placeholders are known.
pub(super) fn wording(probe: &Probe, scene: &Scene) -> Option<Filled> {
    first(&probe.ask, scene)
}

fn first(wordings: &[Wording], scene: &Scene) -> Option<Filled> {
    wordings.iter().filter(|one| scene.holds(&one.when)).find_map(|one| scene.fill(&one.text))
}

/// Whether the probe has a wording and enough alternatives in this scene.
pub(super) fn possible(probe: &Probe, scene: &Scene) -> bool {
    wording(probe, scene).is_some() && offered(&probe.alternatives, scene).len() >= FEWEST
}

/// An alternative with its templates filled.
struct Offer {
    raw: RawAlternative,
    stands_on: Vec<Filled>,
}

fn offered(choices: &[Choice], scene: &Scene) -> Vec<Offer> {
    let mut offers: Vec<Offer> = choices
        .iter()
        .filter(|choice| scene.holds(&choice.when))
        .filter_map(|choice| {
            let value = scene.fill(&choice.value)?;
            let because = scene.fill(&choice.because)?;
            let label = scene.fill(&choice.label)?;
            Some(Offer {
                raw: RawAlternative {
                    value: value.text.clone(),
                    label: label.text,
                    description: because.text.clone(),
                    recommended: choice.recommended,
                },
                stands_on: vec![value, because],
            })
        })
        .collect();
    let favourite = offers.iter().position(|offer| offer.raw.recommended).unwrap_or(0);
    // The favourite is kept when there are more than fit.
    if favourite >= MOST {
        offers.swap(favourite, MOST - 1);
    }
    offers.truncate(MOST);
    for (index, offer) in offers.iter_mut().enumerate() {
        offer.raw.recommended = index == favourite.min(MOST - 1);
    }
    offers
}

/// Words a probe of the catalogue; `None` when it is not possible in this scene.
pub(super) fn probe(id: QuestionId, dimension: &Dimension, probe: &Probe, scene: &Scene) -> Option<Question> {
    question(
        id,
        &dimension.id,
        &probe.id,
        &Parts { text: wording(probe, scene)?, why: scene.fill(&probe.why)?, choices: &probe.alternatives },
        scene,
    )
}

/// Words a follow-up.
pub(super) fn follow_up(id: QuestionId, follow_up: &FollowUp<'_>, scene: &Scene) -> Option<Question> {
    let (of, text, why, choices) = match follow_up {
        FollowUp::Challenge { of, way, .. } => (of, &way.text, &way.why, &way.alternatives),
        FollowUp::Measure { of, class, .. } => (of, &class.text, &class.why, &class.alternatives),
    };
    let parts = Parts { text: scene.fill(text)?, why: scene.fill(why)?, choices };
    question(id, of.question.dimension.as_str(), &follow_up.probe(), &parts, scene)
}

struct Parts<'a> {
    text: Filled,
    why: Filled,
    choices: &'a [Choice],
}

fn question(id: QuestionId, dimension: &str, probe: &str, parts: &Parts<'_>, scene: &Scene) -> Option<Question> {
    let offers = offered(parts.choices, scene);
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
        text: Prose::parse("the question", &parts.text.text).ok()?,
        dimension: Line::parse("the dimension", dimension).ok()?,
        probe: Some(probe.to_owned()),
        why: Prose::parse("the reason", &parts.why.text).ok(),
        alternatives: Alternatives::parse(&raw).ok()?,
        evidence,
        builds_on,
    })
}
