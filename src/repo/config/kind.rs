//! What the values of a key can be.

use gix_config::{Boolean, Integer};

use crate::domain::settings::{Catalogued, Destination, led_by};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Choice(&'static [&'static str]),
    /// Outputs of the catalogue, separated by commas.
    Outputs,
    /// `built-in`, the name of an agent that is started, or `agent:<name>`.
    Interviewer,
    /// Exact names, one for each time the key is set.
    Names,
    /// A git boolean.
    Switch,
    /// `auto`, `always`, `never` or a git boolean.
    Colour,
    /// A number of bytes, with git's `k`, `m` or `g` behind it.
    Size,
    /// A number of characters, with git's `k` behind it.
    Length,
    Seconds,
    /// The first words of a command; the key may be given more than once.
    Command,
    /// A command that speaks ACP.
    Agent,
    /// A command that speaks the extension protocol.
    Extension,
    /// A line for the shell.
    Shell,
    /// An absolute path of a directory, or one that begins with `~/`.
    Directory,
    /// A git boolean, or the command of a pager.
    Pager,
}

impl Kind {
    /// Whether a value starts a program, or names an agent that may be started.
    pub(super) fn starts_something(self, value: Option<&str>) -> bool {
        match self {
            Self::Agent | Self::Extension | Self::Shell => value.is_some(),
            Self::Pager => value.is_some_and(|text| Boolean::try_from(text).is_err()),
            Self::Interviewer => value.is_some_and(|text| {
                led_by(text).is_some() || text.strip_prefix("agent:").is_some_and(|name| !name.is_empty())
            }),
            Self::Choice(_)
            | Self::Outputs
            | Self::Names
            | Self::Switch
            | Self::Colour
            | Self::Size
            | Self::Length
            | Self::Seconds
            | Self::Directory
            | Self::Command => false,
        }
    }

    /// How much a value protects, as a number to compare; `None` where it is not one that the kind takes.
    pub(super) fn protection(self, value: Option<&str>) -> Option<u64> {
        match self {
            Self::Switch => value.map_or(Some(true), |text| Boolean::try_from(text).ok().map(|on| on.0)).map(u64::from),
            Self::Size | Self::Length | Self::Seconds => {
                value.and_then(|text| Integer::try_from(text).ok()?.to_decimal()?.try_into().ok())
            }
            Self::Choice(_)
            | Self::Outputs
            | Self::Interviewer
            | Self::Names
            | Self::Colour
            | Self::Command
            | Self::Agent
            | Self::Extension
            | Self::Shell
            | Self::Directory
            | Self::Pager => None,
        }
    }
}

impl Kind {
    /// The values that are allowed, for messages and completion.
    pub fn allowed(self) -> Vec<&'static str> {
        match self {
            Self::Choice(words) => words.to_vec(),
            Self::Outputs => [Catalogued::NAMES, &[Destination::OWN]].concat(),
            Self::Interviewer => vec!["built-in", "<an agent that is started>", "agent:<name>"],
            Self::Names => vec!["<exact name>"],
            Self::Switch => vec!["true", "false"],
            Self::Colour => vec!["auto", "always", "never", "true", "false"],
            Self::Size => vec!["<bytes, 0 or more>", "<number>k", "<number>m", "<number>g"],
            Self::Length => vec!["<characters, 2000 to 200000>", "<number>k"],
            Self::Seconds => vec!["<seconds, 1 to 86400>"],
            Self::Command => vec!["<first words of a command>"],
            Self::Agent => vec!["<a command that speaks ACP>"],
            Self::Extension => vec!["<a command that speaks the extension protocol>"],
            Self::Shell => vec!["<a line for sh>"],
            Self::Directory => vec!["<absolute path outside of the repository>", "~/<path>"],
            Self::Pager => vec!["true", "false", "<pager>"],
        }
    }
}
