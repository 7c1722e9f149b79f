//! What happened. Events are the only thing that changes a session, and every one of them is kept.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::actor::Actor;
use super::authority::Lapse;
use super::command::Ending;
use super::drift::Verification;
use super::ids::{ObjectId, SessionId};
use super::server_question::ServerQuestion;
use super::settings::{Setting, Settings};
use super::subsystem;
use super::text::{Line, Topic};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Started {
    pub id: SessionId,
    pub topic: Topic,
    pub settings: Settings,
    /// The commit that HEAD was at; none in a repository without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<ObjectId>,
    /// The branch that was checked out; none when HEAD was detached.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// What the person said to the topic in plain chat, as an agent reports it; none where they said it to us.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reported: Option<Line>,
    /// True for a session without an interview.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub no_interview: bool,
}

/// Something that happened to a session as such, or in a subsystem.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "event")]
pub enum Event {
    Started(Box<Started>),
    SettingChanged {
        setting: Setting,
    },
    /// The repository was compared with its baseline, and what was found is not what was found before.
    Verified {
        verification: Box<Verification>,
    },
    /// Another MCP server asked something through the agent that leads.
    ServerAsked {
        asked: Box<ServerQuestion>,
    },
    /// Grants of another clone stopped counting.
    AuthorityLapsed {
        lapse: Box<Lapse>,
    },
    Closed {
        ending: Ending,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        summary: Option<Line>,
    },
    #[serde(untagged)]
    Of(subsystem::Event),
}

/// An event with its place in the history.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recorded {
    /// Lamport number: greater than that of everything known when it was written.
    pub seq: u64,
    pub at: Timestamp,
    pub by: Actor,
    #[serde(flatten)]
    pub event: Event,
}
