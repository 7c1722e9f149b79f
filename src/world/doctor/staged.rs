//! Files that were written and are staged as they were written: a commit that was killed, with a hook of the user's or by
//! itself, could not take them out of the index again.

use std::path::Path;

use crate::app::error::AppError;
use crate::app::ports::{Code, Finding, Severity};
use crate::domain::ids::ObjectId;
use crate::domain::production::TargetPath;
use crate::repo::commits::GitCommits;
use crate::repo::open::open;

use super::super::guardian::HookProtection;
use super::super::process::Programs;
use super::emptied::{AT_ONCE, failed, written};
use super::{Section, shell_word};

/// The index of this worktree. A user may have staged such a file, so that nothing is taken out of it here.
pub(super) struct LeftStaged<'a> {
    pub guardian: &'a HookProtection<'a>,
}

impl Section for LeftStaged<'_> {
    fn examine(&self) -> Result<Vec<Finding>, AppError> {
        let opened = open(&self.guardian.env)?;
        // Nothing here makes a commit or shows a signature.
        let Some(commits) = GitCommits::of(&opened, &Programs, Vec::new()) else { return Ok(Vec::new()) };
        let written: Vec<(TargetPath, ObjectId)> = written(&opened.repo)?.into_iter().collect();
        let mut found = Vec::new();
        for files in written.chunks(AT_ONCE) {
            let staged = commits.staged(files);
            let staged = staged.map_err(|error| failed("it is not known which written files are staged", error))?;
            found.extend(staged.iter().map(of_path));
        }
        Ok(found)
    }

    fn look(&self) -> String {
        "git status".to_owned()
    }
}

fn of_path(path: &TargetPath) -> Finding {
    let what = format!("{path} is staged as git grill wrote it, and not committed");
    let why = "a commit that was killed leaves it so, and so does git add; your next git commit takes it";
    let meant = shell_word(Path::new(&format!(":(top,literal){path}")));
    Finding::new(Code::WrittenStaged, Severity::Note, what, why)
        .typed([format!("git restore --staged -- {meant}")])
        .shown_by(format!("git diff --cached -- {meant}"))
}
