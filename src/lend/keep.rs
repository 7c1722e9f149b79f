//! Keeping what is in a working copy, tracked and untracked, as a commit on a ref of ours in the parent, before
//! anything is tidied (A26). The ref only ever moves forward. Files that `.worktreeinclude` brought in are left out.

use std::collections::BTreeSet;

use super::error::LendError;
use super::folder::LentFolder;
use super::left_out::{LeftOut, ignored_in_words};
use super::notes::Notes;
use super::own_git::ObjectsIn;
use super::parent::{Author, NewWork, Parent, named};
use super::survey::{Survey, survey};
use crate::git::{Git, Oid};

/// How much of a commit's name a sentence shows.
const SHOWN: usize = 12;

/// Work that is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptWork {
    /// The commit with all of it; the one the copy began at where nothing was changed.
    pub commit: Oid,
    pub reference: String,
    /// Whether the agent changed anything.
    pub is_changed: bool,
    /// What is in the copy and not in the commit.
    pub left_out: BTreeSet<LeftOut>,
    handle: String,
}

impl KeptWork {
    /// How to get it back, in a sentence.
    pub fn in_words(&self) -> String {
        let Self { commit, reference, handle, is_changed, left_out } = self;
        let short = &commit.to_string()[..SHOWN];
        let kept = if *is_changed {
            format!(
                "the work of {handle} is kept in {reference} ({short}); to make it a branch: git switch -c {handle} {reference}"
            )
        } else {
            format!("{handle} changed nothing")
        };
        match ignored_in_words(left_out) {
            ignored if ignored.is_empty() => kept,
            ignored => format!("{kept}\nnot kept: {ignored}"),
        }
    }
}

/// Keeps the work of a session. Done twice, it adds nothing.
pub fn keep(parent: &Parent<'_>, folder: &LentFolder, by: Author<'_>) -> Result<KeptWork, LendError> {
    let start = Notes::of(folder).start()?;
    let Survey { tree, left_out } = survey(parent, folder, ObjectsIn::Parent)?;
    let reference = folder.reference();
    let tip = parent.named(&reference)?;
    let is_changed = tree != start.tree;
    let has_it = match tip {
        Some(tip) => tree_of(parent, tip)? == Some(tree),
        None => !is_changed,
    };
    let commit = if has_it {
        tip.unwrap_or(start.commit)
    } else {
        let message =
            format!("work of {}\n\nEverything in its working copy, tracked and untracked.\n", folder.handle());
        let parents = [tip.unwrap_or(start.commit)];
        let commit = parent.commit(&NewWork { tree, parents: &parents, by, message: &message })?;
        parent.point(&reference, tip, Some(commit))?;
        commit
    };
    Ok(KeptWork { commit, reference, is_changed, left_out, handle: folder.handle().to_owned() })
}

/// What was kept of a session when it was last done.
pub(super) fn kept_before(parent: &Parent<'_>, folder: &LentFolder) -> Result<KeptWork, LendError> {
    let start = Notes::of(folder).start()?;
    let reference = folder.reference();
    let commit = parent.named(&reference)?.unwrap_or(start.commit);
    let is_changed = tree_of(parent, commit)? != Some(start.tree);
    Ok(KeptWork { commit, reference, is_changed, left_out: BTreeSet::new(), handle: folder.handle().to_owned() })
}

fn tree_of(parent: &Parent<'_>, commit: Oid) -> Result<Option<Oid>, LendError> {
    let name = format!("{commit}^{{tree}}");
    let git = Git::new(["rev-parse", "-q", "--verify", &name]).inside(&parent.common_dir).silent().reading();
    named(git, parent.process).map_err(|error| LendError::failed("reading what is kept", error))
}
