//! The truth about the protection: `hooks status` and `doctor`, as text and as JSON.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::app::reply::{Examination, Finding, HookState, HooksMore, HooksReport, Mend, Tried, Walked};
use crate::domain::text::counted;

use super::harmless;
use super::palette::Look;

/// `git grill hooks status`
pub(super) fn hooks(report: &HooksReport, more: &HooksMore, look: &Look) -> String {
    let mut text = String::new();
    let mut row = |key: &str, value: &str| {
        let _ = writeln!(text, "{} {}", look.muted(format!("{key:<12}")), harmless(value));
    };
    row("git", &report.git);
    row("active", report.armed.word());
    row(
        "installed",
        match report.rule {
            None if report.ours.is_empty() => "no hook of ours",
            None => "nobody knows; what is left of ours is on no record",
            Some("configured") => "in the repository's configuration",
            Some("beside") => "as files in the hooks folder, where nobody had these",
            Some(_) => "in a folder of ours, whose hooks call yours",
        },
    );
    row("git looks in", &report.folder.display().to_string());
    if let Some(program) = &report.program {
        row("program", &program.display().to_string());
    }
    row("fence", more.fence.word().unwrap_or("none"));
    if !report.ours.is_empty() {
        text.push_str("\nours\n");
    }
    for ours in &report.ours {
        let state = match &ours.state {
            HookState::Intact => ours.state.word().to_owned(),
            HookState::NotEffective(why) => look.warning(format!("git does not run it: {}", harmless(why))),
            HookState::Missing | HookState::Changed => look.warning(ours.state.word()),
            HookState::Unrecorded => look.warning("ours word for word, and on no record"),
            HookState::ProgramGone => look.warning("its program is gone, so it lets everything pass"),
        };
        let _ = writeln!(text, "  {}  {state}", harmless(&ours.place));
    }
    if !report.foreign.is_empty() {
        text.push_str("\nothers\n");
    }
    for foreign in &report.foreign {
        let _ = writeln!(text, "  {}  {}", harmless(&foreign.path.display().to_string()), foreign.called.word());
    }
    if !report.cannot.is_empty() {
        text.push_str("\nnot refused\n");
    }
    for cannot in &report.cannot {
        let _ = writeln!(text, "  {}", harmless(cannot));
    }
    if !more.trials.is_empty() {
        text.push_str("\ntrial\n");
    }
    for Tried { layer, refused } in &more.trials {
        let said = match refused {
            Ok(()) => "git refused, as it must".to_owned(),
            Err(why) => look.error(format!("not refused: {}", harmless(why))),
        };
        let _ = writeln!(text, "  {layer}: {said}");
    }
    if more.is_broken(report) {
        let said = look.error("the protection has gaps, and what it should refuse goes through");
        let _ = write!(text, "\n{said}: git grill doctor --fix\n");
    }
    text
}

/// The same as one object.
pub(super) fn hooks_json(schema: u32, report: &HooksReport, more: &HooksMore) -> Value {
    let shown = |path: &std::path::Path| path.to_string_lossy().into_owned();
    let ours: Vec<Value> = report
        .ours
        .iter()
        .map(|one| {
            let why = if let HookState::NotEffective(why) = &one.state { Some(why) } else { None };
            json!({"name": one.name, "place": one.place, "state": one.state.word(), "why": why})
        })
        .collect();
    let foreign: Vec<Value> = report
        .foreign
        .iter()
        .map(|one| json!({"name": one.name, "path": shown(&one.path), "called": one.called.word()}))
        .collect();
    let trials: Vec<Value> = more
        .trials
        .iter()
        .map(|one| json!({"layer": one.layer, "refused": one.refused.is_ok(), "why": one.refused.as_ref().err()}))
        .collect();
    json!({
        "schema": schema, "git": report.git, "active": report.armed.word(), "rule": report.rule,
        "folder": shown(&report.folder), "program": report.program.as_ref().map(|path| shown(path)),
        "fence": more.fence.word(), "hooks": ours, "foreign": foreign, "cannotRefuse": report.cannot, "trials": trials,
    })
}

/// `git grill doctor`
pub(super) fn examined(examination: &Examination, look: &Look) -> String {
    let mut text = String::new();
    for finding in &examination.mended {
        let _ = writeln!(text, "{} mended: {}", look.good("✓"), harmless(&finding.what));
    }
    for done in &examination.done {
        let _ = writeln!(text, "  {}", harmless(done));
    }
    for finding in &examination.findings {
        let label = format!("{}:", finding.severity.word());
        let _ = writeln!(text, "{} {}", look.warning(label), harmless(&finding.what));
        let _ = writeln!(text, "  {}", harmless(&finding.why));
        for (nth, command) in commands(finding).iter().enumerate() {
            let label = if nth == 0 { "mend it" } else { "or else" };
            let _ = writeln!(text, "  {label}: {}", harmless(command));
        }
        if let Some(command) = &finding.show {
            let _ = writeln!(text, "  see it: {}", harmless(command));
        }
    }
    let walked = examination.walked.map_or(String::new(), |Walked { sessions, commits }| {
        format!(", in {} of {}", counted(commits, "commit"), counted(sessions, "session"))
    });
    if examination.findings.is_empty() {
        let _ = writeln!(text, "{} nothing is wrong here{walked}", look.good("✓"));
    } else if !walked.is_empty() {
        let _ = writeln!(text, "that is all{walked}");
    }
    if walked.is_empty() {
        let _ = writeln!(
            text,
            "  {}",
            look.muted("the newest two commits of each session were looked at; git grill fsck looks at all of them")
        );
    }
    if !examination.abilities.is_empty() {
        text.push_str("\nthis machine\n");
    }
    for ability in &examination.abilities {
        let _ = writeln!(text, "  {} {}", look.muted(format!("{:<16}", ability.name)), harmless(&ability.state));
        if !ability.meaning.is_empty() {
            let _ = writeln!(text, "  {:<16} {}", "", look.muted(harmless(&ability.meaning)));
        }
    }
    text
}

/// What mends it, each of them a command that can be typed.
fn commands(finding: &Finding) -> Vec<&str> {
    match &finding.mend {
        Mend::Fix => vec!["git grill doctor --fix"],
        Mend::Typed(commands) => commands.iter().map(String::as_str).collect(),
        Mend::Nothing => Vec::new(),
    }
}

/// The same as one object.
pub(super) fn examined_json(schema: u32, examination: &Examination) -> Value {
    let finding = |one: &Finding| {
        let commands = commands(one);
        json!({
            "code": one.code.word(), "severity": one.severity.word(), "what": one.what, "why": one.why,
            "mend": commands.first(), "orElse": commands.iter().skip(1).collect::<Vec<_>>(),
            "show": one.show, "fixable": one.mend == Mend::Fix, "session": one.session.as_ref().map(ToString::to_string),
        })
    };
    let abilities: Vec<Value> = examination
        .abilities
        .iter()
        .map(|one| json!({"name": one.name, "state": one.state, "meaning": one.meaning}))
        .collect();
    json!({
        "schema": schema,
        "findings": examination.findings.iter().map(finding).collect::<Vec<_>>(),
        "mended": examination.mended.iter().map(finding).collect::<Vec<_>>(),
        "done": examination.done,
        "walked": examination.walked.map(|walked| json!({"sessions": walked.sessions, "commits": walked.commits})),
        "abilities": abilities,
    })
}
