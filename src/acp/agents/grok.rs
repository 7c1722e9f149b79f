//! Grok Build, which speaks ACP itself. Never with `--always-approve` in an interview (A3); for lent work with it, where
//! our walls hold it, or else its own sandbox. It starts our server a while after the session began, and a
//! refusal ends its turn.

use super::{Asks, Elicits, Leads, Lent, NOTHING, Preset, Refusal, Word, behind};
use crate::domain::agents::profile::Edits;

const LOOKS: &[Word] = &lent_in("read-only");
const EDITS: &[Word] = &lent_in("workspace");

/// The command for lent work. Its own sandbox cannot start behind our walls, and is this one without them.
const fn lent_in(sandbox: &'static str) -> [Word; 10] {
    [
        Word::Is("grok"),
        Word::Is("--no-auto-update"),
        Word::Is("--cwd"),
        Word::Cwd,
        Word::Is("--sandbox"),
        Word::Walled("off", sandbox),
        Word::Is("--always-approve"),
        Word::Is("agent"),
        Word::Is("--no-leader"),
        Word::Is("stdio"),
    ]
}

pub(super) const GROK: Preset = Preset {
    name: "grok",
    title: "Grok Build",
    command: &["grok", "--no-auto-update", "agent", "--no-leader", "stdio"],
    variables: &[],
    bare_variables: &[],
    opening: None,
    settings: NOTHING,
    lent: |terms| {
        let command = match terms.edits {
            Edits::None | Edits::Artifacts => LOOKS,
            Edits::Worktree => EDITS,
        };
        Lent { command: Some(command), ..Lent::PLAIN }
    },
    asks: Asks::Nothing,
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
