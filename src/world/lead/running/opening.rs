//! The steps before the first turn: what the agent says of itself, its session, its settings.

use serde_json::Value;

use super::{Memory, Running, State};
use crate::acp::activity::Activity;
use crate::acp::failure::{Failure, Step};
use crate::acp::v1::{self, Abilities};
use crate::acp::wire::RpcError;
use crate::agents::acp::Setting;
use crate::app::ports::Within;

/// How far the conversation has come before the first turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::world::lead) enum Stage {
    Initialize,
    /// A session is being opened, or set.
    Session,
    /// Our tools have yet to be greeted.
    Tools,
    Ready,
}

/// What an agent goes on with after a pause.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::world::lead) enum GoesOn {
    /// A new conversation: it loads none.
    #[default]
    Anew,
    /// Its conversation of before.
    Before,
    /// The same, where it kept that somewhere else than in its run: git grill knows no logs of it.
    Perhaps,
}

impl Running {
    pub(in crate::world::lead) fn stage(&self) -> Stage {
        match self.state {
            State::Asked(Step::Initialize, _) => Stage::Initialize,
            State::Asked(Step::Open | Step::Load | Step::Setting | Step::Turn, _) => Stage::Session,
            State::Greeting => Stage::Tools,
            State::Idle | State::Turn(_) | State::Cancelling(_) => Stage::Ready,
        }
    }

    /// What it goes on with when it is started again. Its conversation is asked for unless this is [`GoesOn::Anew`].
    pub(in crate::world::lead) fn goes_on(&self) -> GoesOn {
        match (self.able.loads, self.process.as_ref().is_some_and(|process| process.keeps_logs)) {
            (false, _) => GoesOn::Anew,
            (true, true) => GoesOn::Before,
            (true, false) => GoesOn::Perhaps,
        }
    }

    pub(super) fn initialized(&mut self, answer: &Value) -> Result<(), Failure> {
        v1::speaks(answer).map_err(Failure::Version)?;
        self.version = v1::told_version(answer);
        self.able = Abilities::told(answer);
        match self.conversation.clone().filter(|_| self.goes_on() != GoesOn::Anew) {
            Some(before) => {
                let id = self.client.load(&before, &self.root, self.server.as_slice(), self.own().as_ref())?;
                self.ask(Step::Load, id);
                Ok(())
            }
            None => self.open(),
        }
    }

    pub(super) fn open(&mut self) -> Result<(), Failure> {
        let id = self.client.open(&self.root, self.server.as_slice(), self.own().as_ref())?;
        self.ask(Step::Open, id);
        Ok(())
    }

    /// What the agent is told in its own words when a session is asked for.
    fn own(&self) -> Option<Value> {
        self.agent.preset.opening.and_then(|said| serde_json::from_str(said).ok())
    }

    pub(super) fn session_opened(&mut self, step: Step, answer: &Value) -> Result<(), Failure> {
        if step == Step::Load {
            self.memory = Memory::Loaded;
        }
        // What it replayed is no part of a turn.
        self.activity = Activity::default();
        if let Some(id) = v1::session_id(answer) {
            self.conversation = Some(id.to_owned());
        }
        let Some(conversation) = self.conversation.clone() else {
            let error = RpcError { code: 0, message: "it opened a session without an id".into(), data: Value::Null };
            return Err(Failure::Refused { step, error });
        };
        self.unnoted = true;
        let settings = self.agent.settings();
        let setting = match self.within {
            Within::Walls => settings.walled,
            Within::WhatThereIs => settings.bare,
        };
        match setting {
            Some(Setting { option, value }) => {
                let id = self.client.set_option(&conversation, option, value)?;
                self.ask(Step::Setting, id);
            }
            None => self.greet(),
        }
        Ok(())
    }

    fn ask(&mut self, step: Step, id: u64) {
        self.state = State::Asked(step, id);
        self.watch.begin();
    }

    /// Waits until our tools are greeted, where it has them.
    pub(super) fn greet(&mut self) {
        self.state = if self.server.is_some() { State::Greeting } else { State::Idle };
        self.watch.begin();
    }
}
