//! Baselines whose ref is gone, or names something that was not taken in this worktree: one git command does that past the
//! hooks. The notes beside the baseline tell what was taken.

use std::path::{Path, PathBuf};

use super::GitBaseline;
use super::kept::{Kept, baseline_ref};
use super::taken;
use crate::app::ports::{BaselineError, Held};
use crate::domain::ids::SessionId;
use crate::git::{Oid, Repo};

/// A session's baseline, as its ref and the notes of a worktree have it.
#[derive(Clone, Debug)]
pub struct Noted {
    pub name: String,
    /// What the ref names.
    pub tip: Option<Oid>,
    /// The snapshots that were taken in the worktree, the newest first.
    pub taken: Vec<Oid>,
}

impl Noted {
    /// The baseline of a session in the worktree with this git directory.
    pub fn of(repo: &Repo, git_dir: &Path, id: &SessionId) -> Result<Self, BaselineError> {
        let name = baseline_ref(id);
        let tip = repo.tip(&name).map_err(|error| BaselineError::failed(format!("reading {name}"), error))?;
        Ok(Self { tip, taken: taken::all(&notes(git_dir, id))?, name })
    }

    pub fn held(&self) -> Held {
        match self.tip {
            Some(tip) if self.taken.contains(&tip) => Held::Baseline,
            // A snapshot of another worktree belongs to that worktree, and a fetched one to no worktree here.
            Some(_) | None if self.taken.is_empty() => Held::Nothing,
            Some(_) | None => Held::Lost,
        }
    }

    /// What became of the ref of a lost one.
    pub fn why(&self) -> String {
        let name = &self.name;
        match self.tip {
            Some(_) => format!("{name} names a snapshot that was not taken in this worktree"),
            None => format!("there is no ref {name}"),
        }
    }
}

/// The folder for what a worktree notes beside the baseline of a session.
pub(super) fn notes(git_dir: &Path, id: &SessionId) -> PathBuf {
    git_dir.join("grill/baseline").join(id.as_str())
}

/// Forgets which snapshots of a session were taken in a worktree: none of them counts any more.
pub fn disown(git_dir: &Path, id: &SessionId) -> Result<(), BaselineError> {
    taken::forget(&notes(git_dir, id))
}

impl GitBaseline<'_> {
    /// The baseline, as the ref and the notes of this worktree have it.
    pub(super) fn noted(&self, id: &SessionId) -> Result<Noted, BaselineError> {
        Noted::of(self.repo()?, &self.git.dir, id)
    }

    pub(super) fn unless_lost(&self, id: &SessionId) -> Result<(), BaselineError> {
        // Without notes there is nothing to lose, and nothing to open.
        if !self.notes(id).exists() {
            return Ok(());
        }
        let noted = self.noted(id)?;
        match noted.held() {
            Held::Lost => Err(BaselineError::Lost { why: noted.why() }),
            Held::Baseline | Held::Nothing => Ok(()),
        }
    }

    /// Sets the ref again, to the newest snapshot that is still whole; whether there is one.
    pub(super) fn set_again(&self, id: &SessionId) -> Result<bool, BaselineError> {
        let (noted, repo, scene) = (self.noted(id)?, self.repo()?, self.scene()?);
        let is_whole = |one: &Oid| Kept::at(repo, *one).is_ok_and(|kept| scene.holds(&kept));
        match noted.taken.iter().copied().find(is_whole) {
            Some(whole) => self.own_refs.set(repo, &noted.name, noted.tip, whole).map(|()| true),
            None => Ok(false),
        }
    }
}
