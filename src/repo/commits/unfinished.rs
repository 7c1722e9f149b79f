//! What of git's is half-way here, so that a commit of ours would be wrong.

use super::GitCommits;
use super::wording::words;
use crate::app::ports::CommitError;

/// Messages that git keeps for a commit to come, and how a person calls what waits for it. Ours would take them away.
const PREPARED: [(&str, &str); 2] = [("SQUASH_MSG", "a squashed merge"), ("MERGE_MSG", MERGING)];

/// What is unfinished where one of these names a commit, whether or not its message is still there. git forgets the last
/// with the next commit, and makes none of a few files beside the others.
const UNFINISHED: [&str; 3] = ["MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD"];

/// Where git has what is left of a rebase. Its own messages look like those of a merge.
const REBASING: [(&str, &str); 2] = [("rebase-merge", "a rebase"), ("rebase-apply", "a rebase or git am")];

const MERGING: &str = "a merge, cherry-pick or revert";

impl GitCommits<'_> {
    /// What waits to be finished, as a person calls it.
    pub(super) fn unfinished(&self) -> Result<Option<&'static str>, CommitError> {
        let is_there = |name: &str| self.git_dir.join(name).symlink_metadata().is_ok();
        if let Some((_, what)) = REBASING.iter().chain(&PREPARED).find(|(name, _)| is_there(name)) {
            return Ok(Some(what));
        }
        for name in UNFINISHED {
            // With reftable some are in no file.
            if self.line(words(&["rev-parse", "--verify", "--quiet", name]))?.is_some() {
                return Ok(Some(MERGING));
            }
        }
        Ok(None)
    }
}
