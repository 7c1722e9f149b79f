//! What processes that died have left in `.git/grill`.

use std::path::PathBuf;

use crate::app::error::AppError;
use crate::app::ports::{Code, Finding, Severity};
use crate::domain::ids::SessionId;
use crate::fence;
use crate::git::worktrees::{Worktree, present};
use crate::repo::open::open;
use crate::store::lock::{self, Locks, PATIENCE};
use crate::store::{active, copies};

use super::super::guardian::HookProtection;
use super::{Section, shell_word};

/// Files that served somebody who is gone.
pub(super) struct Leftovers<'a> {
    pub guardian: &'a HookProtection<'a>,
}

impl Section for Leftovers<'_> {
    fn examine(&self) -> Result<Vec<Finding>, AppError> {
        let place = &self.guardian.place;
        let opened = open(&self.guardian.env)?;
        let active: Vec<_> = active::elsewhere(&opened.repo).into_iter().chain(active::here(&opened.repo)).collect();
        let serves = |session: &SessionId| active.iter().any(|(id, _)| id == session);
        let unheld = lock::unheld(&place.common_dir).into_iter();
        let mut left: Vec<PathBuf> = unheld.filter(|(session, _)| !serves(session)).map(|(_, path)| path).collect();
        left.extend(fence::trial_left(place));
        let worktrees = present(&place.common_dir);
        left.extend(worktrees.iter().filter_map(|one| active::orphan_mark(&opened.repo, &one.git_dir)));
        let note = |what: String, why: &str| Finding::new(Code::LeftOver, Severity::Note, what, why).fixable();
        let of_process =
            |path: PathBuf| note(format!("{} was left by a process that is gone", path.display()), "it does no harm");
        let of_copies = |path: PathBuf| {
            let what = format!("{} has copies of objects that are no longer needed", path.display());
            note(what, "they contain words of an interview")
        };
        let copied = copies::left(&opened.repo);
        Ok(left.into_iter().map(of_process).chain(copied.into_iter().map(of_copies)).collect())
    }

    fn mend(&self) -> Result<Vec<String>, AppError> {
        let repo = open(&self.guardian.env)?.repo;
        copies::sweep(&repo, &Locks::new(repo.common_dir(), PATIENCE));
        let _removed = lock::sweep(&self.guardian.place.common_dir);
        fence::sweep(&self.guardian.place)?;
        for Worktree { git_dir, .. } in present(repo.common_dir()) {
            if active::orphan_mark(&repo, &git_dir).is_some() {
                let _removed = active::tidy_at(&repo, &git_dir)?;
            }
        }
        Ok(Vec::new())
    }

    fn look(&self) -> String {
        format!("ls -la {}", shell_word(&self.guardian.place.common_dir.join("grill")))
    }
}
