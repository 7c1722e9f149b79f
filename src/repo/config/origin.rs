//! Where a value of the configuration was set.

use std::fmt;
use std::path::{Path, PathBuf};

use gix_config::Source;
use gix_config::file::Metadata;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// In a file of the whole machine.
    System(PathBuf),
    /// In a file of the user.
    Global(PathBuf),
    /// In the repository's configuration.
    Repository(PathBuf),
    /// In the worktree's configuration.
    Worktree(PathBuf),
    /// In `GIT_CONFIG_KEY_<n>`.
    Environment,
    /// After `git -c`.
    CommandLine,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::System(file) | Self::Global(file) | Self::Repository(file) | Self::Worktree(file) => {
                write!(f, "in {}", file.display())
            }
            Self::Environment => f.write_str("in GIT_CONFIG_COUNT's variables"),
            Self::CommandLine => f.write_str("after git -c"),
        }
    }
}

impl Origin {
    /// The file that it is in; none where it is in none.
    pub(super) fn file(&self) -> Option<&Path> {
        match self {
            Self::System(file) | Self::Global(file) | Self::Repository(file) | Self::Worktree(file) => Some(file),
            Self::Environment | Self::CommandLine => None,
        }
    }

    pub(super) fn of(meta: &Metadata) -> Self {
        let file = meta.path.clone().unwrap_or_default();
        match meta.source {
            Source::GitInstallation | Source::System => Self::System(file),
            Source::Git | Source::User => Self::Global(file),
            Source::Local => Self::Repository(file),
            Source::Worktree => Self::Worktree(file),
            Source::Env | Source::EnvOverride => Self::Environment,
            Source::Cli | Source::Api => Self::CommandLine,
        }
    }
}
