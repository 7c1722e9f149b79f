//! The client: it sends, and takes what comes, one event after the other. What is open and what is answered, the exchange
//! knows; here are its streams and its log.

use std::io::{Read, Write};
use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;

use serde_json::Value;

use super::elicit::Form;
use super::exchange::Exchange;
use super::failure::Failure;
use super::limits::MOST_UNREAD;
use super::permission::Rules;
use super::rawlog::RawLog;
use super::resource::Resource;
use super::stream::{Heard, Lines, Tail, listen};
use super::v1::{self, Said};
use crate::domain::server_form::ServerReply;
use crate::pipes::{Speaker, Unread, speak};

pub use super::exchange::Event;

/// The streams of an agent, from our side.
pub struct Streams {
    pub input: Box<dyn Write + Send>,
    pub output: Box<dyn Read + Send>,
    pub errors: Box<dyn Read + Send>,
}

/// What is offered to an agent, to be refused: an agent that asks for it does not do it by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Offers {
    /// Nothing: it acts by itself, behind walls that hold.
    Nothing,
    WritesAndCommands,
}

/// An MCP server that the agent is to start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Server {
    /// The name that the agent knows it under.
    pub name: String,
    pub command: String,
    pub args: Vec<String>,
    /// Its variables; one agent hands on no others.
    pub variables: Vec<(String, String)>,
}

/// The client's end of a conversation.
pub struct Client {
    heard: Lines,
    out: Option<Speaker>,
    errors: Tail,
    log: Option<RawLog>,
    exchange: Exchange,
}

impl Client {
    /// Begins to listen.
    pub fn new(streams: Streams, log: Option<RawLog>) -> Self {
        Self {
            heard: listen(streams.output),
            out: Some(speak(streams.input, MOST_UNREAD)),
            errors: Tail::of(streams.errors, log.clone()),
            log,
            exchange: Exchange::default(),
        }
    }

    /// The last lines of the agent's standard error.
    pub fn errors(&self) -> Vec<String> {
        self.errors.lines()
    }

    /// How many bytes came in by now.
    pub fn bytes(&self) -> u64 {
        self.heard.bytes()
    }

    /// Greets the agent; the id of the request.
    pub fn initialize(&mut self, offers: Offers) -> Result<u64, Failure> {
        self.request(&v1::initialize(offers))
    }

    /// Asks for a session in this directory, with these servers, in the agent's own words where it has any; the id of the
    /// request.
    pub fn open(&mut self, cwd: &str, servers: &[Server], own: Option<&Value>) -> Result<u64, Failure> {
        self.request(&v1::new(cwd, servers, own))
    }

    /// Asks for a session of before; the id of the request.
    pub fn load(&mut self, id: &str, cwd: &str, servers: &[Server], own: Option<&Value>) -> Result<u64, Failure> {
        self.request(&v1::load(id, cwd, servers, own))
    }

    /// Sets the mode of a session; the id of the request.
    pub fn set_mode(&mut self, session: &str, mode: &str) -> Result<u64, Failure> {
        self.request(&v1::set_mode(session, mode))
    }

    /// Sets an option of a session; the id of the request.
    pub fn set_option(&mut self, session: &str, option: &str, value: &str) -> Result<u64, Failure> {
        self.request(&v1::set_option(session, option, value))
    }

    /// Begins a turn; the id of the request, whose answer is the end of the turn.
    pub fn prompt(&mut self, session: &str, text: &str, resources: &[Resource]) -> Result<u64, Failure> {
        let (id, line) = self.exchange.prompt(session, text, resources);
        self.send(&line)?;
        Ok(id)
    }

    /// Cancels the turn, and every form that waits in it; the answer to the prompt still comes.
    pub fn cancel(&mut self, session: &str) -> Result<(), Failure> {
        self.exchange.cancel(session).iter().try_for_each(|line| self.send(line))
    }

    /// Answers a form. An answer to one that waits for none is void.
    pub fn fill(&mut self, form: &Form, reply: ServerReply) -> Result<(), Failure> {
        match self.exchange.fill(form, reply) {
            Some(line) => self.send(&line),
            None => Ok(()),
        }
    }

    /// Whether this form waits for an answer.
    pub fn waits_for(&self, form: &Form) -> bool {
        self.exchange.waits_for(form)
    }

    /// Closes the agent's input, which asks it to leave.
    pub fn hang_up(&mut self) {
        self.out = None;
    }

    /// The next event; `None` where there is none within this time. An agent that went away is a failure.
    pub fn next(&mut self, within: Duration, rules: &Rules<'_>) -> Result<Option<Event>, Failure> {
        let line = match self.heard.recv_timeout(within) {
            Ok(Heard::Line(line)) => line,
            Ok(Heard::TooLong) => return self.exchange.junk("a line that is longer than any message").map(Some),
            Err(RecvTimeoutError::Timeout) => return Ok(None),
            Err(RecvTimeoutError::Disconnected) => {
                self.exchange.gone();
                return Err(Failure::Gone { said: self.errors.last_lines() });
            }
        };
        if let Some(log) = &self.log {
            log.note("<", &line);
        }
        let (event, answer) = self.exchange.take(&line, rules)?;
        if let Some(answer) = answer {
            self.send(&answer)?;
        }
        Ok(Some(event))
    }

    fn request(&mut self, said: &Said) -> Result<u64, Failure> {
        let (id, line) = self.exchange.request(said);
        self.send(&line)?;
        Ok(id)
    }

    /// Hands a line to the writer. One that went away is told when it is listened to, which knows its last words.
    fn send(&mut self, line: &[u8]) -> Result<(), Failure> {
        if let Some(log) = &self.log {
            log.note(">", line);
        }
        match self.out.as_ref().map(|out| out.say(line.to_vec())) {
            Some(Err(Unread::Pieces | Unread::Bytes)) => Err(Failure::Unread),
            Some(Ok(())) | None => Ok(()),
        }
    }
}

#[cfg(test)]
#[path = "client_tests.rs"]
mod tests;
