//! Texts that somebody typed in an editor and that were not recorded.

use std::path::Path;

use crate::app::error::AppError;
use crate::app::ports::{Code, Finding, Severity};

use super::super::editor;
use super::super::failure::failed;
use super::super::guardian::HookProtection;
use super::{Section, shell_word};

/// The texts of this worktree. They are the user's, so that nothing of them is ever removed here.
pub(super) struct Kept<'a> {
    pub guardian: &'a HookProtection<'a>,
}

impl Section for Kept<'_> {
    fn examine(&self) -> Result<Vec<Finding>, AppError> {
        let git_dir = &self.guardian.place.git_dir;
        let kept = editor::kept(git_dir);
        let kept = kept.map_err(|error| failed("io", "kept texts could not be looked for", &error, None))?;
        Ok(kept.iter().map(|path| finding(path)).collect())
    }

    fn look(&self) -> String {
        format!("ls -la {}", shell_word(&self.guardian.place.git_dir))
    }
}

fn finding(path: &Path) -> Finding {
    let what = format!("{} holds a text that was typed and is not recorded", path.display());
    let why = "nothing reads it; unless an editor has it open, it can go once you need it no more";
    let file = shell_word(path);
    Finding::new(Code::KeptText, Severity::Note, what, why)
        .typed([format!("rm {file}")])
        .shown_by(format!("cat {file}"))
}
