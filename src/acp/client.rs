//! The client: it sends, and takes what comes, one event after the other. What the agent asks of it is answered here
//! and at once, by the rules; files and terminals are refused.

use std::io::{Read, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender};
use std::time::Duration;

use serde_json::{Value, json};

use super::elicit::{Form, Shape};
use super::failure::Failure;
use super::limits::{MOST_JUNK, MOST_UNREAD};
use super::permission::{Permission, Rules, Ruling};
use super::rawlog::RawLog;
use super::sign::{Sign, sign};
use super::stream::{Heard, Tail, listen};
use super::update::{StopReason, Update, Word};
use super::wire::{self, Message, NO_SUCH_METHOD, NOT_ALLOWED, NOT_FOUND, RpcError};
use crate::domain::server_form::ServerReply;
use crate::pipes::speak;

/// The one version of the protocol that is spoken.
pub const VERSION: i64 = 1;

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

#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    Told(Update),
    Sign(Sign),
    /// A request of ours was answered.
    Answered {
        id: u64,
        result: Result<Value, RpcError>,
    },
    /// It asked for permission, and was answered.
    Ruled(Permission, Ruling),
    /// It asked for a file or a terminal, and was refused.
    Refused(String),
    /// Another server's form waits for an answer.
    Asks(Form),
    /// The request with this id waits for no answer any more.
    Withdrawn(Value),
    /// A sign of life that says nothing: a notification of its own, or junk.
    Other(String),
}

/// The client's end of a conversation.
pub struct Client {
    heard: Receiver<Heard>,
    out: Option<SyncSender<Vec<u8>>>,
    errors: Tail,
    log: Option<RawLog>,
    last: u64,
    junk: usize,
}

impl Client {
    /// Begins to listen.
    pub fn new(streams: Streams, log: Option<RawLog>) -> Self {
        Self {
            heard: listen(streams.output),
            out: Some(speak(streams.input, MOST_UNREAD)),
            errors: Tail::of(streams.errors),
            log,
            last: 0,
            junk: 0,
        }
    }

    /// The last lines of the agent's standard error.
    pub fn errors(&self) -> Vec<String> {
        self.errors.lines()
    }

    /// Sends `initialize`; the id of the request.
    pub fn initialize(&mut self, offers: Offers) -> Result<u64, Failure> {
        let offered = offers == Offers::WritesAndCommands;
        let params = json!({
            "protocolVersion": VERSION,
            "clientCapabilities": {"fs": {"readTextFile": false, "writeTextFile": offered}, "terminal": offered,
                "elicitation": {"form": {}}},
            "clientInfo": {"name": "git-grill", "title": "git grill", "version": env!("CARGO_PKG_VERSION")},
        });
        self.request("initialize", &params)
    }

    /// Asks for a session in this directory, with these servers, in the agent's own words where it has any; the id of the
    /// request.
    pub fn open(&mut self, cwd: &str, servers: &[Server], own: Option<&Value>) -> Result<u64, Failure> {
        self.request("session/new", &session(json!({"cwd": cwd, "mcpServers": described(servers)}), own))
    }

    /// Asks for a session of before; the id of the request.
    pub fn load(&mut self, id: &str, cwd: &str, servers: &[Server], own: Option<&Value>) -> Result<u64, Failure> {
        let params = json!({"sessionId": id, "cwd": cwd, "mcpServers": described(servers)});
        self.request("session/load", &session(params, own))
    }

    /// Sets the mode of a session; the id of the request.
    pub fn set_mode(&mut self, session: &str, mode: &str) -> Result<u64, Failure> {
        self.request("session/set_mode", &json!({"sessionId": session, "modeId": mode}))
    }

    /// Sets an option of a session; the id of the request.
    pub fn set_option(&mut self, session: &str, option: &str, value: &str) -> Result<u64, Failure> {
        let params = json!({"sessionId": session, "configId": option, "value": value});
        self.request("session/set_config_option", &params)
    }

    /// Begins a turn; the id of the request, whose answer is the end of the turn.
    pub fn prompt(&mut self, session: &str, text: &str) -> Result<u64, Failure> {
        let params = json!({"sessionId": session, "prompt": [{"type": "text", "text": text}]});
        self.request("session/prompt", &params)
    }

    /// Cancels the turn; its answer still comes.
    pub fn cancel(&mut self, session: &str) -> Result<(), Failure> {
        self.send(&wire::notice("session/cancel", &json!({"sessionId": session})))
    }

    pub fn fill(&mut self, form: &Form, reply: ServerReply) -> Result<(), Failure> {
        self.send(&wire::answer(&form.id, &form.answer(reply)))
    }

    /// Closes the agent's input, which asks it to leave.
    pub fn hang_up(&mut self) {
        self.out = None;
    }

    /// The next event; `None` where there is none within this time. An agent that went away is a failure.
    pub fn next(&mut self, within: Duration, rules: &Rules<'_>) -> Result<Option<Event>, Failure> {
        let line = match self.heard.recv_timeout(within) {
            Ok(Heard::Line(line)) => line,
            Ok(Heard::TooLong) => return self.junk("a line that is longer than any message").map(Some),
            Err(RecvTimeoutError::Timeout) => return Ok(None),
            Err(RecvTimeoutError::Disconnected) => return Err(Failure::Gone { said: self.errors() }),
        };
        if let Some(log) = &mut self.log {
            log.note("<", &line);
        }
        self.taken(&line, rules).map(Some)
    }

    fn taken(&mut self, line: &[u8], rules: &Rules<'_>) -> Result<Event, Failure> {
        let message = Message::read(line);
        if !matches!(message, Message::Junk(_)) {
            self.junk = 0;
        }
        Ok(match message {
            Message::Junk(text) => return self.junk(&text),
            Message::Odd(value) => Event::Told(Update::Unknown(value)),
            Message::Reply { id, result } => match id.as_u64() {
                Some(id) => Event::Answered { id, result },
                None => Event::Other("an answer to nothing".to_owned()),
            },
            Message::Notice { method, params } => match sign(&method, &params, rules.server) {
                Some(sign) => Event::Sign(sign),
                None if method == "session/update" => Event::Told(Update::read(&params)),
                None if method == "$/cancel_request" => {
                    Event::Withdrawn(params.get("requestId").or_else(|| params.get("id")).cloned().unwrap_or_default())
                }
                None => Event::Other(method),
            },
            Message::Request { id, method, params } => return self.asked(&id, &method, &params, rules),
        })
    }

    fn asked(&mut self, id: &Value, method: &str, params: &Value, rules: &Rules<'_>) -> Result<Event, Failure> {
        match method {
            "session/request_permission" => {
                let permission = Permission::read(params);
                let (ruling, answer) = permission.outcome(rules.on(&permission));
                self.send(&wire::answer(id, &answer))?;
                Ok(Event::Ruled(permission, ruling))
            }
            "elicitation/create" => Ok(Event::Asks(Form::read(id, Shape::Action, params))),
            "_x.ai/mcp/elicit" => Ok(Event::Asks(Form::read(id, Shape::Outcome, params))),
            "fs/read_text_file" => {
                let path = params.get("path").and_then(Value::as_str).unwrap_or_default();
                self.send(&wire::refusal(id, NOT_FOUND, &format!("Resource not found: {path}")))?;
                Ok(Event::Refused(method.to_owned()))
            }
            method if method.starts_with("fs/") || method.starts_with("terminal/") => {
                let why = "refused: the interview is read-only, and this client changes no file and runs no command";
                self.send(&wire::refusal(id, NOT_ALLOWED, why))?;
                Ok(Event::Refused(method.to_owned()))
            }
            method => {
                self.send(&wire::refusal(id, NO_SUCH_METHOD, "Method not found"))?;
                Ok(Event::Other(method.to_owned()))
            }
        }
    }

    fn junk(&mut self, text: &str) -> Result<Event, Failure> {
        self.junk += 1;
        if self.junk >= MOST_JUNK {
            return Err(Failure::NotAcp { said: text.to_owned() });
        }
        Ok(Event::Other(text.to_owned()))
    }

    fn request(&mut self, method: &str, params: &Value) -> Result<u64, Failure> {
        self.last += 1;
        self.send(&wire::request(self.last, method, params))?;
        Ok(self.last)
    }

    /// Hands a line to the writer. One that went away is told when it is listened to, which knows its last words.
    fn send(&mut self, line: &[u8]) -> Result<(), Failure> {
        if let Some(log) = &mut self.log {
            log.note(">", line);
        }
        match self.out.as_ref().map(|out| out.try_send(line.to_vec())) {
            Some(Err(std::sync::mpsc::TrySendError::Full(_))) => Err(Failure::Unread),
            Some(Ok(()) | Err(std::sync::mpsc::TrySendError::Disconnected(_))) | None => Ok(()),
        }
    }
}

/// Why a turn ended, in the answer to its prompt.
pub fn stop_reason(answer: &Value) -> Word<StopReason> {
    match answer.get("stopReason") {
        Some(Value::String(word)) => StopReason::word(word),
        Some(other) => Word::Unknown(other.to_string()),
        None => Word::Unknown("nothing".to_owned()),
    }
}

fn session(mut params: Value, own: Option<&Value>) -> Value {
    if let Some(own) = own {
        params["_meta"] = own.clone();
    }
    params
}

fn described(servers: &[Server]) -> Value {
    let one = |server: &Server| {
        let variables = server.variables.iter().map(|(name, value)| json!({"name": name, "value": value}));
        json!({
            "name": server.name,
            "command": server.command,
            "args": server.args,
            "env": variables.collect::<Vec<_>>(),
        })
    };
    servers.iter().map(one).collect()
}

#[cfg(test)]
#[path = "client_tests.rs"]
mod tests;
