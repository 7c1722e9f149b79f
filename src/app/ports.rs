//! The ports: what the use cases need from the world, as traits. Their implementations live in the outer rooms.

mod accepting;
mod baseline;
mod checking;
mod citing;
mod committing;
pub mod extensions;
mod finding;
mod hooks_report;
mod leading;
mod playing;
mod process;
mod recorder;
mod settling;
mod shown;
mod store_error;
mod supervising;
mod targets;
mod tracker;
mod tracker_error;
mod trial;

use std::collections::BTreeSet;
use std::path::PathBuf;

use jiff::Timestamp;

pub use self::accepting::{
    AcceptConflict, AcceptOutcome, AcceptStep, Accepting, Fate as AcceptFate, Offer, OfferedFile, ToUndo,
};
pub use self::baseline::{
    AsLeft, Baseline, BaselineError, Fate, Held, Restored, RestoredRef, Snapped, Watched, WatchedAgent, looks_at,
};
pub use self::checking::{CheckEnd, Checks};
pub use self::citing::{Citations, Unread};
pub use self::committing::{CommitError, Commits, Committed, NewCommit, Stashing, WorkCommit, WorkCommitted};
pub use self::finding::{Ability, Code, Examination, Finding, Histories, Mend, Mending, Severity, Walked};
pub use self::hooks_report::{Armed, Called, ForeignHook, HookState, HooksReport, OurHook};
pub use self::leading::{Hindrance, Leader, Leading, Looked, Memory, TurnEnd, Walls, Within};
pub use self::playing::{Played, Players};
pub use self::process::{Process, Ran, Run, Talk};
pub use self::recorder::{NotRecorded, Recorder, Timing};
pub use self::settling::Settling;
pub use self::shown::LastShown;
pub use self::store_error::{Holder, NO_ROOM, StoreError, holder_said};
pub use self::supervising::{
    AgentChanges, AgentFile, CleanedUp, LiveAgent, OpenForm, Picture, SeenSession, StartOrder, Supervising, Sweep,
    TurnResult, UnreadableSession,
};
pub use self::targets::{TargetFiles, TargetState, WriteError};
pub use self::tracker::{NewIssue, NewRepository, ThereIssue, Tracker, TrackerError};
pub use self::trial::{Attempt, By, Proof, Removed, Witnessed};
use crate::domain::checkpoint::Checkpoint;
use crate::domain::citations::Rechecked;
use crate::domain::event::Recorded;
use crate::domain::facts::{Earlier, Evidence, Inspection, RepoFacts};
use crate::domain::ids::{ObjectId, QuestionId, SessionId};
use crate::domain::production::Draft;
use crate::domain::session::Session;
use crate::domain::text::Topic;
use crate::domain::undoing::TakenBack;

/// The newest commit of a session, as somebody saw it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head(pub ObjectId);

/// A session as it is stored.
#[derive(Clone, Debug)]
pub struct Loaded {
    pub session: Session,
    /// The commit it was read from.
    pub head: Head,
}

/// What one append writes: one commit.
#[derive(Clone, Copy, Debug)]
pub struct Batch<'a> {
    /// What happened, at least one event.
    pub events: &'a [Recorded],
    pub after: &'a Session,
    /// The user's HEAD just now, for the `Grill-Base` trailer.
    pub base: Option<&'a ObjectId>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Appended {
    /// Written; the session's new tip.
    At(Head),
    /// Somebody else was faster: nothing was written. Load again and decide again.
    Moved,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    pub id: SessionId,
    /// What it holds, or why it cannot be read.
    pub state: Result<ListedState, String>,
    pub active_in: Option<PathBuf>,
}

/// The readable part of a listed session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedState {
    pub topic: Topic,
    pub phase: &'static str,
    /// What a subsystem calls it, where it has no interview.
    pub called: Option<&'static str>,
    pub updated_at: Timestamp,
}

impl ListedState {
    pub fn in_words(&self) -> &'static str {
        self.called.unwrap_or(self.phase)
    }
}

/// One commit of a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Version {
    pub commit: ObjectId,
    pub subject: String,
    pub author: String,
    pub at: Timestamp,
}

/// Where sessions are kept. A session is append-only: a commit is added or nothing happens.
pub trait SessionStore {
    /// Who reads and writes the sessions: `libgit2`, `git`, or `memory` in tests.
    fn backend(&self) -> &'static str;
    /// Holds the session's advisory lock until the guard is dropped; never across a prompt or the network.
    fn lock(&self, id: &SessionId) -> Result<Box<dyn std::any::Any>, StoreError>;
    /// Holds the right to create what the session's output phase owes, apart from its lock: creating takes the network.
    fn lock_production(&self, id: &SessionId) -> Result<Box<dyn std::any::Any>, StoreError>;
    /// Holds that no read-only run may write the files of the session's plan, until the guard is dropped; refused while
    /// one does. Leaving the output phase needs it.
    fn lock_runs(&self, id: &SessionId) -> Result<Box<dyn std::any::Any>, StoreError>;
    /// Writes a session's first commit. The id must be new.
    fn create(&self, batch: Batch<'_>) -> Result<Head, StoreError>;
    /// Reads the newest state.
    fn load(&self, id: &SessionId) -> Result<Loaded, StoreError>;
    /// Says whether a session has moved on from its newest state of now. Asked many times a second by who waits, so it
    /// looks at names and reads no session; it may say so where only another session has moved.
    fn watch(&self, _id: &SessionId) -> Box<dyn Fn() -> bool> {
        Box::new(|| false)
    }
    /// Adds one commit, if the tip still is `expected`.
    fn append(&self, expected: &Head, batch: Batch<'_>) -> Result<Appended, StoreError>;
    /// The id of every session, by name, the newest day first; none of them is read.
    fn ids(&self) -> Result<Vec<SessionId>, StoreError>;
    /// What these sessions are about, the one that changed last first.
    fn list_entries(&self, ids: &[SessionId]) -> Result<Vec<Listed>, StoreError>;
    /// Whether this clone has recorded something in a session. One that was only fetched is somebody else's.
    fn recorded_here(&self, _id: &SessionId) -> bool {
        true
    }
    /// Every session, the one that changed last first: for who asks for all of them.
    fn list(&self) -> Result<Vec<Listed>, StoreError> {
        self.list_entries(&self.ids()?)
    }
    /// The session that is active in this worktree. A pointer to a session that is gone is an error, not `None`.
    fn active(&self) -> Result<Option<SessionId>, StoreError>;
    /// Holds the right to say which session is active in this worktree, until the guard is dropped: whoever looks what is
    /// active and then changes it holds it from before the look. Never across a prompt or the network.
    fn claim(&self) -> Result<Box<dyn std::any::Any>, StoreError>;
    /// The right to have a role of the session's debate play, held until it is dropped: a role is asked once.
    /// [`StoreError::Busy`] at once where another process has it.
    fn step(&self, id: &SessionId) -> Result<Box<dyn std::any::Any>, StoreError>;
    /// Makes a session the active one of this worktree; refused while it is active in another.
    fn activate(&self, id: &SessionId) -> Result<(), StoreError>;
    /// Leaves this worktree without an active session.
    fn deactivate(&self) -> Result<(), StoreError>;
    /// Takes away what processes that died have left.
    fn tidy(&self) -> Result<(), StoreError>;
    /// The newest `limit` commits of a session, the newest first.
    fn versions(&self, id: &SessionId, limit: usize) -> Result<Vec<Version>, StoreError>;
    /// The checkpoint at a version: the id of a commit or of a text (or its beginning), `~N` back from the tip, or `@N`,
    /// its Nth text counted from 1; each change makes a new one, and so does a text that comes back.
    fn checkpoint_at(&self, id: &SessionId, version: &str) -> Result<Checkpoint, StoreError>;
    /// The newest text of the checkpoint that differs from the one now; the first one when there was no other.
    fn previous_checkpoint(&self, id: &SessionId) -> Result<Checkpoint, StoreError>;
    /// The output phases that were taken back since the session last wrote a file.
    fn taken_back(&self, id: &SessionId) -> Result<TakenBack, StoreError>;
    /// The states of a session in which these drafts were handed in last, each state once, the newest first. One that its
    /// history does not hold has none.
    fn drafted(&self, id: &SessionId, drafts: &[&Draft]) -> Result<Vec<Session>, StoreError>;
    /// The bytes of a blob that a session's history holds; `None` when there is none of that id.
    fn blob(&self, id: &ObjectId) -> Result<Option<Vec<u8>>, StoreError>;
    /// The blob id that git would give to these bytes; nothing is written.
    fn blob_id(&self, bytes: &[u8]) -> Result<ObjectId, StoreError>;
    /// Keeps what a person typed at a terminal and what could not be taken; the file it was written to.
    fn keep_draft(&self, id: &SessionId, question: &QuestionId, text: &str) -> Result<PathBuf, StoreError>;
    /// Keeps what was typed in the place of what this process kept or brought back last for the question, unless another
    /// process changed that; else beside it. At no moment is neither of the two kept.
    fn replace_draft(&self, id: &SessionId, question: &QuestionId, text: &str) -> Result<PathBuf, StoreError>;
    /// The newest text that was typed for a question, if there is one; it stays kept.
    fn kept_draft(&self, id: &SessionId, question: &QuestionId) -> Result<Option<String>, StoreError>;
    /// Takes back what this process kept or brought back last for a question, unless another process changed it.
    fn take_draft(&self, id: &SessionId, question: &QuestionId) -> Result<Option<String>, StoreError>;
    /// Keeps a reply that came through a client or out of a run, once for the same words; the file it is in. It never
    /// fills an editor, since nobody knows who wrote it, and is kept only up to a length and a number.
    fn keep_sent(&self, id: &SessionId, question: &QuestionId, text: &str) -> Result<PathBuf, StoreError>;
    /// Takes such a reply away, known by its words.
    fn drop_sent(&self, id: &SessionId, question: &QuestionId, text: &str) -> Result<(), StoreError>;
    /// The files of such replies to a question, the oldest first.
    fn sent(&self, id: &SessionId, question: &QuestionId) -> Vec<PathBuf>;
}

/// An edit of the working tree's checkpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HandEdit {
    /// The text that was edited; empty where it is not known any more.
    pub base: Checkpoint,
    pub text: Checkpoint,
}

/// The `.grill/` folder in the working tree: a view of the newest commit, and never a source, except that an edited
/// checkpoint is taken in (G25).
pub trait CheckpointView {
    /// The document in the working tree when somebody edited it since we wrote it, and it says something else than
    /// `current`.
    fn edited(&self, current: &Checkpoint) -> Result<Option<HandEdit>, StoreError>;
    /// Notes that the edit which was handed out last is recorded, so that the file may be written again.
    fn taken(&self);
    fn show(&self, session: &Session) -> Result<(), StoreError>;
    /// Takes the folder away again.
    fn remove(&self) -> Result<(), StoreError>;
}

/// The time, from outside.
pub trait Clock {
    /// Now, to the second.
    fn now(&self) -> Timestamp;
}

/// Randomness, from outside.
pub trait Nonce {
    /// 64 bits that nobody can guess.
    fn next(&self) -> u64;
}

/// What is looked for, and what may be looked at for it.
#[derive(Clone, Copy, Debug)]
pub struct Look<'a> {
    pub topic: &'a Topic,
    /// What may be looked at; nothing else is touched.
    pub inspect: &'a BTreeSet<Inspection>,
    /// What earlier sessions decided, as far as that may be looked at; those that touch the topic are picked.
    pub earlier: &'a [Earlier],
}

/// What the repository shows, found with read-only means.
pub trait Scout {
    /// Looks; bounded in time and bytes.
    fn look(&self, look: &Look<'_>) -> RepoFacts;
    /// Looks at cited places again; those that are not as they were read.
    fn recheck(&self, cited: &[Evidence]) -> Vec<Rechecked>;
}
