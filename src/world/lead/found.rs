//! The program of an agent, where it is on this machine.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::acp::failure::Failure;
use crate::repo::config::Config;

use super::agent::Agent;
use crate::world::environment::Environment;

pub(super) fn program(environment: &Environment, config: &Config, agent: &Agent) -> Result<PathBuf, Failure> {
    found(environment, config, &agent.command).ok_or_else(|| {
        let program = agent.command.first().map(|word| word.to_string_lossy().into_owned()).unwrap_or_default();
        // A command of the person's own is no adapter that we know of.
        let known = agent.preset.command.first().is_some_and(|first| *first == program);
        let own = agent.preset.adapts.filter(|own| known && found(environment, config, &[(*own).into()]).is_some());
        Failure::NotInstalled { program, adapts: own.map(str::to_owned) }
    })
}

/// The program of a command: by its path, or on `PATH`; none where no file there can be run.
fn found(environment: &Environment, config: &Config, command: &[OsString]) -> Option<PathBuf> {
    use std::os::unix::fs::PermissionsExt as _;
    let program = Path::new(command.first()?);
    let runs =
        |path: &Path| path.metadata().is_ok_and(|about| about.is_file() && about.permissions().mode() & 0o111 != 0);
    if program.components().count() > 1 {
        return Some(program.to_owned()).filter(|program| program.is_absolute() && runs(program));
    }
    let path = environment.var("PATH")?;
    // A relative folder, or an empty one, is the repository's own, as one inside it is: nothing in it is started.
    let folders = std::env::split_paths(&path).filter(|folder| folder.is_absolute());
    folders.map(|folder| folder.join(program)).find(|path| runs(path) && !config.belongs_to_repository(path))
}
