//! The one list of what waits for the person (A42): over all sessions, oldest first, each with the command that answers
//! it.

use jiff::Timestamp;

use super::ask::AskKind;
use super::handle::AgentHandle;
use super::session::AgentSession;
use crate::domain::text::Line;

/// Something that only the person can answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaitingAsk {
    pub session: AgentHandle,
    /// Name of the agent that waits.
    pub agent: Line,
    pub kind: AskKind,
    pub number: u32,
    /// The words of the agent; foreign.
    pub words: Line,
    pub since: Timestamp,
}

impl WaitingAsk {
    /// The command that answers it.
    pub fn command(&self) -> String {
        format!("git grill agent answer {}", self.session)
    }
}

/// Everything that waits, oldest first. The sessions are reconciled: what a process asked that is gone waits no more.
pub fn waiting<'s>(sessions: impl IntoIterator<Item = &'s AgentSession>) -> Vec<WaitingAsk> {
    let mut all: Vec<WaitingAsk> = sessions.into_iter().flat_map(of_session).collect();
    all.sort_by_key(|one| (one.since, one.session, one.number));
    all
}

fn of_session(session: &AgentSession) -> impl Iterator<Item = WaitingAsk> {
    session.asks.iter().map(|open| WaitingAsk {
        session: session.started.handle,
        agent: session.started.agent.clone(),
        kind: open.ask.kind,
        number: open.ask.number,
        words: open.ask.words.clone(),
        since: open.since,
    })
}
