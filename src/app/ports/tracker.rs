//! The tracker: where issues are created, through a program of the user's own (G32).

use jiff::Timestamp;

use crate::domain::issue::IssueText;
use crate::domain::tracker::TrackerRepository;

/// An issue as it is created: exactly these texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewIssue {
    /// Its title, one line.
    pub title: String,
    /// Its body in Markdown, the marker in it.
    pub body: String,
    /// Its labels, by name.
    pub labels: Vec<String>,
}

impl NewIssue {
    pub fn of(text: &IssueText, body: String) -> Self {
        let IssueText { title, labels, .. } = text.clone();
        Self { title, body, labels }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThereIssue {
    pub number: u64,
    pub url: String,
    /// Its body, as the host gives it back: a `gh` may show control characters in it as `^[`.
    pub body: String,
    /// Its labels, by name. A host leaves out without a word what this login may not set.
    pub labels: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewRepository {
    pub repository: TrackerRepository,
    /// The command line that creates it, word by word.
    pub command: Vec<String>,
}

/// Creates issues. Nothing here decides: what is created was approved.
pub trait Tracker {
    /// The repository that is meant where we are, as the program says.
    fn here(&self) -> Result<TrackerRepository, TrackerError>;
    /// Whether the program is there and new enough, without asking the network.
    fn installed(&self) -> Result<(), TrackerError>;
    /// The command that would create a private repository of this name. Creates nothing.
    fn founding(&self, repository: &TrackerRepository) -> Result<NewRepository, TrackerError>;
    /// Creates a repository with exactly this command.
    fn create_repository(&self, new: &NewRepository) -> Result<(), TrackerError>;
    /// Whether issues could be created in `repository` now: the program, the login, the repository, the right to write,
    /// issues enabled. Gives which of the labels of `issues` do not exist there. Changes nothing.
    fn ready(&self, repository: &TrackerRepository, issues: &[NewIssue]) -> Result<Vec<String>, TrackerError>;
    /// Creates labels that are missing; one that exists by now is left alone.
    fn supply(&self, repository: &TrackerRepository, labels: &[String]) -> Result<(), TrackerError>;
    /// The issues that the logged-in user opened at or after `since` (give or take a day, for clocks that differ) whose
    /// body contains `marker`; open and closed ones, the oldest first.
    fn find(
        &self,
        repository: &TrackerRepository,
        marker: &str,
        since: Timestamp,
    ) -> Result<Vec<ThereIssue>, TrackerError>;
    fn create(&self, repository: &TrackerRepository, issue: &NewIssue) -> Result<ThereIssue, TrackerError>;
}

/// Why the tracker did not do its work. What was created before stays and is found again.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TrackerError {
    /// `gh` is not installed.
    #[error("gh is not installed")]
    NoProgram,
    /// `gh` is older than what we can work with.
    #[error("this gh ({version}) is too old")]
    OldProgram { version: String },
    #[error("gh is not logged in to {host}")]
    NotLoggedIn { host: String },
    /// The repository does not exist, or this login cannot see it.
    #[error("{repository} does not exist, or this login cannot see it")]
    NoRepository { repository: TrackerRepository },
    /// The repository has another name now, and takes nothing under the old one.
    #[error("{repository} is called {to} now")]
    Moved {
        /// The name that was asked for.
        repository: TrackerRepository,
        /// The one that it has.
        to: Box<TrackerRepository>,
    },
    /// This login may not create issues there, or not with labels.
    #[error("this login may not do that in {repository}: {why}")]
    Forbidden { repository: TrackerRepository, why: String },
    #[error("issues are disabled in {repository}")]
    IssuesDisabled { repository: TrackerRepository },
    /// The repository is archived: it is read-only.
    #[error("{repository} is archived and takes no issues")]
    Archived { repository: TrackerRepository },
    /// The host wants fewer requests.
    #[error("{host} takes no more requests just now{}", until.map(|at| format!(", until {at}")).unwrap_or_default())]
    RateLimited {
        host: String,
        /// When it takes some again, where it says so.
        until: Option<Timestamp>,
    },
    /// The host was not reached, or broke off.
    #[error("{host} was not reached or failed: {why}")]
    Network { host: String, why: String },
    #[error("{repository} did not take it: {why}")]
    Refused { repository: TrackerRepository, why: String },
    /// The program answered something that we do not understand. Nothing is claimed then.
    #[error("gh was not understood: {why}")]
    NotUnderstood { why: String },
    /// The program names no repository where we are.
    #[error("gh names no repository here: {why}")]
    Nowhere { why: String },
}
