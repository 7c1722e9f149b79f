//! The one list of what waits for the person (A42): over all sessions, oldest first, each with the command that answers
//! it.

use jiff::Timestamp;

use super::ask::AskKind;
use super::handle::AgentHandle;
use super::parent_watch::ParentWatch;
use super::session::AgentSession;
use crate::domain::text::Line;

/// Something that only the person can answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiting {
    pub session: AgentHandle,
    /// Name of the agent that waits.
    pub agent: Line,
    pub what: WaitsFor,
    /// The words of the agent, or what was found; foreign.
    pub words: Line,
    pub since: Timestamp,
}

/// What the person is to say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum WaitsFor {
    /// Whose the changes in the repository are (A25).
    Parent,
    /// The answer to what the agent asked.
    Answer { number: u32, kind: AskKind },
}

impl Waiting {
    /// The command that answers it.
    pub fn command(&self) -> String {
        format!("git grill agent answer {}", self.session)
    }
}

/// Everything that waits, oldest first. The sessions are reconciled: what a process asked that is gone waits no more.
pub fn waiting<'s>(sessions: impl IntoIterator<Item = &'s AgentSession>) -> Vec<Waiting> {
    let mut all: Vec<Waiting> = sessions.into_iter().flat_map(of_session).collect();
    all.sort_by_key(|one| (one.since, one.session, one.what));
    all
}

fn of_session(session: &AgentSession) -> impl Iterator<Item = Waiting> {
    let one = |what, words: &Line, since| Waiting {
        session: session.started.handle,
        agent: session.started.agent.clone(),
        what,
        words: words.clone(),
        since,
    };
    let parent = match &session.parent {
        Some(ParentWatch::Undecided { found, since }) => Some(one(WaitsFor::Parent, found, *since)),
        Some(ParentWatch::Stands) | None => None,
    };
    let asks = session.asks.iter().map(move |open| {
        one(WaitsFor::Answer { number: open.ask.number, kind: open.ask.kind }, &open.ask.words, open.since)
    });
    parent.into_iter().chain(asks)
}
