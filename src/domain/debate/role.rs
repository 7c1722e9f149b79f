//! Roles, and who plays them (D19, D20, D25).

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::domain::harmless::on_one_line;
use crate::domain::text::within;

/// Characters of a foreign word that an error repeats.
const REPEATED: usize = 40;

/// A role in a debate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    Proposer,
    DevilsAdvocate,
    Synthesizer,
    /// Answers for the user in an autonomous debate.
    Proxy,
}

impl Role {
    pub const ALL: [Self; 4] = [Self::Proposer, Self::DevilsAdvocate, Self::Synthesizer, Self::Proxy];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Proposer => "proposer",
            Self::DevilsAdvocate => "devils-advocate",
            Self::Synthesizer => "synthesizer",
            Self::Proxy => "proxy",
        }
    }

    /// The role as a person is told of it.
    pub const fn in_words(self) -> &'static str {
        match self {
            Self::DevilsAdvocate => "devil's advocate",
            Self::Proposer | Self::Synthesizer | Self::Proxy => self.name(),
        }
    }

    /// The role of this exact name. Names of agents for anything are refused by name.
    pub fn parse(name: &str) -> Result<Self, NoRole> {
        if let Some(role) = Self::ALL.into_iter().find(|role| role.name() == name) {
            return Ok(role);
        }
        let given = on_one_line(&within(name, REPEATED));
        let is_general = GENERAL.iter().any(|general| general.eq_ignore_ascii_case(name));
        Err(if is_general { NoRole::General { given } } else { NoRole::Unknown { given } })
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Names under which hosts offer agents for any work.
const GENERAL: [&str; 8] = ["general", "general-purpose", "explore", "explorer", "task", "oracle", "fixer", "council"];

/// Why a name is none of a role.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoRole {
    #[error(
        "'{given}' is an agent for anything, and no role; the roles are proposer, devils-advocate, synthesizer and proxy"
    )]
    General { given: String },
    #[error("there is no role '{given}'; the roles are proposer, devils-advocate, synthesizer and proxy")]
    Unknown { given: String },
}

/// Who plays a role.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Player {
    /// A coding agent, in a session of its own.
    Agent(String),
    /// A command that reads its prompt on standard input.
    Command(String),
    /// A file that holds the text.
    File(String),
    /// A host that brings roles of its own, by the tool `grill_debate`.
    Host,
    /// The user, in their editor.
    Me,
}

/// That a word names nobody who could play a role.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no role was cast: '{given}' is no player; use agent:<name>, cmd:<command>, file:<path>, host or me")]
pub struct NoPlayer {
    given: String,
}

impl Player {
    pub fn parse(text: &str) -> Result<Self, NoPlayer> {
        let behind = |prefix: &str| text.strip_prefix(prefix).map(str::trim).filter(|rest| !rest.is_empty());
        if text == "me" {
            Ok(Self::Me)
        } else if text == "host" {
            Ok(Self::Host)
        } else if let Some(name) = behind("agent:") {
            Ok(Self::Agent(name.to_owned()))
        } else if let Some(command) = behind("cmd:") {
            Ok(Self::Command(command.to_owned()))
        } else if let Some(path) = behind("file:") {
            Ok(Self::File(path.to_owned()))
        } else {
            Err(NoPlayer { given: on_one_line(&within(text, REPEATED)) })
        }
    }
}

impl From<Player> for String {
    fn from(player: Player) -> Self {
        player.to_string()
    }
}

impl TryFrom<String> for Player {
    type Error = NoPlayer;

    fn try_from(text: String) -> Result<Self, NoPlayer> {
        Self::parse(&text)
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Agent(name) => write!(f, "agent:{name}"),
            Self::Command(command) => write!(f, "cmd:{command}"),
            Self::File(path) => write!(f, "file:{path}"),
            Self::Host => f.write_str("host"),
            Self::Me => f.write_str("me"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn d19_d25_a_role_has_its_own_name_and_none_of_an_agent_for_anything() {
        for role in Role::ALL {
            assert_eq!(Role::parse(role.name()), Ok(role));
        }
        for name in ["general", "general-purpose", "explore", "explorer", "Task", "oracle", "fixer", "council", "TASK"]
        {
            assert!(matches!(Role::parse(name), Err(NoRole::General { .. })), "{name}");
        }
        for name in ["", "Proposer", "proposer ", "judge"] {
            assert!(matches!(Role::parse(name), Err(NoRole::Unknown { .. })), "{name}");
        }
        let foreign = Role::parse(&format!("\u{1b}[2J{}", "x".repeat(500))).unwrap_err().to_string();
        assert!(foreign.chars().count() < 160 && !foreign.contains('\u{1b}'), "{foreign}");
    }

    #[test]
    fn d19_a_player_is_an_agent_a_command_a_file_or_the_user() {
        for text in ["agent:claude", "cmd:jq -r .text", "file:notes/plan.md", "me"] {
            assert_eq!(Player::parse(text).unwrap().to_string(), text);
        }
        for text in ["", "claude", "agent:", "cmd: ", "Me", "user", "file:"] {
            assert!(Player::parse(text).is_err(), "{text}");
        }
    }
}
