//! What an installed hook runs: a query, answered without the grammar, the questions, or a spawned git. For new tags of a
//! fetch alone, git lists the configured refspecs.

use std::io::Read;
use std::process::ExitCode;

use crate::app::ports::StoreError;
use crate::domain::posture::{Posture, ReadOnlyPhase};
use crate::git::Repo;
use crate::hooks::{CliFacts, GitFacts, Place, RETIRED, is_told_only, run_hook};
use crate::repo::config::Config;
use crate::repo::open::{BACKEND, OpenError, Opened, RepoEnv, open};
use crate::store::posture::posture_source;

use super::environment::Environment;
use super::process::{Programs, spawner};
use super::{bug, speak};

/// Answers `git-grill hook <name> <args>`; a bug of ours is a failure of ours.
pub(super) fn run(environment: &Environment) -> ExitCode {
    bug::surviving(
        || answer(environment),
        || {
            let var = |name: &str| environment.var(name);
            let opened = open(&RepoEnv { cwd: environment.cwd.clone(), var: &var, process: spawner() }).ok();
            broken(opened.as_ref(), environment, "git grill stopped because of a bug")
        },
    )
}

fn answer(environment: &Environment) -> ExitCode {
    let name = environment.args.get(1).and_then(|name| name.to_str()).unwrap_or_default();
    let args = environment.args.get(2..).unwrap_or_default();
    // An earlier version may have left its third hook, which was never asked for leave.
    if name == RETIRED || is_told_only(name, args) {
        return ExitCode::SUCCESS;
    }
    // A variable that the guarded command sets may choose who reads, and not that nobody can.
    let var = |name: &str| environment.var(name).filter(|value| name != BACKEND || value == "git");
    let opened = match open(&RepoEnv { cwd: environment.cwd.clone(), var: &var, process: spawner() }) {
        Ok(opened) => opened,
        // Whoever put it there would be let out of the session with it.
        Err(error @ (OpenError::Irregular { .. } | OpenError::Redirected { .. })) => return hidden(&error),
        Err(error) => return broken(None, environment, &error.to_string()),
    };
    let mut unreadable = None;
    let posture = match posture_source(&opened.repo) {
        Ok(Some((phase, _))) => Posture::of(&phase),
        Ok(None) => Posture::Inactive,
        // A session is there, and nobody knows what it lets happen: as much as an interview does.
        Err(error) if hides_a_session(&error) => {
            unreadable = Some(error);
            Posture::ReadOnly { phase: ReadOnlyPhase::Interview }
        }
        Err(error) => return broken(Some(&opened), environment, &error.to_string()),
    };
    let stdin = &mut std::io::stdin().lock();
    let outcome = match &opened.repo {
        Repo::Library(repo) => run_hook(name, args, stdin, &posture, &GitFacts::new(&opened.repo, repo, &Programs)),
        Repo::Program(_) => {
            let place = Place {
                common_dir: opened.common_dir.clone(),
                git_dir: opened.git_dir.clone(),
                root: opened.worktree.clone().unwrap_or_else(|| opened.git_dir.clone()),
                binary: environment.program.clone(),
            };
            run_hook(name, args, stdin, &posture, &CliFacts::new(&place, &Programs))
        }
    };
    speak::err(&outcome.stderr);
    if let Some(error) = unreadable.filter(|_| outcome.code != 0) {
        let hint = error.hint().unwrap_or_default();
        speak::naming(&format!("error: git grill: cannot tell what else the session allows: {error}\nhint: {hint}\n"));
    }
    ExitCode::from(outcome.code)
}

/// Whether this worktree points to a session of which nobody knows how it stands: it is broken, gone, of a newer version
/// of git grill, or the pointer leads to something else.
fn hides_a_session(error: &StoreError) -> bool {
    matches!(error, StoreError::Corrupt { .. } | StoreError::BadPointer { .. } | StoreError::NewerFormat { .. })
}

/// Refuses: nobody knows what a session lets happen that cannot be reached.
fn hidden(error: &OpenError) -> ExitCode {
    drain();
    let hint = error.hint();
    speak::naming(&format!(
        "error: git grill: cannot tell what the session allows, so nothing is let through: {error}\nhint: {hint}\n"
    ));
    ExitCode::from(1)
}

/// git waits for its pipe to be read.
fn drain() {
    let _ = std::io::copy(&mut std::io::stdin().lock().take(1 << 20), &mut std::io::sink());
}

/// A failure of ours never fails the user's git command, unless the user asked for that (`grill.failClosed`).
fn broken(opened: Option<&Opened>, environment: &Environment, why: &str) -> ExitCode {
    drain();
    let var = |name: &str| environment.var(name);
    let closed =
        Config::load(opened, &var, &environment.account).and_then(|config| config.fail_closed()).unwrap_or(false);
    if closed {
        speak::naming(&format!(
            "error: git grill: the session could not be read, so nothing is let through (grill.failClosed): {why}\nhint: git \
             grill status\n"
        ));
        return ExitCode::from(1);
    }
    speak::naming(&format!("warning: git grill: the session could not be read, so nothing was checked: {why}\n"));
    ExitCode::SUCCESS
}
