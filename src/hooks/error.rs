//! Why hooks could not be installed or removed.

use std::io;
use std::path::{Path, PathBuf};

use crate::app::ports::{Holder, holder_said};
use crate::git::holder;

/// A failure of this room. After one nothing is half-made: what had been written is taken back first.
#[derive(Debug, thiserror::Error)]
pub enum HookError {
    #[error("could not {action} '{}'", path.display())]
    File {
        /// In the words of the message: `write`, `read`, `remove`.
        action: &'static str,
        path: PathBuf,
        source: io::Error,
    },
    #[error("'{command}' failed: {said}")]
    Git {
        /// As it would be typed.
        command: String,
        /// The last words of git.
        said: String,
    },
    /// The worktree was moved by something else than git, which looks for it where it was.
    #[error("the worktree is not at '{}' any more, where git has it noted", .0.display())]
    Moved(PathBuf),
    /// Somebody else has been arming or disarming for too long.
    #[error("{} has held '{}' for too long", holder_said(holder.as_ref()), path.display())]
    Busy { path: PathBuf, holder: Option<Holder> },
    /// What we noted about the installed hooks does not read.
    #[error("'{}' cannot be read: {why}", path.display())]
    Record { path: PathBuf, why: String },
    /// A setting closer to the worktree beats ours, so the hooks would be dead.
    #[error("core.hooksPath is set to '{value}' at {scope} level, which hides the hooks of git grill")]
    Overridden {
        /// The scope git names: `worktree`, `local`, …
        scope: String,
        /// The value that wins.
        value: String,
    },
}

impl HookError {
    /// Names the process that holds a lock, or has the lock file of git's open, if the system tells.
    pub(crate) fn busy(path: PathBuf) -> Self {
        let holder = holder::of(&path).or_else(|| holder::with_it_open(&path));
        Self::Busy { path, holder }
    }

    /// A command that shows or settles what is in the way.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Overridden { .. } => Some("git config --show-origin --get-all core.hooksPath"),
            Self::Moved(_) => Some("git worktree repair"),
            Self::Git { .. } => Some("git version"),
            Self::Record { .. } => Some(
                "move that file away, then git grill stop; a hook that says \"Written by git grill\" may be deleted",
            ),
            Self::File { .. } | Self::Busy { .. } => None,
        }
    }
}

/// Says what was attempted on which file when it fails.
pub(crate) fn file(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> HookError + use<> {
    let path = path.to_owned();
    move |source| HookError::File { action, path, source }
}
