//! What holds the output selection, as data: every kind of concern, every intensity, every actor, every way to the gate.

use proptest::prelude::*;

use super::decide;
use super::staged::{after, at, fresh, gate, line};
use crate::domain::actor::Actor;
use crate::domain::command::Command;
use crate::domain::concern::{Concern, ConcernKind, Waiver};
use crate::domain::interview::Command as Talk;
use crate::domain::production;
use crate::domain::refusal::Refusal;
use crate::domain::selection::{Findings, Gate};
use crate::domain::session::{Phase, Session};
use crate::domain::settings::{Approval, Intensity, Interviewer};
use crate::domain::subsystem;

fn agent() -> Actor {
    Actor::Agent("claude".to_owned())
}

fn concern(kind: ConcernKind) -> Concern {
    let word = kind.word();
    Concern { kind, name: format!("{word}:1"), key: format!("{word}:a-1"), says: line("something") }
}

fn waiver(kind: ConcernKind) -> Waiver {
    let Concern { name, key, .. } = concern(kind);
    Waiver { name, key }
}

fn open(kinds: &[ConcernKind]) -> Command {
    let concerns = kinds.iter().copied().map(concern).collect();
    production::Command::OpenSelection(Box::new(Gate {
        findings: Findings { concerns, ..Findings::default() },
        ..gate()
    }))
    .into()
}

fn led_at(intensity: Intensity, approval: Approval) -> Session {
    let mut session = fresh(approval);
    session.settings.intensity = intensity;
    session.settings.interviewer = Interviewer::Agent("claude".to_owned());
    session
}

/// The kinds that hold an agent's way to the gate; `None` where the gate opens.
fn held(session: &Session, actor: &Actor, kinds: &[ConcernKind]) -> Option<Vec<ConcernKind>> {
    match decide(session, actor, at(), &open(kinds)) {
        Ok(events) => {
            assert!(!events.is_empty());
            None
        }
        Err(Refusal::Of(subsystem::Refusal::Production(production::Refusal::Held { concerns, named, .. }))) => {
            let kinds: Vec<ConcernKind> =
                kinds.iter().copied().filter(|kind| !concerns.iter().any(|one| one.kind == *kind)).collect();
            assert!(named.iter().all(|one| kinds.contains(&one.kind)), "what holds nothing is named beside it");
            Some(concerns.into_iter().map(|one| one.kind).collect())
        }
        Err(other) => panic!("{other}"),
    }
}

#[test]
fn g57_a_concern_holds_an_agent_at_hard_and_above_and_nobody_else() {
    for kind in ConcernKind::ALL {
        for intensity in Intensity::ALL {
            let hard = matches!(intensity, Intensity::Hard | Intensity::Adversarial)
                && !matches!(kind, ConcernKind::Vague | ConcernKind::Unsaid);
            let session = led_at(*intensity, Approval::Person);
            let expected = hard.then(|| vec![*kind]);
            assert_eq!(held(&session, &agent(), &[*kind]), expected, "{kind:?} {intensity}");
            for actor in [Actor::Human, Actor::Unattended, Actor::System] {
                assert_eq!(held(&session, &actor, &[*kind]), None, "{kind:?} {intensity} {actor}");
            }
            assert_eq!(held(&session, &agent(), &[]), None);
        }
    }
}

#[test]
fn g57_only_those_who_may_approve_wave_a_concern_through() {
    let kind = ConcernKind::Challenge;
    let waive: Command = Talk::Waive { concerns: vec![waiver(kind)] }.into();
    for (approval, actor, may) in [
        (Approval::Person, Actor::Human, true),
        (Approval::Person, Actor::Unattended, false),
        (Approval::Person, agent(), false),
        (Approval::Person, Actor::System, false),
        (Approval::Script, Actor::Unattended, true),
        (Approval::Script, agent(), false),
        (Approval::Agent, agent(), true),
    ] {
        let session = led_at(Intensity::Hard, approval);
        let decided = decide(&session, &actor, at(), &waive);
        assert_eq!(decided.is_ok(), may, "{approval} {actor}");
        if may {
            let waved = after(session, &actor, &waive);
            assert_eq!(held(&waved, &agent(), &[kind]), None);
            assert_eq!(held(&waved, &agent(), &[kind, ConcernKind::Area]), Some(vec![ConcernKind::Area]));
            // Twice is nothing more.
            assert_eq!(decide(&waved, &actor, at(), &waive), Ok(vec![]));
        }
    }
}

#[test]
fn g57_what_was_waved_through_is_about_one_answer() {
    let session = led_at(Intensity::Hard, Approval::Person);
    let other = Waiver { key: "challenge:a-2".to_owned(), ..waiver(ConcernKind::Challenge) };
    let waved = after(session, &Actor::Human, &Talk::Waive { concerns: vec![other] }.into());
    // Another answer to the same question makes another concern of the same name.
    assert!(held(&waved, &agent(), &[ConcernKind::Challenge]).is_some());
}

#[test]
fn g35_an_open_gate_is_not_held_by_what_is_found_later() {
    let session = led_at(Intensity::Hard, Approval::Person);
    let opened = after(session, &Actor::Human, &open(&[ConcernKind::Area]));
    assert!(matches!(opened.phase, Phase::Selection(_)));
    assert_eq!(held(&opened, &agent(), &[ConcernKind::Contradiction]), None);
}

proptest! {
    /// An agent's gate opens exactly where nothing that holds at this intensity is left unwaved.
    #[test]
    fn g57_a_gate_opens_where_nothing_that_holds_is_left(
        found in proptest::collection::vec(0..ConcernKind::ALL.len(), 0..6),
        waved in proptest::collection::vec(0..ConcernKind::ALL.len(), 0..6),
        intensity in 0..Intensity::ALL.len(),
    ) {
        let intensity = Intensity::ALL[intensity];
        let kinds: Vec<ConcernKind> = found.iter().map(|one| ConcernKind::ALL[*one]).collect();
        let waivers: Vec<ConcernKind> = waved.iter().map(|one| ConcernKind::ALL[*one]).collect();
        let mut session = led_at(intensity, Approval::Person);
        let waive: Command = Talk::Waive { concerns: waivers.iter().copied().map(waiver).collect() }.into();
        session = after(session, &Actor::Human, &waive);
        let left: Vec<ConcernKind> =
            kinds.iter().copied().filter(|kind| kind.holds(intensity) && !waivers.contains(kind)).collect();
        let expected = (!left.is_empty()).then_some(left);
        prop_assert_eq!(held(&session, &agent(), &kinds), expected);
    }
}
