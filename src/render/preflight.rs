//! The report of a trial: thing by thing, and who sees to each.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::app::reply::Preflight;

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
    text
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
    })
}
