//! Twelve scripted states, each named right (A38).

use std::time::Duration;

use super::*;
use crate::domain::agents::ask::AskKind;
use crate::domain::agents::doing::{Doing, Facts, Tree, doing};
use crate::domain::agents::limits::AgentLimits;
use crate::domain::agents::reconcile::Presence::{self, Gone, There};

struct Row {
    what: &'static str,
    session: Played,
    presence: Presence,
    tool: Option<&'static str>,
    quiet: u64,
    tree: Tree,
    expect: &'static str,
}

const CHANGED: Tree = Tree::Changed { files: 3 };

fn rows() -> Vec<Row> {
    let ask = Command::Ask { kind: AskKind::Permission, words: line("write a file") };
    let asking = Played::active().then(&ask);
    let editing = Played::begin(1, Profile::WorktreeEdit).then(&launch(200)).then(&open());
    let editing =
        editing.then(&Command::RecordProof { proof: Box::new(proof()) }).then(&send()).then(&Command::RecordSent);
    let done = editing.clone().then(&rest());
    let kept = done.clone().then(&Command::RecordKept { commit: object('c') });
    let cancelled = kept.clone().then(&Command::Cancel);
    let row = |what, session: &Played, presence, tool, quiet, tree, expect| Row {
        what,
        session: session.clone(),
        presence,
        tool,
        quiet,
        tree,
        expect,
    };
    vec![
        row("it starts", &Played::begin(1, Profile::Media), There, None, 1, Tree::Unchanged, "thinks since 1"),
        row("it was just asked", &editing, There, None, 1, Tree::Unchanged, "thinks since 6"),
        row("it wrote and goes on", &editing, There, None, 19, CHANGED, "thinks since 6"),
        row("it says nothing", &editing, There, None, 20, CHANGED, "silent since 50"),
        row("its program runs on", &editing, There, Some("cargo test"), 900, CHANGED, "runs a tool: cargo test"),
        row("it asks", &asking, There, None, 900, Tree::Unchanged, "waits for you since 7"),
        row("it asks while a tool runs", &asking, There, Some("cat"), 0, Tree::Unchanged, "waits for you since 7"),
        row("it died while it asked", &asking, Gone, None, 0, Tree::Unchanged, "no changes to accept"),
        row("it died in a turn", &editing, Gone, Some("cargo test"), 0, CHANGED, "3 files to accept"),
        row("it ended and stays open", &done, There, None, 900, Tree::Unchanged, "no changes to accept"),
        row("it wrote again after that was kept", &kept, There, None, 0, CHANGED, "3 files to accept"),
        row("its worktree was removed", &cancelled, Gone, None, 0, Tree::Removed, "work put aside: cccccccccc"),
    ]
}

#[test]
fn a38_twelve_scripted_states_are_named_right() {
    let rows = rows();
    assert_eq!(rows.len(), 12);
    for row in rows {
        let tool = row.tool.map(line);
        let facts = Facts {
            presence: row.presence,
            tool: tool.as_ref(),
            heard: at(50),
            quiet: Duration::from_secs(row.quiet),
            tree: row.tree,
        };
        let limits = AgentLimits::of(row.session.session.started.profile);
        let doing = doing(&row.session.session, &facts, &limits);
        let detail = match &doing {
            Doing::WaitsForYou { since } | Doing::Thinks { since } | Doing::Silent { since } => {
                format!(" since {}", since.as_second())
            }
            Doing::RunsTool { .. }
            | Doing::EndedWithChanges { .. }
            | Doing::EndedUnchanged
            | Doing::EndedUnread
            | Doing::Accepted
            | Doing::PutAside { .. } => String::new(),
        };
        assert_eq!(format!("{doing}{detail}"), row.expect, "{}", row.what);
    }
}
