//! How one session stands: what it lets happen, and where its worktree lies.

use std::path::{Path, PathBuf};

use crate::domain::posture::Posture;
use crate::policy::shell::Allowed;
use crate::repo::config::Config;
use crate::repo::open::open_exactly;
use crate::store::posture::posture_source;
use crate::world::environment::Environment;
use crate::world::process::spawner;

/// A session that rules on a call.
pub(super) struct Standing {
    /// What it lets happen.
    pub posture: Posture,
    /// The commands that the person allows beyond what is known to read.
    pub allowed: Allowed,
    /// The tools that the person lets pass although nobody knows them.
    pub tools: Vec<String>,
    /// Whether commands go into the sandbox instead of being judged.
    pub rewrites: bool,
    /// The top of its worktree, with every link followed; none in a bare repository.
    root: Option<PathBuf>,
}

impl Standing {
    /// The path from the top of the worktree, if the file is in it and its name is text.
    pub(super) fn path_of(&self, file: &Path) -> Option<String> {
        let path = file.strip_prefix(self.root.as_deref()?).ok()?;
        path.to_str().map(str::to_owned)
    }

    /// Whether nothing may change.
    pub(super) fn is_read_only(&self) -> bool {
        match self.posture {
            Posture::ReadOnly { .. } => true,
            Posture::Inactive | Posture::Output { .. } => false,
        }
    }

    /// Whether it ended in the meantime.
    pub(super) fn is_inactive(&self) -> bool {
        self.posture == Posture::Inactive
    }
}

/// The session at `place`, a worktree or a git directory with the mark; else why it could not be read.
pub(super) fn standing(environment: &Environment, place: &Path) -> Result<Standing, String> {
    let opened = open_exactly(place, &spawner()).map_err(|error| error.to_string())?;
    let posture = match posture_source(&opened.repo).map_err(|error| error.to_string())? {
        Some((phase, _)) => Posture::of(&phase),
        None => Posture::Inactive,
    };
    let var = |name: &str| environment.var(name);
    let config = Config::load(Some(&opened), &var).map_err(|error| error.to_string())?;
    let allowed = config.allowed_commands().map_err(|error| error.to_string())?;
    let allowed = Allowed::parse(allowed).map_err(|error| error.to_string())?;
    let root = opened.worktree.as_deref().map(|root| root.canonicalize().unwrap_or_else(|_| root.to_owned()));
    Ok(Standing {
        posture,
        // The way back to the top of the worktree does not leave it.
        allowed: allowed.within(root.as_deref().and_then(Path::to_str).unwrap_or_default()),
        tools: config.allowed_tools(),
        rewrites: config.rewrites().map_err(|error| error.to_string())?,
        root,
    })
}
