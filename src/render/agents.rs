//! Coding agents: what was written for one of them, and the list of all.

use std::fmt::Write as _;

use serde_json::{Value, json};
use similar::TextDiff;

use crate::app::reply::{AgentRow, FileChange, InstallAction, Installed, Scope, SetUp, Writing};

use super::palette::Look;
use super::{diff, harmless};

/// `git grill agent install`, `uninstall`
pub(super) fn set_up(set_up: &SetUp, look: &Look) -> String {
    match set_up.writing {
        Writing::Shown => shown(set_up, look),
        Writing::Done => done(set_up, look),
    }
}

fn done(set_up: &SetUp, look: &Look) -> String {
    let mut text = String::new();
    for file in set_up.files.iter().filter(|file| file.is_change()) {
        let path = file.path.display().to_string();
        let _ = writeln!(text, "{} {} {} ({})", look.good("✓"), file.word(), look.name(harmless(&path)), file.holds);
    }
    let label = set_up.label;
    let place = match set_up.scope {
        Scope::Project => "in this repository",
        Scope::User => "in your own settings",
    };
    match (set_up.deed, text.is_empty()) {
        (InstallAction::Uninstall, true) => return format!("nothing of git grill is set up for {label} {place}\n"),
        (InstallAction::Uninstall, false) => return text,
        (InstallAction::Install, true) => {
            let _ = writeln!(text, "{label} is set up {place} already, and nothing was written");
        }
        (InstallAction::Install, false) => {}
    }
    let _ = writeln!(text, "\nbefore it works  {}", set_up.trust);
    let _ = writeln!(text, "not held         {}", set_up.gaps);
    let _ = writeln!(text, "then             {}, and in it {}", look.strong(set_up.start), look.strong(set_up.command));
    text
}

/// What would be written, file by file.
fn shown(set_up: &SetUp, look: &Look) -> String {
    let changes: String = set_up.files.iter().filter(|file| file.is_change()).map(unified).collect();
    if changes.is_empty() {
        return "nothing would be written\n".to_owned();
    }
    diff::unified(&changes, look)
}

fn unified(file: &FileChange) -> String {
    let path = file.path.display().to_string();
    let path = harmless(&path);
    let name = |text: Option<&String>| if text.is_some() { path.as_ref() } else { "/dev/null" };
    let (before, after) = (file.before.as_ref(), file.after.as_ref());
    let texts = (before.map_or("", String::as_str), after.map_or("", String::as_str));
    let diff = TextDiff::from_lines(texts.0, texts.1);
    diff.unified_diff().context_radius(3).header(name(before), name(after)).to_string()
}

/// `git grill agent install --list`
pub(super) fn list(rows: &[AgentRow], look: &Look) -> String {
    let mut text = String::new();
    let columns = format!(
        "{:<9} {:<20} {:<12} {:<22} {:<10} {}",
        "agent", "writes and commands", "tried by us", "asks in its own form", "here", "for you"
    );
    let _ = writeln!(text, "{}", look.muted(columns.trim_end()));
    for row in rows {
        let held = if row.enforced { "refused by its hook" } else { "only asked" };
        let tried = match (row.tried.is_empty(), row.told.is_empty()) {
            (false, true) => "yes",
            (false, false) => "in part",
            (true, _) => "not tried",
        };
        let word = |state: Option<&Installed>| state.map_or("-", Installed::word);
        let line = format!(
            "{:<9} {held:<20} {tried:<12} {:<22} {:<10} {}",
            row.agent,
            row.elicitation,
            word(row.project.as_ref()),
            word(row.user.as_ref())
        );
        let _ = writeln!(text, "{}", line.trim_end());
    }
    text.push_str(
        "\nOnly asked of every one of them: to ask one question at a time, and to leave the decision to you.\n",
    );
    for row in rows {
        let _ = write!(text, "\n{} {}\n", look.strong(row.agent), look.muted(format!("({})", row.label)));
        let mut line = |key: &str, value: &str| {
            let _ = writeln!(text, "  {:<15} {}", key, harmless(value));
        };
        line("seen", row.seen);
        line("not held", row.gaps);
        line("is told", row.instructions);
        line("before it works", row.trust_project);
        if row.trust_user != row.trust_project {
            line("with --user", row.trust_user);
        }
        if !row.told.is_empty() {
            line("not tried", &row.told.join(", "));
        }
        for (key, state) in [("here", &row.project), ("for you", &row.user)] {
            if let Some(Installed::Unclear(why)) = state {
                line(key, why);
            }
        }
    }
    text
}

/// The same as one object.
pub(super) fn set_up_json(schema: u32, set_up: &SetUp) -> Value {
    let files: Vec<Value> = set_up
        .files
        .iter()
        .map(|file| {
            let change = if file.is_change() { Some(unified(file)) } else { None };
            json!({"path": file.path.to_string_lossy(), "change": file.word(), "holds": file.holds, "diff": change})
        })
        .collect();
    json!({
        "schema": schema, "agent": set_up.agent, "deed": set_up.deed.verb(),
        "scope": set_up.scope.option().trim_start_matches('-'), "dryRun": set_up.writing == Writing::Shown,
        "files": files, "trust": set_up.trust, "start": set_up.start, "command": set_up.command, "gaps": set_up.gaps,
    })
}

/// The same as one object.
pub(super) fn list_json(schema: u32, rows: &[AgentRow]) -> Value {
    let state = |state: Option<&Installed>| {
        state.map(|state| {
            let why = if let Installed::Unclear(why) = state { Some(why) } else { None };
            json!({"state": state.word(), "why": why})
        })
    };
    let agents: Vec<Value> = rows
        .iter()
        .map(|row| {
            json!({
                "name": row.agent, "label": row.label, "enforced": row.enforced, "gaps": row.gaps, "seen": row.seen,
                "elicitation": row.elicitation, "instructions": row.instructions, "tried": row.tried, "notTried": row.told,
                "project": state(row.project.as_ref()), "user": state(row.user.as_ref()),
                "trust": {"project": row.trust_project, "user": row.trust_user},
            })
        })
        .collect();
    json!({"schema": schema, "agents": agents})
}
