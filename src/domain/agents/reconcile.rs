//! Reconciling (A10): what a ledger owes after its supervisor's process died.

use super::decide::ending;
use super::event::Event;
use super::failure::{Failure, FailureCode};
use super::session::AgentSession;
use super::state::SessionState;
use crate::domain::text::Line;

/// Whether a process that a ledger names is still there, by id and start time (A30).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    There,
    Gone,
}

/// The events that bring a session into a state that is true. The turn of a process that died failed, the prompts that
/// waited are dropped, what was asked is void. A session that had been opened is idle afterwards, since its agent may
/// load it again; one that had not failed. The mark of the agent's process stays: whether that died as well is to be
/// proven.
pub fn reconcile(session: &AgentSession, supervisor: Presence) -> Vec<Event> {
    match (&session.supervisor, supervisor) {
        (None, _) | (Some(_), Presence::There) => Vec::new(),
        (Some(process), Presence::Gone) => {
            let why = Line::clipped(&format!("the supervisor, process {}, ended before the turn did", process.id()));
            let failure = Failure { code: FailureCode::SupervisorGone, why };
            let mut events = ending(session, |turn| Event::TurnFailed { turn, failure: failure.clone() });
            if session.state == SessionState::Starting {
                events.push(Event::SessionFailed { failure });
            }
            events.push(Event::SupervisorLost);
            events
        }
    }
}
