//! Application of one event to a session: the only place that changes a state, and refuses every transition that is in
//! no table (A7). Each arm checks first and changes then.

use jiff::Timestamp;

use super::acceptance::Acceptance;
use super::ask::{Ask, OpenAsk};
use super::event::{Event, WorktreeProof};
use super::failure::Failure;
use super::handle::TurnHandle;
use super::limits::{MOST_ASKS, MOST_QUEUED, MOST_TURNS};
use super::media::{MOST_MEDIA, Media};
use super::process::KnownProcess;
use super::refusal::Refusal;
use super::session::{AgentSession, is_path, place};
use super::state::{Foreground, SessionState, TurnState};
use super::turn::AgentTurn;

impl AgentSession {
    pub(super) fn apply(&mut self, at: Timestamp, event: &Event) -> Result<(), Refusal> {
        match event {
            Event::Started(_) => Err(Refusal::Beginning),
            Event::SupervisorBegan { process } => self.supervise(process),
            Event::SupervisorLeft => self.leave(),
            Event::SupervisorLost => self.lose(),
            Event::AgentLaunched { process } => self.launch(process),
            Event::AgentEnded => match self.agent.take() {
                Some(_) => Ok(()),
                None => Err(self.not_ready("the end of an agent was not recorded", "has none")),
            },
            Event::BackendOpened { backend, .. } => {
                self.need_supervisor("no session of the agent was opened")?;
                self.need_agent("no session of the agent was opened")?;
                if self.state == SessionState::Starting {
                    self.become_state(SessionState::Idle)?;
                } else {
                    self.need_live("no session of the agent was opened")?;
                    self.need_rest("no session of the agent was opened")?;
                }
                self.backend = Some(backend.clone());
                Ok(())
            }
            Event::WorktreeProved { proof } => self.prove(proof),
            Event::SetupEnded { .. } => {
                self.need_live("the end of the setup was not recorded")?;
                self.need_supervisor("the end of the setup was not recorded")
            }
            Event::ParentWatched => self.watch_parent(),
            Event::ParentUndecided { found } => self.change_parent(at, found),
            Event::ParentRestored { places, .. } => self.restore_parent(places),
            Event::ParentKept { places } => self.keep_in_parent(places),
            Event::ParentSettled { kept, .. } => self.settle_parent(kept),
            Event::TurnQueued { turn, media } => self.queue_turn(at, *turn, media),
            Event::TurnSent { turn } => self.send_turn(at, *turn),
            Event::TurnStreaming { turn } => self.move_turn(at, *turn, TurnState::Streaming).map(drop),
            Event::TurnCompleted { turn, stop } => {
                let place = self.end_turn(at, *turn, TurnState::Completed)?;
                self.turns[place].stop = Some(stop.clone());
                Ok(())
            }
            Event::TurnFailed { turn, failure } => {
                let place = self.end_turn(at, *turn, TurnState::Failed)?;
                self.turns[place].failure = Some(failure.clone());
                Ok(())
            }
            Event::TurnCancelled { turn } => self.end_turn(at, *turn, TurnState::Cancelled).map(drop),
            Event::TurnDropped { turn } => self.end_turn(at, *turn, TurnState::Dropped).map(drop),
            Event::ForegroundChanged { now } => {
                self.need_live("the agent's state was not recorded")?;
                self.foreground = *now;
                Ok(())
            }
            Event::Asked { ask } => self.ask(at, ask),
            Event::Answered { number, .. } => self.answer(*number),
            Event::UsageReported { report } => {
                self.usage.update(report);
                Ok(())
            }
            Event::MediaMade { turn, media } => self.make(*turn, media),
            Event::FilesChanged { files } if files.fits() => {
                self.changed = files.clone();
                Ok(())
            }
            Event::FilesChanged { .. } => Err(Refusal::TooManyFiles { handle: self.started.handle }),
            Event::WorkKept { commit } => {
                self.kept = Some(commit.clone());
                Ok(())
            }
            Event::WorkAccepted { acceptance } => {
                self.may_accept(acceptance)?;
                self.accepts.insert(acceptance.step, acceptance.by.clone());
                Ok(())
            }
            Event::AcceptUndone { acceptance } => {
                self.may_accept(acceptance)?;
                self.accepts.remove(&acceptance.step);
                Ok(())
            }
            Event::SessionFailed { failure } => self.fail(failure),
            Event::SessionCancelled => self.end(SessionState::Cancelled, "the session was not cancelled"),
            Event::SessionCleaned => self.clean(),
        }
    }

    fn supervise(&mut self, process: &KnownProcess) -> Result<(), Refusal> {
        const DEED: &str = "no other supervisor took over";
        self.need_live(DEED)?;
        if self.supervisor.is_some() {
            return Err(self.not_ready(DEED, "has one that was not found gone"));
        }
        self.supervisor = Some(process.clone());
        Ok(())
    }

    fn leave(&mut self) -> Result<(), Refusal> {
        const DEED: &str = "the supervisor did not leave";
        self.need_no_turn(DEED)?;
        self.need_no_ask(DEED)?;
        if self.agent.is_some() {
            return Err(self.not_ready(DEED, "has an agent that is not proven dead"));
        }
        self.lose_mark(DEED)
    }

    fn lose(&mut self) -> Result<(), Refusal> {
        const DEED: &str = "the loss of the supervisor was not recorded";
        self.need_no_turn(DEED)?;
        self.need_no_ask(DEED)?;
        self.lose_mark(DEED)
    }

    fn lose_mark(&mut self, deed: &'static str) -> Result<(), Refusal> {
        match self.supervisor.take() {
            Some(_) => Ok(()),
            None => Err(self.not_ready(deed, "has none")),
        }
    }

    fn launch(&mut self, process: &KnownProcess) -> Result<(), Refusal> {
        const DEED: &str = "no agent was started";
        self.need_live(DEED)?;
        self.need_supervisor(DEED)?;
        if self.agent.is_some() {
            return Err(self.not_ready(DEED, "has one that is not proven dead"));
        }
        self.agent = Some(process.clone());
        Ok(())
    }

    fn prove(&mut self, proof: &WorktreeProof) -> Result<(), Refusal> {
        const DEED: &str = "no worktree was recorded";
        self.need_live(DEED)?;
        self.need_rest(DEED)?;
        if !self.started.profile.needs_worktree() {
            return Err(self.not_ready(DEED, "has a profile without one"));
        }
        if !is_path(&proof.path) {
            return Err(Refusal::BadPath { handle: self.started.handle });
        }
        self.proof = Some(proof.clone());
        Ok(())
    }

    fn queue_turn(&mut self, at: Timestamp, turn: TurnHandle, media: &[Media]) -> Result<(), Refusal> {
        let handle = self.started.handle;
        self.need_few(media)?;
        self.need_live("no prompt was added")?;
        self.need_supervisor("no prompt was added")?;
        if self.turns.len() >= MOST_TURNS {
            return Err(Refusal::TurnsUsedUp { handle });
        }
        if self.queue().count() >= MOST_QUEUED {
            return Err(Refusal::QueueFull { handle });
        }
        let expected = self.next_turn()?;
        if turn != expected {
            return Err(Refusal::WrongNumber { handle, turn, expected });
        }
        self.turns.push(AgentTurn::queued(turn, at, media.to_vec()));
        Ok(())
    }

    fn need_few(&self, media: &[Media]) -> Result<(), Refusal> {
        let handle = self.started.handle;
        if media.len() > MOST_MEDIA { Err(Refusal::TooManyMedia { handle }) } else { Ok(()) }
    }

    /// Notes media that the agent made in its active turn.
    fn make(&mut self, turn: TurnHandle, media: &[Media]) -> Result<(), Refusal> {
        let handle = self.started.handle;
        self.need_few(media)?;
        let active = self.turns.iter_mut().find(|one| one.handle == turn && one.state.is_active());
        active.ok_or(Refusal::NoActiveTurn { handle })?.made = media.to_vec();
        Ok(())
    }

    /// Sends a prompt: one at a time, in order (A8), to an agent that is there, from a worktree that was proved (A14).
    fn send_turn(&mut self, at: Timestamp, turn: TurnHandle) -> Result<(), Refusal> {
        const DEED: &str = "no prompt was sent";
        let handle = self.started.handle;
        self.need_live(DEED)?;
        if let Some(active) = self.active_turn().filter(|active| active.handle != turn) {
            return Err(Refusal::TurnActive { deed: DEED, handle, turn: active.handle });
        }
        if let Some(first) = self.queue().next().map(|first| first.handle).filter(|first| *first < turn) {
            return Err(Refusal::OutOfOrder { handle, turn, first });
        }
        self.need_supervisor(DEED)?;
        self.need_agent(DEED)?;
        if self.backend.is_none() {
            return Err(self.not_ready(DEED, "has no open session of its agent"));
        }
        if self.started.profile.needs_worktree() && self.proof.is_none() {
            return Err(self.not_ready(DEED, "has no proof of its worktree"));
        }
        self.need_decided(DEED)?;
        if self.started.unwalled {
            self.need_watch(DEED)?;
        }
        self.may_move(turn, TurnState::Sent)?;
        self.become_state(SessionState::TurnActive)?;
        self.move_turn(at, turn, TurnState::Sent)?;
        self.foreground = Foreground::Running;
        Ok(())
    }

    fn end_turn(&mut self, at: Timestamp, turn: TurnHandle, to: TurnState) -> Result<usize, Refusal> {
        let was_active = self.turn(turn).is_some_and(|turn| turn.state.is_active());
        self.may_move(turn, to)?;
        if was_active {
            self.need_no_ask("the turn did not end")?;
            self.become_state(SessionState::Idle)?;
            self.foreground = Foreground::Idle;
        }
        self.move_turn(at, turn, to)
    }

    fn may_move(&self, turn: TurnHandle, to: TurnState) -> Result<(), Refusal> {
        let handle = self.started.handle;
        let found = self.turn(turn).ok_or(Refusal::TurnNotFound { handle, turn })?;
        let from = found.state;
        if from.may_become(to) { Ok(()) } else { Err(Refusal::TurnTransition { handle, turn, from, to }) }
    }

    fn move_turn(&mut self, at: Timestamp, turn: TurnHandle, to: TurnState) -> Result<usize, Refusal> {
        self.may_move(turn, to)?;
        let place = place(turn);
        let moved = &mut self.turns[place];
        (moved.state, moved.since) = (to, at);
        Ok(place)
    }

    fn ask(&mut self, at: Timestamp, ask: &Ask) -> Result<(), Refusal> {
        let handle = self.started.handle;
        self.need_live("a question was not taken")?;
        self.need_supervisor("a question was not taken")?;
        self.need_agent("a question was not taken")?;
        if self.asks.len() >= MOST_ASKS {
            return Err(Refusal::TooManyAsks { handle });
        }
        let expected = self.asked.saturating_add(1);
        if ask.number != expected {
            return Err(Refusal::WrongAsk { handle, ask: Box::new(ask.clone()), expected });
        }
        self.asked = expected;
        self.asks.push(OpenAsk { ask: ask.clone(), since: at });
        Ok(())
    }

    fn answer(&mut self, number: u32) -> Result<(), Refusal> {
        let open = self.asks.iter().position(|open| open.ask.number == number);
        let place = open.ok_or(Refusal::AnswerVoid { handle: self.started.handle, number })?;
        self.asks.remove(place);
        Ok(())
    }

    /// The person may take work over whatever became of the session.
    fn may_accept(&self, acceptance: &Acceptance) -> Result<(), Refusal> {
        if !acceptance.files.fits() {
            return Err(Refusal::TooManyFiles { handle: self.started.handle });
        }
        if self.proof.is_none() {
            return Err(self.not_ready("no accept was recorded", "never had a worktree"));
        }
        Ok(())
    }

    fn fail(&mut self, failure: &Failure) -> Result<(), Refusal> {
        self.end(SessionState::Failed, "the session did not fail")?;
        self.failure = Some(failure.clone());
        Ok(())
    }

    /// Ends a session whose turns are over and whose questions have their answers.
    fn end(&mut self, to: SessionState, deed: &'static str) -> Result<(), Refusal> {
        self.need_live(deed)?;
        self.need_no_turn(deed)?;
        self.need_no_ask(deed)?;
        self.become_state(to)?;
        self.foreground = Foreground::Idle;
        Ok(())
    }

    fn clean(&mut self) -> Result<(), Refusal> {
        const DEED: &str = "nothing was removed";
        self.need_cleanable()?;
        self.need_no_ask(DEED)?;
        if self.agent.is_some() {
            return Err(self.not_ready(DEED, "has an agent that is not proven dead"));
        }
        self.become_state(SessionState::Cleaned)
    }

    /// What stands against removing what the session made, whatever becomes of its agent before that.
    pub fn need_cleanable(&self) -> Result<(), Refusal> {
        const DEED: &str = "nothing was removed";
        self.need_no_turn(DEED)?;
        self.need_decided(DEED)
    }

    fn become_state(&mut self, to: SessionState) -> Result<(), Refusal> {
        let (handle, from) = (self.started.handle, self.state);
        if !from.may_become(to) {
            return Err(Refusal::SessionTransition { handle, from, to });
        }
        self.state = to;
        Ok(())
    }

    pub(super) fn need_live(&self, deed: &'static str) -> Result<(), Refusal> {
        let (handle, state) = (self.started.handle, self.state);
        if state.is_terminal() { Err(Refusal::SessionTerminal { deed, handle, state }) } else { Ok(()) }
    }

    pub(super) fn need_supervisor(&self, deed: &'static str) -> Result<(), Refusal> {
        if self.supervisor.is_some() { Ok(()) } else { Err(self.not_ready(deed, "has no supervisor")) }
    }

    fn need_agent(&self, deed: &'static str) -> Result<(), Refusal> {
        if self.agent.is_some() { Ok(()) } else { Err(self.not_ready(deed, "has no running agent")) }
    }

    /// The agent has no prompt.
    pub(super) fn need_rest(&self, deed: &'static str) -> Result<(), Refusal> {
        let handle = self.started.handle;
        match self.active_turn() {
            Some(active) => Err(Refusal::TurnActive { deed, handle, turn: active.handle }),
            None => Ok(()),
        }
    }

    /// No turn is active or queued.
    fn need_no_turn(&self, deed: &'static str) -> Result<(), Refusal> {
        let handle = self.started.handle;
        match self.open_turns().next() {
            Some(open) => Err(Refusal::TurnActive { deed, handle, turn: open.handle }),
            None => Ok(()),
        }
    }

    fn need_no_ask(&self, deed: &'static str) -> Result<(), Refusal> {
        let handle = self.started.handle;
        match self.asks.first() {
            Some(open) => Err(Refusal::AskOpen { deed, handle, number: open.ask.number }),
            None => Ok(()),
        }
    }

    pub(super) fn not_ready(&self, deed: &'static str, lacks: &'static str) -> Refusal {
        Refusal::NotReady { deed, handle: self.started.handle, lacks }
    }
}
