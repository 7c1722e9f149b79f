//! A program that may not have our terminal: our own program leaves it by beginning a session of its own, and becomes
//! that program. What has no terminal can neither draw on it nor change its modes, and is not stopped by it.

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

use super::environment::Environment;
use super::run::become_command;
use super::speak;

/// The first argument of this process; no verb, since nobody types it.
pub(super) const DETACHED: &str = "detached";

/// The words that start `words` without our terminal.
pub(super) fn detached(program: &Path, words: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    [program.as_os_str().to_owned(), DETACHED.into()].into_iter().chain(words).collect()
}

/// Leaves the terminal, and becomes the program.
pub(super) fn leave(environment: &Environment) -> ExitCode {
    if let Err(error) = rustix::process::setsid() {
        speak::naming(&format!("error: nothing was run: the terminal could not be left: {error}\n"));
        return ExitCode::from(128);
    }
    become_command(environment, &environment.args[1..], &[])
}
