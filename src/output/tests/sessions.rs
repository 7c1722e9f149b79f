//! Sessions for the tests, and what the generators make of them.

use jiff::Timestamp;

use super::super::*;
use crate::domain::actor::Actor;
use crate::domain::checkpoint::Checkpoint;
use crate::domain::event::{Event, Recorded, Started};
use crate::domain::ids::{AnswerId, QuestionId, SessionId};
use crate::domain::interview::{self, Answer, AnswerKind};
use crate::domain::production::TargetPath;
use crate::domain::question::{Alternatives, Form, Question, RawAlternative};
use crate::domain::session::Session;
use crate::domain::settings::{Destination, Settings, Strategy};
use crate::domain::text::{Line, Prose, Topic};

const CHECKPOINT: &str = "# Shared Understanding

## Topic

add rate limiting

## Current Understanding

- One loud customer starves the others.
- Operators notice first.

## Decisions

- The limit counts by key.
  - Reason: One key is one customer.
  - Not chosen: By address.
- It lives beside the router, edited by hand.

## My own heading

Words that no generator knows.

### With a detail

- kept

## Risks / Unknowns

- Clocks may differ.

## How We Will Know

- A test fails first.

## Open Questions

- How long is the window? To find out: ask the callers.

## Next Steps

- Write the test.
";

/// A session with this checkpoint and no answer.
pub fn session(topic: &str, checkpoint: &str) -> Session {
    let topic = Topic::parse(topic).unwrap();
    let at: Timestamp = "2026-11-21T10:00:00Z".parse().unwrap();
    let started = Started {
        id: SessionId::new(&topic, at, 7),
        topic,
        settings: Settings::default(),
        base: None,
        branch: None,
        reported: None,
        no_interview: false,
    };
    let mut session = Session::begin(&started, at, 1);
    session.checkpoint = Checkpoint::stored(checkpoint.to_owned());
    session
}

/// The session with one more question, of which the first alternative was taken.
pub fn answered(session: Session, dimension: &str, taken: &str, other: &str) -> Session {
    let alternative = |label: &str, value: &str, because: &str| RawAlternative {
        label: label.to_owned(),
        value: value.to_owned(),
        description: because.to_owned(),
        ..RawAlternative::default()
    };
    let nonce = session.seq;
    let at = session.updated_at;
    let offered = [alternative("Taken", taken, "So it is."), alternative("By address", other, "Nobody has to log in.")];
    let question = Question {
        id: QuestionId::from_nonce(nonce),
        form: Form::Grill,
        text: Prose::parse("it", "Which one is it?").unwrap(),
        dimension: Line::parse("it", dimension).unwrap(),
        probe: None,
        why: None,
        alternatives: Alternatives::parse(&offered).unwrap(),
        evidence: Vec::new(),
        builds_on: Vec::new(),
        purpose: None,
    };
    let answer = Answer {
        id: AnswerId::from_nonce(nonce),
        question: question.id.clone(),
        kind: AnswerKind::Alternative,
        text: Prose::parse("it", taken).unwrap(),
        note: None,
        by: Actor::Human,
        at,
        read_ms: None,
        chosen: vec![],
        supersedes: Vec::new(),
    };
    let asked: Event = interview::Event::QuestionAsked { question: Box::new(question), unchanged: None }.into();
    [asked, interview::Event::QuestionAnswered { answer: Box::new(answer) }.into()].into_iter().fold(
        session,
        |session, event| {
            let seq = session.seq + 1;
            session.evolve(&Recorded { seq, at, by: Actor::Human, event })
        },
    )
}

pub fn full() -> Session {
    let session = session("add rate limiting", CHECKPOINT);
    let session = answered(session, "objective", "One loud customer starves the others.", "Something else.");
    answered(session, "scope", "The limit counts by key.", "The limit counts by address.")
}

/// What an output makes of a session in a repository that holds nothing.
pub fn made(output: &str, strategy: Option<&str>, session: &Session) -> Result<Vec<Document>, Cannot> {
    made_in(output, strategy, None, session, &Existing::default())
}

/// The same at a place of one's own.
pub fn made_at(output: &str, strategy: Option<&str>, path: &str, session: &Session) -> Result<Vec<Document>, Cannot> {
    made_in(output, strategy, Some(path), session, &Existing::default())
}

/// The same in a repository where something stands.
pub fn made_in(
    output: &str,
    strategy: Option<&str>,
    path: Option<&str>,
    session: &Session,
    existing: &Existing,
) -> Result<Vec<Document>, Cannot> {
    let destination: Destination = output.parse().unwrap();
    let wanted: Option<Strategy> = strategy.map(|strategy| strategy.parse().unwrap());
    let path = path.map(|path| TargetPath::parse(path).unwrap());
    let strategy = strategy_for(&destination, wanted.as_ref(), None, session);
    let paths = paths(&destination, &strategy, path.as_ref(), session, existing)?;
    documents(&destination, &strategy, &paths, session, existing)
}

pub fn text_of(output: &str, strategy: Option<&str>, session: &Session) -> String {
    let made = made(output, strategy, session).unwrap();
    assert_eq!(made.len(), 1);
    made[0].text.clone()
}
