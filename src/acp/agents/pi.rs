//! pi. Its adapter ignores the MCP servers that it is handed and does not load our extension, so it cannot be led.

use super::{Asks, Elicits, Leads, Lent, NOTHING, Preset, Refusal};

pub(super) const PI: Preset = Preset {
    name: "pi",
    title: "pi",
    command: &["pi-acp"],
    variables: &[],
    bare_variables: &[],
    opening: None,
    settings: NOTHING,
    lent: |_| Lent::PLAIN,
    asks: Asks::Unknown,
    ours: |_, _| None,
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
