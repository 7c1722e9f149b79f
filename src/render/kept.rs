//! Edited drafts that no file was written of and that their session keeps: which they are, and how each is read.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::domain::production::ParkedDraft;
use crate::domain::session::Session;

use super::harmless;
use super::palette::Look;

/// The edited drafts that wait for their output to be chosen again, and the command that prints each; nothing where there
/// are none.
pub(super) fn lines(session: &Session, look: &Look) -> String {
    let mut text = String::new();
    if !session.parked.is_empty() {
        let _ = writeln!(text, "{}", look.muted("kept edited drafts, each with the command that prints it:"));
    }
    for parked in &session.parked {
        let target = harmless(&parked.draft.target.to_string()).into_owned();
        let destination = harmless(&parked.draft.destination.to_string()).into_owned();
        let _ = writeln!(text, "  {} {}", look.name(target), look.muted(format!("({destination})")));
        let _ = writeln!(text, "    {}", parked.draft.printed_by());
    }
    text
}

/// The same for programs.
pub(super) fn json(session: &Session) -> Value {
    let one = |parked: &ParkedDraft| {
        let ParkedDraft { draft, strategy, .. } = parked;
        json!({
            "path": draft.target.to_string(), "destination": draft.destination.to_string(),
            "strategy": strategy.to_string(), "blob": draft.blob.as_str(), "command": draft.printed_by(),
        })
    };
    session.parked.iter().map(one).collect()
}
