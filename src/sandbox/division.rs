//! The two processes that a run is divided into, and what to type where there are no walls, on every system.

use super::Inside;

/// A command to type where a run has no walls.
pub const WITHOUT_WALLS: &str = "git grill run --best-effort -- <command> runs it with what there is";

/// The two processes that a run is divided into.
pub enum Side {
    /// The one outside: the run is over.
    Outside(Over),
    /// The one that builds the walls and becomes the command, or looks after it.
    Inside(Box<Inside>),
}

/// The end of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Over {
    /// Exit code of the command; 128 and the number of the signal that killed it.
    pub code: u8,
    /// Processes of the run go on, because they multiply faster than they can be killed.
    pub left: bool,
}

/// The next part of the process inside.
pub enum Part {
    Command,
    /// To end with this exit code: the command has ended.
    Over(u8),
}
