//! The dispatcher: the only way in which a session changes.

use jiff::Timestamp;

use crate::domain::actor::Actor;
use crate::domain::checkpoint::{Checkpoint, CheckpointSource};
use crate::domain::citations::Rechecked;
use crate::domain::command::Command;
use crate::domain::decide::decide;
use crate::domain::event::{Event, Recorded, Started};
use crate::domain::facts::{Evidence, RepoFacts};
use crate::domain::ids::{AnswerId, ObjectId, QuestionId, SessionId};
use crate::domain::interview;
use crate::domain::production;
use crate::domain::refusal::Refusal;
use crate::domain::selection::Gate;
use crate::domain::session::{Floor, Phase, Session};
use crate::domain::settings::{Interviewer, Settings};
use crate::domain::text::{Line, Topic};
use crate::interviewer;

use super::error::AppError;
use super::ports::{Appended, Batch, Clock, Loaded, Nonce, NotRecorded, Recorder, SessionStore};
use super::reply::Outcome;

/// How often a decision is made anew when the session keeps moving.
pub const TRIES: u32 = 20;

/// A wish with who has it; the actor is set by the surface.
#[derive(Clone, Debug)]
pub struct Envelope {
    pub actor: Actor,
    pub command: Command,
}

impl Envelope {
    /// Several wishes of one actor, which may become one commit.
    pub fn all_by(actor: &Actor, commands: impl IntoIterator<Item = Command>) -> Vec<Self> {
        commands.into_iter().map(|command| Self { actor: actor.clone(), command }).collect()
    }
}

#[derive(Clone, Debug)]
pub struct Beginning {
    pub topic: Topic,
    pub settings: Settings,
    pub branch: Option<String>,
    pub facts: RepoFacts,
    /// What the person said to the topic, as an agent reports it.
    pub reported: Option<Line>,
    /// True for a session without an interview.
    pub no_interview: bool,
}

/// A reason to record something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Records {
    Decisions,
    /// That something does not count in this clone, too.
    Lapses,
}

/// Looks at cited places again; those that are not as they were read.
pub type Recheck<'a> = dyn Fn(&[Evidence]) -> Vec<Rechecked> + 'a;

/// Decides and records.
pub struct Dispatcher<'a> {
    pub store: &'a dyn SessionStore,
    pub clock: &'a dyn Clock,
    pub nonce: &'a dyn Nonce,
    /// The user's HEAD just now.
    pub base: Option<ObjectId>,
    /// Who decides and records instead, where this process may not write.
    pub outside: Option<&'a dyn Recorder>,
}

impl Dispatcher<'_> {
    pub fn question_id(&self) -> QuestionId {
        QuestionId::from_nonce(self.nonce.next())
    }

    pub fn answer_id(&self) -> AnswerId {
        AnswerId::from_nonce(self.nonce.next())
    }

    /// Creates a session; its first commit holds the first checkpoint and what the repository shows (G5).
    pub fn create(&self, actor: &Actor, beginning: Beginning) -> Result<Outcome, AppError> {
        let at = self.clock.now();
        let id = SessionId::new(&beginning.topic, at, self.nonce.next());
        let started = Started {
            id,
            topic: beginning.topic,
            settings: beginning.settings,
            base: self.base.clone(),
            branch: beginning.branch,
            reported: beginning.reported,
            no_interview: beginning.no_interview,
        };
        let mut after = Session::begin(&started, at, 1);
        let mut events = vec![Recorded { seq: 1, at, by: actor.clone(), event: Event::Started(Box::new(started)) }];
        let checkpoint = Checkpoint::first(&after.topic);
        // An event of its own, since the start of an earlier session adds up to the topic as it was given.
        if checkpoint != after.checkpoint {
            let summary = Line::clipped("characters of the topic that cannot be seen are spelled out");
            let event: Event = interview::Event::CheckpointUpdated {
                checkpoint,
                summary,
                source: CheckpointSource::Interviewer,
                merged: false,
            }
            .into();
            after = push(&mut events, after, at, &Actor::System, event);
        }
        let first = after.clone();
        if beginning.facts.looked {
            let event: Event = interview::Event::EvidenceRecorded { facts: Box::new(beginning.facts) }.into();
            after = push(&mut events, after, at, &Actor::System, event);
            after = take_into_checkpoint(&mut events, after, &first, at);
        }
        self.store.create(Batch { events: &events, after: &after, base: self.base.as_ref() })?;
        Ok(Outcome { before: None, events, after })
    }

    /// Decides on a wish and records what happened, as one commit. A session that moved meanwhile is decided on anew.
    pub fn handle(&self, id: &SessionId, envelope: &Envelope) -> Result<Outcome, AppError> {
        if let Some(outside) = self.outside {
            return self.recorded(id, || outside.record(id, &envelope.command));
        }
        self.handle_each(id, std::slice::from_ref(envelope))
    }

    /// The same for several wishes, each decided on in the light of those before it; all of them become one commit, or
    /// none is recorded. From inside a run, more wishes than one message holds are recorded one by one.
    pub fn handle_each(&self, id: &SessionId, envelopes: &[Envelope]) -> Result<Outcome, AppError> {
        if let Some(outside) = self.outside {
            let commands: Vec<&Command> = envelopes.iter().map(|envelope| &envelope.command).collect();
            if (2..=outside.most()).contains(&commands.len()) {
                return self.recorded(id, || outside.record_each(id, &commands));
            }
            let mut outcome = Outcome::nothing(self.store.load(id)?.session);
            for envelope in envelopes {
                outcome = outcome.then(self.handle(id, envelope)?);
            }
            return Ok(outcome);
        }
        self.attempt(id, Records::Decisions, |session| {
            let at = self.later_than(session);
            let (mut events, mut after) = (Vec::new(), session.clone());
            for envelope in envelopes {
                let command = with_findings(&after, &envelope.command);
                for event in decide(&after, &envelope.actor, at, &command)? {
                    after = push(&mut events, after, at, &envelope.actor, event);
                }
            }
            after = take_into_checkpoint(&mut events, after, session, at);
            Ok((events, after))
        })
    }

    /// Lets the built-in interviewer take the floor when it is free: an earlier question that has to be put again, else
    /// the next one, else the gate (G46). The question is recorded before anybody sees it.
    ///
    /// Before the gate the cited places are looked at again (G15), so that the gate knows of it.
    pub fn advance(&self, id: &SessionId, recheck: &Recheck<'_>) -> Result<Outcome, AppError> {
        if let Some(outside) = self.outside {
            return self.recorded(id, || outside.advance(id));
        }
        self.attempt(id, Records::Decisions, |session| {
            let at = self.later_than(session);
            match self.initiative(session) {
                None => Ok((Vec::new(), session.clone())),
                Some(command) if matches!(command.production(), Some(production::Command::OpenSelection(_))) => {
                    let command: Command = interview::Command::RecordCitations(recheck(&session.cited())).into();
                    let (mut events, checked) = decided(session, &Actor::System, at, &command)?;
                    // What was found changes what the gate says.
                    let Some(command) = self.initiative(&checked) else {
                        return Ok((events, checked));
                    };
                    let (opened, after) = decided(&checked, &Actor::System, at, &command)?;
                    events.extend(opened);
                    Ok((events, after))
                }
                Some(command) => decided(session, &Actor::System, at, &command),
            }
        })
    }

    /// What the built-in interviewer does of its own accord.
    fn initiative(&self, session: &Session) -> Option<Command> {
        // A question waits for the end of a debate (D4).
        if session.own.debate.open().is_some() {
            return None;
        }
        if session.phase != Phase::Interview(Floor::Free) || session.settings.interviewer != Interviewer::BuiltIn {
            return None;
        }
        if let Some(question) = session.to_reopen() {
            let asked = session.transcript.get(question)?;
            let worded = interviewer::reword(session, asked).unwrap_or_else(|| asked.question.clone());
            return Some(interview::Command::Reopen { question: Box::new(worded) }.into());
        }
        Some(match interviewer::next(session, self.question_id()) {
            interviewer::Next::Ask(question) => interview::Command::Ask { question, unchanged: None }.into(),
            interviewer::Next::Ready(gate) => production::Command::OpenSelection(gate).into(),
        })
    }

    /// Whether the interviewer would ask something if the gate were left.
    pub fn has_more_to_ask(&self, session: &Session) -> bool {
        let left = Recorded {
            seq: session.seq,
            at: session.updated_at,
            by: Actor::System,
            event: production::Event::SelectionLeft { summary: None }.into(),
        };
        let after = session.clone().evolve(&left);
        let asks = |command: Command| {
            matches!(command.interview(), Some(interview::Command::Ask { .. } | interview::Command::Reopen { .. }))
        };
        self.initiative(&after).is_some_and(asks)
    }

    /// What somebody else recorded, between the session as it was and as it is.
    fn recorded(
        &self,
        id: &SessionId,
        record: impl FnOnce() -> Result<Vec<Recorded>, NotRecorded>,
    ) -> Result<Outcome, AppError> {
        let before = self.store.load(id)?.session;
        let events = record()?;
        Ok(Outcome { before: Some(before), events, after: self.store.load(id)?.session })
    }

    /// What does not count in this clone is taken back in the session as it is loaded; here is the event that says so,
    /// with the session after it. Whatever is recorded next is recorded on top of it, so that the history tells why.
    fn acknowledged(&self, session: &Session) -> (Vec<Recorded>, Session) {
        let (mut events, mut after) = (Vec::new(), session.clone());
        if let Some(lapse) = after.unmarked.take() {
            let event = Event::AuthorityLapsed { lapse };
            after = push(&mut events, after, self.later_than(session), &Actor::System, event);
        }
        (events, after)
    }

    /// Records what does not count in this clone, if that is anything.
    pub fn acknowledge(&self, id: &SessionId) -> Result<Outcome, AppError> {
        self.attempt(id, Records::Lapses, |session| Ok((Vec::new(), session.clone())))
    }

    /// Load, decide, append; again when somebody else was faster.
    fn attempt(
        &self,
        id: &SessionId,
        records: Records,
        decide: impl Fn(&Session) -> Result<(Vec<Recorded>, Session), Refusal>,
    ) -> Result<Outcome, AppError> {
        let _lock = self.store.lock(id)?;
        for _ in 0..TRIES {
            let Loaded { session, head } = self.store.load(id)?;
            let (mut events, standing) = self.acknowledged(&session);
            let (decided, after) = decide(&standing)?;
            if decided.is_empty() && (records == Records::Decisions || events.is_empty()) {
                return Ok(Outcome::nothing(session));
            }
            events.extend(decided);
            // Else a command that still runs could write what is by then no longer of the plan.
            let produces = |session: &Session| matches!(session.phase, Phase::Production(_));
            let leaves = produces(&session) && !produces(&after);
            let _runs = leaves.then(|| self.store.lock_runs(id)).transpose()?;
            let batch = Batch { events: &events, after: &after, base: self.base.as_ref() };
            match self.store.append(&head, batch)? {
                Appended::At(_) => {
                    return Ok(Outcome { before: Some(session), events, after });
                }
                Appended::Moved => {}
            }
        }
        Err(AppError::Contended(TRIES))
    }

    /// Now, but never before what is already recorded: a clock that was set back must not reorder history.
    fn later_than(&self, session: &Session) -> Timestamp {
        self.clock.now().max(session.updated_at)
    }
}

/// A gate says what speaks against it whoever opens it: an agent's word on its own readiness is not enough.
fn with_findings(session: &Session, command: &Command) -> Command {
    if let Some(production::Command::OpenSelection(gate)) = command.production() {
        let findings = interviewer::findings(session);
        production::Command::OpenSelection(Box::new(Gate { findings, ..(**gate).clone() })).into()
    } else {
        command.clone()
    }
}

/// What a command comes to: its events, and the session after them.
fn decided(
    session: &Session,
    actor: &Actor,
    at: Timestamp,
    command: &Command,
) -> Result<(Vec<Recorded>, Session), Refusal> {
    let mut events = Vec::new();
    let mut after = session.clone();
    for event in decide(session, actor, at, command)? {
        after = push(&mut events, after, at, actor, event);
    }
    Ok((events, after))
}

/// The session after one more event. It is handed over, not copied, so that a round of many drafts takes as many steps.
fn push(events: &mut Vec<Recorded>, before: Session, at: Timestamp, by: &Actor, event: Event) -> Session {
    let recorded = Recorded { seq: before.seq.saturating_add(1), at, by: by.clone(), event };
    let after = before.evolve(&recorded);
    events.push(recorded);
    after
}

/// Where the built-in interviewer leads, the checkpoint takes in what changed, in the same commit (G24).
fn take_into_checkpoint(events: &mut Vec<Recorded>, after: Session, before: &Session, at: Timestamp) -> Session {
    if after.settings.interviewer != Interviewer::BuiltIn {
        return after;
    }
    let Some((checkpoint, summary)) = interviewer::compose(before, &after) else {
        return after;
    };
    let source = CheckpointSource::Interviewer;
    let event: Event = interview::Event::CheckpointUpdated { checkpoint, summary, source, merged: false }.into();
    push(events, after, at, &Actor::System, event)
}
