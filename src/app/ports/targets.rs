//! The files in the working tree that outputs are written to.

use crate::domain::danger::Danger;
use crate::domain::ids::{ObjectId, SessionId};
use crate::domain::production::{Approved, TargetPath};

/// The files in the working tree that outputs are written to.
///
/// A path is judged by where it leads: one that symlinks lead to a file that makes programs run is neither read nor
/// written here ([`WriteError::Leads`]), whatever was permitted. A person who wants that file names the file itself.
pub trait TargetFiles {
    /// What stands at `path` now; `None` when nothing does. A folder, a symlink out of the repository or bytes that are
    /// not UTF-8 are errors.
    fn read(&self, path: &TargetPath) -> std::io::Result<Option<String>>;
    /// Refuses a path that no draft is written to: symlinks lead it out of the working tree or to a file that makes
    /// programs run, whether that exists or not, or a program stands there. Any other trouble with the path is left to
    /// reading and writing it.
    fn check_links(&self, path: &TargetPath) -> Result<(), WriteError>;
    /// The names of ordinary files in a folder, at most a few thousand; none when there is no such folder. A symlink is
    /// no ordinary file.
    fn names(&self, folder: &TargetPath) -> std::io::Result<Vec<String>>;
    /// Writes an approved draft atomically, if `path` still holds what the draft replaces or already holds the draft.
    fn write(&self, approved: &Approved<TargetPath>) -> Result<(), WriteError>;
    /// Whether [`Self::write`] could begin now, and what stands there; nothing is written.
    fn check(&self, approved: &Approved<TargetPath>) -> Result<TargetState, WriteError>;
    /// Brings back what stood at `path` before `written` was written there, or takes the file away where nothing did. A
    /// file that holds anything else is left alone; one that is back already is back.
    fn put_back(&self, path: &TargetPath, written: &ObjectId, before: Option<&str>) -> Result<(), WriteError>;
    /// Whether [`Self::put_back`] could begin now.
    fn check_back(&self, path: &TargetPath, written: &ObjectId, before: Option<&str>) -> Result<(), WriteError>;
    /// Notes that an output phase of a session is about to be put back, for whoever looks after it ended half-way.
    fn begin_back(&self, _id: &SessionId, _round: u64) {}
    /// Notes that nothing is being put back.
    fn end_back(&self) {}
    /// The output phase of the session that was noted last, and of which nothing says that it is put back.
    fn begun_back(&self, _id: &SessionId) -> Option<u64> {
        None
    }
    /// Takes away what a process left beside `path` that died while it wrote these bytes there; never what a living one
    /// is writing.
    fn tidy(&self, path: &TargetPath, blob: &ObjectId);
}

/// What stands where an approved draft belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TargetState {
    Replaced,
    /// The draft itself: it was written before.
    Draft,
}

/// Why an approved file was not written. Nothing is half-written, and the approval stays.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The file changed since it was shown.
    #[error("{path} changed since its draft was shown")]
    Changed { path: TargetPath },
    /// The file is not what was written there, so it was not taken back.
    #[error("{path} changed since it was written, and nothing was taken back")]
    Edited {
        path: TargetPath,
        written: ObjectId,
        /// The command that takes that back.
        again: String,
        /// Whether the output phase that wrote it is still open.
        open: bool,
    },
    /// Symlinks lead to a file that makes programs run.
    #[error("{path} is no destination of a draft: it leads to {to}, and {danger}")]
    Leads {
        /// The file as it was named.
        path: TargetPath,
        to: TargetPath,
        danger: Danger,
    },
    /// A symlink leads out of the repository, or a folder stands there.
    #[error("{path} is not written: {why}")]
    Unsafe { path: TargetPath, why: String },
    /// Permissions, a read-only file system, a full disk.
    #[error("{path} could not be written")]
    Io {
        path: TargetPath,
        #[source]
        source: std::io::Error,
    },
}
