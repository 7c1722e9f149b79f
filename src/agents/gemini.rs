//! Gemini CLI, which speaks ACP itself. It asks about our tools by their title alone and goes on after a refusal. It stays
//! in its default mode: the mode that plans hides the tools that record.

use super::Agent;
use super::acp::{Acp, Elicits, Lacks, Leads, Least, Lent, NOTHING, OurCall, Refusal};
use super::files::{Folder, Log, Project, below};
use super::hooks::{AskedBy, Does, Ear, Event, Hooks, Naming, Rewrites, Shell, Telling};
use super::install::{About, Content, Entry, Install, Places, Purpose, telling, tried};
use super::traces::{Client, Traces};
use crate::domain::agents::profile::Asks;

pub(super) const GEMINI: Agent = Agent {
    name: "gemini",
    title: "Gemini CLI",
    traces: Traces {
        clients: &[Client::Exactly("gemini-cli"), Client::Beginning("gemini-cli-mcp-client")],
        variables: &["GEMINI_CLI", "GEMINI_SESSION_ID"],
        sends_one_field: false,
    },
    programs: &[],
    folders: &[Folder {
        logs: &[
            Log { path: "tmp/*/chats/session-*.json", project: Project::RootFile },
            Log { path: "tmp/*/chats/session-*.jsonl", project: Project::RootFile },
        ],
        credentials: &[
            "oauth_creds.json",
            "google_accounts.json",
            "gemini-credentials.json",
            "mcp-oauth-tokens.json",
            "mcp-oauth-tokens-v2.json",
        ],
        ..below("~/.gemini", "GEMINI_CLI_HOME", ".gemini")
    }],
    acp: Some(ACP),
    hooks: Some(HOOKS),
    install: Some(INSTALL),
};

const ACP: Acp = Acp {
    command: &["gemini", "--acp"],
    variables: &[],
    bare_variables: &[],
    opening: None,
    settings: NOTHING,
    lent: |_| Lent::PLAIN,
    asks: Asks::Each,
    ours: &[OurCall::TitleBefore(" ({server} MCP Server)")],
    refusal: Refusal::GoesOn,
    leads: Leads::OverAcp,
    adapts: None,
    tried: Some("0.61.0"),
    least: Some(Least { version: "0.33.0", because: "older versions do not know --acp", lacks: Lacks::Start }),
    elicits: Elicits::No,
    keys: &["GEMINI_API_KEY", "GOOGLE_API_KEY"],
    install: "npm install -g @google/gemini-cli",
    log_in: "run gemini once in your own terminal",
};

const HOOKS: Hooks = Hooks {
    tools: &[
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
    ],
    naming: Naming::Served { before: "mcp_", between: "_" },
    events: &[("BeforeTool", Event::Call)],
    reads_files_of: None,
    asked_by: AskedBy::Line,
    pass: "",
    at_start: Telling::without_hook(Ear::Context("SessionStart")),
    with_prompt: Telling::by_hook(Ear::Context("BeforeAgent")),
    is_told_at_start: false,
    rewrites: Rewrites::InOutput("BeforeTool"),
    shell: Shell::Bash,
};

const SETTINGS_FILE: Places = Places::home(".gemini/settings.json");

const INSTALL: Install = Install {
    about: About {
        seen: "0.61.0 led an interview from install to the approved file; refused by its hook: a write by tool and one by shell",
        gaps: "a guard that is killed or takes too long lets the call run",
        elicitation: "no",
        instructions: "by its hook with each prompt, what is new or a reminder; said at the start, it would keep /grill from being seen",
        trust_project: "trust the folder when gemini asks (/permissions): settings of other folders are skipped silently",
        trust_user: "nothing; /hooks and /mcp show it",
        start: "gemini",
        command: "/grill <topic>",
    },
    parts: &[
        tried(
            Purpose::Server,
            SETTINGS_FILE,
            Content::Json(&[Entry::Server {
                path: &["mcpServers"],
                value: r#"{"command": "git", "args": ["grill", "mcp"], "trust": true}"#,
            }]),
        ),
        tried(
            Purpose::Gate,
            SETTINGS_FILE,
            Content::Json(&[Entry::GateGroup {
                path: &["hooks", "BeforeTool"],
                matcher: ".*",
                more: ", \"timeout\": 10000",
            }]),
        ),
        tried(
            Purpose::Telling,
            SETTINGS_FILE,
            Content::Json(&telling(&["hooks", "BeforeAgent"], ", \"timeout\": 5000")),
        ),
        // Our server's prompt is `/grill` there; beside a file of this name both would be called something else.
        tried(Purpose::Command, Places::home(".gemini/commands/grill.toml"), Content::Former),
    ],
};
