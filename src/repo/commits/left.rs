//! What a commit that was cut off has left in the index: files that it has lost, and files that are still staged.

use super::{GitCommits, hashed};
use crate::app::ports::CommitError;
use crate::domain::ids::ObjectId;
use crate::domain::production::TargetPath;

impl GitCommits<'_> {
    /// Files whose content the index has lost to a commit of an earlier version that was cut off, while the newest commit
    /// has it as it stands in the working tree.
    pub fn emptied(&self, paths: &[TargetPath]) -> Result<Vec<TargetPath>, CommitError> {
        let Some(tip) = self.committed_to()? else { return Ok(Vec::new()) };
        let standing = Self::standing(|args| self.looked(args), paths)?;
        let is_emptied = |path: &&TargetPath| standing.get(path.as_str()).is_some_and(|letters| letters == "DA");
        let mut emptied: Vec<TargetPath> = paths.iter().filter(is_emptied).cloned().collect();
        let altered = self.differing(&tip, &hashed(|args| self.looked(args), &[], &emptied)?)?;
        emptied.retain(|path| !altered.contains(path));
        Ok(emptied)
    }

    /// Stages them again, and nothing else; names them.
    pub fn refill(&self, paths: &[TargetPath]) -> Result<Vec<TargetPath>, CommitError> {
        let emptied = self.emptied(paths)?;
        if let Some((args, names)) = Self::staging(&emptied) {
            self.unfiltered(self.git(args, names))?;
        }
        Ok(emptied)
    }

    /// Those of these files that stand in the working tree with the bytes that were written, are staged so, and are not
    /// committed so.
    pub fn staged(&self, written: &[(TargetPath, ObjectId)]) -> Result<Vec<TargetPath>, CommitError> {
        if self.committed_to()?.is_none() {
            return Ok(Vec::new());
        }
        let paths: Vec<TargetPath> = written.iter().map(|(path, _)| path.clone()).collect();
        let standing = Self::standing(|args| self.looked(args), &paths)?;
        let is_staged =
            |path: &&TargetPath| standing.get(path.as_str()).is_some_and(|letters| letters == "A " || letters == "M ");
        let mut staged: Vec<TargetPath> = paths.iter().filter(is_staged).cloned().collect();
        staged.dedup();
        let mut found = hashed(|args| self.looked(args), &["--no-filters"], &staged)?;
        found.retain(|(path, bytes)| written.iter().any(|(of, blob)| of == path && blob.as_str() == bytes));
        Ok(found.into_iter().map(|(path, _)| path).collect())
    }

    /// The newest commit of the branch. None where something is unfinished, or HEAD is on no branch: there the index is the
    /// user's work, and nothing of it is taken for ours.
    fn committed_to(&self) -> Result<Option<ObjectId>, CommitError> {
        match self.branch(super::AGAIN) {
            Ok((_, tip)) => Ok(Some(tip)),
            Err(CommitError::Blocked { .. }) => Ok(None),
            Err(error @ (CommitError::Failed { .. } | CommitError::Busy { .. } | CommitError::Interrupted)) => {
                Err(error)
            }
        }
    }
}
