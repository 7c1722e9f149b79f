//! How one session stands: what it lets happen, and where its worktree lies.

use std::path::{Path, PathBuf};

use crate::app::extensions::offered;
use crate::domain::posture::Posture;
use crate::policy::shell::Allowed;
use crate::repo::config::Config;
use crate::repo::open::open_exactly;
use crate::store::posture::posture_source;
use crate::world::environment::Environment;
use crate::world::extensions::LocalExtensions;
use crate::world::process::spawner;

use super::surroundings::Around;

/// A session that rules on a call.
pub(super) struct RulingSession {
    /// What it lets happen.
    pub posture: Posture,
    /// What the account allows beyond what is known to read; most calls never ask it.
    config: Config,
    /// The top of its worktree, with every link followed; none in a bare repository.
    root: Option<PathBuf>,
    /// The git directory that its worktrees share.
    common: PathBuf,
}

impl RulingSession {
    /// The path from the top of the worktree, if the file is in it and its name is text.
    pub(super) fn path_of(&self, file: &Path) -> Option<String> {
        let path = file.strip_prefix(self.root.as_deref()?).ok()?;
        path.to_str().map(str::to_owned)
    }

    /// The commands that the account allows beyond what is known to read. The way back to the top of the worktree does not
    /// leave it.
    pub(super) fn allowed(&self) -> Result<Allowed, String> {
        let commands = self.config.allowed_commands().map_err(|error| error.to_string())?;
        let allowed = Allowed::parse(commands).map_err(|error| error.to_string())?;
        Ok(allowed.within(self.root.as_deref().and_then(Path::to_str).unwrap_or_default()))
    }

    /// Whether the account lets this tool pass although it is not known.
    pub(super) fn allows_tool(&self, name: &str) -> Result<bool, String> {
        let tools = self.config.allowed_tools().map_err(|error| error.to_string())?;
        Ok(tools.iter().any(|tool| tool == name))
    }

    /// Whether one of these is a tool of an extension that a person enabled here. In case of an error, none is.
    pub(super) fn offers(&self, environment: &Environment, tools: &[String]) -> bool {
        let extensions = LocalExtensions::new(environment, &self.config, self.common.clone());
        offered(&extensions).is_ok_and(|offered| tools.iter().any(|tool| offered.named(tool).is_some()))
    }

    /// Whether commands go into the sandbox instead of being judged.
    pub(super) fn rewrites(&self) -> Result<bool, String> {
        self.config.rewrites().map_err(|error| error.to_string())
    }

    pub(super) fn around<'e>(&self, environment: &'e Environment, working: &Path) -> Around<'e> {
        Around::of(environment, working, self.root.as_deref(), Some(&self.common))
    }

    pub(super) fn is_read_only(&self) -> bool {
        match self.posture {
            Posture::ReadOnly { .. } => true,
            Posture::Inactive | Posture::Open | Posture::Output { .. } => false,
        }
    }

    /// Whether nothing is refused: it ended in the meantime, or lets everything happen.
    pub(super) fn refuses_nothing(&self) -> bool {
        self.posture.refuses_nothing()
    }
}

/// The session at `place`, a worktree or a git directory with the mark; else why it could not be read.
pub(super) fn standing(environment: &Environment, place: &Path) -> Result<RulingSession, String> {
    let opened = open_exactly(place, &spawner()).map_err(|error| error.to_string())?;
    let posture = match posture_source(&opened.repo).map_err(|error| error.to_string())? {
        Some((phase, _)) => Posture::of(&phase),
        None => Posture::Inactive,
    };
    let var = |name: &str| environment.var(name);
    let config = Config::load(Some(&opened), &var, &environment.account).map_err(|error| error.to_string())?;
    let root = opened.worktree.as_deref().map(|root| root.canonicalize().unwrap_or_else(|_| root.to_owned()));
    Ok(RulingSession { posture, config, root, common: opened.common_dir })
}
