//! The conversation with a running agent, step by step: greeted, a session opened, its settings set, our tools greeted, and
//! then turns. Never waits: it is looked at many times a second.

mod attended;
mod files;
mod forms;
mod line;
mod listening;
mod opening;
mod overdue;
mod refused;
mod rules;
mod turn;
mod witness;

use std::sync::PoisonError;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, Sender, channel};

use serde_json::Value;

use crate::acp::activity::Activity;
use crate::acp::client::{Client, Event, Offers, Server};
use crate::acp::failure::{Failure, Step};
use crate::acp::limits::Limits;
use crate::acp::permission::{May, Rules, Ruling};
use crate::acp::resource::Resource;
use crate::acp::sign::Sign;
use crate::acp::usage::Usage;
use crate::acp::v1::Abilities;
use crate::acp::wire::RpcError;
use crate::app::ports::{Looked, Memory, Within};
use crate::domain::plan::heard::Turn;
use crate::store::led::Led;

use super::SERVER;
use super::agent::Agent;
use super::launch::{Process, Signs};
use super::watch::Watch;
use crate::world::environment::Environment;
pub(super) use attended::{Attended, Of};
use forms::Forms;
pub(super) use opening::{GoesOn, Stage};
use overdue::Overdue;
use refused::Refused;
use rules::rules;
pub(super) use witness::Witness;

enum State {
    /// Something was asked that is answered under this id.
    Asked(Step, u64),
    Greeting,
    Idle,
    /// It has a turn, which is answered under this id.
    Turn(u64),
    Cancelling(u64),
}

pub(super) struct Running {
    agent: Agent,
    process: Option<Process>,
    client: Client,
    state: State,
    watch: Watch,
    limits: Limits,
    within: Within,
    may: May,
    /// The agent's own session.
    conversation: Option<String>,
    memory: Memory,
    unnoted: bool,
    root: String,
    /// Our MCP server, where it has our tools.
    server: Option<Server>,
    activity: Activity,
    /// What it reported of its use of a model.
    usage: Usage,
    /// The text of the next turn.
    waiting: Option<String>,
    /// Whether anything was refused in this turn.
    refused: bool,
    /// What was refused and is still to be told.
    untold: Refused,
    /// The newest sign of trouble in this turn.
    trouble: Option<Sign>,
    /// Forms of other servers.
    forms: Forms,
    /// How the turn ended, until it is looked at.
    ended: Option<Result<Looked, Failure>>,
    /// Why it cannot go on, until it is looked at.
    failed: Option<Failure>,
    /// The limit of which the user was told last.
    offered: Option<Overdue>,
    version: Option<String>,
    able: Abilities,
    /// What goes with the text that waits.
    resources: Vec<Resource>,
    /// What a trial looks for.
    witness: Option<Witness>,
    /// Who is told each event, in order.
    tap: Option<Sender<Event>>,
}

/// What an agent is started for.
pub(super) struct Task {
    /// What it may do by itself.
    pub(super) may: May,
    pub(super) tools: Tools,
    /// Its own session of before.
    pub(super) before: Option<String>,
    /// What stands around it.
    pub(super) within: Within,
    pub(super) limits: Limits,
    /// What a trial looks for.
    pub(super) witness: Option<Witness>,
}

/// Whether an agent has our tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tools {
    Ours,
    /// It asks nothing through us and records nothing: work was lent to it (A1).
    None,
}

impl Running {
    /// Begins the conversation with a process that was just started.
    pub(super) fn new(
        environment: &Environment,
        agent: Agent,
        (process, mut client): (Process, Client),
        Task { may, tools, before, within, limits, witness }: Task,
    ) -> Self {
        let offers = match within {
            Within::Walls => Offers::Nothing,
            Within::WhatThereIs => Offers::WritesAndCommands,
        };
        // What cannot be sent is told when the answer is waited for.
        let id = client.initialize(offers).unwrap_or_default();
        let server = (tools == Tools::Ours).then(|| Server {
            name: SERVER.to_owned(),
            command: environment.program.to_string_lossy().into_owned(),
            args: vec!["mcp".to_owned()],
            variables: process.variables.clone(),
        });
        let root = process.root.to_string_lossy().into_owned();
        Self {
            agent,
            process: Some(process),
            client,
            state: State::Asked(Step::Initialize, id),
            watch: Watch::new(),
            limits,
            within,
            may,
            conversation: before,
            memory: Memory::None,
            unnoted: false,
            root,
            server,
            activity: Activity::default(),
            usage: Usage::default(),
            waiting: None,
            refused: false,
            untold: Refused::default(),
            trouble: None,
            forms: Forms::default(),
            ended: None,
            failed: None,
            offered: None,
            version: None,
            able: Abilities::default(),
            resources: Vec::new(),
            witness,
            tap: None,
        }
    }

    /// Hands out every event from here on.
    pub(super) fn tapped(&mut self) -> Receiver<Event> {
        let (tap, events) = channel();
        self.tap = Some(tap);
        events
    }

    pub(super) fn name(&self) -> &str {
        &self.agent.name
    }

    pub(super) fn agent(&self) -> &Agent {
        &self.agent
    }

    pub(super) fn memory(&self) -> Memory {
        self.memory
    }

    /// Gives it the text of its next turn.
    pub(super) fn tell(&mut self, text: String) {
        self.waiting = Some(text);
        // However the last turn ended while the user was asked: what they said is the next one.
        self.ended = None;
        if matches!(self.state, State::Turn(_)) {
            // From now on the turn runs on after its question was answered.
            self.watch.begin();
        }
    }

    /// What it said in this turn since this was asked last; nothing of a turn that only has to end.
    pub(super) fn heard(&mut self) -> String {
        if self.waiting.is_some() { String::new() } else { self.activity.heard() }
    }

    /// What a plan can be read from, of what it told in this turn.
    pub(super) fn take_turn(&mut self) -> Turn {
        self.activity.turn()
    }

    pub(super) fn within(&self) -> Within {
        self.within
    }

    /// Takes what its run goes without, in sentences.
    pub(super) fn goes_without(&self) -> Vec<String> {
        self.process.as_ref().map(|process| process.without.take()).unwrap_or_default()
    }

    pub(super) fn version(&self) -> Option<String> {
        self.version.clone()
    }

    pub(super) fn witness(&self) -> Option<&Witness> {
        self.witness.as_ref()
    }

    pub(super) fn said(&self) -> &str {
        self.activity.said()
    }

    /// The agent's own session, once, when it has just been opened.
    pub(super) fn opened(&mut self) -> Option<Led> {
        let noted = std::mem::take(&mut self.unnoted);
        noted.then(|| Led { agent: self.agent.name.clone(), conversation: self.conversation.clone() })
    }

    /// Takes what came, and goes on.
    pub(super) fn look(&mut self) -> Result<Looked, Failure> {
        if self.forms.is_open() {
            self.watch.stand();
        } else {
            self.watch.tick();
        }
        // Looked at first: what the agent said before it recorded is then taken in with it.
        let recorded = self.signs().recorded.load(Ordering::SeqCst);
        self.attend();
        // One that is gone waits for no answer, and what is before the user comes first.
        if self.failed.is_none()
            && !self.forms.is_open()
            && let Some(asked) = self.forms.next()
        {
            return Ok(Looked::Asks(Box::new(asked)));
        }
        // What was recorded before a turn failed counts all the same: its question is put, and the next turn may succeed.
        if matches!(self.ended, Some(Err(_))) && self.signs().recorded.swap(false, Ordering::SeqCst) {
            return Ok(Looked::Recorded);
        }
        if let Some(ended) = self.ended.take() {
            return ended;
        }
        if let Some(failure) = self.failed.take() {
            return Err(failure);
        }
        if let Some((tool, why)) = self.signs().stuck.lock().unwrap_or_else(PoisonError::into_inner).take() {
            return Err(Failure::WrongCalls { tool, why });
        }
        self.in_time()?;
        if matches!(self.state, State::Greeting) && self.signs().greeted.load(Ordering::SeqCst) {
            self.state = State::Idle;
        }
        if matches!(self.state, State::Idle)
            && let Some(text) = self.waiting.take()
        {
            self.turn(&text)?;
        }
        if recorded {
            self.signs().recorded.store(false, Ordering::SeqCst);
            return Ok(Looked::Recorded);
        }
        if let Some(overdue) = self.offer() {
            return Ok(overdue);
        }
        Ok(match self.state {
            State::Idle => Looked::Idle,
            State::Asked(..) | State::Greeting | State::Turn(_) | State::Cancelling(_) => {
                Looked::On { line: self.line(), steps: self.steps() }
            }
        })
    }

    pub(super) fn signs(&self) -> &Signs {
        &self.process.as_ref().expect("it is taken only at the end").signs
    }

    /// The rules by which its requests are answered.
    fn rules(&self) -> Rules<'static> {
        rules(&self.agent, self.server.is_some(), self.may, self.within)
    }

    fn taken(&mut self, event: Event) -> Result<(), Failure> {
        let rules = self.rules();
        if let Some(tap) = &self.tap {
            // Whoever does not listen any more misses nothing.
            let _ = tap.send(event.clone());
        }
        if let Some(witness) = &mut self.witness {
            witness.see(&event, &rules);
        }
        match event {
            Event::Told(update, sign) => self.told(&update, sign)?,
            Event::Sign(sign) => self.troubled(sign)?,
            Event::Ruled(asked, Ruling::Refused) => {
                self.refused = true;
                let why = rules.why(&asked.call);
                self.untold.call(&asked.call, why, self.within, &self.root);
            }
            Event::Refused(method) => {
                self.refused = true;
                self.untold.of_the_machine(&method);
            }
            Event::Asks(form) => self.forms.take(&self.client, form),
            Event::Withdrawn(form) => self.forms.withdraw(&form),
            Event::Ruled(_, Ruling::Allowed | Ruling::Cancelled) | Event::Other(_) => {}
            Event::Answered { id, result } => self.answered(id, result)?,
        }
        Ok(())
    }

    fn answered(&mut self, id: u64, result: Result<Value, RpcError>) -> Result<(), Failure> {
        match self.state {
            State::Asked(step, asked) if asked == id => match (step, result) {
                // A conversation that is gone is begun anew; all that was said is recorded.
                (Step::Load, Err(_)) => {
                    self.conversation = None;
                    self.memory = Memory::Lost;
                    self.open()?;
                }
                // Behind walls a setting is a comfort; without them it is what keeps the agent from writing.
                (Step::Setting, Err(_)) if self.within == Within::Walls => self.greet(),
                (Step::Setting, Ok(_)) => self.greet(),
                (step, Err(error)) => return Err(Failure::Refused { step, error }),
                (Step::Initialize, Ok(answer)) => self.initialized(&answer)?,
                (Step::Open | Step::Load, Ok(answer)) => self.session_opened(step, &answer)?,
                (Step::Turn, Ok(_)) => {}
            },
            State::Turn(turn) | State::Cancelling(turn) if turn == id => {
                if let Ok(answer) = &result {
                    self.usage.note_end(answer);
                }
                self.ended = self.turn_ended(result).transpose();
            }
            State::Asked(..) | State::Greeting | State::Idle | State::Turn(_) | State::Cancelling(_) => {}
        }
        Ok(())
    }

    /// What it reported last: how full its context is, and what its last turn used.
    pub(super) fn usage(&self) -> (Option<&str>, Option<&str>) {
        self.usage.reports()
    }

    /// Whether it is ready for a turn.
    pub(super) fn is_idle(&self) -> bool {
        matches!(self.state, State::Idle) && self.waiting.is_none()
    }

    /// The process that leads its group.
    pub(super) fn process(&self) -> Option<u32> {
        self.process.as_ref().map(Process::id)
    }

    pub(super) fn cancel(&mut self) {
        self.waiting = None;
        self.resources.clear();
        if let State::Turn(id) = self.state {
            // One that is gone is told at the next look.
            let _ = self.cancel_turn(id);
        }
    }

    pub(super) fn end(mut self) {
        self.client.hang_up();
        if let Some(process) = self.process.take() {
            process.end();
        }
    }
}
