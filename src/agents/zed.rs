//! Zed, which has no hooks.

use super::Agent;
use super::install::{About, Content, Entry, Install, Places, Purpose, Root, SERVER, told};
use super::traces::Traces;

pub(super) const ZED: Agent = Agent {
    name: "zed",
    title: "Zed",
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
        gaps: "it has no hooks: use `git grill run` or watch what it asks",
        elicitation: "no",
        instructions: "by the MCP server alone: it has no hooks",
        trust_project: "trust the worktree when Zed asks: without it project settings start no server",
        trust_user: "nothing that we know of",
        start: "zed .",
        command: "/grill <topic>",
    },
    parts: &[told(
        Purpose::Server,
        Places::of(".zed/settings.json", Root::Config, "zed/settings.json"),
        Content::Json(&[Entry::Server { path: &["context_servers"], value: SERVER }]),
    )],
};
