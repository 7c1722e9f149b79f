//! The quick question that hooks ask: is a session active here, and in which phase? Reads one pointer and two or three
//! blobs, in the output phase what was granted here, and never questions or answers.

use super::active;
use super::codec;
use super::files::{self, Broken};
use super::granted::Granted;
use super::layout;
use super::publish;
use super::tree::CommitFiles;
use crate::app::ports::StoreError;
use crate::domain::ids::SessionId;
use crate::domain::session::{Grip, Phase};
use crate::git::Repo;

/// The active session of this worktree and its phase. Drafts come without their bytes.
pub fn posture_source(repo: &Repo) -> Result<Option<(Phase, SessionId)>, StoreError> {
    let Some((id, tip)) = active::active(repo)? else {
        return Ok(None);
    };
    let phase = CommitFiles::of(repo, tip).and_then(|files| phase(&files)).map_err(|broken| broken.of(&id))?;
    Ok(Some((counting(repo, &id, phase), id)))
}

/// The phase of a session, wherever it is active; `None` when there is no such session.
pub fn phase_of(repo: &Repo, id: &SessionId) -> Result<Option<Phase>, StoreError> {
    let tip = publish::tip(repo, &id.ref_name()).map_err(|error| Broken::at(id.ref_name(), error.0).of(id))?;
    let Some(tip) = tip else {
        return Ok(None);
    };
    let phase = CommitFiles::of(repo, tip).and_then(|files| phase(&files)).map_err(|broken| broken.of(id))?;
    Ok(Some(counting(repo, id, phase)))
}

/// The phase as far as it counts in this clone: an output phase whose plan was not granted here is the selection, in
/// which nothing may change, and a hold that was not lifted here holds. Only in these is it looked what was granted; what
/// cannot be read grants nothing.
fn counting(repo: &Repo, id: &SessionId, phase: Phase) -> Phase {
    match phase {
        Phase::Production(production) => Granted::of(repo.common_dir(), id).unwrap_or_default().phase(&production),
        Phase::NoInterview { hold: Grip::Lifted { by } } => {
            let granted = Granted::of(repo.common_dir(), id).unwrap_or_default();
            let hold = if granted.knows(&by) { Grip::Lifted { by } } else { Grip::ReadOnly };
            Phase::NoInterview { hold }
        }
        other @ (Phase::Interview(_)
        | Phase::Selection(_)
        | Phase::NoInterview { hold: Grip::ReadOnly }
        | Phase::Closed { .. }) => other,
    }
}

fn phase(files: &CommitFiles<'_>) -> Result<Phase, Broken> {
    files::check_format(files)?;
    codec::from_value(files::phase_value(files)?).map_err(|why| Broken::at(layout::SESSION, why))
}
