//! A path whose folder is held open, where a file is put or taken away. Whoever looks sees the old or the new file, and
//! what somebody saves there in the same moment stays.

use std::io;
use std::rc::Rc;

use std::os::fd::{AsFd as _, OwnedFd};

use rustix::fs::{AtFlags, RenameFlags};
use rustix::io::Errno;

use super::state::State;
use crate::files::folders::{Folders, split};
use crate::files::fresh::Fresh;
use crate::git::Naming;
use crate::lend::own_git::os;

/// What stands at a place is moved aside under a name of ours, compared with what was expected, and removed. Where it is
/// something else it takes its place again.
pub(super) struct Place<'a> {
    folders: &'a Folders,
    naming: Naming,
    path: &'a [u8],
    /// The name of ours, in the same folder.
    aside: &'a str,
    folder: Rc<OwnedFd>,
    /// The same folder, wherever it is moved.
    here: Folders,
}

impl<'a> Place<'a> {
    /// The folder must be there.
    pub(super) fn of(folders: &'a Folders, naming: Naming, path: &'a [u8], aside: &'a str) -> Result<Self, Errno> {
        let folder = folders.folder(split(path).0)?;
        Ok(Self { folders, naming, path, aside, here: Folders::at(Rc::clone(&folder)), folder })
    }

    pub(super) fn now(&self) -> io::Result<Option<State>> {
        State::at(&self.here, self.naming, self.last())
    }

    fn set_aside(&self) -> io::Result<Option<State>> {
        State::at(&self.here, self.naming, self.aside.as_bytes())
    }

    /// Whether this stands aside. What cannot be read is something else.
    fn is_aside(&self, state: Option<State>) -> bool {
        matches!(self.set_aside(), Ok(aside) if aside == state)
    }

    /// Puts the file with the name of ours in its place, where `from` stands and `to` comes; false where it was something
    /// else.
    pub(super) fn put(&self, mut fresh: Fresh<'_>, from: Option<State>, to: State) -> io::Result<bool> {
        if from.is_none() {
            fresh.place_new(os(self.last()))?;
            return if self.is_its_folder() { Ok(true) } else { self.remove_aside(to).map(|_| false) };
        }
        if !self.exchange()? {
            // The file system cannot.
            fresh.place(os(self.last()))?;
            return Ok(true);
        }
        // From here on the name is that of the old file, and goes at the end.
        let is_expected = self.is_aside(from) && self.is_its_folder();
        if !is_expected {
            // Where it was saved once more, that stands aside now.
            let restored =
                self.exchange().and_then(|done| if self.is_aside(Some(to)) { Ok(done) } else { self.exchange() });
            if let Err(error) = restored {
                // What was saved stays aside, until the step is taken back.
                fresh.keep();
                return Err(error.into());
            }
        }
        Ok(is_expected)
    }

    /// Removes what stands there; false where it is something else than `from`, or in a folder that was moved.
    pub(super) fn remove(&self, from: State) -> io::Result<bool> {
        if self.is_its_folder() { self.remove_aside(from) } else { Ok(false) }
    }

    fn remove_aside(&self, from: State) -> io::Result<bool> {
        match self.rename(self.last(), self.aside.as_bytes(), RenameFlags::NOREPLACE) {
            Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {
                rustix::fs::unlinkat(&self.folder, os(self.last()), AtFlags::empty())?;
                return Ok(true);
            }
            done => done?,
        }
        let is_expected = self.is_aside(Some(from));
        if !is_expected {
            match self.rename(self.aside.as_bytes(), self.last(), RenameFlags::NOREPLACE) {
                // It was saved once more.
                Err(Errno::EXIST) => {}
                done => return Ok(done.map(|()| false)?),
            }
        }
        self.sweep()?;
        Ok(is_expected)
    }

    /// Tidies up after a process that was killed when `from` was to become `to`: what stands aside goes, and takes its place
    /// again where somebody had saved it.
    pub(super) fn tidy(&self, from: Option<State>, to: Option<State>) -> io::Result<()> {
        let Some(aside) = self.set_aside()? else { return Ok(()) };
        if self.now()? == to && from.is_some_and(|from| aside != from) {
            match to {
                Some(_) => drop(self.exchange()?),
                None => return Ok(self.rename(self.aside.as_bytes(), self.last(), RenameFlags::NOREPLACE)?),
            }
        }
        Ok(self.sweep()?)
    }

    fn sweep(&self) -> Result<(), Errno> {
        rustix::fs::unlinkat(&self.folder, self.aside, AtFlags::empty())
    }

    fn last(&self) -> &'a [u8] {
        split(self.path).1
    }

    /// Whether the folder has not been moved since.
    fn is_its_folder(&self) -> bool {
        let identity = |folder: &OwnedFd| rustix::fs::fstat(folder).map(|stat| (stat.st_dev, stat.st_ino)).ok();
        let held = identity(&self.folder);
        self.folders.forget_cached_folder();
        let now = self.folders.folder(split(self.path).0).ok();
        now.and_then(|now| identity(&now)).is_some_and(|now| Some(now) == held)
    }

    fn rename(&self, from: &[u8], to: &[u8], flags: RenameFlags) -> Result<(), Errno> {
        rustix::fs::renameat_with(self.folder.as_fd(), os(from), self.folder.as_fd(), os(to), flags)
    }

    /// Has the place and the name of ours change what they name; false where the file system cannot.
    fn exchange(&self) -> Result<bool, Errno> {
        match self.rename(self.aside.as_bytes(), self.last(), RenameFlags::EXCHANGE) {
            Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => Ok(false),
            done => done.map(|()| true),
        }
    }
}
