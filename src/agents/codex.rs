//! Codex, by the adapter `codex-acp`. It does not ask about our tools, which it shows as a command that runs. Behind our
//! walls its own sandbox cannot start, so it is told to leave it off; without them it is told to read only, where a
//! refusal ends the turn.

use super::acp::{Acp, Elicits, Leads, Lent, OurCall, Refusal, Setting, Settings};
use super::files::{Folder, Log, Project, own};
use super::hooks::{Does, Hooks};
use super::install::{About, Content, Entry, Install, PRE_TOOL_USE, Places, Purpose, Root, SOON, Text, telling, tried};
use super::traces::{Client, Traces};
use super::{Agent, claude};
use crate::domain::agents::profile::{Asks, Edits};

pub(super) const CODEX: Agent = Agent {
    name: "codex",
    title: "Codex",
    traces: Traces {
        clients: &[Client::Exactly("codex-mcp-client")],
        variables: &["CODEX_SANDBOX", "CODEX_THREAD_ID"],
        sends_one_field: true,
    },
    programs: &["codex-acp"],
    folders: &[Folder {
        logs: &[Log { path: "sessions/*/*/*/rollout-*.jsonl", project: Project::FirstLine }],
        credentials: &["auth.json", ".credentials.json"],
        ..own("~/.codex", "CODEX_HOME")
    }],
    acp: Some(ACP),
    hooks: Some(HOOKS),
    install: Some(INSTALL),
};

const fn mode(value: &'static str) -> Setting {
    Setting { option: "mode", value }
}

const ACP: Acp = Acp {
    command: &["codex-acp"],
    variables: &[],
    bare_variables: &[],
    opening: None,
    settings: Settings { walled: Some(mode("agent-full-access")), bare: Some(mode("read-only")) },
    lent: |terms| {
        let bare = match terms.edits {
            Edits::None | Edits::Artifacts => mode("read-only"),
            Edits::Worktree => mode("workspace-write"),
        };
        Lent { settings: Settings { walled: Some(mode("agent-full-access")), bare: Some(bare) }, ..Lent::PLAIN }
    },
    asks: Asks::Nothing,
    ours: &[OurCall::Title("mcp.{server}.")],
    refusal: Refusal::EndsTheTurn,
    leads: Leads::OverAcp,
    adapts: Some("codex"),
    tried: Some("2.6.0"),
    least: None,
    elicits: Elicits::Yes,
    keys: &["OPENAI_API_KEY", "CODEX_API_KEY"],
    install: "npm install -g @agentclientprotocol/codex-acp",
    log_in: "run codex login in your own terminal (the sandbox hides a desktop keyring: first set \
             cli_auth_credentials_store = \"file\" in ~/.codex/config.toml)",
};

/// In Claude Code's shape, with tools of its own.
const HOOKS: Hooks = Hooks {
    tools: &[
        (Does::Shell, &["Bash"]),
        (Does::Patch, &["apply_patch"]),
        (Does::Read, &["update_plan", "view_image", "read_file", "list_dir", "grep_files", "web_search"]),
    ],
    ..claude::HOOKS
};

const HOOKS_FILE: Places = Places::of(".codex/hooks.json", Root::Codex, "hooks.json");

const INSTALL: Install = Install {
    about: About {
        seen: "0.169.0 led an interview from install to the approved file; refused by its hook: a patch and a write in its shell",
        gaps: "input to a shell that is already running; a hook that is not trusted is skipped silently",
        elicitation: "yes, not with exec",
        instructions: "by its hooks, everything at the start of a conversation, and with each prompt what is new or a reminder",
        trust_project: "start codex here, trust the folder, then trust the hooks in /hooks: until then Codex skips them silently",
        trust_user: "start codex and trust the hooks in /hooks: until then Codex skips them silently",
        start: "codex",
        command: "$grill <topic>",
    },
    parts: &[
        tried(Purpose::Server, Places::of(".codex/config.toml", Root::Codex, "config.toml"), Content::TomlServer),
        tried(
            Purpose::Gate,
            HOOKS_FILE,
            Content::Json(&[Entry::GateGroup { path: PRE_TOOL_USE, matcher: "Bash|apply_patch|mcp__.*", more: "" }]),
        ),
        tried(Purpose::Telling, HOOKS_FILE, Content::Json(&telling(&["hooks", "UserPromptSubmit"], SOON))),
        tried(Purpose::Command, Places::home(".agents/skills/grill/SKILL.md"), Content::Own(Text::Skill)),
    ],
};
