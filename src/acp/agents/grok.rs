//! Grok Build, which speaks ACP itself. Never with `--always-approve` in an interview (A3). It starts our server a while
//! after the session began, and a refusal ends its turn.

use super::{Elicits, Leads, NOTHING, Preset, Refusal, behind};

pub(super) const GROK: Preset = Preset {
    name: "grok",
    title: "Grok Build",
    command: &["grok", "--no-auto-update", "agent", "--no-leader", "stdio"],
    variables: &[],
    bare_variables: &[],
    opening: None,
    settings: NOTHING,
    ours: |call, server| behind(call.title.as_deref(), &format!("{server}__")),
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
