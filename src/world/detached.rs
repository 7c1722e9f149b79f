//! A program that may not have our terminal: our own program leaves it by beginning a session of its own, and becomes
//! that program. What has no terminal can neither draw on it nor change its modes, and is not stopped by it. On Linux a
//! process of ours stays between, as the warden of a run does: it ends the program with every process that it has started,
//! detached ones too, when git grill ends, however that does.

use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::process::ExitCode;

use crate::sandbox::{Part, Side, divide_openly};

use super::environment::Environment;
use super::run::become_command;
use super::speak;

/// The first argument of this process; no verb, since nobody types it.
pub(super) const DETACHED: &str = "detached";

/// Who ends the program when git grill is killed.
#[derive(Clone, Copy)]
pub(super) enum Ends {
    /// The process between, when the thread ends that started it: that thread has to wait for it.
    WithUs,
    /// The sandbox that it is started in, where processes have other numbers.
    WithItsSandbox,
}

/// The words that start `words` without our terminal.
pub(super) fn detached(program: &Path, ends: Ends, words: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let keeper = match ends {
        Ends::WithUs => std::process::id(),
        Ends::WithItsSandbox => 0,
    };
    let ours = [program.as_os_str().to_owned(), DETACHED.into(), keeper.to_string().into()];
    ours.into_iter().chain(words).collect()
}

/// Leaves the terminal, and becomes the program, or the process between.
pub(super) fn leave(environment: &Environment) -> ExitCode {
    let (keeper, words) = environment.args[1..].split_first().unzip();
    let keeper = keeper.and_then(|number| number.to_str()?.parse::<u32>().ok()).unwrap_or(0);
    match part(keeper) {
        Ok(Part::Command) => become_command(environment, words.unwrap_or_default(), &[]),
        Ok(Part::Over(code)) => ExitCode::from(code),
        Err(error) => {
            speak::naming(&format!("error: nothing was run: the terminal could not be left: {error}\n"));
            ExitCode::from(128)
        }
    }
}

/// The part of this process, which ends with the one of this number; 0 is that of none.
fn part(keeper: u32) -> io::Result<Part> {
    if keeper == 0 {
        rustix::process::setsid()?;
        return Ok(Part::Command);
    }
    match divide_openly(keeper)? {
        Side::Outside(over) => Ok(Part::Over(over.code)),
        Side::Inside(inside) => inside.begin(),
    }
}
