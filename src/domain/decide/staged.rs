//! What the tables of the rules begin from.

use jiff::Timestamp;

use super::decide;
use crate::domain::actor::Actor;
use crate::domain::command::Command;
use crate::domain::event::{Recorded, Started};
use crate::domain::ids::SessionId;
use crate::domain::question::{Alternatives, RawAlternative};
use crate::domain::selection::{Findings, Gate};
use crate::domain::session::Session;
use crate::domain::settings::{Approval, Settings};
use crate::domain::text::{Line, Prose, Topic};

pub fn at() -> Timestamp {
    Timestamp::from_second(1_800_000_000).unwrap()
}

pub fn line(text: &str) -> Line {
    Line::parse("a line", text).unwrap()
}

pub fn prose(text: &str) -> Prose {
    Prose::parse("a prose", text).unwrap()
}

pub fn alternatives() -> Alternatives {
    let one =
        |value: &str, recommended| RawAlternative { value: value.to_owned(), recommended, ..RawAlternative::default() };
    Alternatives::parse(&[one("yes", true), one("no", false)]).unwrap()
}

pub fn gate() -> Gate {
    Gate {
        rationale: prose("everything is said"),
        recommended_outputs: vec![],
        recommended_strategy: None,
        question: prose("What comes out?"),
        alternatives: alternatives(),
        findings: Findings::default(),
    }
}

pub fn started(approval: Approval, no_interview: bool) -> Started {
    let topic = Topic::parse("rate limiting").unwrap();
    Started {
        id: SessionId::new(&topic, at(), 1),
        topic,
        settings: Settings { approval, ..Settings::default() },
        base: None,
        branch: None,
        reported: None,
        no_interview,
    }
}

pub fn fresh(approval: Approval) -> Session {
    Session::begin(&started(approval, false), at(), 1)
}

pub fn after(session: Session, by: &Actor, command: &Command) -> Session {
    let events = decide(&session, by, at(), command).unwrap_or_else(|refusal| panic!("{}: {refusal}", command.deed()));
    events.into_iter().fold(session, |session, event| {
        let recorded = Recorded { seq: session.seq + 1, at: at(), by: by.clone(), event };
        session.evolve(&recorded)
    })
}
