//! The text of the checkpoint that an agent was last shown or wrote: what its next update is made from, where it names no
//! version.

use crate::domain::checkpoint::Checkpoint;
use crate::domain::ids::SessionId;

/// Record of the checkpoint version that each agent last saw, kept across calls and processes.
///
/// What is not known for certain is `None`: an update is then taken for one of the first text, so that at worst it is
/// refused where it could have been taken.
pub trait LastShown {
    /// The text that this agent was last shown or wrote.
    fn last(&self, session: &SessionId, agent: &str) -> Option<Checkpoint>;
    fn note(&self, session: &SessionId, agent: &str, text: &Checkpoint);
    /// Forgets what agents were shown of a session that is over.
    fn forget(&self, session: &SessionId);
}
