//! A commit of what was written, as the person would make it: the port, and what became of it.

use crate::domain::ids::{ObjectId, SessionId};
use crate::domain::production::TargetPath;

/// The commit that is wanted.
#[derive(Clone, Debug)]
pub struct NewCommit<'a> {
    /// The session that it comes from.
    pub session: &'a SessionId,
    /// Exactly what it holds.
    pub paths: &'a [TargetPath],
    /// Its message, without the trailers.
    pub message: &'a str,
    /// What is added to it, each as `Key: value` on one line.
    pub trailers: &'a [String],
}

/// What became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Committed {
    /// It was made.
    Made {
        /// The commit.
        commit: ObjectId,
        /// The branch that it was made on.
        branch: String,
        /// What it holds; files that were committed before as they are now are not among them.
        paths: Vec<TargetPath>,
        /// Files of which it holds other bytes than those that were written: a hook of the user's changed them.
        altered: Vec<TargetPath>,
    },
    /// Everything is committed already.
    Already {
        /// The newest commit of this session that holds some of it, if there is one.
        commit: Option<ObjectId>,
    },
}

/// Why nothing was committed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CommitError {
    /// It could be done, and is not: something would be lost or broken by it.
    #[error("{why}")]
    Blocked {
        /// What stands in the way.
        why: String,
        /// What leads on from there.
        hint: String,
    },
    /// git, or a hook that it ran, said no.
    #[error("git did not commit")]
    Failed {
        /// What was said, one a line.
        said: Vec<String>,
    },
}

/// Makes commits on the branch that is checked out, by running git as the user would.
pub trait Commits {
    /// Whether a commit could be made at all just now.
    fn ready(&self) -> Result<(), CommitError>;
    /// The commits on the branch since `base` that touch a file, the newest first, each with the bytes that it leaves
    /// there.
    fn since(&self, base: &ObjectId, path: &TargetPath) -> Result<Vec<(ObjectId, Option<ObjectId>)>, CommitError>;
    /// Which of these files git ignores. A tracked one is never ignored, whatever the patterns say.
    fn ignored(&self, paths: &[TargetPath]) -> Result<Vec<TargetPath>, CommitError>;
    /// Commits exactly these files as they stand in the working tree. What else is staged stays staged.
    fn commit(&self, wanted: &NewCommit<'_>) -> Result<Committed, CommitError>;
}
