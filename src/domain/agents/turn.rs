//! One turn of an agent session: a prompt, and what became of it.

use jiff::Timestamp;

use super::failure::Failure;
use super::handle::TurnHandle;
use super::media::Media;
use super::state::TurnState;
use crate::domain::text::Line;

/// The reason to stop of an agent that has said what it wanted to.
pub const END_TURN: &str = "end_turn";
/// Why a turn was cut off, as ledgers have it: `max_tokens` in the protocol.
pub const NO_TOKENS: &str = "its model ran out of tokens";
/// The same for `max_turn_requests`.
pub const NO_REQUESTS: &str = "it ran out of requests";
/// The same where a refusal of ours ended it.
pub const REFUSED: &str = "it ended its turn when something was refused";
/// What stands before the agent's own word.
pub const OWN_REASON: &str = "it stopped for a reason of its own: ";

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

    /// Whether its agent had more to do. One that was refused something may have gone on, and ended as it wanted to.
    pub fn is_cut_short(&self) -> bool {
        self.cut_off().is_some_and(|why| why.as_str() != REFUSED)
    }

    /// The reason to stop as the agents' protocol has it, for programs; a word of the agent's own as it gave it.
    pub fn stop_word(&self) -> Option<&str> {
        Some(match self.stop.as_ref()?.as_str() {
            NO_TOKENS => "max_tokens",
            NO_REQUESTS => "max_turn_requests",
            // The protocol has no word for it, and agents end such a turn with different ones.
            REFUSED => "refused",
            told => told.strip_prefix(OWN_REASON).unwrap_or(told),
        })
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::agents::tests::{at, line};

    #[test]
    fn a9_a_program_reads_the_protocol_s_word_for_why_a_turn_ended() {
        let word = |told: &str| {
            let turn = AgentTurn::queued(TurnHandle::FIRST, at(0), Vec::new());
            AgentTurn { stop: Some(line(told)), ..turn }.stop_word().map(str::to_owned)
        };
        for (told, expected) in [
            (END_TURN, "end_turn"),
            (NO_TOKENS, "max_tokens"),
            (NO_REQUESTS, "max_turn_requests"),
            (REFUSED, "refused"),
            ("cancelled", "cancelled"),
            ("it stopped for a reason of its own: paused", "paused"),
        ] {
            assert_eq!(word(told).as_deref(), Some(expected));
        }
        assert_eq!(AgentTurn::queued(TurnHandle::FIRST, at(0), Vec::new()).stop_word(), None);
    }
}
