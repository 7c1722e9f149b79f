//! The folder of one agent session.

use std::fs::{self, File};
use std::io;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, OFlags};

use super::own;
use crate::domain::agents::AgentHandle;

/// The file of events.
pub(super) const LEDGER: &str = "ledger.jsonl";

/// An open folder; it stays the same one even if its name is given to another.
#[derive(Debug)]
pub struct SessionFolder {
    handle: AgentHandle,
    fd: OwnedFd,
    path: PathBuf,
    /// Of one that was just claimed: as long as it is held, nobody takes the folder for one that was left behind.
    _claim: Option<File>,
}

impl SessionFolder {
    pub(super) fn new(handle: AgentHandle, fd: OwnedFd, path: PathBuf, claim: Option<File>) -> Self {
        Self { handle, fd, path, _claim: claim }
    }

    /// The folder of this session where it was removed: made again, empty.
    pub(super) fn made_again(&self) -> io::Result<Self> {
        let sessions = self.path.parent().unwrap_or(&self.path);
        if let Some(grill) = sessions.parent() {
            fs::create_dir_all(grill)?;
        }
        own::made(CWD, sessions)?;
        Ok(Self::new(self.handle, own::made(CWD, &self.path)?, self.path.clone(), None))
    }

    pub fn handle(&self) -> AgentHandle {
        self.handle
    }

    /// Its path, for what is made beside the ledger: the socket, the raw log and the worktree.
    pub fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn fd(&self) -> &OwnedFd {
        &self.fd
    }

    /// The path of the file of events, to be named.
    pub fn ledger_path(&self) -> PathBuf {
        self.path.join(LEDGER)
    }

    /// Opens a file in it.
    pub(super) fn file(&self, name: &str, flags: OFlags) -> io::Result<File> {
        own::file(&self.fd, name, flags)
    }
}
