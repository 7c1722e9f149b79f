//! What lies beside the refs: locks of ours that nobody holds, and ref files that git does not see.

use crate::app::error::AppError;
use crate::app::ports::{Code, Finding, Severity};
use crate::git::Repo;
use crate::repo::open::open;
use crate::store::commit::Person;
use crate::store::mending::strays::{self, Left};

use super::super::guardian::HookProtection;
use super::{Section, shell_word};

/// Locks and ref files.
pub(super) struct Beside<'a> {
    pub guardian: &'a HookProtection<'a>,
    /// Who makes a ref of a file.
    pub by: &'a Person,
    pub seconds: i64,
}

impl Section for Beside<'_> {
    fn examine(&self) -> Result<Vec<Finding>, AppError> {
        let repo = open(&self.guardian.env)?.repo;
        let mut found: Vec<Finding> = strays::locks(&repo).iter().map(of_lock).collect();
        for path in strays::files(&repo) {
            let what = format!("{} is a ref file in a repository that keeps its refs as reftable", path.display());
            let why = "git does not see it, and removes in time what it names";
            found.push(Finding::new(Code::StrayRef, Severity::Error, what, why).fixable());
        }
        Ok(found)
    }

    fn mend(&self) -> Result<Vec<String>, AppError> {
        let opened = open(&self.guardian.env)?;
        let through_git = Repo::Program(opened.through_git(&self.guardian.env.process));
        let removed = strays::remove(&opened.repo)?;
        let mut done: Vec<String> = removed.iter().map(|path| format!("removed {}", path.display())).collect();
        if let Repo::Program(program) = &through_git {
            done.extend(strays::take_in(&through_git, program, self.by, self.seconds)?);
        }
        Ok(done)
    }

    fn look(&self) -> String {
        "git for-each-ref refs/grill".to_owned()
    }
}

fn of_lock(left: &Left) -> Finding {
    let path = left.path();
    let what = format!("{} was left by a process that died", path.display());
    let lock = |why: &str| Finding::new(Code::StaleLock, Severity::Error, what.clone(), why);
    match left {
        Left::Ref(..) => lock("git and git grill cannot move that ref").fixable(),
        Left::Pointer(..) => lock("the active session of that worktree cannot be set").fixable(),
        Left::Shared(_) => lock(
            "no ref of the repository can be moved by anybody; it may be removed once no git runs there, also as another \
             user or on another machine",
        )
        .typed([format!("rm {}", shell_word(path))]),
    }
}
