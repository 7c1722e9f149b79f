//! Any other agent: a command of the person's own that speaks ACP (`grill.agent.<name>.command`), and one whose hook sends
//! the plain form that our manual describes. How the former names our tools is not known, so the two most common ways
//! pass, each exactly.

use super::Agent;
use super::acp::{Acp, Elicits, Leads, Lent, NOTHING, OurCall, Refusal};
use super::hooks::{AskedBy, Does, Ear, Hooks, Naming, Rewrites, Shell, Telling};
use super::traces::Traces;
use crate::domain::agents::profile::Asks;

/// What holds for an agent of the person's own; its name and command are theirs.
pub static OTHER: Agent = Agent {
    name: "other",
    title: "your agent",
    traces: Traces::NONE,
    programs: &[],
    folders: &[],
    acp: Some(ACP),
    hooks: None,
    install: None,
};

const ACP: Acp = Acp {
    command: &[],
    variables: &[],
    bare_variables: &[],
    opening: None,
    settings: NOTHING,
    lent: |_| Lent::PLAIN,
    asks: Asks::Unknown,
    ours: &[OurCall::Name("mcp__{server}__"), OurCall::Title("mcp__{server}__")],
    refusal: Refusal::EndsTheTurn,
    leads: Leads::OverAcp,
    adapts: None,
    tried: None,
    least: None,
    elicits: Elicits::Unknown,
    keys: &[],
    install: "",
    log_in: "see its own manual",
};

/// Any agent whose hook sends the plain form.
pub(super) const GENERIC: Agent = Agent {
    name: "generic",
    title: "any other agent",
    traces: Traces::NONE,
    programs: &[],
    folders: &[],
    acp: None,
    hooks: Some(HOOKS),
    install: None,
};

const HOOKS: Hooks = Hooks {
    tools: &[
        (Does::Shell, &["shell"]),
        (Does::Write, &["write", "edit"]),
        (Does::Delete, &["delete"]),
        (Does::Patch, &["patch"]),
        (Does::Read, &["read", "search", "list", "web"]),
    ],
    naming: Naming::Plain,
    events: &[],
    reads_files_of: None,
    asked_by: AskedBy::Line,
    pass: "",
    at_start: Telling::without_hook(Ear::Plain),
    with_prompt: Telling::without_hook(Ear::Plain),
    is_told_at_start: true,
    rewrites: Rewrites::No,
    shell: Shell::Sh,
};
