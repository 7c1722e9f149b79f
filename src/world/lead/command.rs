//! Which program an agent is started by: that of its preset, or the command that the account's own configuration names.

use std::ffi::OsString;

use crate::agents::Preset;
use crate::agents::acp::Leads;
use crate::app::error::AppError;

use super::Agents;
use super::agent::Agent;
use super::found::program;

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
        let preset = match (Preset::named(name), &own) {
            (Some(preset), _) => preset,
            (None, Some(_)) => Preset::other(),
            (None, None) => {
                return Err(AppError::Usage {
                    message: format!(
                        "there is no agent '{name}': git grill knows {}, and your account's own configuration has no \
                         grill.agent.{name}.command",
                        Preset::names()
                    ),
                    hint: format!("git config --global grill.agent.{name}.command \"<a command that speaks ACP>\""),
                });
            }
        };
        if let Leads::FromInside(why) = preset.leads {
            return Err(AppError::Usage {
                message: format!("{} cannot be started as the interviewer: {why}", preset.title()),
                hint: format!(
                    "git grill agent install {name}, and /grill inside {name}; there --interviewer agent:{name}"
                ),
            });
        }
        let command = match own {
            Some(words) => words.into_iter().map(OsString::from).collect(),
            None => preset.command.iter().map(OsString::from).collect(),
        };
        Ok(Agent { name: name.to_owned(), preset, command, lent: None })
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
