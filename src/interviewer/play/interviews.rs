//! What holds of every interview: it is pertinent, differs by intent and intensity, and ends.

use super::*;

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
        Intensity::Gentle => 5..=8,
        Intensity::Standard => 9..=15,
        Intensity::Hard => 12..=22,
        Intensity::Adversarial => 15..=26,
    }
}

#[test]
fn every_interview_is_pertinent_and_ends() {
    // Players and repositories take turns, so that each meets most topics, intents and intensities.
    let mut turn = 0;
    for topic in TOPICS {
        for intent in own_intents() {
            for intensity in Intensity::ALL.iter().copied() {
                let player = PLAYERS[turn % PLAYERS.len()];
                let facts = if turn % 7 < 4 { rich() } else { RepoFacts::default() };
                turn += 1;
                let place = format!("{topic}, {intent}, {intensity}, {}, {player:?}", facts.looked);
                let mut game = Game::begin(topic, intent, intensity, facts.clone());
                let asked = game.play(player);
                check(&asked, &facts, topic, &place);
                if matches!(player, Player::Recommended | Player::Last) {
                    assert!(bounds(intensity).contains(&asked.len()), "{place}: {}", asked.len());
                }
                assert_eq!(estimate(&game.session), 0..=0, "{place}");
            }
        }
    }
}

/// What holds of every interview, whoever plays it.
fn check(asked: &[Question], facts: &RepoFacts, topic: &str, place: &str) {
    let subject = scene::subject(topic).replace(['“', '”'], "\"");
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
        assert!(question.why.is_some(), "{place}");
        let words: Vec<&str> =
            std::iter::once(question.text.as_str()).chain(alternatives.iter().map(|one| one.value.as_str())).collect();
        let pertinent = |text: &&str| text.contains(&subject) || paths.iter().any(|path| text.contains(path));
        assert!(words.iter().any(pertinent), "{place}: {:?} names nothing", question.probe);
        for template in words {
            assert!(!template.contains("{topic}") && !template.contains("_at}"), "{place}: {template}");
        }
        let cited = |at: &Evidence| {
            facts.citations().any(|one| one == at) || facts.languages.iter().any(|one| one.example == *at)
        };
        assert!(question.evidence.iter().all(cited), "{place}: cites what was found");
        assert!(facts.looked || question.evidence.is_empty(), "{place}");
    }
}

#[test]
fn intents_make_different_interviews_from_the_third_question_on() {
    let probes = |intent| -> Vec<Option<String>> {
        let mut game = Game::begin("I want to make a game engine", intent, Intensity::Standard, RepoFacts::default());
        game.play(Player::Recommended).into_iter().skip(2).map(|question| question.probe).collect()
    };
    let all: Vec<_> = own_intents().map(probes).collect();
    for (index, one) in all.iter().enumerate() {
        for other in &all[index + 1..] {
            let shared = one.iter().filter(|probe| other.contains(probe)).count();
            assert!(shared * 2 <= one.len(), "{one:?} and {other:?}");
        }
    }
}

#[test]
fn intensity_is_felt() {
    let asked = |intensity, player| {
        let mut game = Game::begin("add rate limiting", Intent::Plan, intensity, rich());
        let probes: Vec<String> = game.play(player).into_iter().filter_map(|question| question.probe).collect();
        probes
    };
    let count = |probes: &[String], start: &str| probes.iter().filter(|one| one.starts_with(start)).count();
    for quiet in [Intensity::Gentle, Intensity::Standard] {
        let probes = asked(quiet, Player::OwnWords);
        assert_eq!(count(&probes, "challenge:") + count(&probes, "measure:"), 0);
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
fn g26_only_what_is_built_is_recommended_and_the_preference_first() {
    let mut game = Game::begin("add rate limiting", Intent::Plan, Intensity::Gentle, rich());
    let preference = crate::domain::settings::destinations("adr,design-doc,custom:a poster").unwrap();
    let setting = crate::domain::settings::Setting::OutputPreference(preference);
    game.apply(&Actor::Human, &Command::Configure(setting));
    game.play(Player::Recommended);
    let both = gate(&game.session, &[Catalogued::DesignDoc, Catalogued::Adr]);
    let names = |gate: &Gate| gate.recommended_outputs.iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(names(&both), ["adr", "design-doc"]);
    let one = gate(&game.session, &[Catalogued::DesignDoc]);
    assert_eq!(names(&one), ["design-doc"]);
    assert!(one.rationale.as_str().contains("not produced by this version yet: adr and custom:a poster"));
    let values: Vec<&str> = one.alternatives.as_slice().iter().map(|one| one.value.as_str()).collect();
    assert_eq!(values, ["select design-doc", "continue", "review", "stop"]);
    let none = gate(&game.session, &[]);
    assert!(none.recommended_outputs.is_empty());
    assert_eq!(none.alternatives.recommended().unwrap().value.as_str(), "continue");
}
