//! `git grill status --short`: the line in a shell's prompt, asked for at every Enter. It opens the repository and reads
//! what it shows: no configuration, no context, and in the form that shells use no grammar either.

use std::process::ExitCode;

use crate::app::error::AppError;
use crate::render;
use crate::repo::open::{RepoEnv, open};
use crate::store::prompt_summary::prompt_summary;

use super::environment::Environment;
use super::process::spawner;
use super::speak;

/// Answers when the arguments are these and no others; whatever else is asked is for the grammar to read.
pub(super) fn asked_plainly(environment: &Environment) -> Option<ExitCode> {
    let words: Vec<&str> = environment.args.iter().map(|word| word.to_str()).collect::<Option<_>>()?;
    let columns = match *words {
        ["status", "--short"] => None,
        ["status", "--short", "--width", columns] => Some(columns.parse().ok()?),
        _ => return None,
    };
    Some(answer(environment, columns))
}

/// Prints the line, in at most so many columns. One that fails must not fill the screen at every Enter: only its exit
/// code says so.
pub(super) fn answer(environment: &Environment, columns: Option<usize>) -> ExitCode {
    match tell(environment, columns) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => ExitCode::from(error.exit_code()),
    }
}

fn tell(environment: &Environment, columns: Option<usize>) -> Result<(), AppError> {
    let var = |name: &str| environment.var(name);
    let opened = open(&RepoEnv { cwd: environment.cwd.clone(), var: &var, process: spawner() })?;
    speak::out(&render::short(prompt_summary(&opened.repo)?.as_ref(), columns))
}
