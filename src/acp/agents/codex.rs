//! Codex, by the adapter `codex-acp`. It does not ask about our tools, which it shows as a command that runs. Behind our
//! walls its own sandbox cannot start, so it is told to leave it off; without them it is told to read only, where a
//! refusal ends the turn.

use super::{Asks, Elicits, Leads, Lent, Preset, Refusal, Setting, Settings, behind};
use crate::domain::agents::profile::Edits;

const fn mode(value: &'static str) -> Setting {
    Setting { option: "mode", value }
}

pub(super) const CODEX: Preset = Preset {
    name: "codex",
    title: "Codex",
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
    ours: |call, server| behind(call.title.as_deref(), &format!("mcp.{server}.")),
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
