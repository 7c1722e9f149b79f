//! Failures of a ledger: what did not happen, and why.

use std::io;
use std::path::{Path, PathBuf};

use super::limits::{MOST_LEDGER, MOST_RECORD, MOST_TEXT};
use crate::domain::agents::{AgentHandle, Refusal};

#[derive(Debug, thiserror::Error)]
pub enum LedgerError {
    /// The system refused.
    #[error("{deed} {}", .path.display())]
    Io {
        /// As in "could not read".
        deed: &'static str,
        path: PathBuf,
        source: io::Error,
    },
    #[error("there is no agent session {handle}")]
    NotFound { handle: AgentHandle },
    /// Its folder was claimed, and its first record was never finished.
    #[error("agent session {handle} never began: its ledger has no record")]
    Empty { handle: AgentHandle },
    #[error("the ledger of {handle} is damaged at line {line}, and nothing was appended or deleted: {why}")]
    Damaged {
        handle: AgentHandle,
        line: u64,
        /// Harmless and short.
        why: String,
    },
    #[error("nothing was appended to the ledger of {handle}: line {line} is of a newer git grill ({kind})")]
    Newer {
        handle: AgentHandle,
        line: u64,
        /// Harmless and short.
        kind: String,
    },
    #[error("nothing was appended to the ledger of {handle}: another process writes it")]
    Busy { handle: AgentHandle },
    #[error("the ledger of {handle} was not read: it has {bytes} bytes, more than the {MOST_LEDGER} of a full one")]
    TooLarge { handle: AgentHandle, bytes: u64 },
    #[error("nothing was appended to the ledger of {handle}: it is full, with {bytes} bytes")]
    Full { handle: AgentHandle, bytes: u64 },
    #[error("nothing was appended to the ledger of {handle}: a record has {bytes} bytes, more than {MOST_RECORD}")]
    RecordTooLong { handle: AgentHandle, bytes: usize },
    #[error("the text was not written for {handle}: it has {bytes} bytes, more than {MOST_TEXT}")]
    TextTooLong { handle: AgentHandle, bytes: usize },
    /// A write failed before, and what it left could not be taken away.
    #[error("nothing was appended to the ledger of {handle}: an earlier write to it failed")]
    Broken { handle: AgentHandle },
    /// Somebody has removed or cut it while its writer was at work.
    #[error("nothing was appended to the ledger of {handle}: it was removed")]
    Gone { handle: AgentHandle },
    #[error("no agent session was begun: {} has {count} or more folders", .path.display())]
    TooMany { path: PathBuf, count: usize },
    #[error(transparent)]
    Refused(#[from] Refusal),
}

impl LedgerError {
    /// Says of a failure of the system what it kept from happening.
    pub(super) fn io(deed: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self + use<> {
        let path = path.to_owned();
        move |source| Self::Io { deed, path, source }
    }
}
