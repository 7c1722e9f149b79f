//! Taking the work of a supervised agent over into the working tree, and taking that back (A16, A39).

use super::AgentFile;
use crate::app::error::AppError;
use crate::domain::agents::AgentHandle;
use crate::domain::agents::acceptance::{AcceptedBy, MayAccept};
use crate::domain::ids::ObjectId;

/// A file of an agent's work that nobody has accepted yet, and what accepting it would do here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OfferedFile {
    pub file: AgentFile,
    /// Its path as bytes, below the top.
    pub path: Vec<u8>,
    /// Why it needs a yes of its own; empty for most.
    pub cautions: Vec<&'static str>,
    /// git runs it, or may.
    pub runs_in_git: bool,
    pub fate: Fate,
    /// Where both changed the same lines: the text with git's markers.
    pub overlap: Option<String>,
    /// What was compared, as it was when it was shown: what is accepted is that and nothing else.
    pub seen: String,
}

/// What accepting a file comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// The agent's file, or its mode, takes the place of the one that it began from.
    Taken,
    /// The user changed it as well: the two are merged.
    Merged,
    /// What the agent made stands here already.
    Already,
    /// It cannot be accepted as things are, for this reason.
    Clash(String),
}

/// What can be accepted of an agent's work.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Offer {
    /// Those that need a yes of their own come first.
    pub files: Vec<OfferedFile>,
    /// The number of other files, which the caller did not name.
    pub unnamed: usize,
    /// What is in the worktree and cannot be accepted: its path, and why.
    pub left_out: Vec<(String, &'static str)>,
    /// An accept of before that was cut off and was undone now.
    pub undone: Option<AcceptStep>,
    /// Files that were accepted before, as bytes below the top.
    pub accepted: Vec<Vec<u8>>,
    /// The caller's folder below the top, as bytes: names may begin there.
    pub below: Vec<u8>,
    /// The names of two trees: what stands here and what would come, as far as both changed a file, and otherwise what
    /// the agent began with and what it made.
    pub trees: (String, String),
}

/// A path at which both sides do not fit together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AcceptConflict {
    /// As git quotes it.
    pub path: String,
    pub why: String,
    /// Where both changed the same lines: the text with git's markers.
    pub text: Option<String>,
}

/// What came of an accept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AcceptOutcome {
    Accepted {
        /// As bytes below the top.
        paths: Vec<Vec<u8>>,
        /// The same, as git quotes them.
        shown: Vec<String>,
        /// The ref that keeps what stood there before; none where all of it stood there already.
        kept: Option<String>,
        /// The number of files that nobody has accepted yet, where that could be told.
        rest: Option<u64>,
        /// Why the ledger does not tell of it yet; the next command at these files records it.
        unrecorded: Option<String>,
    },
    /// Nothing was written.
    Conflicts(Vec<AcceptConflict>),
}

/// An accept that stands, or that was taken back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AcceptStep {
    /// Its number among those of the session.
    pub number: u32,
    /// The ref that keeps, or kept, what stood there before.
    pub kept: String,
    /// The files that it changed, as bytes below the top.
    pub paths: Vec<Vec<u8>>,
    /// The same, as git quotes them.
    pub shown: Vec<String>,
    /// How many others of the session stand.
    pub others: usize,
    /// Where HEAD was before it.
    pub head: ObjectId,
    /// Those of its files that have another entry in the index than before it, as bytes below the top.
    pub restaged: Vec<Vec<u8>>,
    /// Whether any of its files is not as it was before.
    pub differs: bool,
    /// The ref that keeps the agent's work, where its copy is gone: nothing of it is offered again.
    pub work: Option<String>,
    /// Why the ledger does not tell of it yet.
    pub unrecorded: Option<String>,
}

/// What there is to undo.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ToUndo {
    /// An accept that stands, and who accepted it, as far as the ledger tells.
    Step(AcceptStep, Option<AcceptedBy>),
    /// One that was cut off, and is taken back now.
    CutOff(AcceptStep),
}

/// Takes work over, and back.
pub trait Accepting {
    /// Who may accept, beside the person (A23).
    fn may_accept(&self) -> Result<MayAccept, AppError>;
    /// What can be accepted into the working tree that we are called in.
    fn offer(&self, handle: AgentHandle) -> Result<Offer, AppError>;
    /// The difference of some files as they were offered, as git shows it.
    fn difference(&self, handle: AgentHandle, offer: &Offer, files: &[&OfferedFile]) -> Result<String, AppError>;
    /// Accepts these files as they were offered, in one step or not at all.
    fn accept(&self, handle: AgentHandle, files: &[&OfferedFile], by: &AcceptedBy) -> Result<AcceptOutcome, AppError>;
    /// The newest accept; one that was cut off is taken back first.
    fn to_undo(&self, handle: AgentHandle) -> Result<ToUndo, AppError>;
    /// Takes the newest accept back, which has this number; refused where something else stands there by now.
    fn take_back(&self, handle: AgentHandle, number: u32, by: &AcceptedBy) -> Result<AcceptStep, AppError>;
}
