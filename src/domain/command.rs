//! What somebody wants. Everything in a command was checked when the request was lowered.

use serde::{Deserialize, Serialize};

use super::drift::Verification;
use super::from_inside::{BadWish, Outside};
use super::server_question::ServerQuestion;
use super::settings::Setting;
use super::subsystem;
use super::text::{Line, Prose};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reply {
    /// These words, whether typed or taken from an alternative.
    Text(Prose),
    /// "I don't know".
    Unknown,
    /// The alternatives with these numbers, counted from 1; behind the options of a selection stand its two entries.
    Chosen(Vec<usize>),
}

/// How a session ends from outside the rules' own flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// Said at the gate or with `--without-output`: nothing is produced.
    WithoutOutput,
    /// After something was produced.
    AfterOutputs,
}

/// A wish, to be decided on. The skipped ones are recorded only by git grill itself; they are never read from what a caller
/// sends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", rename_all_fields = "kebab-case", deny_unknown_fields)]
pub enum Command {
    Configure(Setting),
    /// Enter what a comparison with the baseline came to (G38).
    #[serde(skip)]
    RecordVerification(Box<Verification>),
    /// Enter a question of another MCP server, and what became of it (A18).
    #[serde(skip)]
    RecordServerQuestion(Box<ServerQuestion>),
    Stop {
        ending: Ending,
        summary: Option<Line>,
    },
    #[serde(untagged)]
    Of(subsystem::Command),
}

impl Command {
    /// What would happen, as the subject of "not done" sentences.
    pub fn deed(&self) -> &'static str {
        match self {
            Self::Configure(_) => "changing a setting",
            Self::RecordVerification(_) => "recording a verification",
            Self::RecordServerQuestion(_) => "answering another server's question",
            Self::Stop { .. } => "ending the session",
            Self::Of(command) => command.deed(),
        }
    }

    /// Sets what a caller inside of a read-only run has no say in, and refuses what such a caller may not want.
    pub fn settle(&mut self, outside: &Outside<'_>) -> Result<(), BadWish> {
        match self {
            Self::Configure(_) | Self::Stop { .. } => Ok(()),
            Self::RecordVerification(_) | Self::RecordServerQuestion(_) => Err(BadWish::ours(self.deed())),
            Self::Of(command) => command.settle(outside),
        }
    }
}
