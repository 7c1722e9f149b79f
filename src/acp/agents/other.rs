//! Any other agent that speaks ACP: a command of the person's own (`grill.agent.<name>.command`). How it names our tools
//! is not known, so the two most common ways pass, each exactly.

use super::{Asks, Elicits, Leads, Lent, NOTHING, Preset, Refusal, behind};

/// What holds for an agent without a preset; its name and command are the person's.
pub const OTHER: Preset = Preset {
    name: "other",
    title: "your agent",
    command: &[],
    variables: &[],
    bare_variables: &[],
    opening: None,
    settings: NOTHING,
    lent: |_| Lent::PLAIN,
    asks: Asks::Unknown,
    ours: |call, server| {
        let named = behind(call.name.as_deref(), &format!("mcp__{server}__"));
        named.or_else(|| behind(call.title.as_deref(), &format!("mcp__{server}__")))
    },
    refusal: Refusal::EndsTheTurn,
    leads: Leads::OverAcp,
    adapts: None,
    tried: None,
    least: None,
    elicits: Elicits::Unknown,
    keys: &[],
    install: "",
    log_in: "its own manual says how",
};
