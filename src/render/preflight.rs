//! The report of a trial: thing by thing, and who sees to each.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::app::reply::{By, Held, Preflight};

use super::harmless;
use super::palette::Look;

/// `git grill agent preflight`
pub(super) fn report(report: &Preflight, look: &Look) -> String {
    let version = report.version.as_deref().map(|version| format!(" {}", harmless(version))).unwrap_or_default();
    let on = report.at.strftime("%Y-%m-%d");
    let title = harmless(&report.title);
    let mut text = format!("{} {title}{version} was proved on {on}, for this clone\n\n", look.good("✓"));
    for item in &report.items {
        let _ = writeln!(text, "{:<12}{:<11}{}", item.what, item.by.in_words(), harmless(&item.is));
    }
    let _ = writeln!(text, "\n{}", look.muted("the second column says who sees to it"));
    let _ = writeln!(text, "\n{}", look.muted("who holds it to a profile of git grill agent start:"));
    let _ = writeln!(text, "{}", look.muted(row("profile", "no writes here", "no web tools", "no reading")));
    for Held { profile, files, web, reading } in &report.held {
        let by = |by: Option<By>| by.map_or("allowed", By::in_words);
        let _ = writeln!(text, "{}", row(profile.terms().name, files.in_words(), by(*web), by(*reading)));
    }
    text
}

fn row(profile: &str, files: &str, web: &str, reading: &str) -> String {
    format!("{profile:<17}{files:<16}{web:<14}{reading}")
}

/// The same as an object.
pub(super) fn json(report: &Preflight) -> Value {
    let items = report.items.iter().map(|item| json!({"what": item.what, "is": item.is, "by": item.by.word()}));
    json!({
        "agent": report.agent,
        "title": report.title,
        "version": report.version,
        "at": report.at.to_string(),
        "items": items.collect::<Vec<_>>(),
        "profiles": report.held.iter().map(held).collect::<Vec<_>>(),
    })
}

fn held(held: &Held) -> Value {
    json!({
        "profile": held.profile, "files": held.files.word(), "web": held.web.map(By::word),
        "reading": held.reading.map(By::word),
    })
}
