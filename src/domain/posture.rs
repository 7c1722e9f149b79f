//! How tightly a worktree is held: what every read-only layer asks first.
//!
//! A posture is derived from the session and handed to policy and hooks. Nothing here knows git.

use super::session::{Grip, Phase};

/// Whether git's own locks are held while nothing may change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fencing {
    /// The hooks alone.
    #[default]
    Off,
    /// The fence as well.
    On,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FenceStands {
    /// Nobody asked for one.
    #[default]
    None,
    Up,
    /// It is down for the output phase, and comes back with the interview.
    Down,
    /// It should be up, and locks of it are missing.
    Broken,
}

impl FenceStands {
    /// The word for machines; `None` without a fence.
    pub fn word(self) -> Option<&'static str> {
        match self {
            Self::None => None,
            Self::Up => Some("up"),
            Self::Down => Some("down"),
            Self::Broken => Some("broken"),
        }
    }
}

/// The two phases in which nothing may change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadOnlyPhase {
    Interview,
    /// The person is choosing what to produce.
    OutputSelection,
    /// A session without an interview says so.
    NoInterview,
}

/// What a worktree may do to its repository right now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Posture {
    /// No session is active here: nothing is refused.
    Inactive,
    ReadOnly {
        phase: ReadOnlyPhase,
    },
    /// A session is active here that lets everything happen.
    Open,
    /// Only what the approved plan names may change (G33).
    Output {
        /// Approved paths from the root of the worktree, `/` between the parts. One that ends in `/` stands for
        /// everything below that folder; any other for exactly that file.
        paths: Vec<String>,
    },
}

impl Posture {
    /// Whether nothing is refused, with a session or without one.
    pub fn refuses_nothing(&self) -> bool {
        matches!(self, Self::Inactive | Self::Open)
    }

    /// How tightly a session in this phase holds its worktree.
    pub fn of(phase: &Phase) -> Self {
        match phase {
            Phase::Interview(_) => Self::ReadOnly { phase: ReadOnlyPhase::Interview },
            Phase::Selection(_) => Self::ReadOnly { phase: ReadOnlyPhase::OutputSelection },
            Phase::Production(production) => {
                Self::Output { paths: production.open_files().map(|path| path.as_str().to_owned()).collect() }
            }
            Phase::NoInterview { hold: Grip::ReadOnly } => Self::ReadOnly { phase: ReadOnlyPhase::NoInterview },
            Phase::NoInterview { hold: Grip::Lifted { .. } } => Self::Open,
            Phase::Closed { .. } => Self::Inactive,
        }
    }
}
