//! What an output phase wrote and created, and what it took back.

use std::fmt::Write as _;

use crate::app::reply::Outcome;
use crate::domain::production::TargetPath;
use crate::domain::session::{Phase, Session};
use crate::domain::undoing::{NoFile, WrittenPhase};

use super::committed;
use super::outcome::{event, next};
use super::palette::Look;

/// Written files were taken back, or there was none.
pub(super) fn undone(
    outcome: &Outcome,
    paths: &[TargetPath],
    nothing: Option<NoFile>,
    older: Option<&WrittenPhase>,
    look: &Look,
) -> String {
    let mut text = String::new();
    match nothing {
        Some(NoFile::TakenBack) => text.push_str("nothing to do: what that output phase wrote is taken back already\n"),
        Some(NoFile::NotYet) => text.push_str("nothing to do: the open output phase has written nothing yet\n"),
        None => {}
    }
    for path in paths {
        let _ = writeln!(text, "{} {} is as it was before", look.good("✓"), look.name(path));
    }
    if let Some(phase) = older {
        for file in &phase.files {
            let _ = writeln!(text, "  {} of an older output phase stays", look.name(&file.path));
        }
        let _ = writeln!(text, "{} takes that back", phase.command());
    }
    text.push_str(&committed::stays(outcome, look));
    for issue in outcome.after.issues_created() {
        let stays = format!("#{} in {} stays: gh issue close {}", issue.number, issue.repository, issue.url);
        let _ = writeln!(text, "{}", look.muted(stays));
    }
    text.push('\n');
    text + &next(outcome, look)
}

/// Approved issues that wait for others.
fn held_back(session: &Session, look: &Look) -> String {
    let Phase::Production(production) = &session.phase else {
        return String::new();
    };
    let line = |(slot, needed)| {
        let line = format!("{slot} is approved and waits for {needed}, which is not");
        format!("  {}\n", look.muted(line))
    };
    production.held_back().into_iter().map(line).collect()
}

/// Files were written; `committed` says what became of a commit of them.
pub(super) fn wrote(outcome: &Outcome, paths: &[TargetPath], committed: &str, look: &Look) -> String {
    let mut text = String::new();
    for recorded in &outcome.events {
        if recorded.event.facets().written.is_none() {
            text.push_str(&event(recorded, outcome, None, look));
        }
    }
    for path in paths {
        let _ = writeln!(text, "{} wrote {}", look.good("✓"), look.name(path));
    }
    text.push_str(committed);
    text.push_str(&held_back(&outcome.after, look));
    if text.is_empty() {
        text.push_str("nothing remains to be written\n");
    }
    text.push('\n');
    text + &next(outcome, look)
}
