//! Setting up coding agents: what was done to their files, and how each of them stands.

use std::path::PathBuf;

/// Whose settings are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    Project,
    User,
}

impl Scope {
    pub const fn option(self) -> &'static str {
        match self {
            Self::Project => "--project",
            Self::User => "--user",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InstallAction {
    Install,
    Uninstall,
}

impl InstallAction {
    pub const fn verb(self) -> &'static str {
        match self {
            Self::Install => "install",
            Self::Uninstall => "uninstall",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Writing {
    Done,
    /// It is only shown what would be written.
    Shown,
}

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
    pub fn word(&self) -> &'static str {
        match (&self.before, &self.after) {
            (before, after) if before == after => "unchanged",
            (None, _) => "created",
            (Some(_), Some(_)) => "edited",
            (Some(_), None) => "deleted",
        }
    }

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
    pub deed: InstallAction,
    pub writing: Writing,
    pub scope: Scope,
    pub files: Vec<FileChange>,
    /// What the person does before the agent reads them.
    pub trust: &'static str,
    pub start: &'static str,
    /// How the interview begins in it.
    pub command: &'static str,
    /// What the guard does not stop there.
    pub gaps: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Installed {
    No,
    Yes,
    /// All of it, by another version of git grill.
    Older,
    Partly,
    /// It cannot be told, or something else is in its place: why.
    Unclear(String),
}

impl Installed {
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
