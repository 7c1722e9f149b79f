//! Gemini CLI, which speaks ACP itself. It asks about our tools by their title alone and goes on after a refusal. It stays
//! in its default mode: the mode that plans hides the tools that record.

use super::{Asks, Elicits, Lacks, Leads, Least, Lent, NOTHING, Preset, Refusal};

pub(super) const GEMINI: Preset = Preset {
    name: "gemini",
    title: "Gemini CLI",
    command: &["gemini", "--acp"],
    variables: &[],
    bare_variables: &[],
    opening: None,
    settings: NOTHING,
    lent: |_| Lent::PLAIN,
    asks: Asks::Each,
    ours: |call, server| {
        let tool = call.title.as_deref()?.strip_suffix(&format!(" ({server} MCP Server)"))?;
        Some(tool.to_owned())
    },
    refusal: Refusal::GoesOn,
    leads: Leads::OverAcp,
    adapts: None,
    tried: Some("0.61.0"),
    least: Some(Least { version: "0.33.0", because: "older versions do not know --acp", lacks: Lacks::Start }),
    elicits: Elicits::No,
    keys: &["GEMINI_API_KEY", "GOOGLE_API_KEY"],
    install: "npm install -g @google/gemini-cli",
    log_in: "run gemini once in your own terminal",
};
