//! opencode, which speaks ACP itself. It asks about nothing by default, so without walls its settings make it ask, and for
//! lent work always; a refusal ends its turn.

use super::Agent;
use super::acp::{Acp, Elicits, Leads, Lent, NOTHING, OurCall, Refusal};
use super::files::{Folder, below, fixed};
use super::hooks::{AskedBy, Does, Ear, Hooks, Naming, Rewrites, Shell, Telling};
use super::install::{About, Content, Entry, Install, Place, Places, Purpose, Root, Text, tried};
use super::traces::{Client, Traces};
use crate::domain::agents::profile::{Asks, Edits, LocalTools, Terms, Web};

pub(super) const OPENCODE: Agent = Agent {
    name: "opencode",
    title: "opencode",
    traces: Traces { clients: &[Client::Exactly("opencode")], variables: &["OPENCODE"], sends_one_field: false },
    programs: &[],
    folders: &[
        below("~/.config/opencode", "XDG_CONFIG_HOME", "opencode"),
        Folder {
            together: &["opencode.db", "opencode.db-wal", "opencode.db-shm"],
            credentials: &["auth.json", "mcp-auth.json"],
            ..below("~/.local/share/opencode", "XDG_DATA_HOME", "opencode")
        },
        below("~/.local/state/opencode", "XDG_STATE_HOME", "opencode"),
        fixed("~/.opencode"),
    ],
    acp: Some(ACP),
    hooks: Some(HOOKS),
    install: Some(INSTALL),
};

/// The variable that holds settings of its own.
const CONTENT: &str = "OPENCODE_CONFIG_CONTENT";

const ACP: Acp = Acp {
    command: &["opencode", "acp"],
    variables: &[],
    bare_variables: &[(CONTENT, r#"{"permission":{"edit":"ask","bash":"ask"}}"#)],
    opening: None,
    settings: NOTHING,
    lent: |terms| Lent { variables: permissions(terms), ..Lent::PLAIN },
    asks: Asks::Each,
    ours: &[OurCall::Title("{server}_")],
    refusal: Refusal::EndsTheTurn,
    leads: Leads::OverAcp,
    adapts: None,
    tried: Some("1.18.33"),
    least: None,
    elicits: Elicits::WithVariable("OPENCODE_ENABLE_QUESTION_TOOL"),
    keys: &[],
    install: "npm install -g opencode-ai",
    log_in: "run opencode auth login in your own terminal",
};

/// The variable with its permissions. What is neither allowed nor denied is asked for, and ruled on by what it may do.
fn permissions(terms: &Terms) -> &'static [(&'static str, &'static str)] {
    match (terms.tools, terms.edits, terms.web) {
        (LocalTools::Closed, _, Web::Open) => {
            &[(CONTENT, r#"{"permission":{"*":"deny","webfetch":"allow","websearch":"allow","codesearch":"allow"}}"#)]
        }
        (LocalTools::Closed, _, Web::Closed) => &[(CONTENT, r#"{"permission":{"*":"deny"}}"#)],
        (LocalTools::Open, Edits::Worktree, Web::Open) => &[(CONTENT, r#"{"permission":{"edit":"ask","bash":"ask"}}"#)],
        (LocalTools::Open, Edits::Worktree, Web::Closed) => &[(
            CONTENT,
            r#"{"permission":{"edit":"ask","bash":"ask","webfetch":"deny","websearch":"deny","codesearch":"deny"}}"#,
        )],
        (LocalTools::Open, Edits::None | Edits::Artifacts, Web::Open) => {
            &[(CONTENT, r#"{"permission":{"edit":"deny","bash":"ask"}}"#)]
        }
        (LocalTools::Open, Edits::None | Edits::Artifacts, Web::Closed) => &[(
            CONTENT,
            r#"{"permission":{"edit":"deny","bash":"ask","webfetch":"deny","websearch":"deny","codesearch":"deny"}}"#,
        )],
    }
}

const HOOKS: Hooks = Hooks {
    tools: &[
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
    ],
    naming: Naming::Served { before: "", between: "_" },
    events: &[],
    reads_files_of: None,
    asked_by: AskedBy::File(&[
        include_str!("shims/ask.js"),
        include_str!("shims/tell.js"),
        include_str!("shims/opencode.js"),
    ]),
    pass: "",
    at_start: Telling::without_hook(Ear::Plain),
    with_prompt: Telling::without_hook(Ear::Plain),
    is_told_at_start: true,
    rewrites: Rewrites::Plain,
    shell: Shell::Users,
};

const PLUGIN: Places = Places::of(".opencode/plugins/git-grill.js", Root::Config, "opencode/plugins/git-grill.js");

const INSTALL: Install = Install {
    about: About {
        seen: "1.18.33 led an interview from install to the approved file; refused by its hook: a write by tool and one by shell",
        gaps: "a plugin that cannot be loaded is skipped",
        elicitation: "no",
        instructions: "by the plugin, in its system prompt",
        trust_project: "nothing; opencode loads project plugins without asking",
        trust_user: "nothing",
        start: "opencode",
        command: "/grill <topic>",
    },
    parts: &[
        tried(
            Purpose::Server,
            Places {
                project: Place { root: Root::Worktree, path: "opencode.json", or: Some("opencode.jsonc") },
                user: Place { root: Root::Config, path: "opencode/opencode.json", or: Some("opencode/opencode.jsonc") },
            },
            Content::Json(&[
                Entry::Server {
                    path: &["mcp"],
                    value: r#"{"type": "local", "command": ["git", "grill", "mcp"], "enabled": true}"#,
                },
                // It puts this into the file by itself where it is missing, and then the file is not ours alone.
                Entry::Companion { name: "$schema", value: "\"https://opencode.ai/config.json\"" },
            ]),
        ),
        tried(Purpose::Gate, PLUGIN, Content::Plugin),
        tried(Purpose::Telling, PLUGIN, Content::Within),
        tried(
            Purpose::Command,
            Places::of(".opencode/commands/grill.md", Root::Config, "opencode/commands/grill.md"),
            Content::Own(Text::Command),
        ),
    ],
};
