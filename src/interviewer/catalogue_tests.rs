//! Holds the catalogue's data files to their format, so that a mistake in them is a red test and not a panic in somebody's
//! terminal.

use std::collections::BTreeSet;

use super::catalogue::{Choice, Probe, catalogue};
use super::compose::SECTIONS;
use super::scene::{PLACEHOLDERS, placeholder};
use crate::domain::question::FEWEST;
use crate::domain::settings::Intent;

/// Words that are a slip when a person reads them in a question.
const SLIPS: &[&str] = &["  ", " ,", "..", "TODO", "{ ", " }"];

fn placeholders(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some((_, name, after)) = placeholder(rest) {
        found.push(name.to_owned());
        rest = after;
    }
    found
}

fn known_placeholders() -> BTreeSet<&'static str> {
    let dimensions = catalogue().dimensions.iter();
    let answers = dimensions
        .flat_map(|one| std::iter::once(one.id.as_str()).chain(one.probes.iter().map(|probe| probe.id.as_str())));
    PLACEHOLDERS.iter().copied().chain(answers).collect()
}

fn known_conditions() -> BTreeSet<&'static str> {
    let mut known = known_placeholders();
    known.extend(catalogue().signals.iter().map(|signal| signal.name.as_str()));
    known.extend(Intent::ALL.iter().map(|intent| intent.as_str()));
    known.insert("looked");
    known
}

fn check_text(place: &str, text: &str, allowed: &BTreeSet<&str>) {
    assert!(!text.trim().is_empty(), "{place}: empty");
    for slip in SLIPS {
        assert!(!text.contains(slip), "{place}: {slip:?} in {text:?}");
    }
    for name in placeholders(text) {
        assert!(allowed.contains(name.as_str()), "{place}: unknown {{{name}}}");
    }
}

fn check_conditions(place: &str, conditions: &[String]) {
    for condition in conditions {
        let name = condition.strip_prefix('!').unwrap_or(condition);
        assert!(known_conditions().contains(name), "{place}: unknown condition {name}");
    }
}

fn check_choices(place: &str, choices: &[Choice], always: &BTreeSet<&str>) {
    let signals: BTreeSet<&str> = catalogue().signals.iter().map(|one| one.name.as_str()).collect();
    let mut labels: BTreeSet<(&str, &[String])> = BTreeSet::new();
    for choice in choices {
        let place = format!("{place}, {}", choice.label);
        check_conditions(&place, &choice.when);
        check_text(&place, &choice.value, &known_placeholders());
        check_text(&place, &choice.because, &known_placeholders());
        check_text(&place, &choice.label, &BTreeSet::from(["option_a", "option_b"]));
        assert!(choice.value.ends_with(['.', '?']), "{place}: the value is a sentence");
        assert!(choice.because.ends_with('.'), "{place}: the reason is a sentence");
        assert!(choice.raises.iter().all(|one| signals.contains(one.as_str())), "{place}: {:?}", choice.raises);
        assert!(labels.insert((&choice.label, &choice.when)), "{place}: twice");
    }
    let certain = |choice: &&Choice| {
        choice.when.is_empty()
            && placeholders(&choice.value)
                .iter()
                .chain(&placeholders(&choice.because))
                .all(|name| always.contains(name.as_str()))
    };
    assert!(choices.iter().filter(certain).count() >= FEWEST, "{place}: two alternatives have to be always possible");
    assert!(choices.iter().any(|choice| choice.recommended), "{place}: nothing is recommended");
}

fn check_probe(probe: &Probe, dimension: &str) {
    let topic = BTreeSet::from(["topic"]);
    let place = probe.id.as_str();
    assert!(place.starts_with(&format!("{dimension}.")), "{place}: begins with its dimension");
    assert!((1..=3).contains(&probe.stakes), "{place}: stakes");
    check_conditions(place, &probe.when);
    check_text(place, &probe.lead, &BTreeSet::new());
    check_text(place, &probe.open, &topic);
    check_text(place, &probe.find_out, &topic);
    check_text(place, &probe.why, &known_placeholders());
    assert!(probe.open.ends_with('?') && probe.open.contains("{topic}"), "{place}: open");
    for wording in &probe.ask {
        check_conditions(place, &wording.when);
        check_text(place, &wording.text, &known_placeholders());
        let names = placeholders(&wording.text);
        let pertinent = names.iter().any(|name| name == "topic" || name.starts_with("related"));
        let stands_on_answers = names.iter().any(|name| catalogue().probe(name).is_some());
        assert!(pertinent || stands_on_answers, "{place}: names neither topic nor repository: {}", wording.text);
    }
    let guarded: BTreeSet<&str> = topic.iter().copied().chain(probe.when.iter().map(String::as_str)).collect();
    let guarded: BTreeSet<String> =
        guarded.into_iter().flat_map(|name| [name.to_owned(), format!("{name}_at"), format!("{name}_path")]).collect();
    let guarded: BTreeSet<&str> = guarded.iter().map(String::as_str).collect();
    let last = probe.ask.last().unwrap_or_else(|| panic!("{place}: no wording"));
    let sure = placeholders(&last.text).iter().all(|name| guarded.contains(name.as_str()));
    assert!(last.when.is_empty() && sure, "{place}: the last wording is always possible");
    check_choices(place, &probe.alternatives, &guarded);
}

#[test]
fn every_dimension_and_probe_is_well_formed() {
    let mut ids = BTreeSet::new();
    assert_eq!(catalogue().dimensions.len(), 10);
    for dimension in &catalogue().dimensions {
        assert!(SECTIONS.contains(&dimension.section.as_str()), "{}", dimension.section);
        assert!(dimension.probes.len() >= 5, "{}: several probes", dimension.id);
        for probe in &dimension.probes {
            assert!(ids.insert(&probe.id), "{} twice", probe.id);
            assert!(probe.section.iter().all(|one| SECTIONS.contains(&one.as_str())), "{}", probe.id);
            check_probe(probe, &dimension.id);
        }
    }
}

#[test]
fn every_intent_weighs_every_dimension() {
    let dimensions: BTreeSet<&str> = catalogue().dimensions.iter().map(|one| one.id.as_str()).collect();
    for intent in Intent::ALL.iter().filter(|intent| **intent != Intent::Auto) {
        let weights = &catalogue().intents.weights[intent.as_str()];
        assert_eq!(weights.keys().map(String::as_str).collect::<BTreeSet<_>>(), dimensions, "{intent}");
        assert!(weights.values().all(|weight| *weight <= 10), "{intent}");
        assert!(catalogue().intents.cues.contains_key(intent.as_str()), "{intent}");
    }
    assert_eq!(catalogue().intents.weights.len(), Intent::ALL.len() - 1);
}

#[test]
fn signals_raise_what_exists() {
    for signal in &catalogue().signals {
        for dimension in signal.raises.keys() {
            assert!(catalogue().dimension(dimension).is_some(), "{}: {dimension}", signal.name);
        }
    }
}

#[test]
fn follow_ups_are_well_formed() {
    let topic = ["topic", "decision", "rival"];
    for (number, way) in catalogue().follow_ups.challenges.iter().enumerate() {
        let place = format!("challenge {number}");
        let allowed: BTreeSet<&str> = topic.into();
        check_text(&place, &way.lead, &BTreeSet::new());
        for text in [&way.text, &way.why, &way.open, &way.find_out] {
            check_text(&place, text, &allowed);
        }
        assert!(way.text.contains("{decision}") && way.text.contains("{topic}"), "{place}");
        check_choices(&place, &way.alternatives, &BTreeSet::from(["decision"]));
    }
    for class in &catalogue().follow_ups.vague {
        let allowed = BTreeSet::from(["topic", "vague"]);
        check_text(&class.name, &class.lead, &BTreeSet::new());
        for text in [&class.text, &class.why, &class.open, &class.find_out] {
            check_text(&class.name, text, &allowed);
        }
        assert!(class.text.contains("{vague}") && class.text.contains("{topic}"), "{}", class.name);
        check_choices(&class.name, &class.alternatives, &BTreeSet::new());
    }
}
