//! What a trial of an agent shows, and what is kept of it (A28).

use jiff::Timestamp;

use super::leading::Within;

/// Who keeps something from happening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// The kernel, by the walls around the agent.
    Kernel,
    /// git grill, which refuses what it is asked.
    GitGrill,
    /// The agent itself, as it is told.
    Agent,
    Nobody,
}

impl By {
    /// In words.
    pub const fn in_words(self) -> &'static str {
        match self {
            Self::Kernel => "the kernel",
            Self::GitGrill => "git grill",
            Self::Agent => "the agent",
            Self::Nobody => "nobody",
        }
    }

    /// For machines.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Kernel => "kernel",
            Self::GitGrill => "git-grill",
            Self::Agent => "agent",
            Self::Nobody => "nobody",
        }
    }
}

/// What became of the write that the agent was asked to try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attempt {
    /// It was not seen trying.
    None,
    /// It tried, and the file is not there.
    Refused(By),
    /// The file was there afterwards.
    Wrote(Removed),
}

/// What became of the file that an agent wrote in a trial.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Removed {
    /// It was taken away again.
    Yes,
    No,
}

/// What was seen of an agent during a trial.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witnessed {
    pub version: Option<String>,
    /// The first of our tools that it really called: the call reached our server.
    pub called: Option<String>,
    /// Whether it showed that call under the name by which our tools are recognised.
    pub recognised: bool,
    pub attempt: Attempt,
    pub said: String,
}

/// What is kept of a trial that went well.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// The version that the agent told; none where it tells none.
    pub version: Option<String>,
    pub at: Timestamp,
    pub within: Within,
}
