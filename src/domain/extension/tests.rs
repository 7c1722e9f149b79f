//! Who answers an extension, and what the history says of it (P28).

use serde::Deserialize as _;
use serde::de::value::{Error, MapDeserializer};

use super::{Command, ExtensionAnswer, Refusal, State};
use crate::domain::actor::Actor;
use crate::domain::decide::decide;
use crate::domain::decide::staged::{at, prose, started};
use crate::domain::event::{Event as Happening, Recorded};
use crate::domain::refusal::Refusal as No;
use crate::domain::session::Session;
use crate::domain::settings::Approval;
use crate::domain::subsystem;
use crate::domain::told::{Scene, Told};
use crate::domain::ui::Name;

fn session() -> Session {
    Session::begin(&started(Approval::Person, true), at(), 1)
}

fn answered() -> Command {
    Command::Answer(Box::new(ExtensionAnswer {
        extension: Name::parse("an extension", "limits").unwrap(),
        question: prose("Which store?\nIt is for good."),
        answer: vec![prose("SQLite"), prose("and\u{202e} a cache")],
        note: Some(prose("for now")),
        other: true,
    }))
}

#[test]
fn p28_an_answer_is_the_persons_or_a_files_and_changes_no_state() {
    let session = session();
    for actor in [Actor::Human, Actor::Unattended] {
        let events = decide(&session, &actor, at(), &answered().into()).unwrap();
        let [event] = events.as_slice() else { panic!("{events:?}") };
        let recorded = Recorded { seq: session.seq + 1, at: at(), by: actor, event: event.clone() };
        let after = session.clone().evolve(&recorded);
        assert_eq!((after.own.extension, after.phase.clone()), (State {}, session.phase.clone()));
        assert!(after.own.grants().is_empty());
    }
    for actor in [Actor::Agent("claude".to_owned()), Actor::System] {
        let refused = decide(&session, &actor, at(), &answered().into()).unwrap_err();
        assert_eq!(refused, No::Of(subsystem::Refusal::Extension(Refusal::NotThePersons)));
    }
}

#[test]
fn p28_the_history_says_who_asked_what_was_asked_and_what_was_said() {
    let session = session();
    let events = decide(&session, &Actor::Human, at(), &answered().into()).unwrap();
    let facets = events[0].facets();
    assert_eq!((facets.op, facets.note), ("extension-answer", Some(&prose("for now"))));
    assert!(facets.subject.starts_with("answer to limits: Which store?: SQLite, and"), "{}", facets.subject);
    let scene = Scene { before: None, after: &session, by_prompt: false };
    let Told::Line(line) = events[0].told(scene) else { panic!("it is told as a line") };
    assert!(line.starts_with("recorded for limits: Which store?: SQLite") && !line.contains('\u{202e}'), "{line}");
}

#[test]
fn p28_an_event_of_another_subsystem_is_not_taken_for_an_answer() {
    let other = [("event", "plan-execution-begun")];
    let read = Happening::deserialize(MapDeserializer::<_, Error>::new(other.into_iter())).unwrap();
    assert!(matches!(read, Happening::Of(subsystem::Event::Plan(_))), "{read:?}");
}
