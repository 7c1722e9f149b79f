//! How the hooks stand, in all the detail that `git grill hooks status` tells.

use std::path::PathBuf;

/// Where a worktree is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Armed {
    /// No worktree has an active session.
    Nowhere,
    /// This one has.
    Here,
    /// Another one has, and the hooks let this one pass.
    Elsewhere,
}

impl Armed {
    /// The word for people and machines.
    pub fn word(self) -> &'static str {
        match self {
            Self::Nowhere => "nowhere",
            Self::Here => "here",
            Self::Elsewhere => "elsewhere",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HookState {
    /// As it was installed, and git runs it.
    Intact,
    Missing,
    Changed,
    /// It is there, and git does not run it; says why.
    NotEffective(String),
    /// It is there, and the program that it runs is not.
    ProgramGone,
    /// It is there, word for word as we write it, and on no record.
    Unrecorded,
}

impl HookState {
    /// The word for people and machines.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Intact => "intact",
            Self::Missing => "missing",
            Self::Changed => "changed",
            Self::NotEffective(_) => "not-effective",
            Self::ProgramGone => "program-gone",
            Self::Unrecorded => "unrecorded",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OurHook {
    /// git's name for it.
    pub name: String,
    /// The file, or the key in the configuration.
    pub place: String,
    pub state: HookState,
}

/// What becomes of a hook that is not ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Called {
    /// git runs it as before.
    ByGit,
    ByOurs,
    /// Nobody does: it came after ours were installed.
    No,
}

impl Called {
    /// The word for people and machines.
    pub fn word(self) -> &'static str {
        match self {
            Self::ByGit => "git runs it",
            Self::ByOurs => "ours runs it",
            Self::No => "nobody runs it",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForeignHook {
    /// git's name for it.
    pub name: String,
    pub path: PathBuf,
    pub called: Called,
}

/// The hooks of a repository, seen from one worktree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HooksReport {
    /// The version of git on the path.
    pub git: String,
    /// Where a session is active.
    pub armed: Armed,
    /// How ours are installed: `configured`, `beside`, `folder`; `None` when they are not.
    pub rule: Option<&'static str>,
    /// The folder in which git looks for hooks here.
    pub folder: PathBuf,
    pub program: Option<PathBuf>,
    pub ours: Vec<OurHook>,
    pub foreign: Vec<ForeignHook>,
    /// What this git cannot refuse, one sentence each.
    pub cannot: Vec<String>,
}
