//! Where the settings of agents are on this machine.

use std::path::{Path, PathBuf};

use crate::agents::install::Root;
use crate::repo::open::Opened;
use crate::world::environment::Environment;

/// The folders that paths of settings begin in.
pub(super) struct Folders {
    worktree: Option<PathBuf>,
    home: Option<PathBuf>,
    config: Option<PathBuf>,
    claude: Option<PathBuf>,
    codex: Option<PathBuf>,
}

impl Folders {
    pub(super) fn of(environment: &Environment, opened: Option<&Opened>) -> Self {
        // A relative one would mean another folder in every place; such a variable counts as not set.
        let folder = |name: &str| {
            let value = environment.var(name).filter(|value| !value.is_empty());
            value.map(PathBuf::from).filter(|path| path.is_absolute())
        };
        let home = folder("HOME");
        Self {
            worktree: opened.and_then(|opened| opened.worktree.clone()),
            config: folder("XDG_CONFIG_HOME").or_else(|| Some(home.as_ref()?.join(".config"))),
            claude: folder("CLAUDE_CONFIG_DIR"),
            codex: folder("CODEX_HOME").or_else(|| Some(home.as_ref()?.join(".codex"))),
            home,
        }
    }

    pub(super) fn folder(&self, root: Root) -> Option<PathBuf> {
        match root {
            Root::Worktree => self.worktree.clone(),
            Root::Home => self.home.clone(),
            Root::Config => self.config.clone(),
            Root::Claude => self.claude.clone().or_else(|| Some(self.home.as_ref()?.join(".claude"))),
            Root::ClaudeState => self.claude.clone().or_else(|| self.home.clone()),
            Root::Codex => self.codex.clone(),
            Root::Code if cfg!(target_os = "macos") => {
                Some(self.home.as_ref()?.join("Library/Application Support/Code/User"))
            }
            Root::Code => Some(self.config.as_ref()?.join("Code/User")),
        }
    }

    pub(super) fn has(&self, root: Root) -> bool {
        self.folder(root).is_some()
    }

    /// The lowest folder that is never ours to make or to take away.
    pub(super) fn floor(&self, root: Root) -> Option<PathBuf> {
        let within_home = |folder: PathBuf| match &self.home {
            Some(home) if folder.starts_with(home) => home.clone(),
            Some(_) | None => folder,
        };
        match root {
            Root::Worktree => self.worktree.clone(),
            Root::Home | Root::Config | Root::Claude | Root::ClaudeState | Root::Codex | Root::Code => {
                self.folder(root).map(within_home)
            }
        }
    }

    /// A path as it is shown: from the top of the working tree, else in full.
    pub(super) fn shown(&self, root: Root, path: &Path) -> PathBuf {
        let top = self.worktree.as_ref().filter(|_| root == Root::Worktree);
        top.and_then(|top| path.strip_prefix(top).ok()).unwrap_or(path).to_owned()
    }
}
