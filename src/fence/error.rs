//! Why a fence was not raised or lifted.

use std::io;
use std::path::{Path, PathBuf};

use crate::hooks::HookError;

/// A failure of this room. After a failed raise nothing is half-made: what had been made is taken away first.
#[derive(Debug, thiserror::Error)]
pub enum FenceError {
    #[error("could not {action} '{}'", path.display())]
    File {
        /// In the words of the message: `create`, `read`, `remove`.
        action: &'static str,
        path: PathBuf,
        source: io::Error,
    },
    /// A living git, or something else that is not ours, has held a lock for too long.
    #[error("the fence was not raised: something else has held '{}' for {seconds} seconds", path.display())]
    Busy {
        /// The lock.
        path: PathBuf,
        /// How long we waited.
        seconds: u64,
    },
    /// One lock guards every ref of such a repository, ours included.
    #[error(
        "a fence cannot stand in a repository with the reftable format: its one lock would stop our own writes too"
    )]
    Reftable,
    /// What we noted about the fences does not read.
    #[error("'{}' cannot be read: {why}", path.display())]
    Record { path: PathBuf, why: String },
    /// What both rooms share failed: the lock that serialises us, or reading a file.
    #[error(transparent)]
    Shared(#[from] HookError),
}

impl FenceError {
    /// A command that shows or settles what is in the way.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Busy { path, .. } => Some(format!(
                "wait for the git command that runs; if none does, look at it and remove it: ls -ld '{}'",
                path.display()
            )),
            Self::Reftable => Some("git grill start without --fence, or git config grill.fence off".to_owned()),
            Self::Record { .. } => Some("git grill doctor".to_owned()),
            Self::File { .. } => None,
            Self::Shared(error) => error.hint().map(str::to_owned),
        }
    }
}

/// Says what was attempted on which file when it fails.
pub(super) fn file(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> FenceError + use<> {
    let path = path.to_owned();
    move |source| FenceError::File { action, path, source }
}
