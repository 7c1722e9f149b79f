//! What the repository shows, as the look at it was recorded, and what was talked over.

use crate::domain::facts::{Finding, Inspection, RepoFacts};
use crate::domain::session::Session;
use crate::domain::settings::Research;

use super::super::scene::{clipped, listed};
use super::room::Item;

/// The most entries of one kind, and the longest quotation.
const EACH: usize = 8;
const QUOTED: usize = 120;

/// One item a line, the nearest to the topic first.
pub(super) fn items(session: &Session) -> Vec<Item> {
    let facts = &session.evidence;
    if session.settings.research == Research::Off {
        return vec![Item::plain("- research is off: nothing is inspected".to_owned())];
    }
    if !facts.looked {
        return vec![Item::plain("- nothing was looked at yet".to_owned())];
    }
    let mut lines = Vec::new();
    lines.extend(facts.related.iter().take(EACH).map(|one| match one.excerpt.trim() {
        "" => format!("{} (by its name)", one.at),
        excerpt => format!("{}: {}", one.at, clipped(excerpt, QUOTED)),
    }));
    lines.extend(facts.decisions.iter().take(EACH).map(|one| format!("recorded decision: {}", at(one))));
    lines.extend(facts.earlier.iter().take(EACH).map(|one| {
        format!(
            "decided on {} in the interview about “{}”: {}",
            one.at.strftime("%-d %B %Y"),
            clipped(&one.topic, QUOTED),
            clipped(&one.decision, QUOTED)
        )
    }));
    lines.push(around(facts));
    for (what, found) in [
        ("tests", &facts.tests),
        ("build", &facts.build),
        ("CI", &facts.ci),
        ("begins at", &facts.entry_points),
        ("depends on", &facts.dependencies),
    ] {
        let places: Vec<String> = found.iter().take(EACH).map(at).collect();
        if !places.is_empty() {
            lines.push(format!("{what}: {}", places.join(", ")));
        }
    }
    let recent: Vec<String> = facts.recent.iter().take(EACH).map(|one| format!("“{}”", clipped(one, QUOTED))).collect();
    if !recent.is_empty() {
        lines.push(format!("newest commits: {}", recent.join(", ")));
    }
    let untouched: Vec<&str> = facts.untouched().into_iter().map(Inspection::as_str).collect();
    if !untouched.is_empty() {
        lines.push(format!("not looked at: {}", untouched.join(", ")));
    }
    if facts.truncated {
        lines.push("the look was cut short by a limit".to_owned());
    }
    lines.into_iter().map(|line| Item::plain(format!("- {}", one_line(&line)))).collect()
}

fn at(one: &Finding) -> String {
    format!("{} ({})", clipped(&one.what, QUOTED), one.at)
}

fn around(facts: &RepoFacts) -> String {
    let languages: Vec<String> = facts.languages.iter().take(3).map(|one| one.name.clone()).collect();
    let languages = if languages.is_empty() { String::new() } else { format!(", mostly {}", listed(&languages)) };
    format!("{}: {} tracked files{languages}", clipped(&facts.name, QUOTED), facts.files)
}

/// A file may have a line break in its name; an item is a line all the same.
fn one_line(text: &str) -> String {
    text.replace(['\n', '\r'], " ")
}

/// Summaries of conversations, in their order.
pub(super) fn talks(session: &Session) -> Vec<Item> {
    session
        .discussions
        .iter()
        .map(|talk| {
            let about = talk.about.as_ref().and_then(|id| session.transcript.get(id));
            let about = about.map(|asked| format!(" about question {}", asked.number)).unwrap_or_default();
            let by = talk.by.in_words();
            let full: Vec<&str> = talk.summary.as_str().lines().collect();
            Item {
                full: format!("- summed up by {by}{about}: {}", full.join("\n  > ")),
                short: format!("- summed up by {by}{about}: {}", clipped(talk.summary.as_str(), 240)),
                pinned: false,
            }
        })
        .collect()
}
