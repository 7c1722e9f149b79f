//! A program that may not have our terminal: our own program leaves it by beginning a session of its own, and becomes
//! that program. What has no terminal can neither draw on it nor change its modes, and is not stopped by it. On Linux it
//! is killed with the process that started it, however that ended.

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

use super::environment::Environment;
use super::run::become_command;
use super::speak;

/// The first argument of this process; no verb, since nobody types it.
pub(super) const DETACHED: &str = "detached";

/// Who ends the program when git grill is killed.
#[derive(Clone, Copy)]
pub(super) enum Ends {
    /// The kernel, when the thread ends that started it: that thread has to wait for it.
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

/// Leaves the terminal, and becomes the program.
pub(super) fn leave(environment: &Environment) -> ExitCode {
    let (keeper, words) = environment.args[1..].split_first().unzip();
    let keeper = keeper.and_then(|number| number.to_str()?.parse::<u32>().ok()).unwrap_or(0);
    let left = end_with(keeper).and_then(|()| Ok(rustix::process::setsid()?));
    if let Err(error) = left {
        speak::naming(&format!("error: nothing was run: the terminal could not be left: {error}\n"));
        return ExitCode::from(128);
    }
    become_command(environment, words.unwrap_or_default(), &[])
}

/// Has the kernel kill this process, and the program that it becomes, when the one that started it ends; 0 for none.
#[cfg(target_os = "linux")]
fn end_with(keeper: u32) -> std::io::Result<()> {
    use rustix::process::{Signal, getppid, set_parent_process_death_signal};

    if keeper == 0 {
        return Ok(());
    }
    set_parent_process_death_signal(Some(Signal::KILL))?;
    // It may have ended before that.
    let parent = getppid().and_then(|parent| u32::try_from(parent.as_raw_nonzero().get()).ok());
    if parent == Some(keeper) { Ok(()) } else { Err(std::io::Error::other("git grill has ended")) }
}

/// Nothing: this system has no such signal.
#[cfg(not(target_os = "linux"))]
#[expect(clippy::unnecessary_wraps, reason = "elsewhere it can fail")]
fn end_with(_: u32) -> std::io::Result<()> {
    Ok(())
}
