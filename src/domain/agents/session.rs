//! An agent session, folded from its ledger. [`AgentSession::take`] is the one gate: what it refuses is neither written
//! nor believed when it is read, so that a writer can make no ledger that a reader calls damaged.

use std::collections::BTreeMap;

use jiff::Timestamp;

use super::acceptance::AcceptedBy;
use super::ask::OpenAsk;
use super::changed::ChangedFiles;
use super::event::{Event, Record, Started, WorktreeProof};
use super::failure::Failure;
use super::handle::TurnHandle;
use super::limits::LONGEST_PATH;
use super::parent_watch::ParentWatch;
use super::process::KnownProcess;
use super::refusal::Refusal;
use super::state::{Foreground, SessionState, TurnState};
use super::turn::AgentTurn;
use super::usage::UsageReport;
use crate::domain::ids::ObjectId;
use crate::domain::text::Line;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentSession {
    /// Number of the newest record.
    pub seq: u64,
    /// Time of the newest record.
    pub at: Timestamp,
    pub began: Timestamp,
    pub started: Started,
    pub state: SessionState,
    pub foreground: Foreground,
    /// The supervisor that the ledger names; whether it lives is `world`'s to find out.
    pub supervisor: Option<KnownProcess>,
    /// The agent's process, until it is proven dead. It outlives the supervisor's mark.
    pub agent: Option<KnownProcess>,
    /// The agent's own name of its session.
    pub backend: Option<Line>,
    pub proof: Option<WorktreeProof>,
    /// The watch over the repository, of an agent without walls.
    pub parent: Option<ParentWatch>,
    /// The person kept changes that were made in the repository while its agent ran without walls.
    pub kept_here: bool,
    pub turns: Vec<AgentTurn>,
    /// Asks without an answer, oldest first.
    pub asks: Vec<OpenAsk>,
    /// Number of all asks so far.
    pub asked: u32,
    pub usage: UsageReport,
    /// Files that the agent changed and nobody has accepted yet.
    pub changed: ChangedFiles,
    /// Steps by which work of it was accepted, by number and with who did it, without those that were taken back.
    pub accepts: BTreeMap<u32, AcceptedBy>,
    /// The commit that keeps its work.
    pub kept: Option<ObjectId>,
    pub failure: Option<Failure>,
}

impl AgentSession {
    /// The session that a first record begins.
    pub fn begin(record: &Record) -> Result<Self, Refusal> {
        let Event::Started(started) = &record.event else { return Err(Refusal::Beginning) };
        if record.seq != 1 {
            return Err(Refusal::Gap { seq: record.seq, expected: 1 });
        }
        if !is_path(&started.folder) {
            return Err(Refusal::BadPath { handle: started.handle });
        }
        Ok(Self {
            seq: 1,
            at: record.at,
            began: record.at,
            started: (**started).clone(),
            state: SessionState::Starting,
            foreground: Foreground::Idle,
            supervisor: Some(started.supervisor.clone()),
            agent: None,
            backend: None,
            proof: None,
            parent: None,
            kept_here: false,
            turns: Vec::new(),
            asks: Vec::new(),
            asked: 0,
            usage: UsageReport::default(),
            changed: ChangedFiles::default(),
            accepts: BTreeMap::new(),
            kept: None,
            failure: None,
        })
    }

    /// The session that a whole ledger tells of.
    pub fn fold<'r>(records: impl IntoIterator<Item = &'r Record>) -> Result<Self, Refusal> {
        let mut records = records.into_iter();
        let mut session = Self::begin(records.next().ok_or(Refusal::Beginning)?)?;
        records.try_for_each(|record| session.take(record))?;
        Ok(session)
    }

    /// Takes the next record in. After a refusal the session is as it was.
    pub fn take(&mut self, record: &Record) -> Result<(), Refusal> {
        let expected = self.seq + 1;
        if record.seq != expected {
            return Err(Refusal::Gap { seq: record.seq, expected });
        }
        self.apply(record.at, &record.event)?;
        (self.seq, self.at) = (record.seq, record.at);
        Ok(())
    }

    /// Passes over a record of a newer version, whose event is not known.
    pub fn pass(&mut self, seq: u64, at: Timestamp) -> Result<(), Refusal> {
        let expected = self.seq + 1;
        if seq != expected {
            return Err(Refusal::Gap { seq, expected });
        }
        (self.seq, self.at) = (seq, at);
        Ok(())
    }

    /// The turn whose prompt the agent has.
    pub fn active_turn(&self) -> Option<&AgentTurn> {
        self.turns.iter().rev().find(|turn| turn.state.is_active())
    }

    /// The prompts that wait, oldest first.
    pub fn queue(&self) -> impl Iterator<Item = &AgentTurn> {
        self.turns.iter().filter(|turn| turn.state == TurnState::Queued)
    }

    /// Turns that are not over, the active one first.
    pub fn open_turns(&self) -> impl Iterator<Item = &AgentTurn> {
        self.turns.iter().filter(|turn| !turn.state.is_over())
    }

    pub fn turn(&self, handle: TurnHandle) -> Option<&AgentTurn> {
        self.turns.get(place(handle))
    }

    /// The newest turn that its agent has worked on, or works on.
    pub fn newest_turn(&self) -> Option<&AgentTurn> {
        let is_untouched = |turn: &&AgentTurn| matches!(turn.state, TurnState::Queued | TurnState::Dropped);
        self.turns.iter().rev().find(|turn| !is_untouched(turn))
    }

    /// The turn whose result is asked for: a named one, or the latest completed one (A9).
    pub fn result_turn(&self, named: Option<TurnHandle>) -> Result<&AgentTurn, Refusal> {
        let handle = self.started.handle;
        let Some(turn) = named else {
            let completed = self.turns.iter().rev().find(|turn| turn.state == TurnState::Completed);
            return completed.ok_or_else(|| Refusal::NoResult { handle, failed: self.failed_last() });
        };
        let found = self.turn(turn).ok_or(Refusal::TurnNotFound { handle, turn })?;
        match found.state {
            TurnState::Completed => Ok(found),
            state @ (TurnState::Queued
            | TurnState::Sent
            | TurnState::Streaming
            | TurnState::Failed
            | TurnState::Cancelled
            | TurnState::Dropped) => {
                // A turn is dropped where its session ends.
                let session = self.failure.as_ref().filter(|_| state == TurnState::Dropped);
                let why = found.failure.as_ref().or(session).map(Failure::reason);
                Err(Refusal::TurnWithoutResult { handle, turn, state, why })
            }
        }
    }

    /// What failed last, and why, in a sentence: a turn, or else the session.
    fn failed_last(&self) -> Option<String> {
        let turn = self.turns.iter().rev().find_map(|turn| Some((turn.handle, turn.failure.as_ref()?)));
        match (turn, &self.failure) {
            (Some((turn, failure)), _) => Some(format!("{turn} failed: {}", failure.reason())),
            (None, Some(failure)) => Some(format!("the session failed: {}", failure.reason())),
            (None, None) => None,
        }
    }

    /// The handle that the next turn gets.
    pub fn next_turn(&self) -> Result<TurnHandle, Refusal> {
        let handle = self.started.handle;
        match self.turns.last() {
            None => Ok(TurnHandle::FIRST),
            Some(last) => last.handle.following().ok_or(Refusal::TurnsUsedUp { handle }),
        }
    }
}

/// The place of a turn among all of them.
pub(super) fn place(turn: TurnHandle) -> usize {
    usize::try_from(turn.number()).unwrap_or(usize::MAX).saturating_sub(1)
}

/// Whether a text can be the path of a folder here.
pub(super) fn is_path(text: &str) -> bool {
    text.starts_with('/') && text.len() <= LONGEST_PATH && !text.contains('\0')
}
