//! The folder of one agent session.

use std::fs::{self, File};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::MetadataExt as _;
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

    /// The folder of this session where an agent without walls has removed it, or put something else in its place, which is
    /// moved aside.
    pub(super) fn made_again(&self) -> io::Result<Self> {
        let sessions = self.path.parent().unwrap_or(&self.path);
        if let Some(grill) = sessions.parent() {
            fs::create_dir_all(grill)?;
        }
        let made = |path: &Path| match own::made(CWD, path) {
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
                aside(path)?;
                own::made(CWD, path)
            }
            made => made,
        };
        made(sessions)?;
        Ok(Self::new(self.handle, made(&self.path)?, self.path.clone(), None))
    }

    /// Whether its name still leads to it, and through no symlink.
    pub(super) fn stands(&self) -> bool {
        let is_folder = |path: &Path| path.symlink_metadata().ok().filter(fs::Metadata::is_dir);
        let there = self.path.parent().and_then(is_folder).and_then(|_| is_folder(&self.path));
        let ours = self.fd.try_clone().map(File::from).and_then(|folder| folder.metadata());
        there.zip(ours.ok()).is_some_and(|(there, ours)| (there.dev(), there.ino()) == (ours.dev(), ours.ino()))
    }

    /// Moves what has this name in it aside, whatever it is.
    pub(super) fn set_aside(&self, name: &str) -> io::Result<()> {
        aside(&self.path.join(name))
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

/// Gives what stands here, if anything does, a name that is free.
fn aside(path: &Path) -> io::Result<()> {
    if path.symlink_metadata().is_err() {
        return Ok(());
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let free = (1..).map(|number: u32| path.with_file_name(format!("{name}.aside-{number}")));
    let Some(free) = free.take(1000).find(|free| free.symlink_metadata().is_err()) else {
        return Err(io::ErrorKind::AlreadyExists.into());
    };
    fs::rename(path, free)
}
