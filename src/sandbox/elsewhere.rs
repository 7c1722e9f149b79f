//! Where there is no Linux, there are no walls: a run is refused, or goes on without any and says so.

use std::path::PathBuf;

use super::{Abilities, Built, Confinement, Missing, Part, Side, WITHOUT_WALLS, Wall, Walled};

#[derive(Debug, thiserror::Error)]
#[error("this run cannot be read-only: {NOTHING}")]
pub struct NoWalls;

impl NoWalls {
    pub fn hint(&self) -> String {
        WITHOUT_WALLS.to_owned()
    }
}

const NOTHING: &str = "read-only runs need Linux";

/// Builds nothing.
pub fn confine(confinement: &Confinement, _inside: &mut Inside) -> Result<Walled, NoWalls> {
    match confinement.missing {
        Missing::Refuse => Err(NoWalls),
        Missing::Say => {
            Ok(Walled { walls: vec![(Wall::Mounts, Built::Lacks(NOTHING.to_owned()))], ..Walled::default() })
        }
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

/// The process that becomes the command.
pub struct Inside(());

/// Divides nothing: this process becomes the command.
pub fn divide(_keeper: u32) -> std::io::Result<Side> {
    Ok(Side::Inside(Box::new(Inside(()))))
}

/// Divides nothing either: this process leaves the terminal, and becomes the command.
pub fn divide_openly(keeper: u32) -> std::io::Result<Side> {
    rustix::process::setsid()?;
    divide(keeper)
}

impl Inside {
    pub fn begin(&self) -> std::io::Result<Part> {
        let Self(()) = self;
        Ok(Part::Command)
    }
}

/// What is left behind here is nobody's child.
pub fn adopt_orphans() -> std::io::Result<()> {
    Ok(())
}

/// None is known.
pub fn end_orphans() -> bool {
    true
}
