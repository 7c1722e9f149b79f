//! The rules under any sequence of wishes by anybody.

use std::cell::RefCell;
use std::collections::BTreeMap;

use git_grill::domain::actor::Actor;
use git_grill::domain::decide::decide;
use git_grill::domain::event::{Event, Recorded};
use git_grill::domain::session::{Phase, Session};
use git_grill::domain::settings::Settings;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use super::laws;
use super::wishes::{Wish, at, settings, started, wishes};

/// Plays wishes from a session's beginning, under every law; the whole history with the state it came to.
pub(super) fn play(settings: Settings, wishes: &[Wish]) -> (Vec<Recorded>, Session) {
    let started = started(settings);
    let mut session = Session::begin(&started, at(1), 1);
    let event = Event::Started(Box::new(started));
    let mut history = vec![Recorded { seq: 1, at: at(1), by: Actor::Human, event }];
    laws::state(&session);
    for (place, wish) in wishes.iter().enumerate() {
        let serial = u64::try_from(place).unwrap() + 2;
        let command = wish.command(&session, serial);
        let decided = match decide(&session, &wish.actor, at(serial), &command) {
            Ok(events) => events,
            Err(refusal) => {
                laws::refusal(&refusal);
                assert!(!session.is_closed() || refusal.code() == "session_closed");
                continue;
            }
        };
        let before = session.clone();
        let from = history.len();
        for event in decided {
            assert!(!event.facets().op.is_empty() && !event.facets().subject.trim().is_empty());
            let recorded = Recorded { seq: session.seq + 1, at: at(serial), by: wish.actor.clone(), event };
            session = session.evolve(&recorded);
            history.push(recorded);
        }
        laws::step(&before, &history[from..], &session);
        laws::state(&session);
    }
    (history, session)
}

#[test]
fn any_wishes_by_anybody_keep_every_law_and_replay() {
    let reached: RefCell<BTreeMap<&'static str, u32>> = RefCell::default();
    let config = Config { cases: 250, failure_persistence: None, ..Config::default() };
    let outcome = TestRunner::new(config).run(&(settings(), wishes(60)), |(settings, wishes)| {
        let (history, session) = play(settings, &wishes);
        prop_assert_eq!(Session::replay(&history), Some(session));
        laws::only_what_was_approved(&history);
        for recorded in &history {
            *reached.borrow_mut().entry(recorded.event.facets().op).or_default() += 1;
        }
        Ok(())
    });
    if let Err(failure) = outcome {
        panic!("{failure}");
    }
    // Laws about what never came up would hold for nothing.
    let reached = reached.into_inner();
    for op in OPS {
        assert!(reached.contains_key(op), "{op} never came up: {reached:?}");
    }
}

const OPS: &[&str] = &[
    "start",
    "evidence",
    "ask",
    "reopen",
    "answer",
    "defer",
    "push-back",
    "discuss",
    "resume-questions",
    "back",
    "checkpoint",
    "configure",
    "select",
    "continue",
    "request",
    "outputs",
    "draft",
    "approve",
    "write",
    "finish",
    "close",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 80, failure_persistence: None, ..ProptestConfig::default() })]

    /// G30, G40 with nobody at the terminal: whatever agents, scripts and we ourselves do, the output phase stays shut.
    #[test]
    fn g30_without_a_person_the_repository_stays_read_only(wishes in wishes(60)) {
        let wishes: Vec<Wish> = wishes
            .into_iter()
            .map(|wish| match wish.actor {
                Actor::Human => Wish { actor: Actor::Agent("claude".to_owned()), ..wish },
                Actor::Unattended | Actor::Agent(_) | Actor::System => wish,
            })
            .collect();
        let (history, session) = play(Settings::default(), &wishes);
        prop_assert!(!matches!(session.phase, Phase::Production(_)));
        for recorded in &history {
            prop_assert!(!["outputs", "draft", "approve", "write"].contains(&recorded.event.facets().op));
            // Ending takes a script that says so, never an agent alone.
            prop_assert!(recorded.event.facets().op != "close" || recorded.by == Actor::Unattended);
        }
    }

    /// Events that no rule decided on (a damaged or foreign history) never break the fold.
    #[test]
    fn evolving_never_fails(events in wishes(40), order in any::<u64>()) {
        let (history, _) = play(Settings::default(), &events);
        let mut shuffled = history[1..].to_vec();
        let length = shuffled.len().max(1);
        shuffled.rotate_left(usize::try_from(order % u64::try_from(length).unwrap()).unwrap() % length);
        if order.is_multiple_of(2) {
            shuffled.reverse();
        }
        let mut all = vec![history[0].clone()];
        all.extend(shuffled);
        let session = Session::replay(&all).unwrap();
        let _ = (session.pending(), session.open_question(), session.to_reopen(), session.transcript.progress());
    }
}
