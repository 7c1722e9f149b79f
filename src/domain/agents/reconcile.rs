//! Reconciling (A10): what a ledger owes after its supervisor's process died.

use super::changed::ChangedFiles;
use super::decide::ending;
use super::event::Event;
use super::failure::{Failure, FailureCode};
use super::parent_watch::ParentWatch;
use super::session::AgentSession;
use super::state::SessionState;
use crate::domain::text::Line;

/// Whether a process that a ledger names is still there, by id and start time (A30).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    There,
    Gone,
}

/// What is known of the repository where nobody compared it.
const NOT_COMPARED: &str = "the repository was not compared when the supervisor ended";

/// The events that bring a session into a state that is true. The turn of a process that died failed, the prompts that
/// waited are dropped, what was asked is void. A session that had been opened is idle afterwards, since its agent may
/// load it again; one that had not failed. The mark of the agent's process stays: whether that died as well is to be
/// proven, and a repository that was watched is still to be compared.
pub fn reconcile(session: &AgentSession, supervisor: Presence) -> Vec<Event> {
    match (&session.supervisor, supervisor) {
        (None, _) | (Some(_), Presence::There) => Vec::new(),
        (Some(process), Presence::Gone) => {
            let why = Line::clipped(&format!("the supervisor, process {}, ended before the turn did", process.id()));
            let failure = Failure { code: FailureCode::SupervisorGone, why };
            let mut events: Vec<Event> = not_compared(session).into_iter().collect();
            events.extend(ending(session, |turn| Event::TurnFailed { turn, failure: failure.clone() }));
            if session.state == SessionState::Starting {
                events.push(Event::SessionFailed { failure });
            }
            if session.parent == Some(ParentWatch::Stands) {
                events.push(Event::ParentUndecided { found: Line::clipped(NOT_COMPARED) });
            }
            events.push(Event::SupervisorLost);
            events
        }
    }
}

/// Records that nobody compared the worktree when a turn ended. The event comes before the end of the turn: a process
/// that dies in between records it again.
fn not_compared(session: &AgentSession) -> Option<Event> {
    let is_news = session.proof.is_some() && session.active_turn().is_some() && !session.changed.unread;
    is_news.then(|| Event::FilesChanged { files: ChangedFiles { unread: true, ..session.changed.clone() } })
}
