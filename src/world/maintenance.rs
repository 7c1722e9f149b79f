//! Git's own maintenance: sessions grow by objects of their own, and in a repository where nobody commits or fetches git
//! never looks whether they want packing.
//!
//! Whether anything is to be done is git's to find out (`--auto`: `gc.auto` and its kin). It goes on beside us, with
//! nothing of ours open, so that nobody who reads our output waits for it; only where git is told not to detach itself
//! do we wait, too.

use std::fs;

use crate::app::ports::Process;
use crate::git::Git;
use crate::git::command::reason;
use crate::git::worktrees::pipes;
use crate::hooks::Place;
use crate::repo::config::Config;

use super::environment::Environment;
use super::process::{Programs, leave};
use super::run;

/// Has git look after the repository; what should be said of it. What an agent would find again goes with its session.
pub(super) fn look_after(environment: &Environment, place: &Place, config: &Config) -> Option<String> {
    run::forget_interviews(environment);
    // Git asks this only before it starts its maintenance by itself.
    if config.switch("maintenance.auto") == Some(false) || is_fenced(place) || waits(place) {
        return None;
    }
    let run = Git::new(["maintenance", "run", "--auto", "--quiet"]).inside(&place.git_dir).prepared();
    let detached = config.switch("maintenance.autoDetach").or_else(|| config.switch("gc.autoDetach"));
    if detached.unwrap_or(true) {
        // Without git there is no maintenance, and nothing is lost by it.
        let _ = leave(&run);
        return None;
    }
    match Programs.run(&run) {
        Ok(ran) if ran.code == 0 => None,
        Ok(ran) => Some(format!("git maintenance run --auto failed, and everything is recorded: {}", reason(&ran))),
        Err(_) => None,
    }
}

/// Whether git would wait for ever at a named pipe, which it opens where it looks for old worktrees.
fn waits(place: &Place) -> bool {
    pipes(&place.common_dir).is_ok_and(|found| !found.is_empty())
}

/// Whether a fence of ours, of whichever worktree, keeps git from packing refs. It would fail, note that, and not try
/// again by itself for a day.
fn is_fenced(place: &Place) -> bool {
    fs::symlink_metadata(place.common_dir.join("packed-refs.lock")).is_ok()
}
