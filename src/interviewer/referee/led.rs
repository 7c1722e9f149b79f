//! An interview that an agent leads, played for tests: every move is decided on by the rules.

use jiff::Timestamp;

use crate::domain::actor::Actor;
use crate::domain::checkpoint::{Checkpoint, CheckpointSource};
use crate::domain::command::{Command, Reply};
use crate::domain::decide::decide;
use crate::domain::event::{Recorded, Started};
use crate::domain::facts::{Evidence, RepoFacts};
use crate::domain::ids::{AnswerId, QuestionId, SessionId};
use crate::domain::interview::Command as Talk;
use crate::domain::purpose::Purpose;
use crate::domain::question::{Alternatives, Form, Question, RawAlternative};
use crate::domain::refusal::Refusal;
use crate::domain::session::Session;
use crate::domain::settings::{Intensity, Intent, Interviewer, Settings};
use crate::domain::text::{Line, Prose, Topic};

/// The interview.
pub(in super::super) struct Led {
    pub session: Session,
    asked: u64,
    answers: u64,
}

pub(in super::super) fn agent() -> Actor {
    Actor::Agent("claude".to_owned())
}

fn at() -> Timestamp {
    "2026-11-21T10:00:00Z".parse().unwrap()
}

impl Led {
    pub fn about(topic: &str, intensity: Intensity) -> Self {
        let topic = Topic::parse(topic).unwrap();
        let started = Started {
            id: SessionId::new(&topic, at(), 1),
            topic,
            settings: Settings {
                intensity,
                intent: Intent::Plan,
                interviewer: Interviewer::Agent("claude".to_owned()),
                ..Settings::default()
            },
            base: None,
            branch: None,
            reported: None,
            no_interview: false,
        };
        Self { session: Session::begin(&started, at(), 1), asked: 0, answers: 0 }
    }

    pub fn seeing(mut self, facts: RepoFacts) -> Self {
        self.does(&Actor::System, &Talk::RecordEvidence(Box::new(facts)).into());
        self
    }

    pub fn tries(&self, actor: &Actor, command: &Command) -> Result<Session, Refusal> {
        let events = decide(&self.session, actor, at(), command)?;
        Ok(events.into_iter().fold(self.session.clone(), |session, event| {
            let recorded = Recorded { seq: session.seq + 1, at: at(), by: actor.clone(), event };
            session.evolve(&recorded)
        }))
    }

    pub fn does(&mut self, actor: &Actor, command: &Command) {
        self.session = self.tries(actor, command).unwrap();
    }

    pub fn id(number: u64) -> QuestionId {
        QuestionId::from_nonce(number)
    }

    /// Asks a question with two alternatives; what it builds on, and what it does with that.
    pub fn asks(&mut self, dimension: &str, text: &str, of: &[&str], on: &[u64], purpose: Option<Purpose>) {
        self.asked += 1;
        let raw: Vec<RawAlternative> = of
            .iter()
            .enumerate()
            .map(|(index, value)| RawAlternative {
                value: (*value).to_owned(),
                description: "a reason".to_owned(),
                recommended: index == 0,
                ..RawAlternative::default()
            })
            .collect();
        let question = Question {
            id: Self::id(self.asked),
            form: Form::Grill,
            text: Prose::parse("it", text).unwrap(),
            dimension: Line::parse("it", dimension).unwrap(),
            probe: None,
            why: None,
            alternatives: Alternatives::parse(&raw).unwrap(),
            evidence: vec![],
            builds_on: on.iter().map(|number| Self::id(*number)).collect(),
            purpose,
        };
        let unchanged = Some(Line::clipped("it stands there already"));
        self.does(&agent(), &Talk::Ask { question: Box::new(question), unchanged }.into());
    }

    /// Asks with two plain alternatives.
    pub fn puts(&mut self, dimension: &str, text: &str) {
        self.asks(dimension, text, &["yes", "no"], &[], None);
    }

    /// The answer to the open question, from this actor.
    pub fn hears(&mut self, actor: &Actor, reply: Reply) {
        self.answers += 1;
        let question = self.session.open_question().unwrap().question.id.clone();
        let id = AnswerId::from_nonce(self.answers);
        self.does(actor, &Talk::Answer { question, id, reply, note: None }.into());
    }

    pub fn says(&mut self, words: &str) {
        self.hears(&Actor::Human, Reply::Text(Prose::parse("it", words).unwrap()));
    }

    pub fn reports(&mut self, words: &str) {
        self.hears(&agent(), Reply::Text(Prose::parse("it", words).unwrap()));
    }

    pub fn exchange(&mut self, dimension: &str, text: &str, answer: &str) {
        self.puts(dimension, text);
        self.says(answer);
    }

    pub fn writes(&mut self, markdown: &str) {
        let command: Command = Talk::UpdateCheckpoint {
            checkpoint: Checkpoint::parse(markdown).unwrap(),
            base: self.session.checkpoint.clone(),
            summary: Line::clipped("it"),
            source: CheckpointSource::Tool,
            answer: None,
        }
        .into();
        self.does(&agent(), &command);
    }

    /// Has the newest question cite a place.
    pub fn citing(&mut self, path: &str, lines: (u32, u32)) {
        let at = Evidence { path: path.to_owned(), lines: Some(lines), blob: None };
        self.session.transcript.asked.last_mut().unwrap().question.evidence.push(at);
    }
}
