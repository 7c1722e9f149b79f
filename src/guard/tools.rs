//! What each agent's own tools do, by their exact names: data. A name that is not here is unknown, and unknown is refused.
//!
//! Reading tools of files that hold secrets are not our subject. Tools that let an agent think, plan or delegate pass,
//! since every call that follows from them comes by here again. Tools that run code of their own (`REPL`, `Workflow`,
//! `PowerShell`), make worktrees, or act at another time (`CronCreate`) are left out on purpose.

use crate::agents::Hooked;
use crate::agents::hooks::{Does, Naming};
use crate::domain::tool::Tool;

/// The names under which our server is set up. Agents show a server by the name in the user's own configuration: another
/// server could be called so there, and then it passes. Nothing in a payload tells them apart.
const SERVERS: &[&str] = &["git-grill", "git_grill", "grill"];

/// What a tool of this name does.
pub fn does(agent: Hooked, name: &str) -> Does {
    if our_tool(agent, name).is_some() {
        return Does::Ours;
    }
    let row = agent.tools.iter().find(|(_, names)| names.contains(&name));
    row.map_or(Does::Unknown, |(does, _)| *does)
}

/// Our own name for the tool that this agent calls `name`, if it is one of ours.
pub fn our_tool(agent: Hooked, name: &str) -> Option<&'static str> {
    match agent.naming {
        Naming::Served { .. } => served(agent, name).into_iter().find_map(ours),
        Naming::Marked(mark) => ours(name.strip_prefix(mark)?),
        Naming::Plain => ours(name),
    }
}

/// The tools of our server that this agent could mean by `name`: the rest of the name after each server name that fits.
/// None if the agent does not say which server a tool belongs to.
pub fn served(agent: Hooked, name: &str) -> Vec<&str> {
    let Naming::Served { before, between } = agent.naming else { return Vec::new() };
    let Some(rest) = name.strip_prefix(before) else { return Vec::new() };
    SERVERS.iter().filter_map(|server| rest.strip_prefix(server)?.strip_prefix(between)).collect()
}

/// The name by which this agent calls one of our tools, as we install our server. Grok Build hands it to its `use_tool`.
pub fn called(agent: Hooked, ours: &str) -> String {
    match agent.naming {
        Naming::Served { before, between } => format!("{before}grill{between}{ours}"),
        Naming::Marked(_) | Naming::Plain => ours.to_owned(),
    }
}

/// Our tool of this name, which it has everywhere. Each is ruled on by the dispatcher.
fn ours(name: &str) -> Option<&'static str> {
    Tool::named(name).map(Tool::name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::hooked;
    use crate::domain::tool::rows;

    #[test]
    fn names_are_exact_and_never_parts() {
        assert_eq!(does(hooked("claude"), "Bash"), Does::Shell);
        assert_eq!(does(hooked("claude"), "Read"), Does::Read);
        for name in ["bash", "Bash ", " Bash", "BashOutput2", "Readx", "Re ad", "", "mcp__x__Read", "Read\0", "Ｒead"]
        {
            assert_eq!(does(hooked("claude"), name), Does::Unknown, "{name}");
        }
        for name in ["REPL", "PowerShell", "EnterWorktree", "CronCreate", "Workflow"] {
            assert_eq!(does(hooked("claude"), name), Does::Unknown, "{name}");
        }
    }

    #[test]
    fn an_agent_is_told_names_that_it_is_understood_by() {
        for agent in Hooked::all() {
            for ours in rows().map(|row| row.name) {
                // Cursor says whose kind of tool it is only to its hooks.
                let before = if agent == hooked("cursor") { "MCP:" } else { "" };
                assert_eq!(our_tool(agent, &format!("{before}{}", called(agent, ours))), Some(ours), "{agent}");
            }
        }
    }

    #[test]
    fn g35_our_tools_pass_under_the_names_that_agents_give_them() {
        let named = [
            (hooked("claude"), "mcp__git-grill__ask_question"),
            (hooked("claude"), "mcp__grill__grill_status"),
            (hooked("codex"), "mcp__git_grill__grill_update_checkpoint"),
            (hooked("gemini"), "mcp_git-grill_grill_status"),
            (hooked("gemini"), "mcp_grill_grill_status"),
            (hooked("opencode"), "git-grill_questionnaire"),
            (hooked("opencode"), "grill_grill_start"),
            (hooked("cursor"), "MCP:ask_question"),
            (hooked("grok"), "grill__ask_question"),
            (hooked("pi"), "grill_status"),
            (hooked("generic"), "grill_status"),
        ];
        for (agent, name) in named {
            assert_eq!(does(agent, name), Does::Ours, "{agent} {name}");
        }
        let others = [
            (hooked("claude"), "mcp__evil-git-grill__ask_question"),
            (hooked("claude"), "mcp__git-grill2__ask_question"),
            (hooked("claude"), "mcp__git-grill__ask_question2"),
            (hooked("claude"), "mcp__git-grill__write_file"),
            (hooked("claude"), "mcp__Git-Grill__ask_question"),
            (hooked("claude"), "ask_question"),
            (hooked("gemini"), "mcp__git-grill__ask_question"),
            (hooked("gemini"), "mcp_other_grill_ask_question"),
            (hooked("cursor"), "ask_question"),
        ];
        for (agent, name) in others {
            assert_eq!(does(agent, name), Does::Unknown, "{agent} {name}");
        }
    }

    #[test]
    fn p6_a_tool_is_of_our_server_only_where_the_agent_says_so() {
        for (agent, name, tools) in [
            (hooked("claude"), "mcp__grill__limits_ask", vec!["limits_ask"]),
            (hooked("codex"), "mcp__git_grill__limits_ask", vec!["limits_ask"]),
            (hooked("gemini"), "mcp_git-grill_limits_ask", vec!["limits_ask"]),
            (hooked("opencode"), "grill_limits_ask", vec!["limits_ask"]),
            (hooked("grok"), "git-grill__limits_ask", vec!["limits_ask"]),
            (hooked("claude"), "mcp__other__limits_ask", vec![]),
            (hooked("claude"), "mcp__grill2__limits_ask", vec![]),
            (hooked("claude"), "mcp__evil__grill__limits_ask", vec![]),
            (hooked("claude"), "limits_ask", vec![]),
            (hooked("cursor"), "MCP:limits_ask", vec![]),
            (hooked("pi"), "limits_ask", vec![]),
            (hooked("generic"), "grill__limits_ask", vec![]),
        ] {
            assert_eq!(served(agent, name), tools, "{agent} {name}");
            // What it is called alone lets nothing pass: it has to be enabled.
            assert_eq!(does(agent, name), Does::Unknown, "{agent} {name}");
        }
    }
}
