//! Claude Code, by the adapter `claude-agent-acp`. It asks before every call of our tools, names them in `name`, and goes
//! on after a refusal. The mode that asks nobody is left out of its session: the adapter offers it to every client, and
//! then does not start for root at all. Its requests for suggestions cost a whole history each and are switched off; its
//! tool search would hide our tools from the first request.

use super::Agent;
use super::acp::{Acp, Elicits, Lacks, Leads, Least, Lent, OurCall, Refusal, Setting, Settings};
use super::files::{Folder, Log, Project, below, own};
use super::hooks::{AskedBy, Does, Ear, Event, Hooks, Naming, Rewrites, Shell, Telling};
use super::install::{
    About, Content, Entry, Install, PRE_TOOL_USE, Places, Purpose, Root, SERVER, SOON, Text, telling, tried,
};
use super::traces::{Client, Traces};
use crate::domain::agents::profile::Asks;

pub(super) const CLAUDE: Agent = Agent {
    name: "claude",
    title: "Claude Code",
    traces: Traces { clients: &[Client::Exactly("claude-code")], variables: &["CLAUDECODE"], sends_one_field: false },
    programs: &["claude-agent-acp", "claude-code-acp"],
    folders: &[
        Folder {
            beside: &["~/.claude.json"],
            logs: &[Log { path: "projects/{project}/*.jsonl", project: Project::Hyphens }],
            credentials: &[".credentials.json"],
            ..own("~/.claude", "CLAUDE_CONFIG_DIR")
        },
        below("~/.config/claude", "XDG_CONFIG_HOME", "claude"),
    ],
    acp: Some(ACP),
    hooks: Some(HOOKS),
    install: Some(INSTALL),
};

/// The mode that asks, whatever the person's own settings begin with.
const ASKS: Option<Setting> = Some(Setting { option: "mode", value: "default" });
const SETTINGS: Settings = Settings { walled: ASKS, bare: ASKS };

const ACP: Acp = Acp {
    command: &["claude-agent-acp"],
    variables: &[("CLAUDE_CODE_ENABLE_PROMPT_SUGGESTION", "false"), ("ENABLE_TOOL_SEARCH", "false")],
    bare_variables: &[],
    opening: Some(r#"{"claudeCode":{"options":{"allowDangerouslySkipPermissions":false,"promptSuggestions":false}}}"#),
    settings: SETTINGS,
    lent: |_| Lent { settings: SETTINGS, ..Lent::PLAIN },
    asks: Asks::Each,
    ours: &[OurCall::Name("mcp__{server}__")],
    refusal: Refusal::GoesOn,
    leads: Leads::OverAcp,
    adapts: Some("claude"),
    tried: Some("0.100.0"),
    least: Some(Least {
        version: "0.44.0",
        because: "older versions do not send git grill their own questions",
        lacks: Lacks::Part,
    }),
    elicits: Elicits::Yes,
    keys: &["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"],
    install: "npm install -g @agentclientprotocol/claude-agent-acp",
    log_in: "run claude once in your own terminal",
};

pub(super) const HOOKS: Hooks = Hooks {
    tools: &[
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
    ],
    naming: Naming::Served { before: "mcp__", between: "__" },
    events: &[("PreToolUse", Event::Call)],
    reads_files_of: None,
    asked_by: AskedBy::Line,
    pass: "",
    at_start: Telling::by_hook(Ear::Context("SessionStart")),
    with_prompt: Telling::by_hook(Ear::Context("UserPromptSubmit")),
    is_told_at_start: true,
    rewrites: Rewrites::UpdatedInput,
    shell: Shell::Users,
};

const SETTINGS_FILE: Places = Places::of(".claude/settings.json", Root::Claude, "settings.json");

const INSTALL: Install = Install {
    about: About {
        seen: "2.1.330 led an interview from install to the approved file; refused by its hook: a write by tool and one by shell; a form was filled in by its Elicitation hook",
        gaps: "claude --bare skips hooks; before 2.1.295 a guard that fails lets the call run",
        elicitation: "yes, not with -p",
        instructions: "by its hooks, everything at the start of a conversation, and with each prompt what is new or a reminder",
        trust_project: "start claude here, trust the folder, and approve the MCP server `grill` when it asks",
        trust_user: "nothing; /hooks and /mcp show it",
        start: "claude",
        command: "/grill <topic>",
    },
    parts: &[
        tried(
            Purpose::Server,
            Places::of(".mcp.json", Root::ClaudeState, ".claude.json"),
            Content::Json(&[Entry::Server { path: &["mcpServers"], value: SERVER }]),
        ),
        tried(
            Purpose::Gate,
            SETTINGS_FILE,
            Content::Json(&[Entry::GateGroup { path: PRE_TOOL_USE, matcher: "*", more: ", \"onFailure\": \"block\"" }]),
        ),
        tried(Purpose::Telling, SETTINGS_FILE, Content::Json(&telling(&["hooks", "UserPromptSubmit"], SOON))),
        tried(
            Purpose::Command,
            Places::of(".claude/skills/grill/SKILL.md", Root::Claude, "skills/grill/SKILL.md"),
            Content::Own(Text::Skill),
        ),
        tried(Purpose::Permission, SETTINGS_FILE, Content::Json(&[Entry::Rule { path: &["permissions", "allow"] }])),
    ],
};
