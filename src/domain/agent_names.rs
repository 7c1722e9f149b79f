//! Coding agents by the names that their protocol clients go by: the one table from a client's name to its agent's.

/// Agent behind the name of a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Client {
    /// The name the client gives itself, or its beginning.
    name: &'static str,
    /// True if more may follow the name; one client appends the name of the server.
    more: bool,
    agent: &'static str,
}

const fn exactly(name: &'static str, agent: &'static str) -> Client {
    Client { name, more: false, agent }
}

const fn beginning(name: &'static str, agent: &'static str) -> Client {
    Client { name, more: true, agent }
}

/// The clients that were seen, each under the name that it gave.
const CLIENTS: &[Client] = &[
    exactly("claude-code", "claude"),
    exactly("codex-mcp-client", "codex"),
    exactly("gemini-cli", "gemini"),
    beginning("gemini-cli-mcp-client", "gemini"),
    beginning("grok-shell-", "grok"),
    exactly("opencode", "opencode"),
    exactly("cursor-vscode", "cursor"),
];

/// Ending of a client's name that only names the protocol.
const HOW: &str = "-mcp-client";

/// The agent behind a client of this name; of one that is not known, the name without what says how it speaks.
pub fn agent_of(client: &str) -> &str {
    let found = CLIENTS.iter().find(|one| one.name == client || (one.more && client.starts_with(one.name)));
    match found {
        Some(found) => found.agent,
        None => client.strip_suffix(HOW).filter(|own| !own.is_empty()).unwrap_or(client),
    }
}

/// True if this agent's terminal sends a form only with every field filled in, so a form can have only one field.
pub fn sends_one_field(agent: &str) -> bool {
    agent == "codex"
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
