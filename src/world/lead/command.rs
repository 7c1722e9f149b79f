//! Which program an agent is started by: that of its preset, or the command that the account's own configuration names.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::acp::agents::{self, Leads, OTHER, Preset};
use crate::acp::failure::Failure;
use crate::app::error::AppError;
use crate::repo::config::Config;

use super::Agents;
use super::agent::Agent;
use crate::world::environment::Environment;

impl Agents<'_> {
    /// The agent of this name: one with a preset, or one whose command the account's own configuration names.
    pub(super) fn agent(&self, name: &str) -> Result<Agent, AppError> {
        if name == "built-in" || name.contains(':') {
            return Err(AppError::Usage {
                message: format!("'{name}' is no agent that git grill starts"),
                hint: "git grill interviewer shows who asks; git grill agent doctor <name> checks an agent".to_owned(),
            });
        }
        let own = self.config.agent_command(name).map_err(AppError::from)?;
        let preset: &'static Preset = match (agents::known(name), &own) {
            (Some(preset), _) => preset,
            (None, Some(_)) => &OTHER,
            (None, None) => {
                let led = agents::PRESETS.iter().filter(|preset| preset.leads == Leads::OverAcp);
                let names: Vec<&str> = led.map(|preset| preset.name).collect();
                return Err(AppError::Usage {
                    message: format!(
                        "there is no agent '{name}': git grill knows {}, and your account's own configuration has no \
                         grill.agent.{name}.command",
                        names.join(", ")
                    ),
                    hint: format!(
                        "git config --global grill.agent.{name}.command \"<a command that speaks ACP>\", or \
                         --interviewer agent:{name} for one that asks from outside"
                    ),
                });
            }
        };
        if let Leads::FromInside(why) = preset.leads {
            return Err(AppError::Usage {
                message: format!("{} cannot be started as the interviewer: {why}", preset.title),
                hint: format!(
                    "git grill agent install {name}, and /grill inside {name}; there --interviewer agent:{name}"
                ),
            });
        }
        let command = match own {
            Some(words) => words.into_iter().map(OsString::from).collect(),
            None => preset.command.iter().map(OsString::from).collect(),
        };
        Ok(Agent { name: name.to_owned(), preset, command })
    }

    /// The very program that an agent is started by, with its words: a consent is about that, whatever its name leads to
    /// later. None where it cannot be found.
    pub(super) fn started_by(&self, name: &str) -> Result<Option<String>, AppError> {
        let agent = self.agent(name)?;
        let Ok(program) = program(self.environment, self.config, &agent) else { return Ok(None) };
        let words = agent.command.iter().skip(1).map(|word| word.to_string_lossy());
        let program = program.to_string_lossy();
        let words: Vec<String> = std::iter::once(program).chain(words).map(std::borrow::Cow::into_owned).collect();
        Ok(Some(shell_words::join(words)))
    }
}

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
