//! Cursor. It is not spoken to over ACP here; what we know of it is what its makers say.

use super::Agent;
use super::files::{below, fixed};
use super::hooks::{AskedBy, Does, Ear, Event, Hooks, Moment, Naming, Rewrites, Shell, Telling};
use super::install::{About, Content, Entry, Install, Places, Purpose, SERVER, Text, told};
use super::traces::{Client, Traces};

pub(super) const CURSOR: Agent = Agent {
    name: "cursor",
    title: "Cursor",
    traces: Traces {
        clients: &[Client::Exactly("cursor-vscode")],
        variables: &["CURSOR_AGENT"],
        sends_one_field: false,
    },
    programs: &["cursor-agent"],
    folders: &[fixed("~/.cursor"), below("~/.config/cursor", "XDG_CONFIG_HOME", "cursor")],
    acp: None,
    hooks: Some(HOOKS),
    install: Some(INSTALL),
};

const HOOKS: Hooks = Hooks {
    tools: &[
        (Does::Shell, &["Shell"]),
        (Does::Write, &["Write", "Edit", "StrReplace", "EditNotebook", "TabWrite"]),
        (Does::Delete, &["Delete"]),
        (
            Does::Read,
            &["Read", "Grep", "Glob", "LS", "SemanticSearch", "WebSearch", "WebFetch", "TodoWrite", "TabRead"],
        ),
        (Does::Delegate, &["Task"]),
    ],
    naming: Naming::Marked("MCP:"),
    events: &[
        ("preToolUse", Event::Call),
        ("beforeShellExecution", Event::ShellLine),
        ("beforeMCPExecution", Event::ServerCall),
        ("beforeReadFile", Event::FileRead),
    ],
    reads_files_of: None,
    asked_by: AskedBy::Line,
    // It takes silence for an error.
    pass: "{\"permission\":\"allow\"}",
    at_start: Telling::by_hook(Ear::Snake),
    with_prompt: Telling::without_hook(Ear::Deaf),
    is_told_at_start: true,
    rewrites: Rewrites::No,
    shell: Shell::Sh,
};

const HOOKS_FILE: Places = Places::home(".cursor/hooks.json");

const INSTALL: Install = Install {
    about: About {
        seen: "nothing",
        gaps: "what its makers say is all we know",
        elicitation: "not known",
        instructions: "by its hook at the start of a conversation; one with a prompt can add nothing",
        trust_project: "enable the server `grill` in its MCP settings, and look for the hook in its hook settings",
        trust_user: "enable the server `grill` in its MCP settings",
        start: "cursor-agent",
        command: "/grill <topic>",
    },
    parts: &[
        told(
            Purpose::Server,
            Places::home(".cursor/mcp.json"),
            Content::Json(&[Entry::Server { path: &["mcpServers"], value: SERVER }]),
        ),
        told(
            Purpose::Gate,
            HOOKS_FILE,
            Content::Json(&[
                Entry::GatePlain { path: &["hooks", "preToolUse"] },
                Entry::GatePlain { path: &["hooks", "beforeShellExecution"] },
                Entry::GatePlain { path: &["hooks", "beforeMCPExecution"] },
                Entry::Companion { name: "version", value: "1" },
            ]),
        ),
        told(
            Purpose::Telling,
            HOOKS_FILE,
            Content::Json(&[Entry::TellingPlain { path: &["hooks", "sessionStart"], moment: Moment::SessionStart }]),
        ),
        told(Purpose::Command, Places::home(".cursor/skills/grill/SKILL.md"), Content::Own(Text::Skill)),
    ],
};
