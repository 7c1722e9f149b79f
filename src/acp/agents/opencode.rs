//! opencode, which speaks ACP itself. It asks about nothing by default, so without walls its settings make it ask; a
//! refusal ends its turn.

use super::{Elicits, Leads, NOTHING, Preset, Refusal, behind};

pub(super) const OPENCODE: Preset = Preset {
    name: "opencode",
    title: "opencode",
    command: &["opencode", "acp"],
    variables: &[],
    bare_variables: &[("OPENCODE_CONFIG_CONTENT", r#"{"permission":{"edit":"ask","bash":"ask"}}"#)],
    opening: None,
    settings: NOTHING,
    ours: |call, server| behind(call.title.as_deref(), &format!("{server}_")),
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
