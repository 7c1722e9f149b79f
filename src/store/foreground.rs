//! What hooks of agents ask with each prompt: the session as far as it stands in front. Reads one pointer and three or
//! four blobs, however long the interview is.

use super::active;
use super::codec;
use super::files::{self, Broken};
use super::granted;
use super::layout;
use super::tree::CommitFiles;
use crate::app::ports::StoreError;
use crate::domain::session::{Floor, Phase, Session};
use crate::git::Repo;

/// The active session of this worktree with the question that has the floor as its only one: without the checkpoint,
/// what was answered, what the repository showed, and the bytes of drafts.
pub fn foreground(repo: &Repo) -> Result<Option<Session>, StoreError> {
    let Some((id, tip)) = active::active(repo)? else {
        return Ok(None);
    };
    let session = CommitFiles::of(repo, tip).and_then(|files| read(&files)).map_err(|broken| broken.of(&id))?;
    // What agents are told of it is what counts here.
    granted::counting(repo.common_dir(), session).map(Some)
}

fn read(files: &CommitFiles<'_>) -> Result<Session, Broken> {
    files::check_format(files)?;
    let mut session: Session =
        codec::from_value(files::session_value(files)?).map_err(|why| files::at_fault(files, why))?;
    if let Phase::Interview(Floor::Question { question } | Floor::Discussion { about: Some(question) }) = &session.phase
    {
        session.transcript.asked = vec![files::read_question(files, &layout::question(question))?];
    }
    Ok(session)
}
