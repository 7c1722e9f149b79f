//! The demo: a whole interview in a throw-away repository, with real git, real hooks and our own program, each step
//! printed as it would be typed.

mod script;
mod stage;

use std::path::Path;

use crate::app::error::AppError;
use crate::render::Look;

use super::environment::Environment;
use stage::Stage;

/// Plays the demo; the repository is removed afterwards, unless it is to be kept.
pub(super) fn run(environment: &Environment, keep: Option<&Path>, look: &Look) -> Result<(), AppError> {
    let stage = Stage::set(environment, keep, *look)?;
    script::play(&stage)?;
    match keep {
        Some(dir) => stage.say(&format!("The repository is in {}; look around, then remove it.", dir.display())),
        None => stage.say("The repository was removed; git grill demo --keep <folder> leaves it to look at."),
    }
}
