//! What is found when a repository is examined: each finding says what, why it matters, and what mends it.

use crate::domain::ids::SessionId;

/// How much a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Worth knowing; nothing is wrong.
    Note,
    /// Something is left over or weaker than it should be.
    Warning,
    /// What was promised does not hold, or git is kept from working.
    Error,
}

impl Severity {
    /// The word for people and machines.
    pub fn word(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// What mends a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mend {
    /// `git grill doctor --fix` does it.
    Fix,
    /// A command that somebody has to type; where there are several ways out, one a line, the best first.
    Command(String),
    /// Nothing has to be done.
    Nothing,
}

/// One thing that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The code that machines compare.
    pub code: &'static str,
    /// How much it matters.
    pub severity: Severity,
    /// What was found, in one lower-case sentence without a full stop.
    pub what: String,
    /// Why it matters, likewise.
    pub why: String,
    /// What mends it.
    pub mend: Mend,
    /// The session that it is about, if it is about one.
    pub session: Option<SessionId>,
}

/// Something that this machine can or cannot do for us.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ability {
    /// What.
    pub name: &'static str,
    /// How it stands, in a few words.
    pub state: String,
    /// What that means; empty where it needs no explanation.
    pub meaning: String,
}

/// An examined repository.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Examination {
    /// What is there now, the worst first.
    pub findings: Vec<Finding>,
    /// What was there before it was mended just now.
    pub mended: Vec<Finding>,
    /// What was done to mend it, in sentences.
    pub done: Vec<String>,
    /// How much was looked at commit by commit; none where only the newest commits were.
    pub walked: Option<Walked>,
    /// What this machine can do.
    pub abilities: Vec<Ability>,
}

impl Examination {
    /// The worst that is left.
    pub fn worst(&self) -> Option<Severity> {
        self.findings.iter().map(|finding| finding.severity).max()
    }
}

/// How much of the sessions' histories was looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Walked {
    /// How many sessions.
    pub sessions: usize,
    /// How many commits.
    pub commits: usize,
}

/// Which histories are walked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Histories<'a> {
    /// Those of all sessions.
    All,
    /// That of one session.
    Of(&'a SessionId),
}

/// Whether an examination also mends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mending {
    /// It only looks.
    Look,
    /// It mends what it can.
    Fix,
}
