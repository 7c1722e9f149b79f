//! The exchange with an agent, without its streams: a line that came is an event and the answer to it, and what we want to
//! say is a line. No thread and no clock.
//!
//! What waits for an answer stands here and nowhere else, so each request is answered exactly once. From the moment when a
//! turn is cancelled until the next one begins, nothing is allowed and nothing is put to the user (A35).

use serde_json::Value;

use super::elicit::{Form, Shape};
use super::failure::Failure;
use super::limits::MOST_JUNK;
use super::permission::{Permission, Rules, Ruling};
use super::resource::Resource;
use super::sign::{Sign, sign};
use super::update::Update;
use super::v1::{self, Said};
use super::wire::{self, Message, NO_SUCH_METHOD, NOT_A_REQUEST, NOT_ALLOWED, RpcError};
use crate::domain::server_form::ServerReply;

/// The most forms of one turn. What comes after them is cancelled unseen: no more of them than a person bears.
const MOST_FORMS: usize = 8;

#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// What it told, and the sign of trouble in it.
    Told(Update, Option<Sign>),
    /// A sign of trouble that comes alone.
    Sign(Sign),
    /// A request of ours was answered.
    Answered { id: u64, result: Result<Value, RpcError> },
    /// It asked for permission, and was answered.
    Ruled(Permission, Ruling),
    /// It asked for a file or a terminal, and was refused.
    Refused(String),
    /// Another server's form; it waits for an answer, unless it cannot be shown or the turn is being cancelled.
    Asks(Form),
    /// This form waits for no answer any more.
    Withdrawn(Form),
    /// A sign of life that says nothing: a notification of its own, or junk.
    Other(String),
}

/// What comes of a line: what happened, and the answer to it where it takes one at once.
pub(super) type Came = (Event, Option<Vec<u8>>);

#[derive(Default)]
pub(super) struct Exchange {
    /// Forms that wait for an answer. Everything else that an agent asks is answered at once.
    open: Vec<Form>,
    /// Forms that came since the turn began.
    forms: usize,
    /// Forms that came at all.
    came: u64,
    /// Whether a turn was cancelled, and none has begun since.
    cancelled: bool,
    /// The agent's session in which the last turn began.
    session: Option<String>,
    /// The id of our last request.
    last: u64,
    /// Lines of junk in a row.
    junk: usize,
}

impl Exchange {
    /// A request of ours: its id, and its line.
    pub(super) fn request(&mut self, (method, params): &Said) -> (u64, Vec<u8>) {
        self.last += 1;
        (self.last, wire::request(self.last, method, params))
    }

    /// Begins a turn.
    pub(super) fn prompt(&mut self, session: &str, text: &str, resources: &[Resource]) -> (u64, Vec<u8>) {
        self.cancelled = false;
        self.forms = 0;
        self.session = Some(session.to_owned());
        self.request(&v1::prompt(session, text, resources))
    }

    /// Cancels the turn, and then everything that is open.
    pub(super) fn cancel(&mut self, session: &str) -> Vec<Vec<u8>> {
        self.cancelled = true;
        let (method, params) = v1::cancel(session);
        let mut lines = vec![wire::notice(method, &params)];
        lines.extend(std::mem::take(&mut self.open).iter().map(|form| answered(form, ServerReply::Closed)));
        lines
    }

    /// The answer to a form; `None` where it is void, since the form waits for none.
    pub(super) fn fill(&mut self, form: &Form, reply: ServerReply) -> Option<Vec<u8>> {
        let at = self.open.iter().position(|open| open.is(form))?;
        Some(answered(&self.open.remove(at), reply))
    }

    pub(super) fn waits_for(&self, form: &Form) -> bool {
        self.open.iter().any(|open| open.is(form))
    }

    /// The agent is gone, and waits for nothing.
    pub(super) fn gone(&mut self) {
        self.open.clear();
    }

    /// Takes a line that came.
    pub(super) fn take(&mut self, line: &[u8], rules: &Rules<'_>) -> Result<Came, Failure> {
        let message = Message::read(line);
        if !matches!(message, Message::Junk(_)) {
            self.junk = 0;
        }
        let event = match message {
            Message::Junk(text) => self.junk(&text)?,
            Message::Odd(value) => Event::Told(Update::Unknown(value), None),
            Message::Reply { id, result } => match id.as_u64() {
                Some(id) => Event::Answered { id, result },
                None => Event::Other("an answer to nothing".to_owned()),
            },
            Message::Notice { method, params } if method == v1::UPDATE && self.is_elsewhere(&params) => {
                Event::Other("an update of another session".to_owned())
            }
            Message::Notice { method, params } if method == v1::UPDATE => {
                Event::Told(Update::read(&params), sign(&method, &params, rules.server))
            }
            Message::Notice { method, params } => match sign(&method, &params, rules.server) {
                Some(sign) => Event::Sign(sign),
                None if method == v1::WITHDRAW => return Ok(self.withdrawn(method, &params)),
                None => Event::Other(method),
            },
            Message::Request { id, method, params } => return Ok(self.asked(&id, &method, &params, rules)),
        };
        Ok((event, None))
    }

    /// Whether an update names another session than the one in which we have turns: nothing of it is said to us.
    fn is_elsewhere(&self, params: &Value) -> bool {
        let named = v1::session_id(params);
        named.zip(self.session.as_deref()).is_some_and(|(named, ours)| named != ours)
    }

    /// A line that is no message.
    pub(super) fn junk(&mut self, text: &str) -> Result<Event, Failure> {
        self.junk += 1;
        if self.junk >= MOST_JUNK {
            return Err(Failure::NotAcp { said: text.to_owned() });
        }
        Ok(Event::Other(text.to_owned()))
    }

    /// The agent takes a request back. One that is not open was answered already.
    fn withdrawn(&mut self, method: String, params: &Value) -> Came {
        let id = v1::withdrawn(params);
        match self.open.iter().position(|form| Some(&form.id) == id) {
            Some(at) => {
                let form = self.open.remove(at);
                let answer = wire::refusal(&form.id, v1::CANCELLED, "Request cancelled");
                (Event::Withdrawn(form), Some(answer))
            }
            None => (Event::Other(method), None),
        }
    }

    fn asked(&mut self, id: &Value, method: &str, params: &Value, rules: &Rules<'_>) -> Came {
        let refusal = |code: i64, why: &str| Some(wire::refusal(id, code, why));
        // An answer to the one would be taken for an answer to the other.
        if self.open.iter().any(|form| form.id == *id) {
            let why = "Invalid Request: another request with this id still waits for its answer";
            return (Event::Other(method.to_owned()), refusal(NOT_A_REQUEST, why));
        }
        match method {
            v1::PERMISSION => {
                let permission = Permission::read(params);
                let ruling = if self.cancelled { Ruling::Cancelled } else { rules.on(&permission) };
                let (ruling, answer) = permission.outcome(ruling);
                (Event::Ruled(permission, ruling), Some(wire::answer(id, &answer)))
            }
            v1::ELICIT => self.elicits(Form::read(id, Shape::Action, params)),
            v1::GROK_ELICIT => self.elicits(Form::read(id, Shape::Outcome, params)),
            v1::READ_FILE => {
                let why = format!("Resource not found: {}", v1::path(params));
                (Event::Refused(method.to_owned()), refusal(v1::NOT_FOUND, &why))
            }
            method if v1::is_of_the_machine(method) => {
                let why = "refused: the interview is read-only, and this client changes no file and runs no command";
                (Event::Refused(method.to_owned()), refusal(NOT_ALLOWED, why))
            }
            method => (Event::Other(method.to_owned()), refusal(NO_SUCH_METHOD, "Method not found")),
        }
    }

    /// A form that cannot be shown is cancelled, and never declined: that is the user's to say (A36).
    fn elicits(&mut self, mut form: Form) -> Came {
        self.forms += 1;
        self.came += 1;
        form.came = self.came;
        if self.forms > MOST_FORMS {
            let answer = answered(&form, ServerReply::Closed);
            return (Event::Other("one form too many".to_owned()), Some(answer));
        }
        if self.cancelled || form.asked.asks.is_err() {
            let answer = answered(&form, ServerReply::Closed);
            return (Event::Asks(form), Some(answer));
        }
        self.open.push(form.clone());
        (Event::Asks(form), None)
    }
}

fn answered(form: &Form, reply: ServerReply) -> Vec<u8> {
    wire::answer(&form.id, &form.answer(reply))
}

#[cfg(test)]
#[path = "exchange_tests.rs"]
mod tests;
