//! A commit of what was written, as the person would make it: the port, and what became of it.

use crate::domain::ids::{ObjectId, SessionId};
use crate::domain::production::TargetPath;

#[derive(Clone, Debug)]
pub struct NewCommit<'a> {
    pub session: &'a SessionId,
    /// Exactly what it holds, each with the bytes that were approved.
    pub files: &'a [(TargetPath, ObjectId)],
    /// Its whole message.
    pub message: &'a str,
    /// The lines of the message that say where the files come from.
    pub trailers: &'a [String],
}

/// A commit of accepted work that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkCommitted {
    pub commit: ObjectId,
    pub branch: String,
    /// Paths that are in one of the two alone, the commit and what was accepted, as git quotes them.
    pub differing: Vec<String>,
    /// git was ended after it had made the commit, and before it was done.
    pub cut_off: bool,
}

/// A commit of work that was accepted from an agent.
#[derive(Clone, Copy, Debug)]
pub struct WorkCommit<'a> {
    /// Exactly what it holds, as bytes below the top.
    pub paths: &'a [Vec<u8>],
    /// Its whole message.
    pub message: &'a str,
    /// The lines of the message that name the agent.
    pub trailers: &'a [String],
}

/// What `git stash -u` does with what the user has at some paths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stashing {
    /// It takes all of it, and `git stash pop` merges it with what is there by then.
    Merges,
    /// git does not track what is at some of these paths, or in the way of one: `git stash pop` brings it back only where
    /// nothing is by then, and an ignored file is not even taken.
    Untracked {
        first: Vec<u8>,
        /// A name beside the first at which nothing is.
        free: Vec<u8>,
        /// How many there are besides the first.
        more: usize,
    },
    /// It does not help: it changes nothing at one of the paths, such as one that the user committed, or no name is free.
    Leaves,
    /// git would refuse it, or drop what is under way: this, as a person calls it, is not finished.
    Unfinished(&'static str),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Committed {
    Made {
        commit: ObjectId,
        branch: String,
        /// What it holds; files that were committed before as they are now are not among them.
        paths: Vec<TargetPath>,
        /// Files of which it holds other bytes than those that were written: a hook of the user's changed them.
        altered: Vec<TargetPath>,
        /// Files of which it holds other bytes than those that were approved, since git converted them.
        converted: Vec<TargetPath>,
        /// Trailers that its message does not hold: a hook of the user's changed it.
        lost: Vec<String>,
    },
    Already {
        /// The newest commit that names the session and holds some of it as it was written, with those files; none if there
        /// is no such commit.
        commit: Option<(ObjectId, Vec<TargetPath>)>,
    },
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CommitError {
    /// It could be done, and is not: something would be lost or broken by it.
    #[error("{why}")]
    Blocked { why: String, hint: String },
    /// Another command is at the index or the branch just now.
    #[error("{why}")]
    Busy { why: &'static str },
    /// The user interrupted it.
    #[error("git was interrupted")]
    Interrupted,
    /// git, or a hook that it ran, said no.
    #[error("git did not commit")]
    Failed {
        /// What was said, one a line.
        said: Vec<String>,
    },
}

/// Makes commits on the branch that is checked out, by running git as the user would.
pub trait Commits {
    /// Refuses where no commit could be made, or none of these files.
    fn ready(&self, paths: &[TargetPath]) -> Result<(), CommitError>;
    /// The commits on the branch since `base` that touch a file, the newest first, each with the bytes that it leaves
    /// there.
    fn since(&self, base: &ObjectId, path: &TargetPath) -> Result<Vec<(ObjectId, Option<ObjectId>)>, CommitError>;
    /// Which of these files git ignores. A tracked one is never ignored, whatever the patterns say.
    fn ignored(&self, paths: &[TargetPath]) -> Result<Vec<TargetPath>, CommitError>;
    /// Those of these files of which the newest commit does not hold what stands in the working tree.
    fn uncommitted(&self, paths: &[TargetPath]) -> Result<Vec<TargetPath>, CommitError>;
    /// The branch on which these files would be committed. Refuses where they could not be, or where the commit would hold a
    /// change of the user's as well.
    fn work_is_ready(&self, paths: &[Vec<u8>]) -> Result<String, CommitError>;
    /// Commits exactly these files as they stand, gone ones too; the commit and its branch.
    fn commit_work(&self, wanted: &WorkCommit<'_>) -> Result<WorkCommitted, CommitError>;
    /// Takes out of the index what a commit of accepted work staged before it was cut off, if it is as it was staged.
    fn unstage_left(&self) -> Result<(), CommitError>;
    /// The lock of the index, as it is typed, where no living git is seen at work with it.
    fn lock_left(&self) -> Option<String>;
    /// What a stash of the user's changes would do at these paths, as bytes below the top.
    fn stashing(&self, paths: &[Vec<u8>]) -> Result<Stashing, CommitError>;
    /// Those of these paths that are staged.
    fn staged_at(&self, paths: &[Vec<u8>]) -> Result<Vec<Vec<u8>>, CommitError>;
    /// The commits since another that changed one of these paths, the newest first.
    fn commits_at(&self, since: &ObjectId, paths: &[Vec<u8>]) -> Result<Vec<ObjectId>, CommitError>;
    /// Commits exactly these files as they stand in the working tree. What else is staged stays staged.
    fn commit(&self, wanted: &NewCommit<'_>) -> Result<Committed, CommitError>;
}
