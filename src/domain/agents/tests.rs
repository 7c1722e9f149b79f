//! Sessions for tests, and laws that hold for all of them.

mod deciding;
mod doing;
mod laws;
mod overlapping;
mod reconciling;
mod waiting;
mod watching;

use jiff::Timestamp;

use super::changed::ChangedFiles;
use super::command::{AgentContext, Command};
use super::decide::decide;
use super::event::{Event, Opening, Record, Started, WorktreeProof};
use super::failure::{Failure, FailureCode};
use super::handle::{AgentHandle, TurnHandle};
use super::media::Media;
use super::process::KnownProcess;
use super::profile::Profile;
use super::refusal::Refusal;
use super::session::AgentSession;
use crate::domain::ids::{AgentSessionId, ObjectId};
use crate::domain::text::Line;

pub(crate) fn line(text: &str) -> Line {
    Line::parse("a text", text).unwrap()
}

pub(crate) fn object(digit: char) -> ObjectId {
    ObjectId::parse(&digit.to_string().repeat(40)).unwrap()
}

pub(crate) fn process(id: u32) -> KnownProcess {
    KnownProcess::new(id, "boot/1").unwrap()
}

pub(crate) fn agent(number: u32) -> AgentHandle {
    AgentHandle::of(number).unwrap()
}

pub(crate) fn turn(number: u32) -> TurnHandle {
    TurnHandle::of(number).unwrap()
}

/// The time of so many seconds.
pub(crate) fn at(seconds: i64) -> Timestamp {
    Timestamp::from_second(seconds).unwrap()
}

pub(crate) fn started(number: u32, profile: Profile) -> Event {
    Event::Started(Box::new(Started {
        handle: agent(number),
        id: AgentSessionId::from_nonce(u64::from(number)),
        agent: line("claude"),
        profile,
        folder: "/home/me/project".to_owned(),
        base: object('a'),
        supervisor: process(100),
        unwalled: false,
    }))
}

/// The beginning of a session whose agent nothing keeps from writing.
pub(crate) fn unwalled(number: u32, profile: Profile) -> Event {
    let Event::Started(mut begun) = started(number, profile) else { unreachable!("a session begins") };
    begun.unwalled = true;
    Event::Started(begun)
}

pub(crate) fn proof() -> WorktreeProof {
    WorktreeProof {
        path: "/home/me/tree".to_owned(),
        cwd: "/home/me/tree/src".to_owned(),
        head: object('a'),
        tree: object('b'),
    }
}

/// The person settled what changed in the repository, and kept nothing.
pub(crate) fn settle() -> Command {
    Command::SettleParent { kept: ChangedFiles::default(), unseen: false }
}

pub(crate) fn failure(code: FailureCode) -> Failure {
    Failure { code, why: line("because") }
}

pub(crate) fn send() -> Command {
    Command::Send { context: AgentContext::Kept, media: Vec::new() }
}

pub(crate) fn picture() -> Media {
    Media::parse(&format!("{}.png", "1a".repeat(32))).unwrap()
}

pub(crate) fn launch(id: u32) -> Command {
    Command::RecordLaunch { process: process(id) }
}

pub(crate) fn open() -> Command {
    Command::RecordOpening { backend: line("backend-1"), opening: Opening::New }
}

pub(crate) fn rest() -> Command {
    Command::RecordRest { stop: line("end_turn") }
}

/// A session with all records that made it, one second after the other.
#[derive(Clone)]
pub(crate) struct Played {
    pub(crate) session: AgentSession,
    pub(crate) records: Vec<Record>,
}

impl Played {
    pub(crate) fn begin(number: u32, profile: Profile) -> Self {
        Self::with(started(number, profile))
    }

    pub(crate) fn with(begun: Event) -> Self {
        let first = Record::new(1, at(1), begun);
        Self { session: AgentSession::begin(&first).unwrap(), records: vec![first] }
    }

    /// A review whose agent is open and idle.
    pub(crate) fn idle() -> Self {
        Self::begin(1, Profile::LocalReview).then(&launch(200)).then(&open())
    }

    /// The same with an active turn.
    pub(crate) fn active() -> Self {
        Self::idle().then(&send()).then(&Command::RecordSent)
    }

    pub(crate) fn record(&mut self, event: Event) -> Result<(), Refusal> {
        let seq = self.session.seq + 1;
        let record = Record::new(seq, at(i64::try_from(seq).unwrap()), event);
        self.session.take(&record)?;
        self.records.push(record);
        Ok(())
    }

    pub(crate) fn obey(&mut self, command: &Command) -> Result<(), Refusal> {
        for event in decide(&self.session, command)? {
            self.record(event).expect("what was decided fits");
        }
        Ok(())
    }

    pub(crate) fn then(mut self, command: &Command) -> Self {
        self.obey(command).unwrap();
        self
    }

    /// The code of the refusal of a command.
    pub(crate) fn refusal(&self, command: &Command) -> &'static str {
        decide(&self.session, command).unwrap_err().code()
    }
}
