//! The other half of a run: it watches the run from outside, builds the walls, and becomes the command, each in a process
//! of its own.

use std::ffi::{OsStr, OsString};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

use crate::sandbox::{Confinement, Inside, Missing, Part, Side, confine, divide};

use super::super::environment::Environment;
use super::super::speak;
use crate::store::writers::Writing;

/// The first argument of this process; no verb, since nobody types it.
pub(in crate::world) const CONFINED: &str = "sandbox-exec";

/// The line that parts what is said of a run from what its command says.
pub(in crate::world) const BEGINS: &str = "git grill: the command begins";

/// Divides the run into its processes; each comes back with its own exit code, the command's only when it was not run.
pub(in crate::world) fn confined(environment: &Environment) -> ExitCode {
    let args = &environment.args[1..];
    let Some(split) = args.iter().position(|arg| arg == "--") else {
        speak::err("error: no command was given to the run\n");
        return ExitCode::from(2);
    };
    let confinement = match Confinement::from_args(&args[..split]) {
        Ok(confinement) => confinement,
        Err(error) => {
            speak::naming(&format!("error: nothing was run: {error}\n"));
            return ExitCode::from(2);
        }
    };
    let writing = match confinement.writing.as_deref().map(Writing::join).transpose() {
        Ok(writing) => writing,
        Err(error) => {
            speak::naming(&format!(
                "error: nothing was run: {error}\nhint: git grill run -- <command> tries it again\n"
            ));
            return ExitCode::from(128);
        }
    };
    match divide(confinement.keeper) {
        Err(error) => {
            speak::naming(&format!("error: nothing was run: no process can watch it: {error}\n"));
            ExitCode::from(128)
        }
        Ok(Side::Outside(over)) => {
            if over.left {
                speak::err(
                    "warning: processes of this run go on: they multiply faster than they can be killed\n\
                     hint: ps -ef shows them; kill the first of them\n",
                );
            }
            ExitCode::from(over.code)
        }
        Ok(Side::Inside(inside)) => {
            // The process outside lets go, when no process of the run is left.
            std::mem::forget(writing);
            within(environment, &confinement, *inside, &args[split + 1..])
        }
    }
}

/// Builds the walls, and begins the command behind them.
fn within(environment: &Environment, confinement: &Confinement, mut inside: Inside, command: &[OsString]) -> ExitCode {
    let walls = match confine(confinement, &mut inside) {
        Ok(walls) => walls,
        Err(error) => {
            speak::naming(&format!("error: nothing was run: {error}\nhint: {}\n", error.hint()));
            return ExitCode::from(128);
        }
    };
    for (wall, why) in walls.lacking() {
        if let Some(leaves) = wall.leaves() {
            speak::naming(&format!("warning: {leaves}: {why}\n"));
        } else if confinement.missing == Missing::Say {
            speak::naming(&format!("warning: this run goes without {}: {why}\n", wall.name()));
        }
    }
    for said in &walls.said {
        speak::naming(&format!("warning: {said}\n"));
    }
    match inside.begin() {
        Ok(Part::Command) => {
            if confinement.parted {
                speak::naming(&format!("{BEGINS}\n"));
            }
            become_command(environment, command, &walls.variables)
        }
        Ok(Part::Over(code)) => ExitCode::from(code),
        Err(error) => {
            speak::naming(&format!("error: nothing was run: the command could not be begun: {error}\n"));
            ExitCode::from(128)
        }
    }
}

/// Becomes the command, with these variables; an exit code when it could not.
#[expect(clippy::disallowed_methods, reason = "the command takes this process's place; nothing is spawned")]
pub(in crate::world) fn become_command(
    environment: &Environment,
    words: &[OsString],
    variables: &[(String, PathBuf)],
) -> ExitCode {
    let Some((program, rest)) = words.split_first() else {
        speak::err("error: no command was given to the run\n");
        return ExitCode::from(2);
    };
    let mut command = Command::new(program);
    command.args(rest);
    if let Some(path) = environment.var("PATH").and_then(|path| absolute_alone(&path)) {
        speak::err("warning: relative and empty entries of PATH are left out of this run: they name the repository\n");
        command.env("PATH", path);
    }
    let error = command.envs(variables.iter().map(|(name, value)| (name, value))).exec();
    speak::naming(&format!("error: {} was not run: {error}\n", program.to_string_lossy()));
    ExitCode::from(if error.kind() == std::io::ErrorKind::NotFound { 127 } else { 126 })
}

/// The folders of a `PATH` that has none left.
const SYSTEM: &str = "/usr/bin:/bin";

/// This `PATH` without the folders that are not absolute, since a program of the repository would be found in them; none
/// where all are.
fn absolute_alone(path: &OsStr) -> Option<OsString> {
    let folders: Vec<PathBuf> = std::env::split_paths(path).collect();
    if folders.iter().all(|folder| folder.is_absolute()) {
        return None;
    }
    let kept = std::env::join_paths(folders.into_iter().filter(|folder| folder.is_absolute()));
    Some(kept.ok().filter(|kept| !kept.is_empty()).unwrap_or_else(|| SYSTEM.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_absolute_folders_are_searched() {
        for (path, expected) in [
            ("/usr/bin:/bin", None),
            (".:/bin", Some("/bin")),
            (":/bin", Some("/bin")),
            ("/usr/bin::/bin:", Some("/usr/bin:/bin")),
            ("bin:../x:/opt/a", Some("/opt/a")),
            (".", Some(SYSTEM)),
            ("", Some(SYSTEM)),
        ] {
            assert_eq!(absolute_alone(OsStr::new(path)), expected.map(OsString::from), "{path:?}");
        }
    }
}
