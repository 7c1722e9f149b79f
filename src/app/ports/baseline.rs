//! The baseline, as the use cases see it: taken before anything is armed, compared when it matters, brought back when a
//! person wants that.

use std::collections::BTreeMap;
use std::error::Error;

use crate::domain::drift::{Kept, Spot, Step, Verification};
use crate::domain::ids::{ObjectId, SessionId};
use crate::domain::plan::derived::Sighting;
use crate::domain::production::TargetPath;
use crate::domain::session::Session;

/// A snapshot that nothing names yet: it is lost with the next garbage collection unless it is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapped(pub ObjectId);

/// Whether a session has a baseline in this worktree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Held {
    /// It has one that was taken here.
    Baseline,
    /// One was taken here, and its ref is gone or names something else.
    Lost,
    /// None was taken here.
    Nothing,
}

/// A watch that stands over a session (A25).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Watched {
    /// Nothing is known to have changed since it began.
    Quiet,
    /// Something changed, and the person has yet to say whose it is.
    Undecided,
}

/// Whether a watched agent can still write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WatchedAgent {
    /// It may; what it wrote about its own end counts for nothing.
    AtWork,
    /// It has ended: what changed after that is told apart, as far as its end was noted.
    Gone,
}

/// A file as we left it: what we wrote there, or nothing where we took it away again.
pub type AsLeft<'a> = (&'a TargetPath, Option<&'a str>);

/// What bringing the baseline back would change, and what it did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Restored {
    /// The ref under which everything that was replaced can be found again; none when nothing was replaced.
    pub kept: Option<String>,
    /// What could not be brought back, with the reason.
    pub left: Vec<String>,
    /// What became of HEAD, the refs and the stashes.
    pub refs: Vec<RestoredRef>,
}

/// The commands that show what is kept under a name: all of it, wherever they are typed, and one file.
pub fn looks_at(kept: &str) -> [String; 2] {
    [format!("git ls-tree -r --full-tree {kept}:worktree"), format!("git show {kept}:worktree/<path>")]
}

/// A ref that a restore replaced; of the stash, one entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RestoredRef {
    /// Its full name, as git quotes it.
    pub name: String,
    pub fate: Fate,
    /// The command that brings back what was replaced.
    pub undo: String,
}

/// What a restore did to a ref.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It had appeared, and was deleted.
    Deleted,
    /// It was moved back.
    Moved,
    /// It was gone, and was made again.
    Made,
}

impl std::fmt::Display for Fate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Deleted => "deleted",
            Self::Moved => "moved back",
            Self::Made => "made again",
        })
    }
}

/// Records what a repository looks like, compares, and brings it back.
pub trait Baseline {
    /// Takes a snapshot: HEAD, refs, stash, index entries, working tree. Changes nothing that git shows.
    fn take(&self) -> Result<Snapped, BaselineError>;
    /// Makes a snapshot the baseline of a session, in the place of an earlier one. Call this, as everything that moves or
    /// removes the baseline, with the session's lock held.
    fn keep(&self, snapped: &Snapped, id: &SessionId) -> Result<(), BaselineError>;
    fn held(&self, id: &SessionId) -> Result<Held, BaselineError>;
    /// Fails with [`BaselineError::Lost`] where the baseline is lost, with [`BaselineError::Elsewhere`] where it was taken in
    /// another folder, and otherwise only where it cannot be told.
    fn check(&self, id: &SessionId) -> Result<(), BaselineError>;
    /// The folder whose files are compared and brought back, as git quotes it; none in a bare repository.
    fn top(&self) -> Option<String>;
    /// Sets the ref of a lost baseline again; whether a whole snapshot of those that were taken here is left. Call this
    /// with the session's lock held.
    fn find_again(&self, id: &SessionId) -> Result<bool, BaselineError>;
    /// What git is configured to do from now on is expected: hooks of ours were installed or taken away.
    fn settle_settings(&self, id: &SessionId) -> Result<(), BaselineError>;
    /// Notes cheap marks of the repository beside a recorded step, so that drift can be dated. Costs a few reads.
    fn mark(&self, id: &SessionId, step: &Step) -> Result<(), BaselineError>;
    /// Files that were approved and written by us, or taken back by us, are what is expected from now on, by one step of
    /// the baseline however many they are; no content expects no file.
    fn expect_written(&self, id: &SessionId, files: &[AsLeft<'_>]) -> Result<(), BaselineError>;
    /// Commits of approved files that the hooks let through are what is expected from now on.
    fn expect_commits(&self, id: &SessionId, approved: &[String]) -> Result<(), BaselineError>;
    /// Compares. What changed after the end of a session that is over is told apart.
    fn verify(&self, session: &Session) -> Result<Verification, BaselineError>;
    /// Notes what the repository looks like at the end of the session: what differs from it later is no drift of it. A
    /// session without a baseline needs none. Call this with the session's lock held.
    fn note_end(&self, id: &SessionId) -> Result<(), BaselineError>;
    /// What bringing these spots back would do to the files, as a unified diff.
    fn diff(&self, id: &SessionId, spots: &[Spot]) -> Result<String, BaselineError>;
    /// How many commits would leave a ref that is moved back, by its name as a comparison has it.
    fn leaving(&self, id: &SessionId, name: &str) -> Result<usize, BaselineError>;
    /// Keeps what is there now, and brings back the drift that was shown. Where it is not as it was then, this fails with
    /// [`BaselineError::Changed`]. Any other file stays, also one that is seen only once a rule that hid it is gone.
    fn restore(&self, id: &SessionId, shown: &Verification) -> Result<Restored, BaselineError>;
    /// Begins to watch over the repository while an agent runs that nothing keeps from writing (A25), in the place of an
    /// earlier watch: what is there now is what it is compared with. Call this with the session's lock held.
    fn watch(&self, id: &SessionId) -> Result<(), BaselineError>;
    /// The watch that stands over the session; it outlives the process that began it.
    fn watched(&self, id: &SessionId) -> Result<Option<Watched>, BaselineError>;
    /// Compares with how it was when the watch began, and notes whether something is to be decided.
    fn since_watched(&self, id: &SessionId, agent: WatchedAgent) -> Result<Verification, BaselineError>;
    /// Begins the watch anew at what is there now, where nothing changed but what is kept; else what did.
    fn watch_again(&self, id: &SessionId, kept: &Kept) -> Result<Option<Verification>, BaselineError>;
    /// What the user has said is to stay, while the rest is to be decided; as long as it is as it was then.
    fn kept_watched(&self, id: &SessionId) -> Result<Kept, BaselineError>;
    /// Notes it, until all is decided.
    fn keep_watched(&self, id: &SessionId, kept: &Kept) -> Result<(), BaselineError>;
    /// Notes that the agent is gone, where something is to be decided: what changes from now on is no change of its.
    fn note_watched_end(&self, id: &SessionId) -> Result<(), BaselineError>;
    /// The change that bringing this one spot back would make, as a unified diff.
    fn watched_diff(&self, id: &SessionId, spot: &Spot) -> Result<String, BaselineError>;
    /// The same with how it was when the watch began.
    fn bring_back(&self, id: &SessionId, shown: &Verification) -> Result<Restored, BaselineError>;
    /// Ends the watch; call this with the session's lock held.
    fn unwatch(&self, id: &SessionId) -> Result<(), BaselineError>;
    /// Stores the state of these files, which replaces what was stored before: they are the files that the steps of a
    /// plan name when its execution begins. Does nothing for a session without a baseline. Call this with the session's
    /// lock held.
    fn note_named(&self, id: &SessionId, paths: &[String]) -> Result<(), BaselineError>;
    /// The state of these files now, and their stored state if there is one. Reads no other file and follows no
    /// symlink; leaves out files that are too large or cannot be read.
    fn named(&self, id: &SessionId, paths: &[String]) -> Result<BTreeMap<String, Sighting>, BaselineError>;
    /// Forgets the baseline of a session that ended; what was replaced stays.
    fn forget(&self, id: &SessionId) -> Result<(), BaselineError>;
}

/// Why the baseline was not taken, compared or brought back.
#[derive(Debug, thiserror::Error)]
pub enum BaselineError {
    /// The session has none.
    #[error("session {id} has no baseline here")]
    None { id: String },
    /// The session has one, and its ref does not lead to it any more.
    #[error("the record of how things were at the start is gone, so what changed since cannot be named: {why}")]
    Lost {
        /// What became of the ref.
        why: String,
    },
    /// The working tree is not the folder that the baseline was taken in, or that is not known.
    #[error("{what}")]
    Elsewhere {
        /// What was not done, and why.
        what: String,
        /// The command that compares in the right folder.
        command: String,
    },
    /// The baseline was written by a newer git grill, or by nobody.
    #[error("the baseline cannot be read: {why}")]
    Unreadable { why: String },
    /// Something changed while it was being looked at or brought back.
    #[error("{path} changed meanwhile, so {undone}")]
    Changed {
        path: String,
        /// What was not done.
        undone: &'static str,
    },
    /// git, its library or the disk said no.
    #[error("{doing} failed")]
    Failed {
        doing: String,
        #[source]
        source: Box<dyn Error + Send + Sync>,
    },
}

impl BaselineError {
    pub fn failed(doing: impl Into<String>, source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::Failed { doing: doing.into(), source: source.into() }
    }

    /// What to type next, where we know it.
    pub fn hint(&self) -> Option<&str> {
        match self {
            Self::None { .. } => Some("git status and git diff show what changed since the last commit"),
            Self::Lost { .. } => Some("git grill doctor --fix brings it back where its objects are still there"),
            Self::Elsewhere { command, .. } => Some(command.as_str()),
            Self::Unreadable { .. } => Some("git for-each-ref refs/grill/local lists what there is"),
            Self::Changed { .. } => Some("git grill verify shows what is left; the same command again goes on"),
            Self::Failed { .. } => None,
        }
    }
}
