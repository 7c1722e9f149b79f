//! What an installed hook runs: a query, answered without the grammar, the questions, or a spawned git.

use std::io::Read;
use std::process::ExitCode;

use crate::domain::posture::Posture;
use crate::hooks::{GitFacts, run_hook};
use crate::repo::config::Config;
use crate::repo::open::{Opened, RepoEnv, open};
use crate::store::posture::posture_source;

use super::environment::Environment;
use super::{bug, speak};

/// Answers `git-grill hook <name> <args>`; a bug of ours is a failure of ours.
pub(super) fn run(environment: &Environment) -> ExitCode {
    bug::surviving(
        || answer(environment),
        || {
            let var = |name: &str| environment.var(name);
            let opened = open(&RepoEnv { cwd: environment.cwd.clone(), var: &var }).ok();
            broken(opened.as_ref(), environment, "git grill stopped because of a bug")
        },
    )
}

fn answer(environment: &Environment) -> ExitCode {
    let name = environment.args.get(1).and_then(|name| name.to_str()).unwrap_or_default();
    let args = environment.args.get(2..).unwrap_or_default();
    let var = |name: &str| environment.var(name);
    let opened = match open(&RepoEnv { cwd: environment.cwd.clone(), var: &var }) {
        Ok(opened) => opened,
        Err(error) => return broken(None, environment, &error.to_string()),
    };
    let posture = match posture_source(&opened.repo) {
        Ok(Some((phase, _))) => Posture::of(&phase),
        Ok(None) => Posture::Inactive,
        Err(error) => return broken(Some(&opened), environment, &error.to_string()),
    };
    let outcome = run_hook(name, args, &mut std::io::stdin().lock(), &posture, &GitFacts::new(&opened.repo));
    speak::err(&outcome.stderr);
    ExitCode::from(outcome.code)
}

/// A failure of ours never fails the user's git command, unless the user asked for that (`grill.failClosed`).
fn broken(opened: Option<&Opened>, environment: &Environment, why: &str) -> ExitCode {
    // git waits for its pipe to be read.
    let _ = std::io::copy(&mut std::io::stdin().lock().take(1 << 20), &mut std::io::sink());
    let var = |name: &str| environment.var(name);
    let closed = Config::load(opened, &var).and_then(|config| config.fail_closed()).unwrap_or(false);
    if closed {
        speak::err(&format!(
            "error: git grill: the session could not be read, so nothing is let through (grill.failClosed): {why}\nhint: git \
             grill status\n"
        ));
        return ExitCode::from(1);
    }
    speak::err(&format!("warning: git grill: the session could not be read, so nothing was checked: {why}\n"));
    ExitCode::SUCCESS
}
