//! What the repository shows, in sentences with their places.

use crate::domain::facts::Finding;
use crate::domain::session::Session;

use super::super::scene::{clipped, listed};
use super::prose::code;

/// What the repository shows, each with its place.
pub(super) fn shown(session: &Session) -> Vec<String> {
    let facts = &session.evidence;
    if !facts.looked {
        return Vec::new();
    }
    let mut lines = Vec::new();
    let mut say = |text: String| lines.push(format!("- {text}"));
    if let Some(language) = facts.main_language() {
        let others: Vec<String> = facts.languages.iter().skip(1).take(3).map(|one| one.name.clone()).collect();
        let beside = if others.is_empty() { String::new() } else { format!(", beside {}", listed(&others)) };
        let files = clipped(&language.name, 40);
        say(format!(
            "It is written in {files} ({} of {} tracked files, the largest is {}){beside}.",
            language.files,
            facts.files,
            code(&language.example.to_string())
        ));
    }
    for (findings, says) in [
        (&facts.build, "It is built with"),
        (&facts.tests, "It is tested with"),
        (&facts.ci, "Continuous integration:"),
        (&facts.licence, "Licence:"),
    ] {
        if !findings.is_empty() {
            say(format!("{says} {}.", listed(&places(findings, 4))));
        }
    }
    if let Some(readme) = &facts.readme {
        let at = code(&readme.at.to_string());
        say(format!("The README says “{}” ({at}).", clipped(&readme.what, 120)));
    }
    for (findings, says) in [(&facts.dependencies, "It depends on"), (&facts.entry_points, "Entry points:")] {
        if !findings.is_empty() {
            let named = places(findings, 6);
            let more = findings.len().saturating_sub(named.len());
            let more = if more > 0 { format!(", and {more} more") } else { String::new() };
            say(format!("{says} {}{more}.", listed(&named)));
        }
    }
    for earlier in facts.earlier.iter().take(5) {
        say(format!(
            "On {} “{}” decided: {} ({}).",
            earlier.at.strftime("%Y-%m-%d"),
            clipped(&earlier.topic, 60),
            clipped(earlier.decision.trim_end_matches('.'), 120),
            code(earlier.session.as_str())
        ));
    }
    for record in facts.decisions.iter().take(5) {
        let at = code(&record.at.to_string());
        say(format!("An earlier decision is written down: {} ({at}).", clipped(&record.what, 120)));
    }
    for related in facts.related.iter().take(6) {
        let at = code(&related.at.to_string());
        if related.excerpt.trim().is_empty() {
            say(format!("{at} touches the topic by its name."));
        } else {
            say(format!("{at} touches the topic: {}", code(&clipped(&related.excerpt, 100))));
        }
    }
    let untouched: Vec<String> = facts.untouched().iter().map(|kind| kind.reads().to_owned()).collect();
    if !untouched.is_empty() {
        say(format!("Not looked at, since nobody allowed it: {}.", untouched.join("; ")));
    }
    if facts.truncated {
        say("The search stopped at its limit, so there may be more.".to_owned());
    }
    lines
}

/// The first findings, each with its place.
fn places(findings: &[Finding], most: usize) -> Vec<String> {
    let named = |one: &Finding| format!("{} ({})", clipped(&one.what, 80), code(&one.at.to_string()));
    findings.iter().take(most).map(named).collect()
}
