//! The repository that work is lent from, and who is named in commits of ours in it.

use std::path::Path;

use super::errors::not_lent;
use crate::app::error::AppError;
use crate::app::ports::Clock as _;
use crate::domain::agents::AgentHandle;
use crate::lend::{Author, LentFolder, Parent};
use crate::repo::config::Config;
use crate::repo::open::Opened;
use crate::store::commit::Person;
use crate::world::clock::GitClock;
use crate::world::environment::Environment;
use crate::world::identity::identity;
use crate::world::process::Programs;

/// What did not happen where work could not be lent.
pub(super) const NOT_STARTED: &str = "the agent was not started";

/// The folder of a session, as far as its copy is concerned.
pub(super) fn copy_folder(folder: &Path, handle: AgentHandle) -> Result<LentFolder, AppError> {
    let all = folder.parent().unwrap_or(folder);
    LentFolder::of(all, &handle.to_string()).map_err(|error| not_lent(&error))
}

/// The repository that work is lent from; `deed` is what does not happen where it has no working tree.
pub(super) fn parent_of(opened: &Opened, deed: &str) -> Result<Parent<'static>, AppError> {
    let top = opened.worktree.clone().ok_or_else(|| AppError::Declined {
        code: "cwd_not_in_repository",
        message: format!("{deed}: there is no working tree here"),
        causes: Vec::new(),
        hint: "type it in a working tree of the repository".to_owned(),
    })?;
    Ok(Parent { process: &Programs, git_dir: opened.git_dir.clone(), common_dir: opened.common_dir.clone(), top })
}

/// Who is named in commits of ours, and when.
pub(super) struct Signer {
    name: String,
    email: String,
    date: String,
}

impl Signer {
    pub(super) fn by(&self) -> Author<'_> {
        Author { name: &self.name, email: &self.email, date: &self.date }
    }
}

pub(super) fn author(environment: &Environment, config: &Config, clock: &GitClock) -> Signer {
    let date = format!("@{} +0000", clock.now().as_second());
    match identity(environment, config).committer {
        Some(Person { name, email }) => Signer { name, email, date },
        None => Signer { name: "git-grill".to_owned(), email: "git-grill@localhost".to_owned(), date },
    }
}
