//! Making the fences of a repository follow their sessions: after a crash, at every command, and by hand.

use std::path::{Path, PathBuf};

use super::error::FenceError;
use super::raise::{Keep, PATIENCE, is_ours, let_go, raise_locked};
use super::record::{Fence, Record};
use crate::hooks::{Bytes, Lock, Place};

/// How the session of a fence stands in its worktree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SessionState {
    /// It is active and read-only: the fence belongs up.
    ReadOnly,
    /// It is active and produces its output: the fence belongs down for the time.
    Output,
    /// The worktree is gone, or the session is not active there any more.
    Gone,
    /// That cannot be found out; nothing is touched.
    Unknown,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tended {
    /// A fence that nobody wants any more was taken away.
    Lifted {
        /// The worktree's git directory.
        git_dir: PathBuf,
        session: String,
    },
    /// Locks that were missing are held again.
    Completed,
    /// It was lowered for the output phase.
    Lowered,
    /// Lock folders that have something in them that is not ours; they stay.
    Left(Vec<PathBuf>),
}

/// Looks after every fence of the repository. `standing` tells how a session stands, by its worktree's git directory
/// and its id. Fences of other worktrees are only ever taken away, never raised: their own commands do that.
pub fn tend(place: &Place, standing: &dyn Fn(&Path, &str) -> SessionState) -> Result<Vec<Tended>, FenceError> {
    if !place.fence_file().exists() {
        return Ok(Vec::new());
    }
    // Looked at without the lock first: nearly always there is nothing to do.
    if due(place, &Record::load(place)?, standing).is_empty() {
        return Ok(Vec::new());
    }
    let _lock = Lock::at(place, place.fence_lock_file())?;
    let mut record = Record::load(place)?;
    let mut tended = Vec::new();
    for (fence, deed) in due(place, &record, standing) {
        let git_dir = fence.git_dir.path();
        match deed {
            FenceAction::Lift => {
                let left = let_go(place, &mut record, &git_dir, Keep::Nothing)?;
                tended.push(Tended::Lifted { git_dir, session: fence.session });
                tended.extend((!left.is_empty()).then_some(Tended::Left(left)));
            }
            FenceAction::Lower => {
                let left = let_go(place, &mut record, &git_dir, Keep::Wish)?;
                tended.push(Tended::Lowered);
                tended.extend((!left.is_empty()).then_some(Tended::Left(left)));
            }
            FenceAction::Raise => {
                raise_locked(place, &fence.session, PATIENCE)?;
                record = Record::load(place)?;
                tended.push(Tended::Completed);
            }
        }
    }
    Ok(tended)
}

/// The fences that are not as they should be, or of which that is not known, by worktree and session; nothing is changed.
pub fn fences(
    place: &Place,
    standing: &dyn Fn(&Path, &str) -> SessionState,
) -> Result<Vec<(PathBuf, String, SessionState)>, FenceError> {
    let record = Record::load(place)?;
    let looked_at = record.fences.iter().map(|fence| (fence, standing(&fence.git_dir.path(), &fence.session)));
    Ok(looked_at
        .filter(|(fence, stands)| *stands == SessionState::Unknown || deed(place, fence, *stands).is_some())
        .map(|(fence, stands)| (fence.git_dir.path(), fence.session.clone(), stands))
        .collect())
}

enum FenceAction {
    Lift,
    Lower,
    Raise,
}

fn due(place: &Place, record: &Record, standing: &dyn Fn(&Path, &str) -> SessionState) -> Vec<(Fence, FenceAction)> {
    let deed_of = |fence: &Fence| deed(place, fence, standing(&fence.git_dir.path(), &fence.session));
    record.fences.iter().filter_map(|fence| Some((fence.clone(), deed_of(fence)?))).collect()
}

/// What has to be done about a fence whose session stands like this.
fn deed(place: &Place, fence: &Fence, stands: SessionState) -> Option<FenceAction> {
    match stands {
        SessionState::Gone => Some(FenceAction::Lift),
        SessionState::Output if !fence.held.is_empty() => Some(FenceAction::Lower),
        SessionState::ReadOnly if fence.is_of(&place.git_dir) && !complete(fence) => Some(FenceAction::Raise),
        SessionState::Output | SessionState::ReadOnly | SessionState::Unknown => None,
    }
}

fn complete(fence: &Fence) -> bool {
    !fence.held.is_empty() && fence.held.iter().map(Bytes::path).all(|lock| is_ours(&lock))
}
