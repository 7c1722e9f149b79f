//! The newcomer gets from the registry what every subsystem gets.

use jiff::Timestamp;
use serde::de::DeserializeOwned;
use serde::de::value::{Error, MapDeserializer};

use super::{Command, Event, Refusal, State};
use crate::domain::actor::Actor;
use crate::domain::authority::Claim;
use crate::domain::decide::decide;
use crate::domain::event::{Event as Happening, Recorded, Started};
use crate::domain::ids::SessionId;
use crate::domain::plan;
use crate::domain::refusal::Refusal as No;
use crate::domain::session::Session;
use crate::domain::settings::Settings;
use crate::domain::subsystem::{self, Call, Grant};
use crate::domain::text::{Line, Topic};
use crate::domain::tool::BadRequest;

fn at() -> Timestamp {
    Timestamp::from_second(1_800_000_000).unwrap()
}

fn line(text: &str) -> Line {
    Line::parse("a line", text).unwrap()
}

fn ring() -> Command {
    Command::Ring { because: line("lunch") }
}

fn begun() -> Session {
    let topic = Topic::parse("a bell").unwrap();
    let started = Started {
        id: SessionId::new(&topic, at(), 1),
        topic,
        settings: Settings::default(),
        base: None,
        branch: None,
        reported: None,
        no_interview: true,
    };
    Session::begin(&started, at(), 1)
}

/// What these commands come to, one after the other.
fn history(commands: &[Command]) -> Vec<Recorded> {
    let mut session = begun();
    let mut all = Vec::new();
    for command in commands {
        let events = decide(&session, &Actor::Human, at(), &command.clone().into()).unwrap();
        for event in events {
            let recorded = Recorded { seq: session.seq + 1, at: at(), by: Actor::Human, event };
            session = session.evolve(&recorded);
            all.push(recorded);
        }
    }
    all
}

fn replayed(history: &[Recorded]) -> Session {
    history.iter().fold(begun(), Session::evolve)
}

/// What is read of these keys and values.
fn read<T: DeserializeOwned>(entries: &[(&'static str, &'static str)]) -> Result<T, Error> {
    T::deserialize(MapDeserializer::<_, Error>::new(entries.iter().copied()))
}

#[test]
fn p13_its_events_are_replayed_and_the_plans_beside_them() {
    let session = replayed(&history(&[Command::Wind { turns: 2 }, ring()]));
    assert_eq!(session.own.toy, State { turns: 1, rang: vec![line("lunch")] });
    assert_eq!(session.own.plan, plan::State::default());
    assert_eq!(session.own.words().as_deref(), Some("bell 1"));
    assert_eq!(session.own.instructions().as_deref(), Some("The bell is wound up."));
    assert!(session.own.rows().contains(&("rang", "lunch".to_owned())));
}

#[test]
fn p13_its_events_are_told_from_the_plans_by_their_names() {
    let rang = subsystem::Event::Toy(Event::ToyRang { because: line("lunch") });
    let begun = subsystem::Event::Plan(plan::Event::PlanExecutionBegun);
    for (entries, event) in
        [(&[("event", "toy-rang"), ("because", "lunch")][..], rang), (&[("event", "plan-execution-begun")][..], begun)]
    {
        assert_eq!(read::<subsystem::Event>(entries), Ok(event.clone()));
        assert_eq!(read::<Happening>(entries), Ok(Happening::Of(event)));
    }
    assert!(read::<Happening>(&[("event", "toy-broke"), ("because", "lunch")]).is_err());
}

#[test]
fn p13_its_refusal_has_its_own_words() {
    let refused = decide(&begun(), &Actor::Human, at(), &ring().into()).unwrap_err();
    assert_eq!(refused, No::Of(subsystem::Refusal::Toy(Refusal::RunDown)));
    assert_eq!(refused.to_string(), "the bell does not ring: nobody wound it up");
    assert_eq!(refused.code(), "toy_run_down");
    assert_eq!(refused.hint(), "git grill toy --wind 3 winds it up");
}

#[test]
fn p13_its_grant_lapses_where_nobody_gave_it() {
    let session = replayed(&history(&[Command::Wind { turns: 3 }, ring()]));
    let grant = Grant { of: "toy".to_owned(), what: "2 turns".to_owned() };
    assert_eq!(session.own.grants(), std::slice::from_ref(&grant));
    let given = |claim: &Claim<'_>| claim.to_string() == "of toy \"2 turns\"";
    assert_eq!(session.lapse(&given), None);
    let lapse = session.lapse(&|_| false).expect("nobody gave it here");
    assert_eq!(lapse.own, [grant]);
    let lapsed = session.lapsed(lapse);
    assert_eq!(lapsed.own.toy, State { turns: 0, rang: vec![line("lunch")] });
}

/// The arguments of a call.
struct Given<'v>(&'v [(&'static str, &'static str)]);

#[derive(Debug, PartialEq)]
struct Wrong(String);

impl From<BadRequest> for Wrong {
    fn from(why: BadRequest) -> Self {
        Self(why.to_string())
    }
}

impl Call for Given<'_> {
    type Error = Wrong;

    fn read<T: DeserializeOwned>(&self) -> Result<T, Wrong> {
        read(self.0).map_err(|error| Wrong(error.to_string()))
    }
}

#[test]
fn p20_its_tool_is_found_by_its_name_and_read_by_itself() {
    let called =
        |name: &str, arguments: &[(&'static str, &'static str)]| subsystem::Command::of_call(name, &Given(arguments));
    assert_eq!(called("toy_ring", &[("because", "lunch")]), Ok(Some(subsystem::Command::Toy(ring()))));
    assert_eq!(called("toy_sing", &[("because", "lunch")]), Ok(None));
    for wrong in [&[][..], &[("because", "")][..], &[("because", "lunch"), ("surplus", "x")][..]] {
        assert!(called("toy_ring", wrong).is_err(), "{wrong:?}");
    }
}
