//! Where the sessions of a repository lie: in its private directory, or in the one that the account names for all of them
//! (A6).

use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

use super::errors::{kept, not_written};
use crate::app::error::AppError;
use crate::git::object::sha256;
use crate::ledger::Ledgers;
use crate::repo::config::Config;

/// How much of the digest of a repository's place is in the name of its folder.
const TOLD_APART: usize = 16;

pub(super) enum Place {
    /// In the git directory that all worktrees share.
    Repository(PathBuf),
    /// A folder of this repository in another directory.
    Elsewhere { directory: PathBuf, folder: String },
}

impl Place {
    /// `common` is the git directory that all worktrees share.
    pub(super) fn of(config: &Config, common: &Path) -> Result<Self, AppError> {
        let Some(directory) = config.agent_directory()? else { return Ok(Self::Repository(common.to_owned())) };
        let real = common.canonicalize().unwrap_or_else(|_| common.to_owned());
        let digest = sha256(real.as_os_str().as_encoded_bytes()).unwrap_or_default();
        let top = if real.ends_with(".git") { real.parent() } else { Some(&*real) };
        let name = top.and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        // A name for people; the digest tells repositories apart.
        let plain = |c: char| if c.is_alphanumeric() || "._-".contains(c) { c } else { '-' };
        let name: String = name.trim_start_matches('.').chars().map(plain).take(40).collect();
        let folder = format!("{name}-{}", digest.get(..TOLD_APART).unwrap_or_default());
        Ok(Self::Elsewhere { directory, folder })
    }

    /// The sessions, if there are some.
    pub(super) fn found(&self) -> Result<Option<Ledgers>, AppError> {
        match self {
            Self::Repository(common) => Ledgers::find(common),
            Self::Elsewhere { directory, folder } => Ledgers::find_at(&directory.join(folder)),
        }
        .map_err(kept)
    }

    /// Makes their folder, if it is missing.
    pub(super) fn made(&self) -> Result<Ledgers, AppError> {
        match self {
            Self::Repository(common) => Ledgers::make(common).map_err(kept),
            Self::Elsewhere { directory, folder } => {
                let made = DirBuilder::new().recursive(true).mode(0o700).create(directory);
                made.map_err(|error| not_written(&format!("{} was not made", directory.display()), &error))?;
                Ledgers::make_at(&directory.join(folder)).map_err(kept)
            }
        }
    }
}
