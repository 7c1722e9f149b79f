//! The traces by which an agent is recognised: the names that its protocol clients give themselves, and the variables that
//! it sets.

use super::ALL;

/// What one agent leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Traces {
    /// The clients that were seen, each under the name that it gave.
    pub clients: &'static [Client],
    /// Variables that it sets for the commands that it runs. An agent can unset them: this keeps honest agents from being
    /// taken for the person, and nothing more.
    pub variables: &'static [&'static str],
    /// Its terminal sends a form only with every field filled in, so a form can have only one field.
    pub sends_one_field: bool,
}

impl Traces {
    pub const NONE: Self = Self { clients: &[], variables: &[], sends_one_field: false };
}

/// Name of a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Client {
    Exactly(&'static str),
    /// More may follow; one client appends the name of the server.
    Beginning(&'static str),
}

impl Client {
    fn is(self, name: &str) -> bool {
        match self {
            Self::Exactly(own) => own == name,
            Self::Beginning(own) => name.starts_with(own),
        }
    }
}

/// Ending of a client's name that only names the protocol.
const HOW: &str = "-mcp-client";

/// The agent behind a client of this name; of one that is not known, the name without what says how it speaks.
pub fn agent_of(client: &str) -> &str {
    match ALL.iter().find(|agent| agent.traces.clients.iter().any(|one| one.is(client))) {
        Some(found) => found.name,
        None => client.strip_suffix(HOW).filter(|own| !own.is_empty()).unwrap_or(client),
    }
}

/// True if this agent's terminal sends a form only with every field filled in, so a form can have only one field.
pub fn sends_one_field(agent: &str) -> bool {
    ALL.iter().any(|known| known.name == agent && known.traces.sends_one_field)
}

/// The variables that agents set, each with the agent's name.
pub fn variables() -> impl Iterator<Item = (&'static str, &'static str)> {
    ALL.iter().flat_map(|agent| agent.traces.variables.iter().map(|name| (*name, agent.name)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::actor::Actor;

    #[test]
    fn a_client_is_known_by_its_agents_name() {
        for (client, agent) in [
            ("claude-code", "claude"),
            ("codex-mcp-client", "codex"),
            ("gemini-cli", "gemini"),
            ("gemini-cli-mcp-client", "gemini"),
            ("gemini-cli-mcp-client-grill", "gemini"),
            ("grok-shell-grill", "grok"),
            ("grok-shell-x1", "grok"),
            ("opencode", "opencode"),
            // What is not known is no one else.
            ("claude", "claude"),
            ("claude-code-fork", "claude-code-fork"),
            ("my-codex-mcp-client", "my-codex"),
            ("-mcp-client", "-mcp-client"),
            ("", ""),
        ] {
            assert_eq!(agent_of(client), agent);
            assert_eq!(agent_of(agent_of(client)), agent, "an agent's own name stays");
        }
    }

    #[test]
    fn names_that_were_recorded_before_still_load() {
        for name in ["agent:codex-mcp-client", "agent:grok-shell-grill", "agent:claude-code"] {
            assert_eq!(name.parse::<Actor>().unwrap().to_string(), name);
        }
    }
}
