//! One turn of an agent session: a prompt, and what became of it.

use jiff::Timestamp;

use super::failure::Failure;
use super::handle::TurnHandle;
use super::media::Media;
use super::state::TurnState;
use crate::domain::text::Line;

/// The reason to stop of an agent that has said what it wanted to.
pub const END_TURN: &str = "end_turn";

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentTurn {
    pub handle: TurnHandle,
    pub state: TurnState,
    pub queued: Timestamp,
    /// Time of the newest change of its state.
    pub since: Timestamp,
    /// The agent's reason to stop, of a completed turn.
    pub stop: Option<Line>,
    /// The failure of a failed turn.
    pub failure: Option<Failure>,
    /// Pictures that go with its prompt (A19).
    pub media: Vec<Media>,
    /// Media that the agent made in it (A20).
    pub made: Vec<Media>,
}

impl AgentTurn {
    /// Why a completed turn was cut off; none where the agent ended it.
    pub fn cut_off(&self) -> Option<&Line> {
        self.stop.as_ref().filter(|stop| stop.as_str() != END_TURN)
    }

    /// Why its work may be half done: it was cut off, or it failed.
    pub fn unfinished(&self) -> Option<&Line> {
        self.cut_off().or(self.failure.as_ref().map(|failure| &failure.why))
    }

    pub(super) fn queued(handle: TurnHandle, at: Timestamp, media: Vec<Media>) -> Self {
        let state = TurnState::Queued;
        Self { handle, state, queued: at, since: at, stop: None, failure: None, media, made: Vec::new() }
    }
}
