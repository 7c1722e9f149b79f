//! opencode, which speaks ACP itself. It asks about nothing by default, so without walls its settings make it ask, and for
//! lent work always; a refusal ends its turn.

use super::{Asks, Elicits, Leads, Lent, NOTHING, Preset, Refusal, behind};
use crate::domain::agents::profile::{Edits, LocalTools, Terms, Web};

/// The variable that holds settings of its own.
const CONTENT: &str = "OPENCODE_CONFIG_CONTENT";

pub(super) const OPENCODE: Preset = Preset {
    name: "opencode",
    title: "opencode",
    command: &["opencode", "acp"],
    variables: &[],
    bare_variables: &[(CONTENT, r#"{"permission":{"edit":"ask","bash":"ask"}}"#)],
    opening: None,
    settings: NOTHING,
    lent: |terms| Lent { variables: permissions(terms), ..Lent::PLAIN },
    asks: Asks::Each,
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

/// The variable with its permissions. What is neither allowed nor denied is asked for, and ruled on by what it may do.
fn permissions(terms: &Terms) -> &'static [(&'static str, &'static str)] {
    match (terms.tools, terms.edits, terms.web) {
        (LocalTools::Closed, _, Web::Open) => {
            &[(CONTENT, r#"{"permission":{"*":"deny","webfetch":"allow","websearch":"allow","codesearch":"allow"}}"#)]
        }
        (LocalTools::Closed, _, Web::Closed) => &[(CONTENT, r#"{"permission":{"*":"deny"}}"#)],
        (LocalTools::Open, Edits::Worktree, Web::Open) => &[(CONTENT, r#"{"permission":{"edit":"ask","bash":"ask"}}"#)],
        (LocalTools::Open, Edits::Worktree, Web::Closed) => &[(
            CONTENT,
            r#"{"permission":{"edit":"ask","bash":"ask","webfetch":"deny","websearch":"deny","codesearch":"deny"}}"#,
        )],
        (LocalTools::Open, Edits::None | Edits::Artifacts, Web::Open) => {
            &[(CONTENT, r#"{"permission":{"edit":"deny","bash":"ask"}}"#)]
        }
        (LocalTools::Open, Edits::None | Edits::Artifacts, Web::Closed) => &[(
            CONTENT,
            r#"{"permission":{"edit":"deny","bash":"ask","webfetch":"deny","websearch":"deny","codesearch":"deny"}}"#,
        )],
    }
}
