//! What holds of every interview: it is pertinent, differs by intent and intensity, and ends.

use std::collections::BTreeSet;

use super::*;
use crate::domain::text::Line;

fn own_intents() -> impl Iterator<Item = Intent> {
    Intent::ALL.iter().copied().filter(|intent| *intent != Intent::Auto)
}

const TOPICS: &[&str] = &[
    "add rate limiting",
    "I want to make a game engine",
    "rate limiting",
    "fix the crash on login when the database migrates",
    "Write a tutorial about our {queue} API: “why” & <how>?",
    "sqlite or postgres for the event store",
    "要件",
];

/// Fewest and most questions of somebody who answers every one with an alternative.
fn bounds(intensity: Intensity) -> std::ops::RangeInclusive<usize> {
    match intensity {
        Intensity::Gentle => 4..=6,
        Intensity::Standard => 10..=12,
        Intensity::Hard => 13..=20,
        Intensity::Adversarial => 17..=28,
    }
}

/// Questions that follow-ups to the last answers may add.
const ON_TOP: usize = 4;

#[test]
fn g13_every_gentle_interview_is_pertinent_and_ends() {
    every_interview_is_pertinent_and_ends(Intensity::Gentle);
}

#[test]
fn g13_every_standard_interview_is_pertinent_and_ends() {
    every_interview_is_pertinent_and_ends(Intensity::Standard);
}

#[test]
fn g13_every_hard_interview_is_pertinent_and_ends() {
    every_interview_is_pertinent_and_ends(Intensity::Hard);
}

#[test]
fn g13_every_adversarial_interview_is_pertinent_and_ends() {
    every_interview_is_pertinent_and_ends(Intensity::Adversarial);
}

/// One intensity at a time, so that they run beside one another.
fn every_interview_is_pertinent_and_ends(wanted: Intensity) {
    assert_eq!(Intensity::ALL.len(), 4, "each intensity has a test of its own");
    // Players and repositories take turns, so that each meets most topics, intents and intensities.
    let mut turn = 0;
    for topic in TOPICS {
        for intent in own_intents() {
            for intensity in Intensity::ALL.iter().copied() {
                let player = PLAYERS[turn % PLAYERS.len()];
                let (kind, facts) = repositories().swap_remove(turn % repositories().len());
                turn += 1;
                if intensity != wanted {
                    continue;
                }
                let place = format!("{topic}, {intent}, {intensity}, {kind}, {player:?}");
                let mut game = Game::begin(topic, intent, intensity, facts.clone());
                let asked = game.play(player);
                check(&asked, &facts, topic, &place);
                if matches!(player, Player::Recommended | Player::Last) {
                    let over = usize::from(intensity >= Intensity::Hard);
                    let number = asked.len().saturating_sub(over);
                    assert!(bounds(intensity).contains(&number), "{place}: {}", asked.len());
                    let ends = asked.last().and_then(|question| question.probe.as_deref()).unwrap_or_default();
                    assert!(ends.starts_with("next.") || intensity == Intensity::Gentle, "{place}: ends with {ends}");
                }
                assert_eq!(estimate(&game.session), 0..=0, "{place}");
            }
        }
    }
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig { cases: 24, failure_persistence: None, ..Default::default() })]

    #[test]
    fn g13_whatever_is_answered_the_interview_ends_within_its_number(
        topic in 0..TOPICS.len(),
        intent in 0..5_usize,
        intensity in 0..4_usize,
        repository in 0..repositories().len(),
        moves in proptest::collection::vec(0..PLAYERS.len(), 40),
    ) {
        let (topic, intent) = (TOPICS[topic], own_intents().nth(intent).unwrap());
        let intensity = Intensity::ALL[intensity];
        let (kind, facts) = repositories().swap_remove(repository);
        let place = format!("{topic}, {intent}, {intensity}, {kind}");
        let mut game = Game::begin(topic, intent, intensity, facts.clone());
        let mut asked = Vec::new();
        let mut moves = moves.into_iter().cycle();
        while let Some(question) = game.ask() {
            game.move_on(PLAYERS[moves.next().unwrap()], &question);
            asked.push(question);
            assert!(asked.len() < TOO_MANY, "{place}: no end in sight");
            let foretold = asked.len() + usize::try_from(*estimate(&game.session).end()).unwrap();
            assert!(foretold <= *bounds(intensity).end() + ON_TOP, "{place}: foretells {foretold}");
        }
        check(&asked, &facts, topic, &place);
        assert!(asked.len() <= *bounds(intensity).end() + ON_TOP, "{place}: {}", asked.len());
    }
}

/// What holds of every interview, whoever plays it.
fn check(asked: &[Question], facts: &RepoFacts, topic: &str, place: &str) {
    let subject = topic::subject(topic).replace(['“', '”'], "\"");
    let paths: Vec<&str> = facts.citations().map(|at| at.path.as_str()).collect();
    for (index, question) in asked.iter().enumerate() {
        let earlier = &asked[..index];
        assert!(earlier.iter().all(|one| one.probe != question.probe), "{place}: {:?} twice", question.probe);
        assert!(earlier.iter().all(|one| one.text != question.text), "{place}: {} twice", question.text);
        let known = |id: &QuestionId| earlier.iter().any(|one| one.id == *id);
        assert!(question.builds_on.iter().all(known), "{place}: builds on what was asked before");
        let alternatives = question.alternatives.as_slice();
        assert_eq!(alternatives.iter().filter(|one| one.recommended).count(), 1, "{place}");
        assert!(alternatives.iter().all(|one| one.description.is_some()), "{place}");
        let reasons: BTreeSet<&str> =
            alternatives.iter().filter_map(|one| one.description.as_ref()).map(Line::as_str).collect();
        assert_eq!(reasons.len(), alternatives.len(), "{place}: {:?}: each has a reason of its own", question.probe);
        assert!(question.why.is_some(), "{place}");
        let text = question.text.as_str();
        let pertinent = text.contains(&subject) || paths.iter().any(|path| text.contains(path));
        assert!(pertinent, "{place}: {:?} names nothing: {text}", question.probe);
        let words = std::iter::once(text).chain(alternatives.iter().map(|one| one.value.as_str()));
        for said in words.clone() {
            assert!(!said.contains("{topic}") && !said.contains("_at}"), "{place}: {said}");
        }
        if facts.kinds == [ProjectKind::Documentation] {
            for said in words.chain(reasons) {
                let said = format!(" {} ", crate::domain::text::words(said).join(" "));
                for alien in ALIEN_TO_DOCUMENTS.iter().filter(|alien| !topic.contains(**alien)) {
                    assert!(
                        !said.contains(&format!(" {alien} ")),
                        "{place}: {:?} says {alien}: {said}",
                        question.probe
                    );
                }
            }
        }
        let cited = |at: &Evidence| {
            facts.citations().any(|one| one == at) || facts.languages.iter().any(|one| one.example == *at)
        };
        assert!(question.evidence.iter().all(cited), "{place}: cites what was found");
        assert!(facts.looked || question.evidence.is_empty(), "{place}");
    }
}

/// Words of people who build and run programs.
const ALIEN_TO_DOCUMENTS: &[&str] = &[
    "caller",
    "callers",
    "deploy",
    "deployed",
    "redeploy",
    "rollback",
    "revert",
    "compile",
    "compiled",
    "refactor",
    "endpoint",
    "database",
    "throughput",
    "latency",
    "commit",
    "branch",
    "dependency",
    "dependencies",
    "codebase",
    "unit",
];

#[test]
fn g12_intents_make_different_interviews_from_the_third_question_on() {
    for topic in ["I want to make a game engine", "rate limiting", "our onboarding", "event sourcing with kafka"] {
        let some = |name: &str| ["none", "service", "documentation"].contains(&name);
        for (kind, facts) in repositories().into_iter().filter(|(name, _)| some(name)) {
            let interview = |intent| -> Vec<String> {
                let mut game = Game::begin(topic, intent, Intensity::Standard, facts.clone());
                let asked = game.play(Player::Recommended);
                asked.into_iter().skip(2).filter_map(|question| question.probe).collect()
            };
            let all: Vec<_> = own_intents().map(|intent| (intent, interview(intent))).collect();
            for (index, (intent, one)) in all.iter().enumerate() {
                for (other_intent, other) in &all[index + 1..] {
                    let place = format!("{topic}, {kind}, {intent} and {other_intent}");
                    assert!(one[0] != other[0], "{place}: the third question is {}", one[0]);
                    let shared: Vec<&String> = one.iter().filter(|probe| other.contains(probe)).collect();
                    assert!(shared.len() * 3 <= one.len(), "{place}: {shared:?}");
                }
            }
        }
    }
}

#[test]
fn g16_kinds_of_repositories_make_different_interviews() {
    let interview = |facts: &RepoFacts| -> Vec<String> {
        let mut game = Game::begin("rate limiting", Intent::Plan, Intensity::Standard, facts.clone());
        game.play(Player::Recommended).into_iter().filter_map(|question| question.probe).collect()
    };
    for (kind, expected) in [
        ("library", ["constraints.callers", "audience.caller"]),
        ("command-line", ["scope.invocation", "audience.hand-or-script"]),
        ("service", ["risks.while-down", "audience.client"]),
        ("frontend", ["risks.on-their-device", "verification.seen"]),
        ("documentation", ["scope.first-page", "upkeep.truth"]),
        ("infrastructure", ["risks.blast", "scope.reach"]),
    ] {
        let (_, facts) = repositories().into_iter().find(|(name, _)| *name == kind).unwrap();
        let probes = interview(&facts);
        for probe in expected {
            assert!(probes.iter().any(|one| one == probe), "{kind}: {probe} is missing in {probes:?}");
        }
    }
}

#[test]
fn g15_what_an_earlier_session_decided_is_asked_about_early() {
    let mut facts = rich();
    facts.earlier = vec![crate::domain::facts::Earlier {
        session: SessionId::parse("20261102-limits-abcde").unwrap(),
        topic: "limits for free accounts".to_owned(),
        decision: "Free accounts are never refused, only slowed down.".to_owned(),
        at: "2026-11-02T10:00:00Z".parse().unwrap(),
        matches: vec!["limits".to_owned()],
    }];
    for intent in own_intents() {
        let mut game = Game::begin("limits for everybody", intent, Intensity::Standard, facts.clone());
        let first = game.ask().unwrap();
        game.move_on(Player::Recommended, &first);
        let second = game.ask().unwrap();
        assert_eq!(second.probe.as_deref(), Some("precedent.earlier"), "{intent}");
        let expected = "On 2 November 2026 you decided, about “limits for free accounts”: “Free accounts are never refused, only slowed down”. Does that still hold for “limits for everybody”?";
        assert_eq!(second.text.as_str(), expected);
        assert!(second.why.unwrap().as_str().contains("grill/sessions/20261102-limits-abcde"));
    }
}

#[test]
fn what_is_known_is_not_asked() {
    let probes = |topic: &str, facts: RepoFacts| -> Vec<String> {
        let mut game = Game::begin(topic, Intent::Plan, Intensity::Adversarial, facts);
        game.play(Player::Recommended).into_iter().filter_map(|question| question.probe).collect()
    };
    let has = |probes: &[String], wanted: &str| probes.iter().any(|one| one == wanted);
    let told = probes("answer within 50 ms under load by 2026-12-01", RepoFacts::default());
    assert!(!has(&told, "constraints.number") && !has(&told, "constraints.time"), "{told:?}");
    let open = probes("answer faster under load", RepoFacts::default());
    assert!(has(&open, "constraints.number"), "{open:?}");
    let mut brings = rich();
    brings.dependencies = vec![finding("governor-limiting", "Cargo.toml")];
    let dependency = probes("add rate limiting", brings);
    assert!(has(&dependency, "precedent.dependency"), "{dependency:?}");
    assert!(!has(&probes("add rate limiting", rich()), "precedent.dependency"));
}

#[test]
fn intensity_is_felt() {
    let asked = |intensity, player| {
        let mut game = Game::begin("add rate limiting", Intent::Plan, intensity, rich());
        let probes: Vec<String> = game.play(player).into_iter().filter_map(|question| question.probe).collect();
        probes
    };
    let count = |probes: &[String], start: &str| probes.iter().filter(|one| one.starts_with(start)).count();
    for (quiet, measures) in [(Intensity::Gentle, 0), (Intensity::Standard, 2)] {
        let probes = asked(quiet, Player::OwnWords);
        assert_eq!((count(&probes, "challenge:"), count(&probes, "measure:")), (0, measures), "{quiet}");
    }
    let hard = asked(Intensity::Hard, Player::OwnWords);
    assert!(count(&hard, "challenge:") >= 3 && count(&hard, "measure:") >= 2, "{hard:?}");
    assert!(!hard.contains(&"risks.premortem".to_owned()));
    let adversarial = asked(Intensity::Adversarial, Player::Recommended);
    for lens in ["risks.premortem", "risks.inverse", "tradeoffs.opposite"] {
        assert!(adversarial.contains(&lens.to_owned()), "{lens} in {adversarial:?}");
    }
}

#[test]
fn g54_auto_is_inferred_and_never_stays_auto() {
    for (topic, expected) in [
        ("add rate limiting", Intent::Plan),
        ("I want to learn how compilers work", Intent::Learn),
        ("investigate why the build is slow", Intent::Research),
        ("write a blog post about our parser", Intent::Content),
        ("postgres or sqlite?", Intent::Decide),
        ("要件", Intent::Plan),
    ] {
        let game = Game::begin(topic, Intent::Auto, Intensity::Standard, RepoFacts::default());
        assert_eq!(inferred_intent(&game.session), expected, "{topic}");
    }
    let set = Game::begin("learn rust", Intent::Decide, Intensity::Standard, RepoFacts::default());
    assert_eq!(inferred_intent(&set.session), Intent::Decide);
}

#[test]
fn g26_what_the_user_prefers_is_recommended_in_their_order() {
    use crate::domain::settings::{Setting, destinations};
    let mut game = Game::begin("add rate limiting", Intent::Plan, Intensity::Gentle, rich());
    let names = |gate: &Gate| gate.recommended_outputs.iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(names(&gate(&game.session)), ["design-doc", "implementation-plan"]);
    let prefer = |game: &mut Game, list: &str| {
        game.apply(&Actor::Human, &Command::Configure(Setting::OutputPreference(destinations(list).unwrap())));
    };
    prefer(&mut game, "adr,custom:a poster,design-doc");
    game.play(Player::Recommended);
    let preferred = gate(&game.session);
    assert_eq!(names(&preferred), ["adr", "custom:a poster", "design-doc"]);
    let values: Vec<&str> = preferred.alternatives.as_slice().iter().map(|one| one.value.as_str()).collect();
    assert_eq!(values, ["select adr", "custom:a poster", "continue", "review", "stop"]);
    prefer(&mut game, &format!("custom:{}", "a very long name ".repeat(11)));
    assert_eq!(gate(&game.session).alternatives.as_slice().len(), 4);
}
