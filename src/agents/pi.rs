//! pi. Its adapter ignores the MCP servers that it is handed and does not load our extension, so it cannot be led.

use super::Agent;
use super::acp::{Acp, Elicits, Leads, Lent, NOTHING, Refusal};
use super::files::{Folder, Log, Project, own};
use super::hooks::{AskedBy, Does, Ear, Hooks, Naming, Rewrites, Shell, Telling};
use super::install::{About, Content, Install, Places, Purpose, Root, tried};
use super::traces::Traces;
use crate::domain::agents::profile::Asks;

pub(super) const PI: Agent = Agent {
    name: "pi",
    title: "pi",
    traces: Traces { clients: &[], variables: &["PI_CODING_AGENT"], sends_one_field: false },
    programs: &["pi-acp"],
    folders: &[Folder {
        logs: &[Log { path: "sessions/{project}/*.jsonl", project: Project::Fenced }],
        credentials: &["auth.json"],
        ..own("~/.pi/agent", "PI_CODING_AGENT_DIR")
    }],
    acp: Some(ACP),
    hooks: Some(HOOKS),
    install: Some(INSTALL),
};

const ACP: Acp = Acp {
    command: &["pi-acp"],
    variables: &[],
    bare_variables: &[],
    opening: None,
    settings: NOTHING,
    lent: |_| Lent::PLAIN,
    asks: Asks::Unknown,
    ours: &[],
    refusal: Refusal::GoesOn,
    leads: Leads::FromInside("its adapter does not pass git grill's tools on to it"),
    adapts: Some("pi"),
    tried: None,
    least: None,
    elicits: Elicits::No,
    keys: &[],
    install: "npm install -g pi-acp",
    log_in: "run pi once in your own terminal",
};

const HOOKS: Hooks = Hooks {
    tools: &[
        (Does::Shell, &["bash"]),
        (Does::Write, &["write", "edit"]),
        (Does::Read, &["read", "grep", "find", "ls"]),
    ],
    // Without MCP: our extension registers our tools under their own names.
    naming: Naming::Plain,
    events: &[],
    reads_files_of: None,
    asked_by: AskedBy::File(&[
        include_str!("shims/ask.js"),
        include_str!("shims/tell.js"),
        include_str!("shims/pi-forms.js"),
        include_str!("shims/pi.ts"),
    ]),
    pass: "",
    at_start: Telling::without_hook(Ear::Plain),
    with_prompt: Telling::without_hook(Ear::Plain),
    is_told_at_start: true,
    rewrites: Rewrites::Plain,
    shell: Shell::Bash,
};

const EXTENSION: Places = Places::of(".pi/extensions/git-grill.ts", Root::Home, ".pi/agent/extensions/git-grill.ts");

const INSTALL: Install = Install {
    about: About {
        seen: "0.87.1 led an interview from install to the approved file; refused by its hook: a write by tool and one by shell; our extension calls the tools, since it has no MCP",
        gaps: "pi --no-extensions goes without it",
        elicitation: "yes, not with -p",
        instructions: "by the extension, in its system prompt, and a reminder with each prompt",
        trust_project: "start it with `pi --approve` once: project extensions need it",
        trust_user: "nothing",
        start: "pi",
        command: "/grill <topic>",
    },
    parts: &[
        // One extension is everything: it registers our tools and the command, asks the guard, and tells.
        tried(Purpose::Tools, EXTENSION, Content::Plugin),
        tried(Purpose::Gate, EXTENSION, Content::Within),
        tried(Purpose::Telling, EXTENSION, Content::Within),
        tried(Purpose::Command, EXTENSION, Content::Within),
        tried(
            Purpose::Command,
            Places::of(".pi/prompts/grill.md", Root::Home, ".pi/agent/prompts/grill.md"),
            Content::Former,
        ),
    ],
};
