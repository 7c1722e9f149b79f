//! The agent that leads an interview: started inside the sandbox's walls, spoken to over ACP, ended with the conversation.
//! What it may record goes through the run's broker, as in every run.

mod agent;
mod command;
mod doctor;
mod found;
mod hosted;
mod launch;
mod lent;
mod log;
mod login;
mod preface;
mod running;
mod secrets;
mod trial;
mod version;
mod watch;

use std::path::PathBuf;
use std::rc::Rc;
use std::sync::PoisonError;
use std::sync::atomic::Ordering;
use std::time::Duration;

use crate::acp::limits::Limits;
use crate::acp::permission::May;
use crate::app::error::AppError;
use crate::app::ports::{
    Hindrance, Leader, Leading, Looked, Memory, Proof, StoreError, Walls, Within, Witnessed, holder_said,
};
use crate::domain::harmless::harmless;
use crate::domain::ids::SessionId;
use crate::domain::plan::heard::Turn;
use crate::domain::server_form::{ServerForm, ServerReply};
use crate::domain::session::Session;
use crate::domain::settings::Research;
use crate::domain::text::Line;
use crate::repo::config::{Config, keys};
use crate::sandbox::probe;
use crate::store::led::{self, Consent, Led};
use crate::store::lock::{Held, Locks};

use super::environment::{Environment, Waits};
use super::process::Programs;
use super::run::Sees;
pub(super) use doctor::doctor;
use found::program;
pub(super) use hosted::{HOST, relay};
use launch::Shown;
pub(super) use lent::{Lent, Loan};
use running::{Attended, Of, Running, Task, Tools};

/// The name of our MCP server in the agent's session; no settings file has a server of this name.
const SERVER: &str = "grillinterview";
/// Between two looks at an agent where nothing is drawn meanwhile.
const REST: Duration = Duration::from_millis(50);

/// The person's own agents, and the one that runs.
pub(super) struct Agents<'a> {
    environment: &'a Environment,
    config: &'a Config,
    common: PathBuf,
    running: Option<Attended>,
    /// One that failed, and has yet to be ended.
    failed: Option<Attended>,
    claim: Option<(SessionId, Held)>,
}

impl<'a> Agents<'a> {
    pub(super) fn new(environment: &'a Environment, config: &'a Config, common: PathBuf) -> Self {
        Self { environment, config, common, running: None, failed: None, claim: None }
    }
}

impl Leading for Agents<'_> {
    fn known(&self, name: &str) -> Result<Leader, AppError> {
        let agent = self.agent(name)?;
        let words: Vec<String> = agent.command.iter().map(|word| word.to_string_lossy().into_owned()).collect();
        Ok(Leader { name: agent.name.clone(), title: agent.title(), command: words.join(" "), asks: agent.preset.asks })
    }

    fn missing(&self, name: &str) -> Result<Option<Hindrance>, AppError> {
        let agent = self.agent(name)?;
        Ok(program(self.environment, self.config, &agent).err().map(|failure| agent.hindrance(&failure)))
    }

    fn chosen(&self, session: &SessionId) -> Result<Option<(String, Within)>, AppError> {
        Ok(led::chosen(&self.common, session)?.map(|(led, within)| (led.agent, within)))
    }

    fn choose(&self, session: &Session, agent: Option<(&str, Within)>) -> Result<(), AppError> {
        let Some((agent, within)) = agent else { return Ok(led::choose(&self.common, &session.id, None)?) };
        self.agree_in(session, agent, within)?;
        let led = Led { agent: agent.to_owned(), conversation: None };
        Ok(led::choose(&self.common, &session.id, Some((&led, within)))?)
    }

    fn agreed_in(&self, session: &Session, agent: &str, within: Within) -> Result<bool, AppError> {
        let Some(command) = self.started_by(agent)? else { return Ok(false) };
        let consent = Consent { agent, command: &command, research: session.settings.research, within };
        Ok(led::agreed_in(&self.common, &session.id, consent)?)
    }

    fn agreed(&self, agent: &str) -> Result<bool, AppError> {
        let Some(command) = self.started_by(agent)? else { return Ok(false) };
        Ok(led::agreed(&self.common, agent, &command)?)
    }

    fn agree(&self, agent: &str) -> Result<(), AppError> {
        // What cannot be found is not started, and was not agreed to.
        let Some(command) = self.started_by(agent)? else { return Ok(()) };
        Ok(led::agree(&self.common, agent, &command)?)
    }

    fn walls(&self) -> Walls {
        // Tried in a process of its own: whoever tries has left the mounts of everybody else.
        match probe(&Programs, &self.environment.program).mounts {
            Ok(()) => Walls::Hold,
            Err(why) => Walls::Missing(why),
        }
    }

    fn claim(&mut self, session: &SessionId) -> Result<Option<String>, AppError> {
        if self.claim.as_ref().is_some_and(|(claimed, _)| claimed == session) {
            return Ok(None);
        }
        match Locks::new(&self.common, Duration::ZERO).hold_leading(session) {
            Ok(held) => {
                self.claim = Some((session.clone(), held));
                Ok(None)
            }
            Err(StoreError::Busy { holder, .. }) => Ok(Some(holder_said(holder.as_ref()))),
            Err(error) => Err(error.into()),
        }
    }

    fn claimed_elsewhere(&self, session: &SessionId) -> Option<String> {
        if self.claim.as_ref().is_some_and(|(claimed, _)| claimed == session) {
            return None;
        }
        let holder = Locks::new(&self.common, Duration::ZERO).leading_holder(session)?;
        Some(holder_said(Some(&holder)))
    }

    fn running(&self) -> Option<&str> {
        self.running.as_ref().map(Attended::name)
    }

    fn is_ready(&self, agent: &str, session: &Session) -> bool {
        let wanted = Of::Interview(session.id.clone(), session.settings.research);
        self.running.as_ref().is_some_and(|running| running.name() == agent && *running.of() == wanted)
    }

    fn start(&mut self, agent: &str, session: &Session, within: Within) -> Result<(), Hindrance> {
        self.end_running();
        let agent = self.agent(agent).map_err(|error| hindered(&error))?;
        let before = led::chosen(&self.common, &session.id).ok().flatten().filter(|(led, _)| led.agent == agent.name);
        if let (Some((led, _)), Within::WhatThereIs) = (&before, within) {
            // Without these the person is asked once more.
            let _ = self.agree_in(session, &agent.name, within);
            let _ = led::choose(&self.common, &session.id, Some((led, within)));
        }
        let conversation = before.and_then(|(led, _)| led.conversation);
        let program = program(self.environment, self.config, &agent).map_err(|failure| agent.hindrance(&failure))?;
        // Before it is started: a setting that makes no sense leaves no agent behind.
        let limits = limits(self.environment, self.config).map_err(|error| hindered(&error))?;
        let sees = sees(session.settings.research);
        let shown =
            Shown { sees, log: log::Of::Interview, record: Some(led::record(&self.common, &session.id)), desk: None };
        let started = launch::start(self.environment, &self.common, &agent, &program, within, &shown);
        let (process, client) = started.map_err(|error| hindered(&error))?;
        let task = Task {
            may: may(session.settings.research),
            tools: Tools::Ours,
            before: conversation,
            within,
            limits,
            witness: None,
        };
        let of = Of::Interview(session.id.clone(), session.settings.research);
        self.running = Some(Attended::new(Running::new(self.environment, agent, (process, client), task), of));
        Ok(())
    }

    fn memory(&self) -> Memory {
        self.running.as_ref().map_or(Memory::None, |running| running.lock().memory())
    }

    fn goes_without(&self) -> Vec<String> {
        self.running.as_ref().map(|running| running.lock().goes_without()).unwrap_or_default()
    }

    fn too_old(&self) -> Option<Hindrance> {
        self.outdated()
    }

    fn tell(&mut self, text: String) {
        if let Some(running) = &self.running {
            running.lock().tell(text);
        }
    }

    fn look(&mut self) -> Looked {
        let Some(attended) = &self.running else { return Looked::Idle };
        let mut running = attended.lock();
        match running.look() {
            Ok(looked) => {
                // A trial belongs to no session, and nothing goes on with it.
                if let (Some(led), Of::Interview(session, _)) = (running.opened(), attended.of()) {
                    // Without it the agent begins a new conversation next time, and knows all that is recorded.
                    let _ = led::converses(&self.common, session, &led);
                }
                looked
            }
            Err(failure) => {
                let hindrance = running.agent().hindrance(&failure);
                drop(running);
                // It is ended after that was said: some take seconds to leave.
                self.failed = self.running.take();
                Looked::Failed(hindrance)
            }
        }
    }

    fn heard(&mut self) -> String {
        self.running.as_ref().map(|running| running.lock().heard()).unwrap_or_default()
    }

    fn take_turn(&mut self) -> Turn {
        let last = self.running.as_ref().or(self.failed.as_ref());
        last.map(|running| running.lock().take_turn()).unwrap_or_default()
    }

    fn is_silent(&self) -> bool {
        self.running.as_ref().is_some_and(|running| running.lock().is_silent())
    }

    fn went_on(&self) -> Rc<dyn Fn() -> bool> {
        match &self.running {
            Some(running) => running.went_on(),
            None => Rc::new(|| true),
        }
    }

    fn has_failed(&self) -> bool {
        self.running.as_ref().is_none_or(|running| running.lock().has_failed())
    }

    fn wait_on(&mut self) {
        if let Some(running) = &self.running {
            running.lock().wait_on();
        }
    }

    fn held(&mut self) -> bool {
        self.running.as_ref().is_some_and(|running| running.lock().signs().held.swap(false, Ordering::SeqCst))
    }

    fn refused(&self) -> Option<String> {
        let running = self.running.as_ref()?;
        let refused = running.lock().signs().refused.lock().unwrap_or_else(PoisonError::into_inner).clone();
        refused.map(|why| Line::clipped(&harmless(why.trim())).as_str().to_owned())
    }

    fn withdrawn(&self) -> Rc<dyn Fn() -> bool> {
        match &self.running {
            Some(running) => {
                let withdrawn = running.lock().withdrawn();
                Rc::new(move || withdrawn.load(Ordering::SeqCst))
            }
            None => Rc::new(|| true),
        }
    }

    fn is_gone(&self) -> bool {
        self.running.as_ref().is_none_or(|running| running.lock().is_gone())
    }

    fn fill(&mut self, reply: ServerReply) {
        if let Some(running) = &self.running {
            running.lock().fill(reply);
        }
    }

    fn unasked(&mut self) -> Vec<(String, ServerForm)> {
        let all = self.failed.iter().chain(&self.running);
        let of = |running: &Attended| {
            let forms = running.lock().unasked();
            forms.into_iter().map(|form| (running.name().to_owned(), form)).collect::<Vec<_>>()
        };
        all.flat_map(of).collect()
    }

    fn cancel(&mut self) {
        if let Some(running) = &self.running {
            running.lock().cancel();
        }
    }

    fn end(&mut self) {
        self.end_running();
        if let Some((_, held)) = self.claim.take() {
            held.remove();
        }
    }

    fn start_trial(&mut self, agent: &str, research: Research, within: Within) -> Result<String, Hindrance> {
        self.begin_trial(agent, research, within)
    }

    fn end_trial(&mut self) -> Witnessed {
        self.finish_trial()
    }

    fn rest(&self) {
        std::thread::sleep(REST);
    }

    fn proof(&self, agent: &str) -> Result<Option<Proof>, AppError> {
        Ok(led::proved(&self.common, agent)?)
    }

    fn note_proof(&self, agent: &str, proof: Option<&Proof>) -> Result<(), AppError> {
        Ok(led::prove(&self.common, agent, proof)?)
    }
}

/// What an agent may do by itself in an interview.
fn may(research: Research) -> May {
    match research {
        Research::Off => May::NOTHING,
        Research::Ask | Research::Auto => May::LOOK,
    }
}

/// How much of the repository an agent sees.
fn sees(research: Research) -> Sees {
    match research {
        Research::Off => Sees::Nothing,
        Research::Ask | Research::Auto => Sees::Repository,
    }
}

/// The time limits, as the configuration sets them (A5), and those that have no setting.
fn limits(environment: &Environment, config: &Config) -> Result<Limits, AppError> {
    let Waits { greeting, quiet, runs_on, pause: _ } = environment.waits;
    Ok(Limits {
        handshake: config.time_limit(&keys::HANDSHAKE_TIMEOUT)?,
        greeting,
        first_token: config.time_limit(&keys::FIRST_TOKEN_TIMEOUT)?,
        turn: config.time_limit(&keys::TURN_TIMEOUT)?,
        runs_on,
        cancel: config.time_limit(&keys::CANCEL_TIMEOUT)?,
        quiet,
        silence: None,
    })
}

fn hindered(error: &AppError) -> Hindrance {
    Hindrance {
        sentence: std::iter::once(error.to_string()).chain(error.causes()).collect::<Vec<_>>().join(": "),
        advice: error.hint().unwrap_or_default(),
    }
}

impl Agents<'_> {
    /// Notes that the person agreed to this agent in this session.
    fn agree_in(&self, session: &Session, agent: &str, within: Within) -> Result<(), AppError> {
        // What cannot be found is not started, and was not agreed to.
        let Some(command) = self.started_by(agent)? else { return Ok(()) };
        let consent = Consent { agent, command: &command, research: session.settings.research, within };
        Ok(led::agree_in(&self.common, &session.id, consent)?)
    }

    fn end_running(&mut self) {
        for running in self.failed.take().into_iter().chain(self.running.take()) {
            running.end();
        }
    }
}

impl Drop for Agents<'_> {
    fn drop(&mut self) {
        self.end();
    }
}
