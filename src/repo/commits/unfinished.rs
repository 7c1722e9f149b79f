//! What of git's is half-way here, so that a commit of ours would be wrong.

use super::GitCommits;
use super::wording::words;
use crate::app::ports::CommitError;
use crate::git::unfinished::Operation;

/// Messages that git keeps for a commit to come, and how a person calls what waits for it. Ours would take them away.
const PREPARED: [(&str, &str); 2] =
    [("SQUASH_MSG", "a squashed merge"), ("MERGE_MSG", "a merge, cherry-pick or revert")];

impl GitCommits<'_> {
    /// What waits to be finished, as a person calls it: git makes no commit of a few files beside the others of a merge.
    pub(super) fn unfinished(&self) -> Result<Option<&'static str>, CommitError> {
        let is_ref = |name: &str| Ok(self.line(words(&["rev-parse", "--verify", "--quiet", name]))?.is_some());
        if let Some(operation) = Operation::under_way(&self.git_dir, is_ref)? {
            return Ok(Some(operation.in_words()));
        }
        let is_there = |name: &str| self.git_dir.join(name).symlink_metadata().is_ok();
        Ok(PREPARED.into_iter().find(|(name, _)| is_there(name)).map(|(_, what)| what))
    }
}
