//! The quick question that hooks ask: is a session active here, and in which phase? Reads one pointer and two or three
//! blobs, never questions or answers.

use git2::Repository;
use serde_yaml::Value;

use super::active;
use super::codec;
use super::files::{self, Broken};
use super::layout;
use super::tree::CommitFiles;
use crate::app::ports::StoreError;
use crate::domain::ids::SessionId;
use crate::domain::session::Phase;

/// The active session of this worktree and its phase. Drafts come without their bytes.
pub fn posture_source(repo: &Repository) -> Result<Option<(Phase, SessionId)>, StoreError> {
    let Some((id, tip)) = active::active(repo)? else {
        return Ok(None);
    };
    let phase = CommitFiles::of(repo, tip).and_then(|files| phase(&files)).map_err(|broken| broken.of(&id))?;
    Ok(Some((phase, id)))
}

fn phase(files: &CommitFiles<'_>) -> Result<Phase, Broken> {
    files::check_format(files)?;
    let mut session = files::session_value(files)?;
    let phase = session.get_mut("phase").map_or(Value::Null, std::mem::take);
    codec::from_value(phase).map_err(|why| Broken::at(layout::SESSION, why))
}
