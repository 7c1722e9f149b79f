//! Time limits of each step (A5), and the bounds of what an agent may send.

use std::time::Duration;

use crate::pipes::MostUnread;

/// Time limits of the steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Each step of the handshake: initialize, a new or loaded session, a setting.
    pub handshake: Duration,
    /// From the start of the session until our MCP server has been greeted.
    pub greeting: Duration,
    /// From the start of a turn until its model has sent something.
    pub first_token: Duration,
    pub turn: Duration,
    /// From the answer to its question until a turn that runs on is cancelled.
    pub runs_on: Duration,
    /// From a cancel to the end of the turn.
    pub cancel: Duration,
    /// From the last sign of life in a turn until git grill says what it waits for.
    pub quiet: Duration,
    /// From the last sign of life in a turn until the agent counts as silent, where nobody watches (A5).
    pub silence: Option<Duration>,
}

impl Limits {
    /// The same for a trial, whose one turn is two calls.
    #[must_use]
    pub fn of_a_trial(self) -> Self {
        Self { turn: Duration::from_mins(5), ..self }
    }
}

/// From the end of the agent's input until the agent must have exited by itself (A37).
pub const LEAVING: Duration = Duration::from_secs(1);
/// The longest line that is read; a longer one is dropped whole and counts as junk.
pub const LONGEST_LINE: usize = 16 * 1024 * 1024;
/// So many lines in a row that are not JSON, and the other end does not speak the protocol (A5).
pub const MOST_JUNK: usize = 10;
/// Lines that wait to be read. A faster agent waits in its own pipe.
pub const MOST_WAITING: usize = 256;
/// Bytes of all lines that wait to be read, beside the one that is just coming in: so a flood costs no more memory,
/// however long its lines are.
pub const MOST_WAITING_BYTES: usize = 32 * 1024 * 1024;
const _: () = assert!(LONGEST_LINE <= MOST_WAITING_BYTES, "a line for which there is never room stops all others");
/// What waits to be written to an agent that does not read: prompts, answers and refusals, whose ids are as long as the
/// agent makes them. With more, it is ended.
pub const MOST_UNREAD: MostUnread = MostUnread { pieces: 1024, bytes: 32 * 1024 * 1024 };
const _: () = assert!(LONGEST_LINE < MOST_UNREAD.bytes, "a request that could be read can be refused");
