//! Named pipes and the like where git opens a file: whoever opens one waits for its other end.

use std::path::Path;

use crate::app::error::AppError;
use crate::app::ports::{Code, Finding, Severity};
use crate::git::worktrees::pipes;

use super::super::failure::failed;
use super::super::guardian::HookProtection;
use super::{Section, shell_word};

/// The git directories of all worktrees. What stands in them is not ours to take away.
pub(super) struct Pipes<'a> {
    pub guardian: &'a HookProtection<'a>,
}

impl Section for Pipes<'_> {
    fn examine(&self) -> Result<Vec<Finding>, AppError> {
        let found = pipes(&self.guardian.place.common_dir);
        let found = found.map_err(|error| failed("io", "the worktrees could not be listed", &error, None))?;
        Ok(found.iter().map(|path| finding(path)).collect())
    }

    fn look(&self) -> String {
        format!("ls -l {}", shell_word(&self.guardian.place.common_dir))
    }
}

fn finding(path: &Path) -> Finding {
    let what = format!("{} is not a regular file", path.display());
    let why = "git opens it in git worktree, git gc and git fetch, and may wait for ever; once it is gone, git worktree \
               repair writes what it can of a worktree anew";
    let file = shell_word(path);
    Finding::new(Code::NotAFile, Severity::Error, what, why)
        .typed([format!("rm {file}")])
        .shown_by(format!("ls -l {file}"))
}
