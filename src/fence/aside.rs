//! Stepping aside: what we ourselves have git do under the fence needs its locks for a moment.

use std::fs;
use std::path::PathBuf;

use super::error::FenceError;
use super::note::note;
use super::raise::{Patience, free, hold};
use super::record::Record;
use crate::hooks::{Lock, Place};

/// Which locks are let go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// All of this worktree's.
    Everything,
    /// The one that a deletion of refs takes.
    PackedRefs,
}

/// A fence that stepped aside. Dropping it puts the locks back; [`Aside::back`] does the same and says how it went. A
/// kill meanwhile leaves a fence with locks missing, which the next command completes.
#[derive(Debug)]
#[must_use = "the fence is back as soon as this is dropped"]
pub struct Aside<'place> {
    place: &'place Place,
    locks: Vec<PathBuf>,
    session: String,
}

/// Lets go of locks until the guard is dropped. Without a fence it does nothing. Whoever is faster than we are meanwhile
/// gets through, so the work in between should be short.
pub fn aside(place: &Place, part: Part) -> Result<Aside<'_>, FenceError> {
    if !place.fence_file().exists() {
        return Ok(Aside { place, locks: Vec::new(), session: String::new() });
    }
    let _lock = Lock::at(place, place.fence_lock_file())?;
    let record = Record::load(place)?;
    let Some(fence) = record.of(&place.git_dir) else {
        return Ok(Aside { place, locks: Vec::new(), session: String::new() });
    };
    let locks: Vec<PathBuf> = fence
        .held
        .iter()
        .map(crate::hooks::Bytes::path)
        .filter(|path| match part {
            Part::Everything => true,
            Part::PackedRefs => *path == place.common_dir.join("packed-refs.lock"),
        })
        .collect();
    // Made before the first lock is let go: whatever fails from here on puts back what was let go.
    let aside = Aside { place, locks, session: fence.session.clone() };
    aside.locks.iter().try_for_each(|lock| free(lock))?;
    Ok(aside)
}

impl Aside<'_> {
    /// Puts the locks back, waiting for a git that took one meanwhile.
    pub fn back(mut self) -> Result<(), FenceError> {
        self.put_back()
    }

    fn put_back(&mut self) -> Result<(), FenceError> {
        let locks = std::mem::take(&mut self.locks);
        if locks.is_empty() {
            return Ok(());
        }
        let _lock = Lock::at(self.place, self.place.fence_lock_file())?;
        // Lifted for good while we were aside: then nothing comes back.
        let record = Record::load(self.place)?;
        let Some(fence) = record.of(&self.place.git_dir).filter(|fence| !fence.held.is_empty()) else {
            return Ok(());
        };
        let text = note(self.place, &self.session);
        let mut patience = Patience::default();
        let wanted = |lock: &&PathBuf| fence.held.iter().any(|held| held.path() == **lock);
        locks.iter().filter(wanted).try_for_each(|lock| hold(lock, &text, &mut patience))
    }
}

impl Drop for Aside<'_> {
    fn drop(&mut self) {
        // What could not be put back is completed by the next command, and named by `git grill doctor` until then.
        let _ = self.put_back();
        let _ = fs::remove_dir(self.place.grill_dir());
    }
}
