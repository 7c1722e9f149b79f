//! Setting up coding agents: what was done to their files, and how each of them stands.

use std::path::PathBuf;

/// Whose settings are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Those of this repository.
    Project,
    /// Those of the user.
    User,
}

impl Scope {
    /// The option that names it.
    pub const fn option(self) -> &'static str {
        match self {
            Self::Project => "--project",
            Self::User => "--user",
        }
    }
}

/// What is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deed {
    /// An agent is set up.
    Install,
    /// That is taken back.
    Uninstall,
}

impl Deed {
    /// The verb that does it.
    pub const fn verb(self) -> &'static str {
        match self {
            Self::Install => "install",
            Self::Uninstall => "uninstall",
        }
    }
}

/// Whether files are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Writing {
    /// They are.
    Done,
    /// It is only shown what would be written.
    Shown,
}

/// What becomes of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileChange {
    /// The file, as it is shown.
    pub path: PathBuf,
    /// What it holds of ours, in words.
    pub holds: String,
    /// What stood there; `None` where nothing did.
    pub before: Option<String>,
    /// What stands there now; `None` where nothing does.
    pub after: Option<String>,
}

impl FileChange {
    /// What happened, in a word.
    pub fn word(&self) -> &'static str {
        match (&self.before, &self.after) {
            (before, after) if before == after => "unchanged",
            (None, _) => "created",
            (Some(_), Some(_)) => "edited",
            (Some(_), None) => "deleted",
        }
    }

    /// Whether anything happened.
    pub fn is_change(&self) -> bool {
        self.before != self.after
    }
}

/// An agent that was set up, or set back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetUp {
    /// Its name, as it is typed.
    pub agent: &'static str,
    /// Its name, as its makers write it.
    pub label: &'static str,
    /// What was done.
    pub deed: Deed,
    /// Whether it was.
    pub writing: Writing,
    /// Whose settings.
    pub scope: Scope,
    /// The files.
    pub files: Vec<FileChange>,
    /// What the person does before the agent reads them.
    pub trust: &'static str,
    /// How the agent is started.
    pub start: &'static str,
    /// How the interview begins in it.
    pub command: &'static str,
    /// What the guard does not stop there.
    pub gaps: &'static str,
}

/// How much of an installation is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Installed {
    /// Nothing.
    No,
    /// All of it.
    Yes,
    /// All of it, by another version of git grill.
    Older,
    /// A part of it.
    Partly,
    /// It cannot be told, or something else is in its place: why.
    Unclear(String),
}

impl Installed {
    /// It in a word.
    pub const fn word(&self) -> &'static str {
        match self {
            Self::No => "no",
            Self::Yes => "installed",
            Self::Older => "older",
            Self::Partly => "partly",
            Self::Unclear(_) => "unclear",
        }
    }
}

/// An agent in the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentRow {
    /// Its name, as it is typed.
    pub agent: &'static str,
    /// Its name, as its makers write it.
    pub label: &'static str,
    /// Whether a gate hook refuses file writes and shell commands there, or it is only asked of the agent.
    pub enforced: bool,
    /// What the guard does not stop there.
    pub gaps: &'static str,
    /// Whether it shows questions in a form of its own.
    pub elicitation: &'static str,
    /// How our instructions reach its model.
    pub instructions: &'static str,
    /// Test result with the real agent, and its version.
    pub seen: &'static str,
    /// What of it we tried with the real agent, and what only its makers say; in words.
    pub tried: Vec<&'static str>,
    /// The rest of it.
    pub told: Vec<&'static str>,
    /// How it stands in this repository; `None` outside of one.
    pub project: Option<Installed>,
    /// How it stands in the user's own settings; `None` without a home folder.
    pub user: Option<Installed>,
    /// What the person does before the agent reads what was installed in a repository.
    pub trust_project: &'static str,
    /// The same for their own settings.
    pub trust_user: &'static str,
}
