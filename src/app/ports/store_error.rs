//! Why sessions could not be read or written, who was in the way, and what to do about it.

use std::error::Error;
use std::io::ErrorKind;
use std::path::PathBuf;

use crate::domain::ids::SessionId;
use crate::text::shell::word_of_path;

/// The system's messages for a full disk or an exceeded quota. git and libgit2 pass on only the message, in the C
/// locale.
pub const NO_ROOM: [&str; 2] = ["No space left on device", "Disk quota exceeded"];

/// A process that holds a lock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Holder {
    /// Its id.
    pub process: u32,
    /// The name of its program.
    pub name: String,
}

/// The holder of a lock, as the subject of a sentence.
pub fn holder_said(holder: Option<&Holder>) -> String {
    let Some(Holder { process, name }) = holder else { return "another process".to_owned() };
    format!("{name} (process {process})")
}

#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("there is no session {0}")]
    NoSuchSession(String),
    /// The session was written by a newer git grill; it is read-only for us (G39).
    #[error("session {id} has format {found}, and this git grill knows format {known}")]
    NewerFormat {
        id: SessionId,
        /// Its format.
        found: String,
        /// The newest that we know.
        known: u32,
    },
    #[error("session {id} cannot be read: {what}: {why}")]
    Corrupt { id: SessionId, what: String, why: String },
    /// The session is active in another worktree (G3).
    #[error("session {id} is active in the worktree {}", worktree.display())]
    ActiveElsewhere { id: SessionId, worktree: PathBuf },
    #[error("session {id} has no version '{version}'")]
    NoSuchVersion { id: SessionId, version: String },
    /// The lock is held for too long.
    #[error("{} holds {} for more than {seconds} s", holder_said(holder.as_ref()), path.display())]
    Busy {
        /// The lock file.
        path: PathBuf,
        /// How long we waited.
        seconds: u64,
        holder: Option<Holder>,
    },
    /// A read-only run that began in the output phase goes on, and may write the files of the plan.
    #[error(
        "the output phase of {id} was not left: a command in {} may still write approved files",
        holder_said(holder.as_ref())
    )]
    RunWrites {
        id: SessionId,
        /// The run, where the system tells.
        holder: Option<Holder>,
    },
    /// The disk, permissions, a full file system.
    #[error("{doing} failed")]
    Io {
        doing: String,
        #[source]
        source: std::io::Error,
    },
    #[error("{doing} failed: {why}")]
    Git { doing: String, why: String },
    /// The configuration asks for signed commits, and this one could not be signed.
    #[error("nothing more was recorded: {what}")]
    Unsigned {
        what: String,
        #[source]
        cause: Box<dyn Error + Send + Sync>,
    },
    /// A record would be too large to be read back.
    #[error("{what} has {bytes} bytes, more than the {limit} that fit into one record")]
    TooLarge { what: String, bytes: usize, limit: usize },
    /// `GRILL_HEAD` leads nowhere or is no pointer at all.
    #[error("GRILL_HEAD of this worktree is broken: {why}")]
    BadPointer { why: String },
    /// The view in the working tree cannot be read or written.
    #[error("{} is left alone: {why}", path.display())]
    View {
        /// The file or folder.
        path: PathBuf,
        why: String,
    },
}

impl StoreError {
    /// Whether there was no room: the disk is full, or the account's quota is exceeded.
    pub fn lacks_room(&self) -> bool {
        match self {
            Self::Io { source, .. } => matches!(source.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded),
            Self::Git { why, .. } => NO_ROOM.iter().any(|words| why.contains(words)),
            Self::NoSuchSession(_)
            | Self::NewerFormat { .. }
            | Self::Corrupt { .. }
            | Self::ActiveElsewhere { .. }
            | Self::NoSuchVersion { .. }
            | Self::Busy { .. }
            | Self::RunWrites { .. }
            | Self::Unsigned { .. }
            | Self::TooLarge { .. }
            | Self::BadPointer { .. }
            | Self::View { .. } => false,
        }
    }

    /// What to type next, where we know it.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::NoSuchSession(_) => Some("git grill sessions lists what there is".to_owned()),
            Self::NewerFormat { id, .. } => Some(format!(
                "update git grill; until then `git log -p grill/sessions/{id}` reads it, and git grill stop \
                 --without-output leaves it as it is"
            )),
            Self::Corrupt { .. } => Some(
                "git grill doctor says what can be brought back, and git grill doctor --fix brings it back; git grill stop \
                 --without-output leaves it as it is"
                    .to_owned(),
            ),
            Self::ActiveElsewhere { worktree, .. } => {
                let path = word_of_path(worktree);
                Some(format!("go on in {path}, or type `git -C {path} grill stop` first"))
            }
            Self::NoSuchVersion { id, .. } => {
                Some(format!("`git log --oneline grill/sessions/{id}` lists its versions"))
            }
            Self::Busy { holder: None, .. } => Some(
                "try again when the other one is done; if none runs, git grill doctor tells what was left".to_owned(),
            ),
            Self::Busy { holder: Some(Holder { process, .. }), .. } => Some(format!(
                "try again when it is done; should it hang, `kill {process}` ends it, and nothing recorded is lost"
            )),
            Self::RunWrites { holder: None, .. } => {
                Some("end the command that git grill run started, then type this again".to_owned())
            }
            Self::RunWrites { holder: Some(Holder { process, .. }), .. } => {
                Some(format!("type this again when that command has ended; `kill {process}` asks it to end"))
            }
            Self::Unsigned { .. } => {
                Some("mend that, or `git config grill.sign false` keeps sessions unsigned here".to_owned())
            }
            Self::TooLarge { .. } => Some("put the long part into a file and name that".to_owned()),
            Self::BadPointer { .. } => Some(
                "git grill doctor says what mends it; git grill resume <id> sets it anew, and git grill stop \
                 --without-output takes it away"
                    .to_owned(),
            ),
            Self::View { .. } => {
                Some("move it away; the recorded text is `git show GRILL_HEAD:.grill/checkpoint.md`".to_owned())
            }
            Self::Io { .. } | Self::Git { .. } => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn g17_a_full_disk_is_told_from_every_other_failure() {
        let io = |kind: ErrorKind| StoreError::Io { doing: "writing".to_owned(), source: kind.into() }.lacks_room();
        let git = |why: &str| StoreError::Git { doing: "writing".to_owned(), why: why.to_owned() }.lacks_room();
        assert!(io(ErrorKind::StorageFull) && io(ErrorKind::QuotaExceeded));
        assert!(!io(ErrorKind::PermissionDenied) && !io(ErrorKind::ReadOnlyFilesystem) && !io(ErrorKind::Other));
        for words in NO_ROOM {
            assert!(git(&format!("git unpack-objects: fatal: unable to write loose object file: {words}")));
        }
        assert!(!git("the reference is locked") && !git("Read-only file system"));
    }
}
