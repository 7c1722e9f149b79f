//! Submodules and other repositories within the working tree: where their HEAD is and whether they have changes of
//! their own. Reported, never restored: what is in them is theirs, also where this repository tracks files in them.

use super::folders::{Folders, name};
use super::git::{GitAt, faithful};
use crate::app::ports::BaselineError;
use crate::git::object::name_of;
use crate::git::worktrees::in_the_way;
use crate::git::{Git, Kind, Naming};

/// A repository within the working tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Nested {
    /// Its HEAD; none when it has no commit.
    pub head: Option<String>,
    /// A fingerprint of what `git status` says in it.
    pub state: String,
}

const DOING: &str = "looking at a repository within this one";
/// The state of one in which git cannot say what has changed.
const UNREADABLE: &str = "unreadable";

/// Looks at a folder; none when there is no repository in it, such as a submodule that was never checked out.
pub(super) fn look(git: &GitAt<'_>, folders: &Folders, path: &[u8]) -> Result<Option<Nested>, BaselineError> {
    let mut dot_git = path.to_vec();
    dot_git.extend_from_slice(b"/.git");
    // Without one of its own, git would answer for the repository around it.
    let there = folders.look(&dot_git).map_err(|error| {
        BaselineError::failed(format!("looking at {}", super::git::quoted(path)), std::io::Error::from(error))
    })?;
    let (Some(_), Some(top)) = (there, &git.top) else {
        return Ok(None);
    };
    let dir = top.join(name(path));
    // git would wait there for ever.
    if in_the_way(&dir).is_some() {
        return Ok(Some(Nested { head: None, state: UNREADABLE.to_owned() }));
    }
    // A `.git` that leads nowhere must not let git look further up.
    let inside = |git: Git| faithful(git.exactly_at(&dir));
    let Ok(off) = git.filters_off(DOING, inside) else {
        return Ok(Some(Nested { head: None, state: UNREADABLE.to_owned() }));
    };
    let ask = |args: &[&str]| git.try_ask(DOING, inside(Git::new(args.iter().copied())).settings(&off));
    let head = ask(&["rev-parse", "-q", "--verify", "HEAD"])?;
    let status = ask(&["status", "--porcelain=v2", "-z", "--ignore-submodules=dirty"])?;
    let state = if status.code == 0 {
        let id = name_of(Naming::Sha1, Kind::Blob, &status.stdout);
        id.map_err(|error| BaselineError::failed("naming a state", error))?.to_string()
    } else {
        UNREADABLE.to_owned()
    };
    let head = (head.code == 0).then(|| String::from_utf8_lossy(&head.stdout).trim().to_owned());
    Ok(Some(Nested { head, state }))
}
