//! The supervisor of one agent session (A10): a process of its own that owns the agent and is the only one that writes the
//! session's ledger. It begins with the session, serves whoever asks at its socket, and leaves when the session is over or
//! the agent has had nothing to do for long.

pub(super) mod calls;
mod leaving;
mod media;
mod questions;

use std::collections::{BTreeSet, HashMap};
use std::sync::mpsc::Receiver;
use std::thread;
use std::time::Duration;

use crate::acp::client::Event as Heard;
use crate::acp::failure::{Failure as Trouble, Step};
use crate::acp::permission::Ruling;
use crate::acp::update::{CallState, CallUpdate, Update, Word};
use crate::app::error::AppError;
use crate::app::ports::{Looked, TurnEnd};
use crate::domain::agents::Command;
use crate::domain::agents::ask::AskAnswer;
use crate::domain::agents::event::Opening;
use crate::domain::agents::failure::{Failure, FailureCode};
use crate::domain::agents::limits::AgentLimits;
use crate::domain::agents::state::SessionState;
use crate::domain::agents::turn::{END_TURN, REFUSED};
use crate::domain::harmless::harmless;
use crate::domain::server_form::{ServerForm, ServerReply};
use crate::domain::text::Line;

use leaving::note_changes;

use super::book::Book;
use super::copy::Copy;
use super::errors::not_written;
use super::pulse::Pulse;
use super::result::Words;
use super::watch::Watch;
use super::wire::Call;
use crate::world::interrupted::Interrupted;
use crate::world::lead::Lent;

/// Between two looks at the agent.
const REST: Duration = Duration::from_millis(20);
/// So many tool calls that go on are told apart.
const MOST_TOOLS: usize = 64;

/// One agent at work, and all that is known of it beside the ledger.
pub(super) struct Supervisor<'a> {
    pub(super) book: Book,
    pub(super) lent: Lent,
    copy: Option<Copy>,
    /// Over the repository, where nothing keeps the agent from writing.
    watch: Option<Watch>,
    pub(super) calls: Receiver<Call>,
    pub(super) limits: AgentLimits,
    pub(super) interrupted: &'a Interrupted,
    /// Time that counts.
    pub(super) pulse: Pulse,
    words: Option<Words>,
    /// Tool calls that go on, by their ids, in what they are.
    tools: HashMap<String, String>,
    /// Paths of media that tool calls of this turn named.
    named: BTreeSet<String>,
    /// The form that waits for a person.
    open: Option<(u32, ServerForm)>,
    /// Permissions of this turn that the rules gave, and that they refused.
    allowed: usize,
    refused: usize,
    line: String,
    /// The agent has yet to load its session of before.
    is_loading: bool,
    /// Prompts that wait for that.
    held: Vec<Call>,
    /// Why it does not know that session any more.
    lost: Option<Line>,
}

/// Why the loop ended.
pub(super) enum Over {
    /// Nothing was left to do for long, or it was told to leave: the session can go on later.
    Leaves,
    /// The session is failed or cancelled.
    Ended,
}

impl<'a> Supervisor<'a> {
    pub(super) fn new(
        book: Book,
        lent: Lent,
        (copy, watch): (Option<Copy>, Option<Watch>),
        calls: Receiver<Call>,
        limits: AgentLimits,
        interrupted: &'a Interrupted,
    ) -> Self {
        let is_loading = book.session().backend.is_some();
        Self {
            book,
            lent,
            copy,
            watch,
            calls,
            limits,
            interrupted,
            pulse: Pulse::new(),
            words: None,
            tools: HashMap::new(),
            named: BTreeSet::new(),
            open: None,
            allowed: 0,
            refused: 0,
            line: String::new(),
            is_loading,
            held: Vec::new(),
            lost: None,
        }
    }

    /// Works until there is nothing left to do.
    pub(super) fn work(&mut self) -> Result<Over, AppError> {
        loop {
            self.pulse.tick();
            if !self.book.stands() {
                return Ok(Over::Ended);
            }
            if let Some(over) = self.answer_calls()? {
                return Ok(over);
            }
            if self.interrupted.is_so() {
                self.fail_turn(FailureCode::SupervisorGone, "git grill was told to end")?;
                return Ok(Over::Leaves);
            }
            let looked = self.lent.look();
            self.take_in()?;
            match looked {
                Ok(looked) => {
                    if let Some(over) = self.opened()? {
                        return Ok(over);
                    }
                    self.looked(looked)?;
                }
                // The agent is there, and the next prompt may succeed.
                Err(trouble) if is_of_the_turn(&trouble) => {
                    let failure = self.failure(&trouble);
                    self.turn_failed(failure)?;
                }
                // It was not started again; another try may succeed.
                Err(trouble) if self.is_loading => {
                    self.lost = Some(self.failure(&trouble).why);
                    self.release()?;
                    return Ok(Over::Leaves);
                }
                Err(trouble) => {
                    let failure = self.failure(&trouble);
                    self.book.act(&Command::Fail { failure })?;
                    self.release()?;
                    return Ok(Over::Ended);
                }
            }
            if self.book.session().state.is_terminal() {
                return Ok(Over::Ended);
            }
            self.expire_question()?;
            let is_free = self.lent.is_idle() && self.book.session().active_turn().is_none();
            if is_free && !self.next_turn()? && self.pulse.since_work() >= self.limits.idle {
                return Ok(Over::Leaves);
            }
            thread::sleep(REST);
        }
    }

    /// Begins the first turn that waits; whether there was one.
    fn next_turn(&mut self) -> Result<bool, AppError> {
        let Some(turn) = self.book.session().queue().next().map(|turn| turn.handle) else { return Ok(false) };
        if self.book.session().state == SessionState::Starting {
            return Ok(false);
        }
        if self.book.session().is_undecided() {
            // It waits for the person, however long that takes.
            self.pulse.worked();
            return Ok(false);
        }
        let resources = match self.resources(turn) {
            Ok(resources) => resources,
            Err(failure) => {
                self.book.act(&Command::FailQueued { failure })?;
                self.pulse.worked();
                return Ok(true);
            }
        };
        let prompt = self.book.prompt(turn)?;
        // What it wrote since its last turn is found before it gets another one.
        if let Some(watch) = &self.watch {
            watch.compare(&mut self.book)?;
            if self.book.session().is_undecided() {
                return Ok(true);
            }
        }
        self.words = Some(self.book.words(turn)?);
        self.tools.clear();
        self.named.clear();
        (self.allowed, self.refused) = (0, 0);
        self.book.act(&Command::RecordSent)?;
        self.lent.tell(prompt, resources);
        self.pulse.worked();
        Ok(true)
    }

    /// Records that the agent's own session is open. One that does not know its session of before takes no prompt (A10); the
    /// ledger keeps the name of that session, and the next prompt asks for it again.
    fn opened(&mut self) -> Result<Option<Over>, AppError> {
        let Some((backend, loaded)) = self.lent.opened() else { return Ok(None) };
        if self.is_loading && !loaded {
            self.lost = Some(Line::clipped("it could not load its session of before"));
            self.release()?;
            return Ok(Some(Over::Leaves));
        }
        let opening = if loaded { Opening::Loaded } else { Opening::New };
        self.book.act(&Command::RecordOpening { backend: Line::clipped(&harmless(&backend)), opening })?;
        self.release()?;
        Ok(None)
    }

    /// Answers the prompts that waited for the agent's session.
    fn release(&mut self) -> Result<(), AppError> {
        self.is_loading = false;
        for call in std::mem::take(&mut self.held) {
            self.answer(call)?;
        }
        Ok(())
    }

    fn looked(&mut self, looked: Looked) -> Result<(), AppError> {
        match looked {
            Looked::On { line, .. } => self.line = line,
            Looked::Idle => self.line = String::new(),
            Looked::Asks(form) => self.asks(*form)?,
            Looked::Ended { how, .. } => self.ended(how)?,
            // It has none of our tools, and a limit that is passed is a failure where nobody watches.
            Looked::Recorded | Looked::Overdue(_) | Looked::Failed(_) => {}
        }
        if self.open.is_some() && self.lent.withdrew() {
            self.close(AskAnswer::Cancelled)?;
        }
        Ok(())
    }

    /// Takes in what the agent told.
    fn take_in(&mut self) -> Result<(), AppError> {
        let events = self.lent.events();
        if events.is_empty() {
            return Ok(());
        }
        self.pulse.heard();
        let is_active = self.book.session().active_turn().is_some();
        for event in events {
            match event {
                Heard::Told(Update::Said(text), _) => self.say(&text)?,
                Heard::Told(Update::Call(call), _) => self.call(&call),
                Heard::Told(Update::Thought(_) | Update::Plan(_), _) => self.pause(),
                Heard::Ruled(permission, Ruling::Allowed) if is_active => self.allow(&permission.call)?,
                Heard::Ruled(permission, Ruling::Refused) if is_active => self.refuse(&permission.call)?,
                Heard::Told(..)
                | Heard::Ruled(..)
                | Heard::Sign(_)
                | Heard::Answered { .. }
                | Heard::Refused(_)
                | Heard::Asks(_)
                | Heard::Withdrawn(_)
                | Heard::Other(_) => {}
            }
        }
        if is_active && self.open.is_none() {
            self.book.act(&Command::RecordRunning)?;
        }
        Ok(())
    }

    fn say(&mut self, text: &str) -> Result<(), AppError> {
        match &mut self.words {
            Some(words) => words.say(text).map_err(|error| not_written("what the agent said was not kept", &error)),
            None => Ok(()),
        }
    }

    fn pause(&mut self) {
        if let Some(words) = &mut self.words {
            words.pause();
        }
    }

    fn call(&mut self, call: &CallUpdate) {
        self.pause();
        self.note_named(call);
        let is_over = matches!(call.state, Some(Word::Known(CallState::Completed | CallState::Failed)));
        if is_over {
            self.tools.remove(&call.id);
        } else if self.tools.len() < MOST_TOOLS || self.tools.contains_key(&call.id) {
            let title = call.title.as_deref().unwrap_or("a tool");
            self.tools.insert(call.id.clone(), Line::clipped(&harmless(title)).as_str().to_owned());
        }
    }

    /// What holds however a turn ended.
    fn over(&mut self) -> Result<(), AppError> {
        if self.open.take().is_some() {
            // It does not wait for the answer any more, and gets one all the same (A35).
            self.lent.fill(ServerReply::Closed);
        }
        self.words = None;
        self.tools.clear();
        self.pulse.worked();
        self.keep_made()?;
        if let Some(report) = self.lent.usage() {
            self.book.act(&Command::ReportUsage { report })?;
        }
        if let Some(watch) = &self.watch {
            watch.compare(&mut self.book)?;
        }
        note_changes(&mut self.book, self.copy.as_ref())
    }

    fn turn_failed(&mut self, failure: Failure) -> Result<(), AppError> {
        self.over()?;
        // One that was cancelled has ended in the ledger.
        match self.book.session().active_turn() {
            Some(_) => self.book.act(&Command::FailTurn { failure }),
            None => Ok(()),
        }
    }

    fn ended(&mut self, how: TurnEnd) -> Result<(), AppError> {
        self.over()?;
        // A turn that was cancelled has ended in the ledger.
        if self.book.session().active_turn().is_none() {
            return Ok(());
        }
        let stop = match how {
            TurnEnd::Said => END_TURN.to_owned(),
            TurnEnd::Refused => REFUSED.to_owned(),
            TurnEnd::Cancelled => "cancelled".to_owned(),
            TurnEnd::CutShort(why) => why,
        };
        self.book.act(&Command::RecordRest { stop: Line::clipped(&harmless(&stop)) })
    }

    fn fail_turn(&mut self, code: FailureCode, why: &str) -> Result<(), AppError> {
        match self.book.session().active_turn() {
            Some(_) => self.book.act(&Command::FailTurn { failure: Failure { code, why: Line::clipped(why) } }),
            None => Ok(()),
        }
    }

    /// A failure of the agent, as the ledger keeps it (A5).
    fn failure(&self, trouble: &Trouble) -> Failure {
        let code = match trouble {
            Trouble::Silent { step: Step::Turn, after } if *after < self.limits.prompt => FailureCode::BackendSilent,
            Trouble::Silent { .. } | Trouble::Deaf { .. } => FailureCode::TimeLimit,
            Trouble::NotAcp { .. } | Trouble::Unread | Trouble::Version(_) => FailureCode::ProtocolFailure,
            Trouble::Gone { .. } => FailureCode::AgentGone,
            Trouble::NotStarted(_) | Trouble::NotInstalled { .. } => FailureCode::NotStarted,
            Trouble::Refused { .. }
            | Trouble::Provider { .. }
            | Trouble::Declined
            | Trouble::NoTools
            | Trouble::WrongCalls { .. }
            | Trouble::NoQuestion { .. } => FailureCode::Refused,
        };
        Failure { code, why: Line::clipped(&self.lent.hindrance(trouble).sentence) }
    }
}

/// Whether a failure is that of a turn, and not of the agent: its provider answered with an error, or its model refused.
fn is_of_the_turn(trouble: &Trouble) -> bool {
    matches!(trouble, Trouble::Refused { step: Step::Turn, .. } | Trouble::Provider { .. } | Trouble::Declined)
}
