//! What the referee sees, and what it leaves alone.

mod checkpoint;

use super::led::{Led, agent};
use super::*;
use crate::domain::citations::{ChangedCitation, Fate, Rechecked, Seen};
use crate::domain::command::{Command, Reply};
use crate::domain::facts::Evidence;
use crate::domain::interview::Command as Talk;
use crate::domain::purpose::Purpose;
use crate::domain::settings::Intensity;
use crate::domain::text::Prose;

fn names(led: &Led) -> Vec<String> {
    concerns(&led.session).into_iter().map(|one| one.name).collect()
}

fn of(led: &Led, kind: ConcernKind) -> Vec<String> {
    concerns(&led.session).into_iter().filter(|one| one.kind == kind).map(|one| one.name).collect()
}

#[test]
fn g57_nothing_is_said_before_anything_was_asked() {
    for intensity in Intensity::ALL {
        let led = Led::about("retries in the feed reader", *intensity);
        assert_eq!(of(&led, ConcernKind::Contradiction), Vec::<String>::new());
        assert_eq!(of(&led, ConcernKind::Dropped), Vec::<String>::new());
        assert_eq!(of(&led, ConcernKind::Challenge), Vec::<String>::new());
    }
}

#[test]
fn g57_two_answers_that_cannot_both_hold_are_a_concern_until_a_question_settles_them() {
    let mut led = Led::about("retries in the feed reader", Intensity::Standard);
    led.exchange("scope", "How long may a request take?", "A request is answered in under 50 ms");
    led.exchange("constraints", "How slow may it get?", "A request may take 200 ms");
    assert_eq!(of(&led, ConcernKind::Contradiction), ["contradiction:1:2"]);
    // A question that merely builds on them settles nothing, and neither does one that was not answered.
    led.asks("scope", "Which of the two holds?", &["50 ms", "200 ms"], &[1, 2], Some(Purpose::Settle));
    assert_eq!(of(&led, ConcernKind::Contradiction), ["contradiction:1:2"]);
    led.says("50 ms");
    assert_eq!(of(&led, ConcernKind::Contradiction), Vec::<String>::new());
}

#[test]
fn g57_who_takes_an_agents_alternative_says_it() {
    // Whoever passes on that it was taken. Only the word that sounds like an answer is the agent's.
    for actor in [crate::domain::actor::Actor::Human, agent()] {
        let mut led = Led::about("retries", Intensity::Hard);
        led.asks("scope", "How long may a request take?", &["a request takes 50 ms, fast", "no limit"], &[], None);
        led.hears(&actor, Reply::Chosen(vec![1]));
        led.asks("constraints", "How slow is it?", &["a request takes 200 ms", "no idea"], &[], None);
        led.hears(&actor, Reply::Chosen(vec![1]));
        assert_eq!(of(&led, ConcernKind::Contradiction), ["contradiction:1:2"]);
        assert_eq!(of(&led, ConcernKind::Vague), Vec::<String>::new());
    }
}

#[test]
fn g13_a_decision_is_a_concern_at_hard_until_it_was_challenged() {
    for (intensity, expected) in [
        (Intensity::Gentle, &[][..]),
        (Intensity::Standard, &[]),
        (Intensity::Hard, &["challenge:1"]),
        (Intensity::Adversarial, &["challenge:1"]),
    ] {
        let mut led = Led::about("retries in the feed reader", intensity);
        led.exchange("scope", "Where should the retry state live?", "In one sqlite file");
        led.exchange("audience", "Who should read the log?", "The operator");
        led.exchange("constraints", "What is the limit today?", "Ten feeds");
        assert_eq!(of(&led, ConcernKind::Challenge), expected, "{intensity}");
        led.asks(
            "scope",
            "What would make a file wrong?",
            &["many writers", "nothing"],
            &[1],
            Some(Purpose::Challenge),
        );
        assert_eq!(of(&led, ConcernKind::Challenge), expected, "it is open");
        led.does(&crate::domain::actor::Actor::Human, &Talk::Defer { question: Led::id(4) }.into());
        assert_eq!(of(&led, ConcernKind::Challenge), Vec::<String>::new(), "it was put, and the person passed");
    }
}

#[test]
fn g13_the_pre_mortem_and_the_opposite_are_concerns_at_adversarial_until_they_were_asked() {
    for intensity in Intensity::ALL {
        let mut led = Led::about("retries in the feed reader", *intensity);
        let missing = |all: &[&str]| if *intensity == Intensity::Adversarial { all.join(" ") } else { String::new() };
        let found = |led: &Led| of(led, ConcernKind::Unasked).join(" ");
        assert_eq!(found(&led), "", "nothing is missing before the first question");
        // The words alone are no declaration.
        led.exchange("risks", "A pre-mortem: it failed. What happened?", "Nobody looked at the log");
        assert_eq!(found(&led), missing(&["unasked:pre-mortem", "unasked:opposite"]));
        led.asks("risks", "It failed. What happened?", &["many feeds", "no one"], &[], Some(Purpose::PreMortem));
        assert_eq!(found(&led), missing(&["unasked:pre-mortem", "unasked:opposite"]), "it is open");
        led.says("The file grew without end");
        assert_eq!(found(&led), missing(&["unasked:opposite"]));
        led.asks("tradeoffs", "Why not delete at once?", &["data", "trust"], &[1], Some(Purpose::Opposite));
        led.does(&crate::domain::actor::Actor::Human, &Talk::Defer { question: Led::id(3) }.into());
        assert_eq!(found(&led), "", "it was put, and the person passed");
    }
}

#[test]
fn g13_what_the_built_in_interviewer_asked_at_adversarial_is_not_asked_again() {
    let mut led = Led::about("retries in the feed reader", Intensity::Adversarial);
    for (number, probe) in ["risks.premortem", "tradeoffs.opposite"].into_iter().enumerate() {
        led.exchange("risks", &format!("Question {number}?"), "Nothing of the kind");
        led.session.transcript.asked.last_mut().unwrap().question.probe = Some(probe.to_owned());
    }
    assert_eq!(of(&led, ConcernKind::Unasked), Vec::<String>::new());
}

#[test]
fn g57_a_question_that_names_no_area_closes_the_one_that_it_speaks_of() {
    let mut led = Led::about("retries in the feed reader", Intensity::Standard);
    led.exchange("objective", "What is broken today?", "Feeds vanish after one failure");
    let untouched = of(&led, ConcernKind::Area);
    assert!(untouched.contains(&"area:scope".to_owned()) && !untouched.contains(&"area:objective".to_owned()));
    led.exchange("Scope and non-goals", "What stays out?", "Podcasts");
    assert!(!of(&led, ConcernKind::Area).contains(&"area:scope".to_owned()));
    let untouched = of(&led, ConcernKind::Area);
    led.exchange("storage", "Where is it kept?", "In a file");
    assert_eq!(of(&led, ConcernKind::Area), untouched, "it speaks of none");
    led.exchange("to decide", "Which tests show that it works?", "One with a dead host");
    assert!(!of(&led, ConcernKind::Area).contains(&"area:verification".to_owned()));
    assert!(of(&led, ConcernKind::Area).contains(&"area:risks".to_owned()));
}

#[test]
fn g15_a_place_that_changed_puts_its_answer_in_doubt() {
    let mut led = Led::about("retries", Intensity::Standard);
    led.exchange("scope", "Does the loop at this place stay?", "It stays as it is there");
    led.citing("src/poll.rs", (3, 9));
    let at = Evidence { path: "src/poll.rs".to_owned(), lines: Some((3, 9)), blob: None };
    let place = |fate| Rechecked { at: at.clone(), fate, seen: Seen::Head, now: None };
    for (fate, expected) in [(Fate::Changed, &["citation:1"][..]), (Fate::Moved { to: (5, 11) }, &[])] {
        led.session.citations =
            vec![ChangedCitation { place: place(fate), questions: vec![Led::id(1)], confirmed: vec![] }];
        assert_eq!(of(&led, ConcernKind::Citation), expected);
    }
}

#[test]
fn g13_a_vague_word_is_named_once_and_is_measured_by_a_question() {
    let mut led = Led::about("retries", Intensity::Standard);
    led.exchange("scope", "How is the first attempt?", "It has to be fast");
    assert_eq!(of(&led, ConcernKind::Vague).len(), 1, "{:?}", names(&led));
    led.asks("scope", "How fast, in ms?", &["100 ms", "1 s"], &[1], Some(Purpose::Measure));
    assert_eq!(of(&led, ConcernKind::Vague), Vec::<String>::new());
    // A question that does not exist cannot be built on: nothing of it is recorded.
    let mut gentle = Led::about("retries", Intensity::Gentle);
    gentle.exchange("scope", "How is the first attempt?", "It has to be fast");
    assert_eq!(of(&gentle, ConcernKind::Vague), Vec::<String>::new());
}

#[test]
fn g13_a_decision_that_its_challenge_turned_round_is_not_challenged_again() {
    let mut led = Led::about("retries", Intensity::Hard);
    led.exchange("scope", "Where should the state live?", "In one sqlite file");
    led.asks("scope", "What would make a file wrong?", &["many writers", "nothing"], &[1], Some(Purpose::Challenge));
    led.says("There are many writers");
    led.does(&crate::domain::actor::Actor::Human, &Talk::Back { to: Led::id(1) }.into());
    led.says("In postgres");
    // The challenge itself was overtaken, and names the decision until it is closed.
    assert_eq!(of(&led, ConcernKind::Challenge), Vec::<String>::new());
    assert_eq!(of(&led, ConcernKind::Stale), ["stale:2"]);
    led.does(&crate::domain::actor::Actor::Human, &Talk::Back { to: Led::id(2) }.into());
    led.says("There are many writers");
    assert_eq!((of(&led, ConcernKind::Challenge), of(&led, ConcernKind::Stale)), (vec![], vec![]));
}

#[test]
fn g57_another_answer_makes_another_concern() {
    let mut led = Led::about("retries", Intensity::Hard);
    led.exchange("scope", "Where should the state live?", "In one sqlite file");
    let key =
        |led: &Led| concerns(&led.session).into_iter().find(|one| one.kind == ConcernKind::Challenge).unwrap().key;
    let before = key(&led);
    led.does(&crate::domain::actor::Actor::Human, &Talk::Back { to: Led::id(1) }.into());
    led.says("In postgres");
    assert_ne!(key(&led), before);
}

#[test]
fn g52_g57_whatever_a_question_was_for_it_is_overtaken_with_what_it_stands_on() {
    for purpose in [None].into_iter().chain(Purpose::ALL.iter().copied().map(Some)) {
        let mut led = Led::about("retries in the feed reader", Intensity::Hard);
        led.exchange("scope", "Where should the state live?", "In one sqlite file beside the list");
        led.asks("scope", "What of it?", &["many writers", "nothing"], &[1], purpose);
        led.says("There are many writers");
        led.asks("scope", "And then?", &["one lock", "no lock"], &[2], None);
        led.says("One lock for all");
        led.exchange("risks", "Who restores it?", "The operator does");
        led.does(&crate::domain::actor::Actor::Human, &Talk::Back { to: Led::id(1) }.into());
        led.says("In one sqlite file beside the list");
        assert_eq!(of(&led, ConcernKind::Stale), Vec::<String>::new(), "{purpose:?}: the same words");
        led.does(&crate::domain::actor::Actor::Human, &Talk::Back { to: Led::id(1) }.into());
        led.says("In postgres, for everybody");
        assert_eq!(of(&led, ConcernKind::Stale), ["stale:2", "stale:3"], "{purpose:?}");
        // Each is closed by its answer, be it the old one.
        for (id, answer) in [(2, "There are many writers"), (3, "No lock at all, postgres has them")] {
            led.does(&crate::domain::actor::Actor::Human, &Talk::Back { to: Led::id(id) }.into());
            led.says(answer);
        }
        assert_eq!(of(&led, ConcernKind::Stale), Vec::<String>::new(), "{purpose:?}");
    }
}

#[test]
fn g57_what_nobody_answered_is_a_concern() {
    let mut led = Led::about("retries in the feed reader", Intensity::Standard);
    led.puts("scope", "Which failures stay?");
    assert_eq!(of(&led, ConcernKind::Skipped), Vec::<String>::new(), "it is open");
    led.does(&agent(), &Talk::Defer { question: Led::id(1) }.into());
    assert_eq!(of(&led, ConcernKind::Skipped), ["skipped:1"]);
    led.puts("risks", "Who restores it?");
    led.does(&agent(), &Talk::Back { to: Led::id(1) }.into());
    assert_eq!(of(&led, ConcernKind::Skipped), ["skipped:2"], "it was set aside");
    led.says("All but 410 stay");
    assert_eq!(of(&led, ConcernKind::Skipped), ["skipped:2"]);
    // An objection is a reply.
    led.puts("tradeoffs", "Is a delay fine?");
    let because = Prose::parse("it", "nothing is delayed").unwrap();
    led.does(&agent(), &Talk::PushBack { question: Led::id(3), because }.into());
    assert_eq!(of(&led, ConcernKind::Skipped), ["skipped:2"]);
}

#[test]
fn g57_entries_of_the_checkpoint_are_concerns() {
    let mut led = Led::about("retries in the feed reader", Intensity::Standard);
    led.exchange("scope", "Where should the retry state live?", "In one sqlite file beside the feed list");
    led.writes(
        "# T\n\n## Decisions\n\n- State lives in one sqlite file beside the feed list.\n- We deploy on kubernetes with three replicas.\n\n## Open Questions\n\n- Who pays for the SMS?\n- Which feeds?\n",
    );
    assert_eq!(of(&led, ConcernKind::Open), ["open:1", "open:2"]);
    assert_eq!(of(&led, ConcernKind::Unsaid), ["unsaid:1"]);
    let first = concerns(&led.session).into_iter().find(|one| one.name == "open:2").unwrap();
    // What was waved through stays so when the list moves.
    let waiver = crate::domain::concern::Waiver { name: first.name, key: first.key };
    led.does(&crate::domain::actor::Actor::Human, &Talk::Waive { concerns: vec![waiver] }.into());
    led.writes("# T\n\n- State lives in one sqlite file beside the feed list.\n\n## Open Questions\n\n- Which feeds?\n- Since when?\n");
    assert_eq!(of(&led, ConcernKind::Open), ["open:2"]);
    assert_eq!(of(&led, ConcernKind::Unsaid), Vec::<String>::new());
}

#[test]
fn g13_a_recommended_alternative_marks_a_decision_and_a_question_about_today_none() {
    for (area, text, expected) in [
        ("constraints", "Where does the retry state live?", &["challenge:1"][..]),
        ("storage", "After how many failures is a feed given up?", &["challenge:1"]),
        ("risks", "`poll.py` drops a feed. What happens to it from then on?", &["challenge:1"]),
        ("constraints", "Where does the state live today?", &[]),
        ("constraints", "How many feeds are there?", &[]),
        ("risks", "Who restores them?", &[]),
        ("risks", "What went wrong?", &[]),
        ("audience", "Which of them reads the log?", &[]),
    ] {
        let mut led = Led::about("retries in the feed reader", Intensity::Hard);
        led.exchange(area, text, "Something of their own choice");
        assert_eq!(of(&led, ConcernKind::Challenge), expected, "{text}");
    }
}

#[test]
fn g13_a_degree_is_vague_and_an_innocent_word_is_not() {
    for (answer, expected) in [
        ("It should be reasonably cheap", true),
        ("As fast as we can", true),
        ("Not too much at once", true),
        ("As cheap as possible", true),
        ("It has to look nice", true),
        ("For some feeds the server answers 410", false),
        ("It would be nice to have a list", false),
        ("As fast as we can, under 50 ms", false),
        ("As soon as possible after the release, on Monday", false),
        ("It is not too late for that", false),
    ] {
        let mut led = Led::about("retries", Intensity::Standard);
        led.exchange("scope", "How should the first attempt be?", answer);
        assert_eq!(!of(&led, ConcernKind::Vague).is_empty(), expected, "{answer}: {:?}", names(&led));
    }
}

#[test]
fn g13_a_measure_settles_the_word_that_it_names_and_no_other() {
    let mut led = Led::about("retries", Intensity::Hard);
    led.exchange("scope", "How is the first attempt?", "It has to be fast, for many hosts");
    assert_eq!(of(&led, ConcernKind::Vague), ["vague:1:speed", "vague:1:amount"]);
    led.asks("scope", "How many hosts?", &["10", "500"], &[1], Some(Purpose::Measure));
    led.says("500 hosts");
    assert_eq!(of(&led, ConcernKind::Vague), ["vague:1:speed"]);
    led.asks("scope", "Up to which delay?", &["50 ms", "1 s"], &[1], Some(Purpose::Measure));
    led.says("50 ms");
    assert_eq!(of(&led, ConcernKind::Vague), Vec::<String>::new());
}

#[test]
fn g57_an_agents_own_summary_is_a_concern_until_the_user_confirms_it() {
    let mut led = Led::about("retries in the feed reader", Intensity::Hard);
    let update = |led: &Led| {
        Command::from(Talk::UpdateCheckpoint {
            checkpoint: crate::domain::checkpoint::Checkpoint::parse("# T\n\n- Errors of the host are kept.\n")
                .unwrap(),
            base: led.session.checkpoint.clone(),
            summary: Line::clipped("errors of the host are kept"),
            source: crate::domain::checkpoint::CheckpointSource::Tool,
            answer: Some(crate::domain::ids::AnswerId::from_nonce(77)),
        })
    };
    led.puts("scope", "Which errors are kept?");
    led.does(&agent(), &update(&led));
    assert_eq!(of(&led, ConcernKind::Unconfirmed), ["unconfirmed:1"]);
    let unconfirmed = led.session.clone();
    // Their own words in its place.
    led.does(&agent(), &Talk::Back { to: Led::id(1) }.into());
    led.reports("Those of the host, and only those");
    assert_eq!(of(&led, ConcernKind::Unconfirmed), Vec::<String>::new());
    // Or their yes to a question about it.
    led.session = unconfirmed;
    led.asks("scope", "Errors of the host are kept: right?", &["yes", "no"], &[1], None);
    assert_eq!(of(&led, ConcernKind::Unconfirmed), ["unconfirmed:1"], "it is open");
    led.says("yes");
    assert_eq!(of(&led, ConcernKind::Unconfirmed), Vec::<String>::new());
}

#[test]
fn g57_every_concern_has_a_cure_that_names_what_it_is_about() {
    for (kind, name, part) in [
        (ConcernKind::Contradiction, "1:4", "settle and buildsOn 1 and 4"),
        (ConcernKind::Challenge, "3", "challenge and buildsOn 3"),
        (ConcernKind::Vague, "3:speed", "how much it is, with purpose measure and buildsOn 3"),
        (ConcernKind::Vague, "3:people", "who exactly is meant, with purpose measure and buildsOn 3"),
        (ConcernKind::Misstated, "3", "grill_revise_answer with question 3"),
        (ConcernKind::Area, "risks", "dimension risks"),
        (ConcernKind::Unasked, "pre-mortem", "with purpose pre-mortem"),
        (ConcernKind::Stale, "2", "question 2"),
        // An agent whose questions stand at the terminal asks with the tools, and reports nothing.
        (ConcernKind::Stale, "2", "ask it again in the same words"),
        (ConcernKind::Skipped, "2", "ask it again in the same words"),
        (ConcernKind::Unconfirmed, "2", "whether it is right, with buildsOn 2"),
    ] {
        let cure = concern(kind, name, name, "it").cure();
        assert!(cure.contains(part), "{cure}");
    }
}
