//! What each agent's own tools do, by their exact names: data. A name that is not here is unknown, and unknown is refused.
//!
//! Reading tools of files that hold secrets are not our subject. Tools that let an agent think, plan or delegate pass,
//! since every call that follows from them comes by here again. Tools that run code of their own (`REPL`, `Workflow`,
//! `PowerShell`), make worktrees, or act at another time (`CronCreate`) are left out on purpose.

use super::agent::Agent;
use crate::domain::tool::Tool;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Does {
    /// Runs the line in its input's `command`.
    Shell,
    /// Writes, makes or edits the files that its input names.
    Write,
    /// Removes the files that its input names.
    Delete,
    /// Applies a patch in the `*** Begin Patch` format.
    Patch,
    /// Reads, searches, asks, or keeps notes that are no files of the repository.
    Read,
    /// Starts another agent; refused where its input asks for a worktree of its own.
    Delegate,
    /// Loads instructions that may run commands without asking anybody; only ours passes.
    Skill,
    Ours,
    Unknown,
}

/// The names under which our server is set up. Agents show a server by the name in the user's own configuration: another
/// server could be called so there, and then it passes. Nothing in a payload tells them apart.
const SERVERS: &[&str] = &["git-grill", "git_grill", "grill"];

const CLAUDE: &[(Does, &[&str])] = &[
    (Does::Shell, &["Bash", "Monitor"]),
    (Does::Write, &["Write", "Edit", "MultiEdit", "NotebookEdit"]),
    (
        Does::Read,
        &[
            "Read",
            "Glob",
            "Grep",
            "LS",
            "NotebookRead",
            "LSP",
            "WebFetch",
            "WebSearch",
            "TodoRead",
            "TodoWrite",
            "TaskCreate",
            "TaskGet",
            "TaskList",
            "TaskUpdate",
            "TaskOutput",
            "TaskStop",
            "BashOutput",
            "KillShell",
            "AskUserQuestion",
            "EnterPlanMode",
            // It ends the agent's own plan mode. What follows is judged call by call, and refusing it would shut the
            // person up in a mode of their agent.
            "ExitPlanMode",
            "ToolSearch",
            "ListMcpResourcesTool",
            "ReadMcpResourceTool",
            "ReadMcpResourceDirTool",
            "ReportFindings",
            "StructuredOutput",
        ],
    ),
    (Does::Delegate, &["Task", "Agent"]),
    (Does::Skill, &["Skill", "SlashCommand"]),
];

const CODEX: &[(Does, &[&str])] = &[
    (Does::Shell, &["Bash"]),
    (Does::Patch, &["apply_patch"]),
    (Does::Read, &["update_plan", "view_image", "read_file", "list_dir", "grep_files", "web_search"]),
];

const GEMINI: &[(Does, &[&str])] = &[
    (Does::Shell, &["run_shell_command"]),
    (Does::Write, &["write_file", "replace"]),
    (
        Does::Read,
        &[
            "read_file",
            "read_many_files",
            "list_directory",
            "glob",
            "grep_search",
            "search_file_content",
            "google_web_search",
            "web_fetch",
            "write_todos",
            "ask_user",
            "enter_plan_mode",
            "exit_plan_mode",
            "get_internal_docs",
            "list_mcp_resources",
            "read_mcp_resource",
            "complete_task",
            "update_topic",
        ],
    ),
    (Does::Delegate, &["invoke_agent"]),
    (Does::Skill, &["activate_skill"]),
];

const OPENCODE: &[(Does, &[&str])] = &[
    (Does::Shell, &["bash"]),
    (Does::Write, &["write", "edit", "multiedit"]),
    (Does::Patch, &["patch", "apply_patch"]),
    (
        Does::Read,
        &[
            "read",
            "grep",
            "glob",
            "list",
            "webfetch",
            "websearch",
            "codesearch",
            "todowrite",
            "todoread",
            "question",
            "lsp",
            // What a misspelled call becomes; it only answers the model.
            "invalid",
        ],
    ),
    (Does::Delegate, &["task"]),
    (Does::Skill, &["skill"]),
];

const CURSOR: &[(Does, &[&str])] = &[
    (Does::Shell, &["Shell"]),
    (Does::Write, &["Write", "Edit", "StrReplace", "EditNotebook", "TabWrite"]),
    (Does::Delete, &["Delete"]),
    (Does::Read, &["Read", "Grep", "Glob", "LS", "SemanticSearch", "WebSearch", "WebFetch", "TodoWrite", "TabRead"]),
    (Does::Delegate, &["Task"]),
];

const GROK: &[(Does, &[&str])] = &[
    (Does::Shell, &["run_terminal_command", "run_terminal_cmd", "Bash"]),
    (Does::Write, &["search_replace", "hashline_edit", "write", "Write", "Edit", "MultiEdit", "NotebookEdit"]),
    (
        Does::Read,
        &[
            "read_file",
            "hashline_read",
            "list_dir",
            "grep",
            "hashline_grep",
            "lsp",
            "web_search",
            "web_fetch",
            "todo_write",
            "ask_user_question",
            "get_command_or_subagent_output",
            "get_terminal_command_output",
            "kill_command_or_subagent",
            "kill_terminal_command",
            "search_tool",
            "enter_plan_mode",
            "exit_plan_mode",
            "Read",
            "Glob",
            "Grep",
            "LS",
            "WebSearch",
            "TodoWrite",
            "AskUserQuestion",
        ],
    ),
    (Does::Delegate, &["spawn_subagent", "Task"]),
    (Does::Skill, &["skill", "Skill"]),
];

const PI: &[(Does, &[&str])] =
    &[(Does::Shell, &["bash"]), (Does::Write, &["write", "edit"]), (Does::Read, &["read", "grep", "find", "ls"])];

const GENERIC: &[(Does, &[&str])] = &[
    (Does::Shell, &["shell"]),
    (Does::Write, &["write", "edit"]),
    (Does::Delete, &["delete"]),
    (Does::Patch, &["patch"]),
    (Does::Read, &["read", "search", "list", "web"]),
];

pub fn does(agent: Agent, name: &str) -> Does {
    if our_tool(agent, name).is_some() {
        return Does::Ours;
    }
    let table = match agent {
        Agent::Claude => CLAUDE,
        Agent::Codex => CODEX,
        Agent::Gemini => GEMINI,
        Agent::Opencode => OPENCODE,
        Agent::Cursor => CURSOR,
        Agent::Grok => GROK,
        Agent::Pi => PI,
        Agent::Generic => GENERIC,
    };
    let row = table.iter().find(|(_, names)| names.contains(&name));
    row.map_or(Does::Unknown, |(does, _)| *does)
}

/// Our own name for the tool that this agent calls `name`, if it is one of ours.
pub fn our_tool(agent: Agent, name: &str) -> Option<&'static str> {
    match agent {
        Agent::Claude | Agent::Codex | Agent::Gemini | Agent::Opencode | Agent::Grok => {
            served(agent, name).into_iter().find_map(ours)
        }
        // It does not say whose tool it is.
        Agent::Cursor => ours(name.strip_prefix("MCP:")?),
        // Without MCP: our extension registers them under their own names.
        Agent::Pi | Agent::Generic => ours(name),
    }
}

/// The tools of our server that this agent could mean by `name`: the rest of the name after each server name that fits.
/// None if the agent does not say which server a tool belongs to.
pub fn served(agent: Agent, name: &str) -> Vec<&str> {
    let (before, between) = match agent {
        Agent::Claude | Agent::Codex => ("mcp__", "__"),
        Agent::Gemini => ("mcp_", "_"),
        Agent::Opencode => ("", "_"),
        Agent::Grok => ("", "__"),
        Agent::Cursor | Agent::Pi | Agent::Generic => return Vec::new(),
    };
    let Some(rest) = name.strip_prefix(before) else { return Vec::new() };
    SERVERS.iter().filter_map(|server| rest.strip_prefix(server)?.strip_prefix(between)).collect()
}

/// The name by which this agent calls one of our tools, as we install our server. Grok Build hands it to its `use_tool`.
pub fn called(agent: Agent, ours: &str) -> String {
    match agent {
        Agent::Claude | Agent::Codex => format!("mcp__grill__{ours}"),
        Agent::Gemini => format!("mcp_grill_{ours}"),
        Agent::Opencode => format!("grill_{ours}"),
        Agent::Grok => format!("grill__{ours}"),
        Agent::Cursor | Agent::Pi | Agent::Generic => ours.to_owned(),
    }
}

/// Our tool of this name, which it has everywhere. Each is ruled on by the dispatcher.
fn ours(name: &str) -> Option<&'static str> {
    Tool::named(name).map(Tool::name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::tool::rows;

    #[test]
    fn names_are_exact_and_never_parts() {
        assert_eq!(does(Agent::Claude, "Bash"), Does::Shell);
        assert_eq!(does(Agent::Claude, "Read"), Does::Read);
        for name in ["bash", "Bash ", " Bash", "BashOutput2", "Readx", "Re ad", "", "mcp__x__Read", "Read\0", "Ｒead"]
        {
            assert_eq!(does(Agent::Claude, name), Does::Unknown, "{name}");
        }
        for name in ["REPL", "PowerShell", "EnterWorktree", "CronCreate", "Workflow"] {
            assert_eq!(does(Agent::Claude, name), Does::Unknown, "{name}");
        }
    }

    #[test]
    fn an_agent_is_told_names_that_it_is_understood_by() {
        for agent in Agent::ALL {
            for ours in rows().map(|row| row.name) {
                // Cursor says whose kind of tool it is only to its hooks.
                let before = if *agent == Agent::Cursor { "MCP:" } else { "" };
                assert_eq!(our_tool(*agent, &format!("{before}{}", called(*agent, ours))), Some(ours), "{agent}");
            }
        }
    }

    #[test]
    fn no_tool_stands_twice_in_a_table() {
        for table in [CLAUDE, CODEX, GEMINI, OPENCODE, CURSOR, GROK, PI, GENERIC] {
            let mut names: Vec<&str> = table.iter().flat_map(|(_, names)| names.iter().copied()).collect();
            names.sort_unstable();
            let before = names.len();
            names.dedup();
            assert_eq!(names.len(), before);
        }
    }

    #[test]
    fn g35_our_tools_pass_under_the_names_that_agents_give_them() {
        let named = [
            (Agent::Claude, "mcp__git-grill__ask_question"),
            (Agent::Claude, "mcp__grill__grill_status"),
            (Agent::Codex, "mcp__git_grill__grill_update_checkpoint"),
            (Agent::Gemini, "mcp_git-grill_grill_status"),
            (Agent::Gemini, "mcp_grill_grill_status"),
            (Agent::Opencode, "git-grill_questionnaire"),
            (Agent::Opencode, "grill_grill_start"),
            (Agent::Cursor, "MCP:ask_question"),
            (Agent::Grok, "grill__ask_question"),
            (Agent::Pi, "grill_status"),
            (Agent::Generic, "grill_status"),
        ];
        for (agent, name) in named {
            assert_eq!(does(agent, name), Does::Ours, "{agent} {name}");
        }
        let others = [
            (Agent::Claude, "mcp__evil-git-grill__ask_question"),
            (Agent::Claude, "mcp__git-grill2__ask_question"),
            (Agent::Claude, "mcp__git-grill__ask_question2"),
            (Agent::Claude, "mcp__git-grill__write_file"),
            (Agent::Claude, "mcp__Git-Grill__ask_question"),
            (Agent::Claude, "ask_question"),
            (Agent::Gemini, "mcp__git-grill__ask_question"),
            (Agent::Gemini, "mcp_other_grill_ask_question"),
            (Agent::Cursor, "ask_question"),
        ];
        for (agent, name) in others {
            assert_eq!(does(agent, name), Does::Unknown, "{agent} {name}");
        }
    }

    #[test]
    fn p6_a_tool_is_of_our_server_only_where_the_agent_says_so() {
        for (agent, name, tools) in [
            (Agent::Claude, "mcp__grill__limits_ask", vec!["limits_ask"]),
            (Agent::Codex, "mcp__git_grill__limits_ask", vec!["limits_ask"]),
            (Agent::Gemini, "mcp_git-grill_limits_ask", vec!["limits_ask"]),
            (Agent::Opencode, "grill_limits_ask", vec!["limits_ask"]),
            (Agent::Grok, "git-grill__limits_ask", vec!["limits_ask"]),
            (Agent::Claude, "mcp__other__limits_ask", vec![]),
            (Agent::Claude, "mcp__grill2__limits_ask", vec![]),
            (Agent::Claude, "mcp__evil__grill__limits_ask", vec![]),
            (Agent::Claude, "limits_ask", vec![]),
            (Agent::Cursor, "MCP:limits_ask", vec![]),
            (Agent::Pi, "limits_ask", vec![]),
            (Agent::Generic, "grill__limits_ask", vec![]),
        ] {
            assert_eq!(served(agent, name), tools, "{agent} {name}");
            // What it is called alone lets nothing pass: it has to be enabled.
            assert_eq!(does(agent, name), Does::Unknown, "{agent} {name}");
        }
    }
}
