//! The supervisor of one agent session (A10): a process of its own that owns the agent and is the only one that writes the
//! session's ledger. It begins with the session, serves whoever asks at its socket, and leaves when the session is over or
//! the agent has had nothing to do for long.

use std::collections::HashMap;
use std::sync::mpsc::Receiver;
use std::thread;
use std::time::Duration;

use crate::acp::client::Event as Heard;
use crate::acp::failure::{Failure as Trouble, Step};
use crate::acp::permission::Ruling;
use crate::acp::update::{CallKind, CallState, CallUpdate, Update, Word};
use crate::app::error::AppError;
use crate::app::ports::{Looked, TurnEnd};
use crate::domain::agents::ask::{AskAnswer, AskKind};
use crate::domain::agents::command::AgentContext;
use crate::domain::agents::event::Opening;
use crate::domain::agents::failure::{Failure, FailureCode};
use crate::domain::agents::limits::AgentLimits;
use crate::domain::agents::state::SessionState;
use crate::domain::agents::{Command, Refusal, TurnHandle};
use crate::domain::harmless::harmless;
use crate::domain::server_form::{ServerForm, ServerReply};
use crate::domain::text::Line;

use super::book::Book;
use super::copy::Copy;
use super::not_written;
use super::pulse::Pulse;
use super::result::Words;
use super::socket::Socket;
use super::wire::{Asked, Call, Told};
use crate::world::interrupted::Interrupted;
use crate::world::lead::Lent;

/// Between two looks at the agent.
const REST: Duration = Duration::from_millis(20);
/// So many refused permissions of one turn are recorded one by one.
const MOST_REFUSED: usize = 64;
/// So long after the start of its agent a prompt waits until that has loaded its session; whoever sends it waits longer.
const LONGEST_HOLD: Duration = Duration::from_secs(45);

/// One agent at work, and all that is known of it beside the ledger.
pub(super) struct Supervisor<'a> {
    pub(super) book: Book,
    pub(super) lent: Lent,
    copy: Option<Copy>,
    pub(super) calls: Receiver<Call>,
    pub(super) limits: AgentLimits,
    pub(super) interrupted: &'a Interrupted,
    /// Time that counts.
    pub(super) pulse: Pulse,
    words: Option<Words>,
    /// Tool calls that go on, by their ids, in what they are.
    tools: HashMap<String, String>,
    /// The form that waits for a person.
    open: Option<(u32, ServerForm)>,
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
        copy: Option<Copy>,
        calls: Receiver<Call>,
        limits: AgentLimits,
        interrupted: &'a Interrupted,
    ) -> Self {
        let is_loading = book.session().backend.is_some();
        Self {
            book,
            lent,
            copy,
            calls,
            limits,
            interrupted,
            pulse: Pulse::new(),
            words: None,
            tools: HashMap::new(),
            open: None,
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

    /// Ends the agent, and leaves the ledger as it stands then.
    pub(super) fn end(self, over: Result<Over, AppError>, socket: Socket) -> Result<(), AppError> {
        let Self { mut book, lent, copy, .. } = self;
        // It goes before the ledger is let go, however this ends.
        let _socket = socket;
        // Whatever came of the work, the agent is ended first.
        lent.end();
        let over = over?;
        note_changes(&mut book, copy.as_ref())?;
        if book.session().agent.is_some() {
            book.act(&Command::RecordEnd)?;
        }
        if matches!(over, Over::Leaves) {
            // Nobody sends them any more.
            let waiting: Vec<TurnHandle> = book.session().queue().map(|turn| turn.handle).collect();
            for turn in waiting {
                book.act(&Command::CancelTurn { turn })?;
            }
        }
        book.act(&Command::Leave)
    }

    /// Begins the first turn that waits; whether there was one.
    fn next_turn(&mut self) -> Result<bool, AppError> {
        let Some(turn) = self.book.session().queue().next().map(|turn| turn.handle) else { return Ok(false) };
        if self.book.session().state == SessionState::Starting {
            return Ok(false);
        }
        let prompt = self.book.prompt(turn)?;
        self.words = Some(self.book.words(turn)?);
        self.tools.clear();
        self.refused = 0;
        self.book.act(&Command::RecordSent)?;
        self.lent.tell(prompt);
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
        let is_over = matches!(call.state, Some(Word::Known(CallState::Completed | CallState::Failed)));
        if is_over {
            self.tools.remove(&call.id);
        } else if self.tools.len() < MOST_REFUSED || self.tools.contains_key(&call.id) {
            let title = call.title.as_deref().unwrap_or("a tool");
            self.tools.insert(call.id.clone(), Line::clipped(&harmless(title)).as_str().to_owned());
        }
    }

    /// Records a permission that the profile does not give, with the reason (A18).
    fn refuse(&mut self, call: &CallUpdate) -> Result<(), AppError> {
        self.refused += 1;
        if self.refused > MOST_REFUSED {
            return Ok(());
        }
        let title = call.title.as_deref().unwrap_or("a tool without a name");
        let words = Line::clipped(&harmless(title));
        let why = format!("{} does not allow {}", self.book.session().started.profile, deed(call));
        self.refused_by_the_rules(AskKind::Permission, words, &why)
    }

    /// Records what was asked and answered at once, so that nobody takes it for something that waits.
    fn refused_by_the_rules(&mut self, kind: AskKind, words: Line, why: &str) -> Result<(), AppError> {
        let number = self.book.session().asked.saturating_add(1);
        let answer = AskAnswer::Policy { why: Line::clipped(why) };
        self.book.act_together(&[Command::Ask { kind, words }, Command::Answer { number, answer }])
    }

    fn asks(&mut self, form: ServerForm) -> Result<(), AppError> {
        let words = Line::clipped(&harmless(&form.message));
        if let Err(why) = &form.asks {
            return self.refused_by_the_rules(AskKind::Question, words, why);
        }
        self.book.act(&Command::Ask { kind: AskKind::Question, words })?;
        let number = self.book.session().asked;
        self.open = Some((number, form));
        self.pulse.asked();
        Ok(())
    }

    fn close(&mut self, answer: AskAnswer) -> Result<(), AppError> {
        let Some((number, _)) = self.open.take() else { return Ok(()) };
        // The end of a turn has answered it already.
        if self.book.session().asks.iter().any(|open| open.ask.number == number) {
            self.book.act(&Command::Answer { number, answer })?;
        }
        Ok(())
    }

    /// A question that nobody answers is refused at its limit, as nobody's word (A18).
    fn expire_question(&mut self) -> Result<(), AppError> {
        if self.open.is_some() && self.pulse.since_asked() >= self.limits.ask {
            self.lent.fill(ServerReply::Closed);
            self.close(AskAnswer::Nobody)?;
        }
        Ok(())
    }

    fn ended(&mut self, how: TurnEnd) -> Result<(), AppError> {
        if self.open.take().is_some() {
            // It does not wait for the answer any more, and gets one all the same (A35).
            self.lent.fill(ServerReply::Closed);
        }
        self.words = None;
        self.tools.clear();
        self.pulse.worked();
        if let Some(report) = self.lent.usage() {
            self.book.act(&Command::ReportUsage { report })?;
        }
        note_changes(&mut self.book, self.copy.as_ref())?;
        // A turn that was cancelled has ended in the ledger.
        if self.book.session().active_turn().is_none() {
            return Ok(());
        }
        let stop = match how {
            TurnEnd::Said => "end_turn".to_owned(),
            TurnEnd::Refused => "it ended its turn when something was refused".to_owned(),
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

    /// Answers what was asked meanwhile; how it ends, if that was asked.
    fn answer_calls(&mut self) -> Result<Option<Over>, AppError> {
        while let Ok(call) = self.calls.try_recv() {
            if let Some(over) = self.answer(call)? {
                return Ok(Some(over));
            }
        }
        Ok(None)
    }

    fn answer(&mut self, call: Call) -> Result<Option<Over>, AppError> {
        let done = |done: Result<(), Refusal>| match done {
            Ok(()) => Told::Done,
            Err(refusal) => refused(&refusal),
        };
        let told = match call.asked.clone() {
            Asked::Look => self.doing(),
            Asked::Send { .. } if self.is_loading && self.pulse.since_work() < LONGEST_HOLD => {
                self.held.push(call);
                return Ok(None);
            }
            Asked::Send { .. } if self.is_loading => refused(&Refusal::NotReady {
                deed: "no prompt was added",
                handle: self.book.session().started.handle,
                lacks: "has an agent that is still loading its session",
            }),
            Asked::Send { prompt } => match self.queue(&prompt)? {
                Ok(turn) => Told::Queued { turn },
                Err(refusal) => refused(&refusal),
            },
            Asked::Show { number } => match &self.open {
                Some((open, form)) if *open == number => Told::Form { form: Box::new(form.clone()) },
                Some(_) | None => refused(&self.void(number)),
            },
            Asked::Answer { number, reply } => match &self.open {
                Some((open, _)) if *open == number => {
                    let words = Line::clipped(&harmless(&in_words(&reply)));
                    self.lent.fill(reply);
                    self.close(AskAnswer::Person { words })?;
                    Told::Done
                }
                Some(_) | None => refused(&self.void(number)),
            },
            Asked::Cancel { turn: Some(turn) } => done(self.cancel_turn(turn)?),
            Asked::Cancel { turn: None } => {
                let cancelled = self.book.try_act(&Command::Cancel)?;
                let is_over = cancelled.is_ok();
                self.lent.cancel();
                call.answer(done(cancelled));
                return Ok(is_over.then_some(Over::Ended));
            }
            Asked::Leave => {
                if let Some(open) = self.book.session().open_turns().next() {
                    let (handle, turn) = (self.book.session().started.handle, open.handle);
                    let deed = "the agent was not ended";
                    refused(&Refusal::TurnActive { deed, handle, turn })
                } else {
                    call.answer(Told::Done);
                    return Ok(Some(Over::Leaves));
                }
            }
        };
        call.answer(told);
        Ok(None)
    }

    fn queue(&mut self, prompt: &str) -> Result<Result<TurnHandle, Refusal>, AppError> {
        let turn = match self.book.session().next_turn() {
            Ok(turn) => turn,
            Err(refusal) => return Ok(Err(refusal)),
        };
        let context = match &self.lost {
            Some(why) => AgentContext::Lost { why: why.clone() },
            None => AgentContext::Kept,
        };
        self.book.queue(turn, prompt, context)
    }

    fn cancel_turn(&mut self, turn: TurnHandle) -> Result<Result<(), Refusal>, AppError> {
        let is_active = self.book.session().active_turn().is_some_and(|active| active.handle == turn);
        let cancelled = self.book.try_act(&Command::CancelTurn { turn })?;
        if is_active && cancelled.is_ok() {
            self.open = None;
            self.lent.cancel();
        }
        Ok(cancelled)
    }

    fn void(&self, number: u32) -> Refusal {
        Refusal::AnswerVoid { handle: self.book.session().started.handle, number }
    }

    fn doing(&self) -> Told {
        let quiet = u64::try_from(self.pulse.since_heard().as_millis()).unwrap_or(u64::MAX);
        Told::Doing { tool: self.tools.values().next().cloned(), quiet, line: self.line.clone() }
    }
}

/// Records what the agent has changed by now. What cannot be read is told when somebody asks for it.
fn note_changes(book: &mut Book, copy: Option<&Copy>) -> Result<(), AppError> {
    match copy.map(Copy::changed) {
        Some(Ok(files)) => book.act(&Command::RecordChanges { files }),
        Some(Err(_)) | None => Ok(()),
    }
}

/// The kind of what a call would do.
fn deed(call: &CallUpdate) -> &'static str {
    match call.kind {
        Some(Word::Known(CallKind::Read | CallKind::Search)) => "reading files",
        Some(Word::Known(CallKind::Edit | CallKind::Delete | CallKind::Move)) => "changing files",
        Some(Word::Known(CallKind::Execute)) => "this command",
        Some(Word::Known(CallKind::Fetch)) => "the web",
        Some(Word::Known(CallKind::SwitchMode)) => "another mode",
        Some(Word::Known(CallKind::Think | CallKind::Other) | Word::Unknown(_)) | None => "this tool",
    }
}

fn refused(refusal: &Refusal) -> Told {
    Told::Refused { code: refusal.code().to_owned(), message: refusal.to_string(), hint: refusal.hint() }
}

/// What a person answered, in a line.
fn in_words(reply: &ServerReply) -> String {
    match reply {
        ServerReply::Sent(values) => {
            let fields: Vec<String> =
                values.iter().map(|(name, value)| format!("{name}: {}", value.as_text())).collect();
            if fields.is_empty() { "yes".to_owned() } else { fields.join("; ") }
        }
        ServerReply::Declined => "declined".to_owned(),
        ServerReply::Closed => "closed".to_owned(),
    }
}
