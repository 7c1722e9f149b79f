//! Holds the catalogue's data files to their format, so that a mistake in them is a red test and not a panic in somebody's
//! terminal.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::ask;
use super::catalogue::{Choice, Probe, Saying, catalogue};
use super::compose::SECTIONS;
use super::scene::{CONDITIONS, Known, PLACEHOLDERS, Scene, placeholder};
use crate::domain::question::{FEWEST, MOST};
use crate::domain::settings::Intent;

/// Words that are a slip when a person reads them in a question.
const SLIPS: &[&str] =
    &["  ", " ,", " .", " ?", "..", "TODO", "{ ", " }", "{}", " - ", "leverage", "stakeholder", "synergy", "holistic"];

/// The longest texts, in characters, placeholders as they are written.
const LONGEST: &[(&str, usize)] =
    &[("label", 32), ("lead", 30), ("text", 190), ("value", 150), ("because", 130), ("why", 150), ("open", 110)];

/// What a repository of one kind shows at most; conditions on anything else are taken from the probe itself.
const KINDS: &[&str] = &[
    "kind-library",
    "kind-command-line",
    "kind-service",
    "kind-frontend",
    "kind-documentation",
    "kind-infrastructure",
];

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
    let answers = dimensions.flat_map(|one| std::iter::once(one.id).chain(one.probes.iter().map(|probe| probe.id)));
    PLACEHOLDERS.iter().copied().chain(answers).collect()
}

fn known_conditions() -> BTreeSet<&'static str> {
    let mut known = known_placeholders();
    known.extend(catalogue().signals.iter().map(|signal| signal.name));
    known.extend(own_intents().map(Intent::as_str));
    known.extend(CONDITIONS);
    known
}

fn own_intents() -> impl Iterator<Item = Intent> {
    Intent::ALL.iter().copied().filter(|intent| *intent != Intent::Auto)
}

fn check_text(place: &str, what: &str, text: &str, allowed: &BTreeSet<&str>) {
    assert!(!text.trim().is_empty() && text.trim() == text, "{place}: empty, or with white space around: {text:?}");
    for slip in SLIPS {
        assert!(!text.to_lowercase().contains(&slip.to_lowercase()), "{place}: {slip:?} in {text:?}");
    }
    let longest = LONGEST.iter().find(|(name, _)| *name == what).map_or(200, |(_, most)| *most);
    assert!(text.chars().count() <= longest, "{place}: {} of {longest} characters: {text}", text.chars().count());
    for name in placeholders(text) {
        assert!(allowed.contains(name.as_str()), "{place}: unknown {{{name}}}");
    }
    let quoted = text.matches("{topic}").count() == text.matches("“{topic}”").count();
    assert!(quoted, "{place}: the topic stands between quotation marks: {text}");
    let paired = text.matches('“').count() == text.matches('”').count() && text.matches('`').count().is_multiple_of(2);
    assert!(paired, "{place}: a quotation mark without its other half: {text}");
}

fn check_conditions(place: &str, conditions: &[&str]) {
    let mut seen = BTreeSet::new();
    for condition in conditions {
        let name = condition.strip_prefix('!').unwrap_or(condition);
        assert!(known_conditions().contains(name), "{place}: unknown condition {name}");
        assert!(seen.insert(name), "{place}: {name} twice");
    }
}

fn check_choices(place: &str, choices: &[Choice], allowed: &BTreeSet<&str>) {
    let signals: BTreeSet<&str> = catalogue().signals.iter().map(|one| one.name).collect();
    let mut labels: BTreeSet<(&str, &[&str])> = BTreeSet::new();
    for choice in choices {
        let place = format!("{place}, {}", choice.label);
        check_conditions(&place, &choice.when);
        check_text(&place, "value", choice.value, allowed);
        check_text(&place, "because", choice.because, allowed);
        let in_labels = BTreeSet::from(["option_a", "option_b", "word_a", "word_b", "word_c"]);
        check_text(&place, "label", choice.label, &in_labels);
        assert!(choice.value.ends_with(['.', '?']), "{place}: the value is a sentence");
        let stands_alone =
            ["They ", "He ", "She ", "Those of them "].iter().all(|word| !choice.value.starts_with(word));
        assert!(stands_alone, "{place}: in the checkpoint nobody knows who they are");
        assert!(choice.because.ends_with('.'), "{place}: the reason is a sentence");
        assert!(choice.value != choice.because, "{place}: the reason is one of its own");
        assert!(choice.raises.iter().all(|one| signals.contains(one)), "{place}: {:?}", choice.raises);
        assert!(labels.insert((choice.label, &choice.when)), "{place}: twice");
    }
    assert!(choices.iter().any(|choice| choice.recommended), "{place}: nothing is recommended");
}

fn check_probe(probe: &Probe, dimension: &str) {
    let topic = BTreeSet::from(["topic"]);
    let place = probe.id;
    assert!(place.starts_with(&format!("{dimension}.")), "{place}: begins with its dimension");
    assert!((1..=3).contains(&probe.stakes), "{place}: stakes");
    check_conditions(place, &probe.when);
    check_text(place, "lead", probe.lead, &BTreeSet::new());
    check_text(place, "open", probe.open, &topic);
    check_text(place, "find_out", probe.find_out, &topic);
    check_text(place, "why", probe.why, &known_placeholders());
    assert!(probe.open.ends_with('?') && probe.open.contains("{topic}"), "{place}: open");
    assert!(probe.find_out.ends_with('.') && probe.why.ends_with('.'), "{place}: sentences");
    assert!(probe.find_out.starts_with(|one: char| one.is_lowercase()), "{place}: find_out follows a colon");
    for wording in &probe.ask {
        check_conditions(place, &wording.when);
        check_text(place, "text", wording.text, &known_placeholders());
        assert!(wording.text.contains("{topic}"), "{place}: does not name the topic: {}", wording.text);
        assert!(wording.text.contains('?'), "{place}: asks nothing: {}", wording.text);
    }
    check_choices(place, &probe.alternatives, &known_placeholders());
}

#[test]
fn g12_every_dimension_and_probe_is_well_formed() {
    let mut ids = BTreeSet::new();
    assert!(catalogue().dimensions.len() >= 12);
    for dimension in &catalogue().dimensions {
        assert!(SECTIONS.contains(&dimension.section), "{}", dimension.section);
        for probe in &dimension.probes {
            assert!(ids.insert(&probe.id), "{} twice", probe.id);
            assert!(probe.section.iter().all(|one| SECTIONS.contains(one)), "{}", probe.id);
            check_probe(probe, dimension.id);
        }
    }
}

#[test]
fn g12_every_dimension_has_a_variant_for_every_intent_that_weighs_it() {
    for dimension in &catalogue().dimensions {
        let leads = |intent: Intent, kind: &'static str| {
            let scene = Scene::named("add limits").flagged(intent.as_str()).flagged("looked").flagged(kind);
            dimension.probes.iter().any(|probe| probe.from.is_none() && scene.holds(&probe.when))
        };
        for intent in own_intents().filter(|intent| catalogue().weight(*intent, dimension.id) >= 3) {
            for kind in KINDS.iter().copied().chain(["looked"]) {
                assert!(leads(intent, kind), "{} as {intent} in {kind}: nothing to ask", dimension.id);
            }
        }
    }
}

/// Everything that a probe's texts and conditions depend on, without its own `when`.
fn mentioned(probe: &Probe) -> BTreeSet<&str> {
    let texts = probe.ask.iter().map(|wording| wording.text);
    let choices = probe.alternatives.iter().flat_map(|one| [one.value, one.because, one.label]);
    let named: BTreeSet<String> =
        texts.chain(choices).chain([probe.why]).flat_map(placeholders).filter(|one| one != "topic").collect();
    let conditions = probe
        .ask
        .iter()
        .flat_map(|wording| &wording.when)
        .chain(probe.alternatives.iter().flat_map(|one| &one.when))
        .map(|condition| condition.trim_start_matches('!'));
    let all = known_conditions();
    all.into_iter()
        .filter(|known| named.contains(*known) || conditions.clone().any(|one| one == *known))
        .filter(|known| !KINDS.contains(known))
        .collect()
}

/// The facts that one finding fills together, so that scenes are as they can be.
fn fill(mut scene: Scene, names: &BTreeSet<&'static str>) -> Scene {
    const TOGETHER: &[&[&str]] = &[
        &["tests", "tests_at"],
        &["ci", "ci_at"],
        &["readme", "readme_at"],
        &["record", "record_at"],
        &["dependency", "dependency_at", "dependencies"],
        &["related", "related_path", "code"],
        &["page", "pages"],
        &["option_a", "option_b"],
        &["earlier", "earlier_on", "earlier_topic", "earlier_session"],
    ];
    let whole = TOGETHER.iter().filter(|group| group.iter().any(|one| names.contains(one))).copied().flatten();
    for name in names.iter().chain(whole) {
        scene = if PLACEHOLDERS.contains(name) || name.contains('.') || catalogue().dimension(name).is_some() {
            scene.with(name, Known { text: format!("<{name}>"), ..Known::default() })
        } else {
            scene.flagged(name)
        };
    }
    scene
}

/// Every scene in which a probe may be asked: each kind of repository and none, with every combination of what its texts
/// mention.
fn scenes(probe: &Probe) -> Vec<(String, Scene)> {
    let names: Vec<&str> = mentioned(probe).into_iter().collect();
    assert!(names.len() < 14, "{}: too much to try: {names:?}", probe.id);
    let known = known_conditions();
    let own: BTreeSet<&'static str> = probe.when.iter().filter_map(|one| known.get(one).copied()).collect();
    let mut scenes = Vec::new();
    for kind in KINDS.iter().copied().map(Some).chain([None]) {
        for chosen in 0..1_u32 << names.len() {
            let picked = names.iter().enumerate().filter(|(bit, _)| chosen & (1 << bit) != 0);
            let mut all: BTreeSet<&'static str> = picked.filter_map(|(_, name)| known.get(*name).copied()).collect();
            all.extend(own.iter().filter(|one| !one.starts_with("kind-")));
            let mut scene = fill(Scene::named("add limits"), &all);
            if let Some(kind) = kind {
                scene = scene.flagged("looked").flagged(kind);
            }
            scenes.push((format!("{}, {kind:?}, {all:?}", probe.id), scene));
        }
    }
    scenes
}

#[test]
fn g8_wherever_a_probe_is_asked_it_has_a_wording_and_two_to_five_alternatives() {
    for probe in catalogue().dimensions.iter().flat_map(|dimension| &dimension.probes) {
        let mut asked = 0;
        for (place, scene) in scenes(probe).into_iter().filter(|(_, scene)| scene.holds(&probe.when)) {
            asked += 1;
            let wording = ask::wording(probe, &scene).unwrap_or_else(|| panic!("{place}: no wording"));
            assert!(wording.text.contains("add limits"), "{place}: {}", wording.text);
            let offers = ask::offers(&probe.alternatives, &scene);
            assert!((FEWEST..=MOST).contains(&offers.len()), "{place}: {} alternatives", offers.len());
            let marked: Vec<&str> =
                offers.iter().filter(|offer| offer.recommended).map(|offer| offer.label.as_str()).collect();
            assert_eq!(marked.len(), 1, "{place}: {marked:?}");
            // The recommendation is a deliberate one, and not the first for want of another.
            let deliberate = probe.alternatives.iter().any(|one| one.recommended && one.label == marked[0]);
            assert!(deliberate || marked[0] == "add limits", "{place}: recommended by accident: {marked:?}");
        }
        assert!(asked > 0, "{}: can never be asked", probe.id);
    }
}

#[test]
fn no_sentence_stands_twice() {
    let mut seen: BTreeMap<&str, String> = BTreeMap::new();
    let mut check = |place: String, text: &'static str| {
        for sentence in text.split_inclusive(". ").flat_map(|one| one.split_inclusive("? ")).map(str::trim) {
            // A sentence that does nothing but quote an earlier answer is not the catalogue's.
            if sentence.ends_with("}”.") {
                continue;
            }
            if let Some(first) = seen.insert(sentence, place.clone()) {
                assert_eq!(first, place, "{sentence:?} stands twice");
            }
        }
    };
    for probe in catalogue().dimensions.iter().flat_map(|dimension| &dimension.probes) {
        for text in [&probe.open, &probe.why, &probe.find_out] {
            check(format!("{} itself", probe.id), text);
        }
        for wording in &probe.ask {
            check(format!("{} itself", probe.id), wording.text);
        }
        // Variants of one alternative carry its label and never stand side by side.
        for choice in &probe.alternatives {
            check(format!("{} {}", probe.id, choice.label), choice.value);
            check(format!("{} {}", probe.id, choice.label), choice.because);
        }
    }
}

#[test]
fn the_recommended_one_does_not_always_stand_first() {
    let probes: Vec<&Probe> = catalogue().dimensions.iter().flat_map(|dimension| &dimension.probes).collect();
    let first = probes.iter().filter(|probe| probe.alternatives[0].recommended).count();
    assert!(first * 10 < probes.len() * 6 && first * 10 > probes.len() * 2, "{first} of {}", probes.len());
}

#[test]
fn g13_every_intent_weighs_every_dimension() {
    let dimensions: BTreeSet<&str> = catalogue().dimensions.iter().map(|one| one.id).collect();
    for intent in own_intents() {
        let weights = &catalogue().intents.weights[intent.as_str()];
        assert_eq!(weights.keys().copied().collect::<BTreeSet<_>>(), dimensions, "{intent}");
        assert!(weights.values().all(|weight| *weight <= 10), "{intent}");
        assert!(catalogue().intents.cues.contains_key(intent.as_str()), "{intent}");
    }
    assert_eq!(catalogue().intents.weights.len(), Intent::ALL.len() - 1);
}

#[test]
fn signals_raise_what_exists() {
    let mut names = BTreeSet::new();
    for signal in &catalogue().signals {
        assert!(names.insert(&signal.name), "{} twice", signal.name);
        for dimension in signal.raises.keys() {
            assert!(catalogue().dimension(dimension).is_some(), "{}: {dimension}", signal.name);
        }
    }
}

fn check_saying(place: &str, say: &Saying, quoted: &[&str]) {
    let allowed: BTreeSet<&str> = quoted.iter().copied().chain(["topic", "number"]).collect();
    for text in [&say.text, &say.why, &say.lead, &say.open, &say.find_out] {
        check_text(place, "follow-up", text, &allowed);
    }
    let named = placeholders(say.text);
    let numbered = named.iter().any(|name| name.ends_with("number"));
    assert!(numbered && named.contains(&"topic".to_owned()), "{place}: says of which question and topic: {}", say.text);
    assert!(say.open.ends_with('?'), "{place}: open");
    check_choices(place, &say.alternatives, &allowed);
}

#[test]
fn follow_ups_are_well_formed() {
    let follow_ups = &catalogue().follow_ups;
    for (number, way) in follow_ups.challenges.iter().enumerate() {
        check_saying(&format!("challenge {number}"), &way.say, &["decision", "rival"]);
        check_conditions("challenge", &way.when);
        assert!(way.say.text.contains("{decision}"), "challenge {number}");
    }
    let mut heard = BTreeSet::new();
    for class in &follow_ups.vague {
        check_saying(class.name, &class.say, &["vague", "said"]);
        assert!(class.say.text.contains("“{vague}”"), "{}", class.name);
        for word in class.words.iter().chain(&class.weaker) {
            assert!(heard.insert(word), "{word} is heard twice");
            assert_eq!(*word, word.to_lowercase(), "cues are compared in lower case");
        }
    }
    check_saying("contradiction", &follow_ups.contradiction, &["first", "second", "first_number", "second_number"]);
    for deepening in &follow_ups.deepenings {
        let (_, probe) = catalogue().probe(deepening.of).unwrap_or_else(|| panic!("{}: no such probe", deepening.of));
        assert!(probe.from.is_some(), "{}: is a lens", deepening.of);
        check_saying(deepening.of, &deepening.say, &["said", "decision", "decision_number"]);
    }
    check_text("refused", "frame", follow_ups.refused, &BTreeSet::from(["refusal", "number", "question"]));
    assert!(follow_ups.refused.ends_with("{question}"));
}

#[test]
fn every_file_says_packed_what_it_says_written() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/interviewer/catalogue");
    let written = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files = 0;
    for file in written.filter(|file| file.extension().is_some_and(|ending| ending == "yaml")) {
        let packed = std::path::Path::new(env!("OUT_DIR")).join(file.with_extension("msgpack").file_name().unwrap());
        let packed = std::fs::read(packed).unwrap();
        let text = std::fs::read_to_string(&file).unwrap();
        let packed: Value = rmp_serde::from_slice(&packed).unwrap();
        assert_eq!(packed, serde_yaml::from_str::<Value>(&text).unwrap(), "{file:?}");
        files += 1;
    }
    assert_eq!(files, 16);
}

#[test]
fn what_excludes_something_names_it_rightly() {
    let mut marked = 0;
    for probe in catalogue().dimensions.iter().flat_map(|dimension| &dimension.probes) {
        for place in probe.alternatives.iter().flat_map(|choice| &choice.excludes) {
            let (other, label) = place.split_once('/').unwrap_or_else(|| panic!("{place}: probe/label"));
            assert_ne!(other, probe.id, "{place}: one probe has one answer");
            let (_, other) = catalogue().probe(other).unwrap_or_else(|| panic!("{place}: no such probe"));
            assert!(other.alternatives.iter().any(|choice| choice.label == label), "{place}: no such label");
            marked += 1;
        }
    }
    assert!(marked >= 5, "{marked}");
}

#[test]
fn the_readme_names_everything_that_a_file_may_use() {
    let readme = include_str!("catalogue/README.md");
    for name in PLACEHOLDERS {
        assert!(readme.contains(&format!("`{{{name}}}`")), "{{{name}}}");
    }
    for name in CONDITIONS {
        assert!(readme.contains(&format!("`{name}`")), "{name}");
    }
}
