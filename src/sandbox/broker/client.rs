//! The inner end: one connection for each wish.

use std::io::Write;
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::time::Duration;

use crate::app::ports::{NotRecorded, Recorder, Timing};
use crate::domain::command::Command;
use crate::domain::event::Recorded;
use crate::domain::ids::{QuestionId, SessionId};

use super::frame::{self, Answered, Request, VERSION};
use super::request::{BrokerRequest, may_travel};

/// How long an answer is waited for: recording may wait for a lock, and signing for a passphrase.
const PATIENCE: Duration = Duration::from_mins(3);

#[derive(Clone, Debug)]
pub struct Broker {
    pub socket: PathBuf,
}

impl Broker {
    fn ask(&self, session: &SessionId, wish: BrokerRequest) -> Result<(Vec<Recorded>, Option<PathBuf>), NotRecorded> {
        let request = Request { v: VERSION, session: session.clone(), wish };
        let bytes = self.exchange(&frame::line(&request)).map_err(|error| gone(&error.to_string()))?;
        let answered: Answered = serde_json::from_slice(&bytes).map_err(|error| gone(&error.to_string()))?;
        answered.answer.taken()
    }

    /// Tells whoever is outside that our MCP server has been greeted.
    pub fn greet(&self, session: &SessionId) -> Result<(), NotRecorded> {
        self.ask(session, BrokerRequest::Greet).map(drop)
    }

    /// Tells whoever is outside that the agent has called our tools wrong again and again: its last call, and why that was
    /// refused.
    pub fn stuck(&self, session: &SessionId, tool: &str, why: &str) -> Result<(), NotRecorded> {
        self.ask(session, BrokerRequest::Stuck { tool: tool.to_owned(), why: why.to_owned() }).map(drop)
    }

    /// Tells whoever is outside that the agent has called this tool in a trial.
    pub fn called(&self, session: &SessionId, tool: &str) -> Result<(), NotRecorded> {
        self.ask(session, BrokerRequest::Called { tool: tool.to_owned() }).map(drop)
    }

    fn exchange(&self, request: &[u8]) -> std::io::Result<Vec<u8>> {
        let mut stream = UnixStream::connect(&self.socket)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        stream.write_all(request)?;
        stream.shutdown(Shutdown::Write)?;
        frame::read(stream)
    }
}

/// Nobody outside answers.
fn gone(why: &str) -> NotRecorded {
    NotRecorded {
        code: "no_broker".to_owned(),
        exit: 128,
        message: "nothing was recorded: this runs inside a read-only run, and the process outside does not answer"
            .to_owned(),
        causes: vec![why.to_owned()],
        hint: Some("type it outside of the run".to_owned()),
        advice: None,
        timing: Timing::Whenever,
    }
}

/// The wish for commands that may be wished from here.
fn wished(commands: &[&Command]) -> Result<BrokerRequest, NotRecorded> {
    match commands.iter().find(|command| !may_travel(command)) {
        None => Ok(BrokerRequest::Commands(commands.iter().map(|&command| command.clone()).collect())),
        Some(command) => Err(NotRecorded {
            code: "inside_run".to_owned(),
            exit: 1,
            message: format!("{} is not done inside a read-only run", command.deed()),
            causes: Vec::new(),
            hint: Some("type it outside of the run".to_owned()),
            advice: None,
            timing: Timing::Whenever,
        }),
    }
}

impl Recorder for Broker {
    fn record(&self, id: &SessionId, command: &Command) -> Result<Vec<Recorded>, NotRecorded> {
        self.record_each(id, &[command])
    }

    fn record_each(&self, id: &SessionId, commands: &[&Command]) -> Result<Vec<Recorded>, NotRecorded> {
        self.ask(id, wished(commands)?).map(|(events, _)| events)
    }

    fn most(&self) -> usize {
        BrokerRequest::MOST
    }

    fn advance(&self, id: &SessionId) -> Result<Vec<Recorded>, NotRecorded> {
        self.ask(id, BrokerRequest::Advance).map(|(events, _)| events)
    }

    fn keep(&self, id: &SessionId, question: &QuestionId, text: &str) -> Result<PathBuf, NotRecorded> {
        let wish = BrokerRequest::Keep { question: question.clone(), text: text.to_owned() };
        self.ask(id, wish)?.1.ok_or_else(|| gone("no file was named"))
    }

    fn drop_kept(&self, id: &SessionId, question: &QuestionId, text: &str) -> Result<(), NotRecorded> {
        self.ask(id, BrokerRequest::DropKept { question: question.clone(), text: text.to_owned() }).map(drop)
    }
}
