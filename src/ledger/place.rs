//! The private folder of all agent sessions of a repository, one for all of its worktrees.

use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, Dir, Mode, OFlags};

use super::error::LedgerError;
use super::limits::MOST_FOLDERS;
use super::own;
use super::session_folder::{LEDGER, SessionFolder};
use super::writer::LOCK;
use crate::domain::agents::AgentHandle;
use crate::domain::agents::handle::HIGHEST;
use crate::files::lock;

/// What git grill has in a git directory.
const GRILL: &str = "grill";
/// The folder of all sessions in there.
const AGENTS: &str = "agents";

/// The open folder.
#[derive(Debug)]
pub struct Ledgers {
    fd: OwnedFd,
    path: PathBuf,
}

impl Ledgers {
    /// The folder in a repository's common git directory, made if it is missing.
    pub fn make(common: &Path) -> Result<Self, LedgerError> {
        let path = common.join(GRILL).join(AGENTS);
        let made = || -> io::Result<OwnedFd> {
            let common =
                rustix::fs::openat(CWD, common, OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
            match rustix::fs::mkdirat(&common, GRILL, Mode::RWXU | Mode::RWXG | Mode::RWXO) {
                Ok(()) | Err(rustix::io::Errno::EXIST) => {}
                Err(errno) => return Err(errno.into()),
            }
            own::made(own::any_folder(&common, GRILL)?, AGENTS)
        };
        let fd = made().map_err(LedgerError::io("could not make", &path))?;
        Ok(Self { fd, path })
    }

    /// The same, if it is there; nothing is made.
    pub fn find(common: &Path) -> Result<Option<Self>, LedgerError> {
        let parent = common.join(GRILL);
        let opened = own::any_folder(CWD, &parent).and_then(|grill| own::folder(grill, AGENTS));
        Self::found(opened, parent.join(AGENTS))
    }

    /// The folder of another place that configuration names, made if it is missing. Its parent must be there.
    pub fn make_at(path: &Path) -> Result<Self, LedgerError> {
        let fd = own::made(CWD, path).map_err(LedgerError::io("could not make", path))?;
        Ok(Self { fd, path: path.to_owned() })
    }

    /// The same, if it is there.
    pub fn find_at(path: &Path) -> Result<Option<Self>, LedgerError> {
        Self::found(own::folder(CWD, path), path.to_owned())
    }

    fn found(opened: io::Result<OwnedFd>, path: PathBuf) -> Result<Option<Self>, LedgerError> {
        match opened {
            Ok(fd) => Ok(Some(Self { fd, path })),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(LedgerError::io("could not open", &path)(error)),
        }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Claims a folder for a new session: the number after the highest, and after `above`, or the lowest that is free when
    /// that one is used up.
    ///
    /// Folders in which nothing was ever recorded go first: whoever claimed them was killed.
    pub fn claim(&self, above: u32) -> Result<SessionFolder, LedgerError> {
        let turn = self.turn();
        if turn.is_some() {
            self.sweep()?;
        }
        let taken = self.handles()?;
        if taken.len() >= MOST_FOLDERS {
            return Err(LedgerError::TooMany { path: self.path.clone(), count: MOST_FOLDERS });
        }
        let newest = taken.last().copied().map_or(0, AgentHandle::number).max(above);
        for handle in (newest + 1..=HIGHEST).chain(1..=HIGHEST).take(2 * MOST_FOLDERS + 1).filter_map(AgentHandle::of) {
            let path = self.path.join(handle.to_string());
            match own::claim(&self.fd, handle.to_string()) {
                // Where there are no locks nothing is swept, so it need not be held.
                Ok(fd) => return Ok(SessionFolder::new(handle, fd, path.clone(), lock::folder(&path).ok())),
                // Another process was faster, or something else stands there.
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(LedgerError::io("could not make", &path)(error)),
            }
        }
        Err(LedgerError::TooMany { path: self.path.clone(), count: MOST_FOLDERS })
    }

    /// The right to claim and to sweep, waited for; none where the file system has no locks.
    fn turn(&self) -> Option<File> {
        // Open by itself: the lock ends with this descriptor.
        let folder = File::from(own::folder(&self.fd, ".").ok()?);
        folder.lock().ok().map(|()| folder)
    }

    /// Removes folders whose ledger never began and that nobody is beginning.
    fn sweep(&self) -> Result<(), LedgerError> {
        for handle in self.handles()? {
            let path = self.path.join(handle.to_string());
            // A started ledger is never empty.
            let is_begun = path.join(LEDGER).symlink_metadata().is_ok_and(|about| about.len() > 0);
            // One that an agent emptied is written again by its writer.
            let is_written = path.join(LOCK).exists() && lock::unheld(&path.join(LOCK)).is_none();
            if !is_begun
                && !is_written
                && let Ok(_nobody) = lock::folder(&path)
            {
                // What cannot be removed is in nobody's way.
                let _ = fs::remove_dir_all(&path);
            }
        }
        Ok(())
    }

    /// The folder of a session.
    pub fn session(&self, handle: AgentHandle) -> Result<SessionFolder, LedgerError> {
        let path = self.path.join(handle.to_string());
        match own::folder(&self.fd, handle.to_string()) {
            Ok(fd) => Ok(SessionFolder::new(handle, fd, path, None)),
            Err(error) if error.kind() == ErrorKind::NotFound => Err(LedgerError::NotFound { handle }),
            Err(error) => Err(LedgerError::io("could not open", &path)(error)),
        }
    }

    /// The handles that are taken, in order. Other names are not ours.
    pub fn handles(&self) -> Result<Vec<AgentHandle>, LedgerError> {
        let failed = || LedgerError::io("could not list", &self.path);
        let mut found = Vec::new();
        for entry in Dir::read_from(&self.fd).map_err(|errno| failed()(errno.into()))?.take(2 * MOST_FOLDERS) {
            let entry = entry.map_err(|errno| failed()(errno.into()))?;
            found.extend(entry.file_name().to_str().ok().and_then(|name| AgentHandle::parse(name).ok()));
        }
        found.sort_unstable();
        Ok(found)
    }
}
