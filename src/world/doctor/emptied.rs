//! Files that were written and committed, and whose content the index has lost: a commit of an earlier version was killed
//! between the branch and the index.

use std::collections::BTreeSet;
use std::path::Path;

use crate::app::error::AppError;
use crate::app::ports::{Code, CommitError, Finding, Mending, Severity};
use crate::domain::ids::ObjectId;
use crate::domain::production::TargetPath;
use crate::git::Repo;
use crate::repo::commits::GitCommits;
use crate::repo::open::open;
use crate::store::listing;
use crate::store::mending::tip::{TipState, standing};

use super::super::guardian::HookProtection;
use super::super::process::Programs;
use super::{Section, shell_word};

/// So many paths stand in one command line at most.
pub(super) const AT_ONCE: usize = 500;

/// The index of this worktree.
pub(super) struct Emptied<'a> {
    pub guardian: &'a HookProtection<'a>,
}

impl Section for Emptied<'_> {
    fn examine(&self) -> Result<Vec<Finding>, AppError> {
        let paths = self.emptied(Mending::Look, "it is not known how written files stand in the index")?;
        Ok(paths.iter().map(of_path).collect())
    }

    fn mend(&self) -> Result<Vec<String>, AppError> {
        let paths = self.emptied(Mending::Fix, "the index did not get back what it lost")?;
        Ok(paths.iter().map(|path| format!("staged {path} again, as the newest commit has it")).collect())
    }

    fn look(&self) -> String {
        "git status".to_owned()
    }
}

impl Emptied<'_> {
    /// Those of the files that sessions wrote; `undone` is what does not happen where git fails.
    fn emptied(&self, mending: Mending, undone: &str) -> Result<Vec<TargetPath>, AppError> {
        let opened = open(&self.guardian.env)?;
        // Nothing here makes a commit or shows a signature.
        let Some(commits) = GitCommits::of(&opened, &Programs, Vec::new()) else { return Ok(Vec::new()) };
        let written: BTreeSet<TargetPath> = written(&opened.repo)?.into_iter().map(|(path, _)| path).collect();
        let written: Vec<TargetPath> = written.into_iter().collect();
        let mut found = Vec::new();
        for paths in written.chunks(AT_ONCE) {
            let emptied = match mending {
                Mending::Look => commits.emptied(paths),
                Mending::Fix => commits.refill(paths),
            };
            found.extend(emptied.map_err(|error| failed(undone, error))?);
        }
        Ok(found)
    }
}

/// The files that the sessions of this clone wrote, with their bytes. One that cannot be read is named elsewhere.
pub(super) fn written(repo: &Repo) -> Result<BTreeSet<(TargetPath, ObjectId)>, AppError> {
    let mut written = BTreeSet::new();
    for id in listing::ids(repo)? {
        if let TipState::Sound { session, .. } = standing(repo, &id)? {
            written.extend(session.files_written());
        }
    }
    Ok(written)
}

fn of_path(path: &TargetPath) -> Finding {
    let what = format!("the index has lost {path}, which the newest commit has as it stands in the working tree");
    let why = "a commit was killed between the branch and the index, and the next git commit would delete it";
    let show = format!("git status -- {}", shell_word(Path::new(&format!(":(top,literal){path}"))));
    Finding::new(Code::IndexEmptied, Severity::Error, what, why).fixable().shown_by(show)
}

pub(super) fn failed(undone: &str, error: CommitError) -> AppError {
    let causes = match error {
        CommitError::Blocked { why, .. } => vec![why],
        CommitError::Busy { why } => vec![why.to_owned()],
        CommitError::Interrupted => Vec::new(),
        CommitError::Failed { said } => said,
    };
    AppError::Environment {
        code: "index_not_mended",
        message: undone.to_owned(),
        causes,
        hint: Some("git status".to_owned()),
    }
}
