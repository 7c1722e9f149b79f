//! Who holds which lock folder, noted before the first one is made: whatever of it exists is ours, whenever the
//! process was killed.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::error::FenceError;
use crate::git::worktrees::FOLDER;
use crate::hooks::{Bytes, Place, found, fresh_record, is_inside, noted, read_if_there, remove_if_there, replace};

/// The format of the record; a newer one is not touched.
const FORMAT: u32 = 2;
/// The one whose paths are absolute.
const ABSOLUTE: u32 = 1;

/// The fences of a repository, one for each worktree that has one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Record {
    format: u32,
    pub(super) fences: Vec<Fence>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Fence {
    /// The worktree, by its git directory.
    pub(super) git_dir: Bytes,
    pub(super) session: String,
    /// The lock folders, in the order in which they were made; none while the fence is down for the output phase.
    pub(super) held: Vec<Bytes>,
    /// Folders that had to be made around them, outermost first.
    pub(super) made: Vec<Bytes>,
}

impl Fence {
    pub(super) fn is_of(&self, git_dir: &Path) -> bool {
        self.git_dir.path() == git_dir
    }

    /// The fence with every path as `here` says.
    fn mapped(&self, here: &dyn Fn(&Bytes) -> Bytes) -> Self {
        Self {
            git_dir: here(&self.git_dir),
            session: self.session.clone(),
            held: self.held.iter().map(here).collect(),
            made: self.made.iter().map(here).collect(),
        }
    }

    /// The shared directory of a fence whose paths are absolute.
    fn old_home(&self) -> PathBuf {
        let git_dir = self.git_dir.path();
        match git_dir.parent() {
            Some(parent) if parent.ends_with(FOLDER) => parent.parent().unwrap_or(parent).to_owned(),
            Some(_) | None => git_dir,
        }
    }

    /// The fence as it holds for this repository, which may have been moved or copied since. What lies outside of it
    /// is of the one it was copied from.
    fn found(&self, place: &Place) -> Self {
        let home = self.git_dir.path().is_absolute().then(|| self.old_home());
        let mut fence = self.mapped(&|path| found(place, path, home.as_deref()));
        fence.held.retain(|path| is_inside(place, &path.path()));
        fence.made.retain(|path| is_inside(place, &path.path()));
        fence
    }
}

/// Whether a worktree has a fence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FenceState {
    /// Nobody asked for one.
    None,
    /// Every lock is held.
    Up,
    /// It is down for the output phase, and comes back with the interview.
    Down,
    /// Locks of it are missing, so that git could take them.
    Broken { missing: Vec<PathBuf> },
}

impl Record {
    /// Reads the record; an empty one when there is no fence.
    pub(super) fn load(place: &Place) -> Result<Self, FenceError> {
        let path = place.fence_file();
        let Some(bytes) = read_if_there(&path)? else {
            return Ok(Self { format: FORMAT, fences: Vec::new() });
        };
        let unreadable = |why: String| FenceError::Record { path: path.clone(), why };
        let record: Self = serde_json::from_slice(&bytes).map_err(|error| unreadable(error.to_string()))?;
        match record.format {
            FORMAT | ABSOLUTE => {
                Ok(Self { format: FORMAT, fences: record.fences.iter().map(|fence| fence.found(place)).collect() })
            }
            format => Err(unreadable(format!("it was written by another version of git grill (format {format})"))),
        }
    }

    /// Writes the record in one step; one without a fence is taken away.
    pub(super) fn save(&self, place: &Place) -> Result<(), FenceError> {
        let path = place.fence_file();
        if self.fences.is_empty() {
            remove_if_there(&fresh_record(&path))?;
            return Ok(remove_if_there(&path)?);
        }
        let fences = self.fences.iter().map(|fence| fence.mapped(&|path| noted(place, path))).collect();
        let bytes = serde_json::to_vec_pretty(&Self { format: FORMAT, fences })
            .map_err(|error| FenceError::Record { path: path.clone(), why: error.to_string() })?;
        Ok(replace(&path, &bytes)?)
    }

    pub(super) fn of(&self, git_dir: &Path) -> Option<&Fence> {
        self.fences.iter().find(|fence| fence.is_of(git_dir))
    }

    /// Puts a worktree's fence in the place of the one it had.
    pub(super) fn put(&mut self, fence: Fence) {
        self.fences.retain(|other| other.git_dir != fence.git_dir);
        self.fences.push(fence);
    }

    pub(super) fn take(&mut self, git_dir: &Path) -> Option<Fence> {
        let at = self.fences.iter().position(|fence| fence.is_of(git_dir))?;
        Some(self.fences.remove(at))
    }

    pub(super) fn holds(&self, lock: &Bytes) -> bool {
        self.fences.iter().any(|fence| fence.held.contains(lock))
    }
}
