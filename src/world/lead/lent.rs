//! An agent that work was lent to: started behind its walls at a desk of its own, spoken to as one that leads, and without
//! our tools (A1).

use std::path::{Path, PathBuf};
use std::sync::mpsc::Receiver;
use std::time::Duration;

use crate::acp::client::Event;
use crate::acp::failure::Failure;
use crate::acp::permission::May;
use crate::acp::resource::Resource;
use crate::app::ports::{Hindrance, Looked, Memory, Within};
use crate::domain::agents::profile::Profile;
use crate::domain::agents::usage::UsageReport;
use crate::domain::server_form::ServerReply;
use crate::domain::text::Line;

use super::launch::Shown;
use super::running::{Running, Task, Tools};
use super::{Agents, hindered, launch, limits, log, program};
use crate::world::run::{Desk, Sees};

/// What is lent, and to whom.
pub(in crate::world) struct Loan<'a> {
    /// The agent's name.
    pub agent: &'a str,
    /// The profile, by which it is started (A4).
    pub profile: Profile,
    pub desk: &'a Desk,
    pub sees: Sees,
    pub may: May,
    pub within: Within,
    /// The agent's own session of before.
    pub before: Option<String>,
    /// The folder in which its log lies.
    pub folder: &'a Path,
    /// The record of the work: as long as that is there, the agent finds its own session again.
    pub record: PathBuf,
    /// So long it may be silent in a turn (A5).
    pub silence: Duration,
}

/// A running agent at its desk.
pub(in crate::world) struct Lent {
    running: Running,
    events: Receiver<Event>,
}

impl Agents<'_> {
    /// Starts the agent.
    pub(in crate::world) fn lend(&self, loan: Loan<'_>) -> Result<Lent, Hindrance> {
        let Loan { agent, profile, desk, sees, may, within, before, folder, record, silence } = loan;
        let mut agent = self.agent(agent).map_err(|error| hindered(&error))?;
        agent.lend(profile, &desk.cwd, within);
        let program = program(self.environment, self.config, &agent).map_err(|failure| agent.hindrance(&failure))?;
        let mut limits = limits(self.environment, self.config).map_err(|error| hindered(&error))?;
        limits.silence = Some(silence);
        let shown = Shown { sees, log: log::Of::Lent(folder), record: Some(record), desk: Some(desk) };
        let started = launch::start(self.environment, &self.common, &agent, &program, within, &shown);
        let (process, client) = started.map_err(|error| hindered(&error))?;
        let task = Task { may, tools: Tools::None, before, within, limits, witness: None };
        let mut running = Running::new(self.environment, agent, (process, client), task);
        let events = running.tapped();
        Ok(Lent { running, events })
    }
}

impl Lent {
    /// Takes in what came, and goes on. A failure is the end of it.
    pub(in crate::world) fn look(&mut self) -> Result<Looked, Failure> {
        self.running.look()
    }

    /// What came since this was asked last, in its order.
    pub(in crate::world) fn events(&self) -> Vec<Event> {
        self.events.try_iter().collect()
    }

    /// Whether it is ready for a turn.
    pub(in crate::world) fn is_idle(&self) -> bool {
        self.running.is_idle()
    }

    /// Gives it the text of its next turn, and files with it if it [embeds](Self::embeds).
    pub(in crate::world) fn tell(&mut self, text: String, resources: Vec<Resource>) {
        self.running.tell_with(text, resources);
    }

    /// Whether it takes files in a prompt, as it told when its session was opened.
    pub(in crate::world) fn embeds(&self) -> bool {
        self.running.embeds()
    }

    /// The bytes of a file that it wrote among its own in this run (A20); none of more than so many.
    pub(in crate::world) fn own_file(&self, path: &Path, most: usize) -> Option<Vec<u8>> {
        self.running.own_file(path, most)
    }

    /// Cancels its turn, whose end is then told by a look.
    pub(in crate::world) fn cancel(&mut self) {
        self.running.cancel();
    }

    /// Answers the form that was handed out last.
    pub(in crate::world) fn fill(&mut self, reply: ServerReply) {
        self.running.fill(reply);
    }

    /// Whether the form that was handed out last waits for no answer any more.
    pub(in crate::world) fn withdrew(&self) -> bool {
        self.running.withdrawn().load(std::sync::atomic::Ordering::SeqCst)
    }

    /// The agent's own session, once, when it was just opened; and whether it is the one of before.
    pub(in crate::world) fn opened(&mut self) -> Option<(String, bool)> {
        let conversation = self.running.opened()?.conversation?;
        Some((conversation, self.running.memory() == Memory::Loaded))
    }

    /// What it reported of its use of a model, if it did (A32).
    pub(in crate::world) fn usage(&self) -> Option<UsageReport> {
        let (context, turn) = self.running.usage();
        let line = |text: &str| Line::clipped(text);
        let report = UsageReport { context: context.map(line), turn: turn.map(line) };
        (report != UsageReport::default()).then_some(report)
    }

    /// The process that leads its group.
    pub(in crate::world) fn process(&self) -> Option<u32> {
        self.running.process()
    }

    /// The failure in a sentence, and what to do about it.
    pub(in crate::world) fn hindrance(&self, failure: &Failure) -> Hindrance {
        self.running.agent().hindrance(failure)
    }

    /// Ends it, and every process of its run.
    pub(in crate::world) fn end(self) {
        self.running.end();
    }
}
