//! Requests about supervised agents (A1), the same for people and host agents.

use super::profile::Profile;
use super::receipt::WaitSeconds;
use super::{AgentHandle, TurnHandle};

/// The folder of its copy in which an agent starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StartsAt {
    /// That of the caller (A14).
    CallersFolder,
    /// The top: paths that it is told begin there.
    Top,
}

/// A request about supervised agents: the seven actions of the model-facing tool, which the verbs lower to as well. `media`
/// are absolute paths of pictures (A19).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AgentRequest {
    Start { agent: Option<String>, profile: Profile, at: StartsAt, prompt: String, media: Vec<String>, confirmed: bool },
    Send { session: AgentHandle, prompt: String, media: Vec<String>, confirmed: bool },
    Status { session: Option<AgentHandle>, wait: WaitSeconds },
    Result { session: AgentHandle, turn: Option<TurnHandle>, wait: WaitSeconds },
    Changes { session: AgentHandle },
    Cancel { session: AgentHandle, turn: Option<TurnHandle> },
    Cleanup { session: AgentHandle, dry: bool },
}
