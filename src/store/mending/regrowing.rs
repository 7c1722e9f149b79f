//! What is missing of a commit, written anew: its events say what they changed, and the name of its tree proves that this
//! was it, to the byte. So a state that is lost is not, as long as the events and what they speak of can be read.

use std::path::PathBuf;

use super::super::files::Broken;
use super::super::layout::CHECKPOINT;
use super::super::tree::{CommitFiles, flat, write};
use super::super::{changes, events};
use super::keeping;
use super::recovery::chain;
use super::tip::readable;
use crate::app::ports::Batch;
use crate::domain::ids::SessionId;
use crate::domain::session::Session;
use crate::files::regular;
use crate::git::{Error, Kind, Oid, Program, Repo};

/// Writes what is missing of the commits between `from`, which can be read, and `tip`, as far as that is known; the
/// newest commit that can be read then.
pub fn regrow(repo: &Repo, program: &Program, id: &SessionId, from: Oid, tip: Oid, aside: &mut Vec<PathBuf>) -> Oid {
    let Ok(mut state) = readable(repo, id, from) else { return from };
    let mut at = from;
    for commit in chain(repo, tip, from).into_iter().rev() {
        let Ok(Some(next)) = one(repo, program, id, (at, &state), commit, aside) else { break };
        (at, state) = (commit, next);
    }
    at
}

/// Writes the checkpoint of a commit anew if it is missing and its copy in the working tree is it, to the byte.
pub fn from_the_view(repo: &Repo, program: &Program, commit: Oid, aside: &mut Vec<PathBuf>) -> Result<(), Broken> {
    let Some(wanted) = CommitFiles::plainly(repo, commit)?.blob_id(CHECKPOINT)? else { return Ok(()) };
    let path = repo.worktree().map(|top| top.join(CHECKPOINT));
    let Some(copy) = path.and_then(|path| regular::bytes(path, regular::LONG).ok()) else { return Ok(()) };
    let at = |why: String| Broken::at(CHECKPOINT, why);
    let git = |error: Error| at(error.0);
    if repo.blob_name(&copy).map_err(git)? == wanted && !matches!(repo.read(wanted), Ok(Some(_))) {
        aside.extend(keeping::put_aside(repo, wanted).map_err(|error| at(error.to_string()))?);
        program.write(Kind::Blob, copy).map_err(git)?;
        program.flush().map_err(git)?;
    }
    Ok(())
}

/// The state at a commit, after what it lacks was written; `None` when nobody knows what that was.
fn one(
    repo: &Repo,
    program: &Program,
    id: &SessionId,
    (parent, before): (Oid, &Session),
    commit: Oid,
    aside: &mut Vec<PathBuf>,
) -> Result<Option<Session>, Broken> {
    if let Ok(session) = readable(repo, id, commit) {
        return Ok(Some(session));
    }
    let (files, earlier) = (CommitFiles::plainly(repo, commit)?, CommitFiles::plainly(repo, parent)?);
    let events = events::read(&files)?;
    let after = events.iter().fold(before.clone(), Session::evolve);
    let batch = Batch { events: &events, after: &after, base: None };
    let Ok(changes) = changes::between(Some(before), &earlier, batch) else { return Ok(None) };
    // git would take a broken file for the object, and not write it again. Only now: what is written next counts as sound.
    for (_, object) in keeping::broken_files(repo, commit) {
        let moved = keeping::put_aside(repo, object);
        aside.extend(moved.map_err(|error| Broken::at(format!("object {object}"), error.to_string()))?);
    }
    let git = |error: Error| Broken::at(format!("commit {commit}"), error.0);
    let mut put = |kind, bytes| repo.write(kind, bytes);
    let tree = write(repo, Some(earlier.tree_id()), &flat(&changes), &mut put).map_err(git)?;
    if tree != Some(files.tree_id()) {
        return Ok(None);
    }
    program.flush().map_err(git)?;
    Ok(readable(repo, id, commit).ok())
}
