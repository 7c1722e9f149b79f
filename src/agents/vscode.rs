//! VS Code with Copilot, which we install no hook for.

use super::Agent;
use super::install::{About, Content, Entry, Install, Places, Purpose, Root, Text, told};
use super::traces::Traces;

pub(super) const VSCODE: Agent = Agent {
    name: "vscode",
    title: "VS Code with Copilot",
    traces: Traces::NONE,
    programs: &[],
    folders: &[],
    acp: None,
    hooks: None,
    install: Some(INSTALL),
};

const INSTALL: Install = Install {
    about: About {
        seen: "nothing",
        gaps: "we install no hook: use `git grill run` or watch what it asks",
        elicitation: "yes",
        instructions: "by the MCP server alone: we install no hook",
        trust_project: "trust the workspace, and start the server `grill` when it asks",
        trust_user: "start the server `grill` when it asks",
        start: "code .",
        command: "/grill <topic>",
    },
    parts: &[
        told(
            Purpose::Server,
            Places::of(".vscode/mcp.json", Root::Code, "mcp.json"),
            Content::Json(&[Entry::Server {
                path: &["servers"],
                value: r#"{"type": "stdio", "command": "git", "args": ["grill", "mcp"]}"#,
            }]),
        ),
        told(
            Purpose::Command,
            Places::of(".github/prompts/grill.prompt.md", Root::Code, "prompts/grill.prompt.md"),
            Content::Own(Text::Prompt),
        ),
    ],
};
