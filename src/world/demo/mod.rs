//! The demo: a whole interview, a plan from its first draft to its last step, or a debate, in a throw-away repository, with real
//! git, real hooks and our own program, each step printed as it would be typed.
//!
//! In its throw-away repository a script approves (G30). Its user is the stage's own account, and no variable can say so:
//! the session is started in this process, which hands that account in. So that nothing of the caller's environment is
//! left in the process when it does, the demo first becomes a program with the stage's variables.

mod debate;
mod plan;
mod script;
mod stage;

use std::path::Path;

use crate::app::error::AppError;
use crate::render::Look;

use super::environment::Environment;
use stage::Stage;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Story {
    Interview,
    Plan,
    Debate,
}

/// Plays the demo; the repository is removed afterwards, unless it is to be kept.
pub(super) fn run(environment: &Environment, keep: Option<&Path>, story: Story, look: &Look) -> Result<(), AppError> {
    let Some(home) = stage::home(environment)? else {
        return Err(stage::enter(environment));
    };
    let stage = Stage::set(environment, &home, keep, *look)?;
    match story {
        Story::Interview => script::play(&stage)?,
        Story::Plan => plan::play(&stage)?,
        Story::Debate => debate::play(&stage)?,
    }
    match keep {
        Some(dir) => stage.say(&format!("The repository is in {}; look around, then remove it.", dir.display())),
        None => stage.say("The repository was removed; git grill demo --keep <folder> leaves it to look at."),
    }
}
