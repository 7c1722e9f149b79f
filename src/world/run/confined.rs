//! The other half of a run: it builds the walls around itself and becomes the command.

use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode};

use crate::sandbox::{Confinement, Missing, confine};

use super::super::environment::Environment;
use super::super::speak;

/// The first argument of this process; no verb, since nobody types it.
pub(in crate::world) const CONFINED: &str = "sandbox-exec";

/// Builds the walls, then becomes the command behind `--`. Returns only when it did not.
pub(in crate::world) fn confined(environment: &Environment) -> ExitCode {
    let args = &environment.args[1..];
    let Some(split) = args.iter().position(|arg| arg == "--") else {
        speak::err("error: no command was given to the run\n");
        return ExitCode::from(2);
    };
    let confinement = match Confinement::from_args(&args[..split]) {
        Ok(confinement) => confinement,
        Err(error) => {
            speak::err(&format!("error: nothing was run: {error}\n"));
            return ExitCode::from(2);
        }
    };
    let walls = match confine(&confinement) {
        Ok(walls) => walls,
        Err(error) => {
            speak::err(&format!(
                "error: nothing was run: {error}\nhint: git grill run --best-effort -- <command> runs it with what there is\n"
            ));
            return ExitCode::from(128);
        }
    };
    if confinement.missing == Missing::Say {
        for (wall, why) in walls.lacking() {
            speak::err(&format!("warning: this run goes without {}: {why}\n", wall.name()));
        }
    }
    become_command(&args[split + 1..])
}

/// Becomes the command; an exit code when it could not.
#[expect(clippy::disallowed_methods, reason = "the command takes this process's place; nothing is spawned")]
pub(super) fn become_command(words: &[OsString]) -> ExitCode {
    let Some((program, rest)) = words.split_first() else {
        speak::err("error: no command was given to the run\n");
        return ExitCode::from(2);
    };
    let error = Command::new(program).args(rest).exec();
    speak::err(&format!("error: {} was not run: {error}\n", program.to_string_lossy()));
    ExitCode::from(if error.kind() == std::io::ErrorKind::NotFound { 127 } else { 126 })
}
