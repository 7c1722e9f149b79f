//! Drafts: as they would be, and how they were changed by hand.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::app::reply::{Outcome, Preview, Redraft};
use crate::domain::harmless::{invisible, seen};
use crate::domain::issue::IssueText;
use crate::domain::production::{self, Draft, IssueSlot, Stage, Target};
use crate::domain::session::{Phase, Session};

use super::palette::{Asked, Look};
use super::{diff, harmless, kept, outcome};
use crate::text::shell::word;

/// Drafts: a file as a diff against what stands on disk, an issue as it will be.
pub(super) fn drafts(previews: &[Preview], session: &Session, look: &Look) -> String {
    let mut text = String::new();
    for preview in previews {
        let draft = &preview.draft;
        let _ = writeln!(
            text,
            "{} {} {}\n",
            look.strong(harmless(&draft.target.to_string())),
            look.muted(format!("({}, {})", harmless(&draft.destination.to_string()), preview.stage)),
            look.name(draft.blob.short())
        );
        match draft.issue() {
            Some(issue) => text.push_str(&as_created(&issue, session, look)),
            None => text.push_str(&against_disk(preview, look)),
        }
        if let Some(told) = told_invisible(preview) {
            let _ = writeln!(text, "\n{}", look.strong(told));
        }
        let next = next(preview, session, look);
        if !next.is_empty() {
            let _ = writeln!(text, "\n{}", look.muted(next));
        }
    }
    if text.is_empty() {
        text.push_str("nothing is drafted\n");
    }
    // A prompt shows the drafts one by one.
    let kept = if look.asked == Asked::ByPrompt { String::new() } else { kept::lines(session, look) };
    if !kept.is_empty() {
        text.push('\n');
    }
    text + &kept
}

/// The line that counts the characters nobody would see: anywhere in an issue, and in a file's path and its new lines.
fn told_invisible(preview: &Preview) -> Option<String> {
    let draft = &preview.draft;
    let old: BTreeSet<&str> = preview.on_disk.as_deref().unwrap_or_default().split('\n').collect();
    let count: usize = if let Some(IssueText { title, labels, body, .. }) = draft.issue() {
        [&title, &body].into_iter().chain(&labels).map(|text| invisible(text)).sum()
    } else {
        let lines = draft.content.split('\n').filter(|line| !old.contains(line));
        invisible(&draft.target.to_string()) + lines.map(invisible).sum::<usize>()
    };
    match count {
        0 => None,
        1 => Some("1 invisible character, shown escaped".to_owned()),
        many => Some(format!("{many} invisible characters, shown escaped")),
    }
}

fn against_disk(preview: &Preview, look: &Look) -> String {
    let target = &preview.draft.target;
    let (from, old) = match &preview.on_disk {
        Some(old) => (format!("a/{target}"), old.as_str()),
        None => ("/dev/null".to_owned(), ""),
    };
    let to = format!("b/{target}");
    diff::versions((&from, old), (&to, &preview.draft.content), diff::Of::File, look)
}

/// An issue as it will stand in the tracker, and what is added to what is shown.
fn as_created(issue: &IssueText, session: &Session, look: &Look) -> String {
    let mut text = format!("  {}\n", look.strong(harmless(&issue.title)));
    let mut row = |key: &str, value: &str| {
        if !value.is_empty() {
            let _ = writeln!(text, "  {} {}", look.muted(format!("{key:<10}")), harmless(value));
        }
    };
    row("labels", &issue.labels.join(", "));
    for slot in &issue.depends_on {
        row("depends on", &format!("{slot} {}", title(*slot, session)));
    }
    text.push('\n');
    for line in issue.body.split_terminator('\n') {
        let _ = writeln!(text, "{}", format!("  {}", seen(line, true)).trim_end());
    }
    let added = if issue.depends_on.is_empty() {
        "added when it is created: a hidden mark"
    } else {
        "added when it is created: a line with the numbers of what it depends on, and a hidden mark"
    };
    let _ = writeln!(text, "\n  {}", look.muted(added));
    text
}

fn title(slot: IssueSlot, session: &Session) -> String {
    match &session.phase {
        Phase::Production(production) => production
            .draft(&Target::Issue(slot))
            .and_then(|drafted| drafted.draft.issue())
            .map_or_else(|| "(there is none)".to_owned(), |issue| issue.title),
        Phase::Interview(_) | Phase::Selection(_) | Phase::NoInterview { .. } | Phase::Closed { .. } => String::new(),
    }
}

/// What can be done with a draft; nothing where a prompt asks right below.
fn next(preview: &Preview, session: &Session, look: &Look) -> String {
    let Draft { target, blob, .. } = &preview.draft;
    let creates = target.slot().is_some();
    let target = word(&target.to_string());
    match stage(preview, session) {
        Some(Stage::Drafted) if look.asked == Asked::ByPrompt => String::new(),
        Some(Stage::Drafted) => {
            let verb = if creates { "creates" } else { "writes" };
            let short = blob.short();
            format!(
                "git grill approve {target} --blob {short} {verb} exactly this; git grill draft --edit {target} changes it"
            )
        }
        Some(Stage::Dropped) => format!("git grill draft --edit {target} takes it up again"),
        Some(Stage::Approved { .. }) if creates => "git grill produce creates it".to_owned(),
        Some(Stage::Approved { .. }) => "git grill produce writes it".to_owned(),
        Some(Stage::Created { number, url, .. }) => format!("created as #{number} {url}"),
        Some(Stage::Written { .. }) => "it is written".to_owned(),
        None => String::new(),
    }
}

fn stage<'a>(preview: &Preview, session: &'a Session) -> Option<&'a Stage> {
    match &session.phase {
        Phase::Production(production) => production.draft(&preview.draft.target).map(|drafted| &drafted.stage),
        Phase::Interview(_) | Phase::Selection(_) | Phase::NoInterview { .. } | Phase::Closed { .. } => None,
    }
}

/// Drafts were changed by hand: what happened, and each change as a diff.
pub(super) fn redrafted(outcome: &Outcome, changes: &[Redraft], look: &Look) -> String {
    if outcome.events.is_empty() {
        return "nothing changed\n".to_owned();
    }
    let mut text = outcome::told(outcome, look);
    for draft in edited_and_left_out(outcome) {
        let target = word(&draft.target.to_string());
        let line = format!(
            "its edited text is kept: git grill draft --edit {target} takes it up again as long as this output phase is \
             open, and {} prints it",
            draft.printed_by()
        );
        let _ = writeln!(text, "  {}", look.muted(line));
    }
    for Redraft { before, after } in changes {
        let (from, to) = (
            format!("{} ({})", before.target, before.blob.short()),
            format!("{} ({})", after.target, after.blob.short()),
        );
        text.push('\n');
        text.push_str(&diff::versions((&from, &before.content), (&to, &after.content), diff::Of::File, look));
    }
    text.push('\n');
    text + &outcome::next(outcome, look)
}

/// The edited drafts that were left out just now.
fn edited_and_left_out(outcome: &Outcome) -> Vec<&Draft> {
    let production = match &outcome.after.phase {
        Phase::Production(production) => production,
        Phase::Interview(_) | Phase::Selection(_) | Phase::NoInterview { .. } | Phase::Closed { .. } => {
            return Vec::new();
        }
    };
    let left_out = outcome.events.iter().filter_map(|recorded| match recorded.event.production() {
        Some(production::Event::DraftDropped { target }) => production.draft(target),
        _ => None,
    });
    left_out.map(|drafted| &drafted.draft).filter(|draft| !draft.origin.is_generated()).collect()
}

pub(super) fn previews_json(previews: &[Preview], session: &Session) -> Value {
    let one = |preview: &Preview| {
        let mut object = json!({
            "path": preview.draft.target.to_string(), "destination": preview.draft.destination.to_string(),
            "blob": preview.draft.blob.as_str(), "stage": preview.stage,
            "content": preview.draft.content, "onDisk": preview.on_disk,
        });
        if let (Some(issue), Value::Object(fields)) = (preview.draft.issue(), &mut object) {
            let depends_on: Vec<u32> = issue.depends_on.iter().map(|slot| slot.number()).collect();
            let (number, url) = created(preview, session).unzip();
            let more = [
                ("title", json!(issue.title)),
                ("labels", json!(issue.labels)),
                ("dependsOn", json!(depends_on)),
                ("number", json!(number)),
                ("url", json!(url)),
            ];
            fields.extend(more.map(|(name, value)| (name.to_owned(), value)));
        }
        object
    };
    previews.iter().map(one).collect()
}

/// The number and the address of an issue that exists.
fn created<'a>(preview: &Preview, session: &'a Session) -> Option<(u64, &'a str)> {
    match stage(preview, session)? {
        Stage::Created { number, url, .. } => Some((*number, url)),
        Stage::Drafted | Stage::Dropped | Stage::Approved { .. } | Stage::Written { .. } => None,
    }
}

pub(super) fn changes_json(changes: &[Redraft]) -> Value {
    let one = |change: &Redraft| {
        json!({
            "path": change.after.target.to_string(), "before": change.before.blob.as_str(),
            "blob": change.after.blob.as_str(), "content": change.after.content,
        })
    };
    changes.iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::ids::ObjectId;
    use crate::domain::issue;
    use crate::domain::production::Origin;
    use crate::domain::settings::{Catalogued, Destination};

    fn preview(target: &str, on_disk: Option<&str>, content: String) -> Preview {
        let draft = Draft {
            target: target.parse().unwrap(),
            destination: Destination::Known(Catalogued::DesignDoc),
            blob: ObjectId::parse(&"a".repeat(40)).unwrap(),
            replaces: None,
            origin: Origin::HandedIn,
            content,
            replaced: None,
        };
        Preview { draft, on_disk: on_disk.map(str::to_owned), stage: "drafted" }
    }

    fn told(target: &str, on_disk: Option<&str>, content: &str) -> Option<String> {
        told_invisible(&preview(target, on_disk, content.to_owned()))
    }

    #[test]
    fn g30_a_file_says_how_many_characters_of_its_path_and_its_new_lines_nobody_would_see() {
        let one = Some("1 invisible character, shown escaped");
        let two = Some("2 invisible characters, shown escaped");
        for (target, on_disk, content, says) in [
            ("a.md", None, "plain\ttext\n", None),
            ("a.md", None, "a\u{200b}b\n", one),
            ("a.md", None, "a\u{200b}b\nc\u{202e}d\n", two),
            ("a\u{200b}.md", None, "plain\n", one),
            ("a\u{200b}.md", None, "a\u{e0041}\n", two),
            // A line that stands there already is not approved anew.
            ("a.md", Some("a\u{200b}b\n"), "a\u{200b}b\nc\n", None),
            ("a.md", Some("a\u{200b}b\n"), "a\u{200b}b\nc\u{ad}\n", one),
        ] {
            assert_eq!(told(target, on_disk, content).as_deref(), says, "{target:?} {content:?}");
        }
    }

    #[test]
    fn g30_an_issue_counts_everything_that_is_created_of_it() {
        let hidden = |text: &str| format!("{text}\u{200b}");
        let issue = issue::IssueText {
            title: hidden("title"),
            body: hidden("body"),
            labels: vec![hidden("one"), hidden("two")],
            depends_on: Vec::new(),
        };
        let told = told_invisible(&preview("issue:1", None, issue::write(&issue)));
        assert_eq!(told.as_deref(), Some("4 invisible characters, shown escaped"));
    }
}
