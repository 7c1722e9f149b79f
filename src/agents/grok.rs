//! Grok Build, which speaks ACP itself. Never with `--always-approve` in an interview (A3); for lent work with it, where
//! our walls hold it, or else its own sandbox. It starts our server a while after the session began, and a
//! refusal ends its turn.

use super::Agent;
use super::acp::{Acp, Elicits, Leads, Lent, NOTHING, OurCall, Refusal, Word};
use super::files::{Folder, Log, Project, own};
use super::hooks::{AskedBy, Does, Ear, Event, Hooks, Naming, Rewrites, Shell, Telling};
use super::install::{About, Content, Entry, Install, PRE_TOOL_USE, Places, Purpose, Text, told, tried};
use super::traces::{Client, Traces};
use crate::domain::agents::profile::{Asks, Edits};

pub(super) const GROK: Agent = Agent {
    name: "grok",
    title: "Grok Build",
    traces: Traces { clients: &[Client::Beginning("grok-shell-")], variables: &["GROK_BUILD"], sends_one_field: false },
    programs: &[],
    folders: &[Folder {
        logs: &[
            Log { path: "sessions/{project}/*/*.json", project: Project::Percent },
            Log { path: "sessions/{project}/*/*.jsonl", project: Project::Percent },
        ],
        credentials: &["auth.json"],
        ..own("~/.grok", "GROK_HOME")
    }],
    acp: Some(ACP),
    hooks: Some(HOOKS),
    install: Some(INSTALL),
};

const LOOKS: &[Word] = &lent_in("read-only");
const EDITS: &[Word] = &lent_in("workspace");

/// The command for lent work. Its own sandbox cannot start behind our walls, and is this one without them.
const fn lent_in(sandbox: &'static str) -> [Word; 10] {
    [
        Word::Is("grok"),
        Word::Is("--no-auto-update"),
        Word::Is("--cwd"),
        Word::Cwd,
        Word::Is("--sandbox"),
        Word::Walled("off", sandbox),
        Word::Is("--always-approve"),
        Word::Is("agent"),
        Word::Is("--no-leader"),
        Word::Is("stdio"),
    ]
}

const ACP: Acp = Acp {
    command: &["grok", "--no-auto-update", "agent", "--no-leader", "stdio"],
    variables: &[],
    bare_variables: &[],
    opening: None,
    settings: NOTHING,
    lent: |terms| {
        let command = match terms.edits {
            Edits::None | Edits::Artifacts => LOOKS,
            Edits::Worktree => EDITS,
        };
        Lent { command: Some(command), ..Lent::PLAIN }
    },
    asks: Asks::Nothing,
    ours: &[OurCall::Title("{server}__")],
    refusal: Refusal::EndsTheTurn,
    leads: Leads::OverAcp,
    adapts: None,
    tried: Some("1.0.41"),
    least: None,
    elicits: Elicits::Yes,
    keys: &["XAI_API_KEY"],
    install: "npm install -g @xai-official/grok",
    log_in: "run grok once in your own terminal",
};

const HOOKS: Hooks = Hooks {
    tools: &[
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
    ],
    naming: Naming::Served { before: "", between: "__" },
    // Each spelling of the field comes with a spelling of the event.
    events: &[("PreToolUse", Event::Call), ("pre_tool_use", Event::Call)],
    // It alone has spellings in camel case, beside the others or without them.
    reads_files_of: Some((&["claude", "cursor"], "toolName")),
    asked_by: AskedBy::Line,
    pass: "",
    at_start: Telling::without_hook(Ear::Deaf),
    with_prompt: Telling::without_hook(Ear::Deaf),
    is_told_at_start: true,
    rewrites: Rewrites::No,
    shell: Shell::Sh,
};

const CONFIG: Places = Places::home(".grok/config.toml");

const INSTALL: Install = Install {
    about: About {
        seen: "1.0.41 led an interview from install to the approved file; refused by its hook: a write by tool and one by shell",
        gaps: "without folder trust server, hook and skill are skipped",
        elicitation: "by a method of its own",
        instructions: "by the MCP server alone: what hooks at the start or with a prompt say does not reach its model",
        trust_project: "start it with `grok --trust` once: without it server, hook and skill are skipped silently",
        trust_user: "nothing that we know of",
        start: "grok",
        command: "/grill <topic>",
    },
    parts: &[
        tried(Purpose::Server, CONFIG, Content::TomlServer),
        tried(
            Purpose::Gate,
            Places::home(".grok/hooks/grill.json"),
            Content::Json(&[Entry::GateGroup { path: PRE_TOOL_USE, matcher: "*", more: "" }]),
        ),
        told(Purpose::Command, Places::home(".grok/skills/grill/SKILL.md"), Content::Own(Text::Skill)),
        tried(Purpose::Permission, CONFIG, Content::TomlRule),
    ],
};
