//! Recording where this process cannot: behind the walls of a read-only run, whoever is outside does it.

use std::path::PathBuf;

use crate::domain::command::Command;
use crate::domain::event::Recorded;
use crate::domain::ids::{QuestionId, SessionId};

/// Decides on wishes and records what happened, in another process. It says itself who wishes.
pub trait Recorder {
    /// Decides on a wish and records what happened.
    fn record(&self, id: &SessionId, command: &Command) -> Result<Vec<Recorded>, NotRecorded>;
    /// The same for several wishes, which become one commit, or none is recorded.
    fn record_each(&self, id: &SessionId, commands: &[&Command]) -> Result<Vec<Recorded>, NotRecorded>;
    /// The most wishes that become one commit.
    fn most(&self) -> usize;
    /// Lets the built-in interviewer take the floor.
    fn advance(&self, id: &SessionId) -> Result<Vec<Recorded>, NotRecorded>;
    /// Keeps a reply that could not be recorded; the file it was written to.
    fn keep(&self, id: &SessionId, question: &QuestionId, text: &str) -> Result<PathBuf, NotRecorded>;
    /// Takes such a reply away, known by its words; refused where none of this run's says them.
    fn drop_kept(&self, id: &SessionId, question: &QuestionId, text: &str) -> Result<(), NotRecorded>;
}

/// Why nothing was recorded, as it was told from outside.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct NotRecorded {
    pub code: String,
    pub exit: u8,
    pub message: String,
    /// Why, one a line.
    pub causes: Vec<String>,
    pub hint: Option<String>,
    /// What an agent is to do about it, from where the refusal itself is known; the tool that was called is not.
    pub advice: Option<Box<str>>,
    pub timing: Timing,
}

/// Whether a wish was right when it was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timing {
    /// It was, and is not any more.
    Late,
    /// Time has nothing to do with it.
    Whenever,
}
