//! Who acts. Set by the surface that took the request, never by an argument.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Who is behind a command.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Actor {
    /// A person, through a prompt on the controlling terminal, with no agent's environment around it.
    Human,
    /// A command line without a terminal: a script, a pipe. Answers count, approvals do not (G30).
    Unattended,
    /// A coding agent, by the name it is known under.
    Agent(String),
    /// We ourselves: the built-in interviewer, and effects that were carried out.
    System,
}

impl Actor {
    /// The actor as a sentence names them.
    pub fn in_words(&self) -> String {
        match self {
            Self::Human => "a person".to_owned(),
            Self::Unattended => "a command without a terminal".to_owned(),
            Self::Agent(name) => format!("the agent {name}"),
            Self::System => "git grill itself".to_owned(),
        }
    }
}

impl fmt::Display for Actor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Human => f.write_str("human"),
            Self::Unattended => f.write_str("unattended"),
            Self::Agent(name) => write!(f, "agent:{name}"),
            Self::System => f.write_str("system"),
        }
    }
}

impl From<Actor> for String {
    fn from(actor: Actor) -> Self {
        actor.to_string()
    }
}

impl FromStr for Actor {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "human" => Ok(Self::Human),
            "unattended" => Ok(Self::Unattended),
            "system" => Ok(Self::System),
            _ => match text.strip_prefix("agent:") {
                Some(name) if !name.is_empty() => Ok(Self::Agent(name.to_owned())),
                _ => Err(format!("'{text}' names no actor")),
            },
        }
    }
}

impl TryFrom<String> for Actor {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}
