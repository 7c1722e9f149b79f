//! Where there is no Linux, there are no walls: a run is refused, or goes on without any and says so.

use std::path::PathBuf;

use super::{Abilities, Built, Confinement, Missing, Wall, Walled};

/// Why there is no run.
#[derive(Debug, thiserror::Error)]
#[error("this run cannot be read-only: {NOTHING}")]
pub struct NoWalls;

const NOTHING: &str = "read-only runs need Linux";

/// Builds nothing.
pub fn confine(confinement: &Confinement) -> Result<Walled, NoWalls> {
    match confinement.missing {
        Missing::Refuse => Err(NoWalls),
        Missing::Say => Ok(Walled(vec![(Wall::Mounts, Built::Lacks(NOTHING.to_owned()))])),
    }
}

/// Nothing is.
pub fn is_confined(_sealed: &[PathBuf]) -> bool {
    false
}

/// None.
pub fn abilities() -> Abilities {
    Abilities { landlock: Err(NOTHING.to_owned()), mounts: Err(NOTHING.to_owned()) }
}
