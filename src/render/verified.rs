//! What a comparison with the baseline came to, in git's manner: by group, each with its kind, size and time.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::app::reply::{Restored, looks_at};
use crate::domain::drift::{Change, Drift, Remedy, Spot, Step, Verification, Window};

use super::harmless;
use super::palette::Look;

/// How long the name of a step is in a list of drift.
const STEP: usize = 60;
/// How many entries of one list are shown.
const SHOWN: usize = 20;

/// The whole reply of `git grill verify`.
pub(super) fn verified(session: &str, verification: &Verification, look: &Look) -> String {
    let mut text = if verification.is_clean() {
        let line = match verification.expected.as_slice() {
            [] => "nothing drifted: HEAD, refs, stash, index and working tree are as they were at the start".to_owned(),
            outputs => format!(
                "nothing drifted: but for what was approved ({}), HEAD, refs, stash, index and working tree are as they were \
                 at the start",
                harmless(&outputs.join(", "))
            ),
        };
        format!("{} {line}\n", look.good("✓"))
    } else {
        format!("{}\n\n{}", heading(session, verification, look), listed(verification, look))
    };
    text.push_str(&apart(verification, look));
    for note in &verification.notes {
        let _ = writeln!(text, "{}", look.muted(format!("note: {}", harmless(note))));
    }
    if !verification.is_clean() && mendable(verification) == 0 {
        let _ = writeln!(text, "{}", look.muted("a restore brings none of it back"));
    } else if !verification.is_clean() {
        let what = "shows what bringing it back changes, asks, and keeps what it replaces";
        let _ = writeln!(text, "{}", look.muted(format!("git grill verify --restore {session} {what}")));
    }
    text
}

/// How many of these can be brought back; of what is not listed nothing is known that stands against it.
fn mendable(verification: &Verification) -> usize {
    verification.total.saturating_sub(verification.drift.iter().filter(|drift| drift.stays.is_some()).count())
}

/// What a restore does with what drifted until a session ended.
pub(super) fn at_the_end(session: &str, verification: &Verification) -> String {
    let total = verification.total;
    if mendable(verification) == 0 {
        return "a restore brings none of it back".to_owned();
    }
    let remedies: Vec<Remedy> = verification.drift.iter().filter_map(Drift::remedy).collect();
    let deeds = match remedies.as_slice() {
        [one] if total == 1 => one.of_it().to_owned(),
        several => {
            let deeds = [Remedy::MovesBack, Remedy::Deletes, Remedy::Restores]
                .map(|deed| (deed.of_several(), several.iter().filter(|one| **one == deed).count()));
            let deeds: Vec<String> =
                deeds.iter().filter(|(_, count)| *count > 0).map(|(verb, count)| format!("{verb} {count}")).collect();
            let of = if several.len() < total { format!(" of {total}") } else { String::new() };
            let rest = if verification.drift.len() < total { ", and what is not listed" } else { "" };
            format!("{}{of}{rest}", deeds.join(", "))
        }
    };
    format!("git grill verify --restore {session} {deeds}, after asking")
}

fn heading(session: &str, verification: &Verification, look: &Look) -> String {
    look.warning(format!("{} since the baseline of {}", verification.in_words(), harmless(session)))
}

/// Drift within another reply: an approval, the end of a session.
pub(super) fn named(verification: &Verification, look: &Look) -> String {
    let mut text = String::new();
    if !verification.is_clean() {
        let line = format!("! {} since the session began:", verification.in_words());
        text = format!("{}\n{}", look.warning(line), listed(verification, look));
    }
    text + &apart(verification, look)
}

/// What is no drift of the session, and what a restore therefore leaves.
fn apart(verification: &Verification, look: &Look) -> String {
    let mut text = String::new();
    let lists = [
        (
            &verification.fetched,
            "new tags, which a fetch may have brought; no drift, and not deleted unless they are named:",
        ),
        (&verification.later, "changed after the session ended, and not brought back unless it is named:"),
    ];
    for (all, why) in lists.into_iter().filter(|(all, _)| !all.is_empty()) {
        let _ = writeln!(text, "{}", look.muted(why));
        // By its name comes back what the index has of a file as well: one line is for both.
        let files: BTreeSet<&str> =
            all.iter().filter(|one| matches!(one.spot, Spot::File(_))).map(|one| one.spot.name()).collect();
        let twice = |one: &&Drift| matches!(&one.spot, Spot::Index(name) if files.contains(name.as_str()));
        let each: Vec<&Drift> = all.iter().filter(|one| !twice(one)).collect();
        for drift in each.iter().take(SHOWN) {
            text.push_str(&thing(drift, look));
        }
        text.push_str(&more(each.len(), PROGRAMS));
    }
    text
}

/// What changed while an agent ran that nothing keeps from writing: when that was is known.
pub(super) fn behind(verification: &Verification, look: &Look) -> String {
    let what = match verification.total {
        1 => "1 thing changed".to_owned(),
        several => format!("{several} things changed"),
    };
    let line = format!("! {what} while the agent ran, and nothing here keeps it from writing:");
    let mut text =
        format!("{}\n{}", look.warning(line), grouped(verification, ASKED, look, &|drift| thing(drift, look)));
    let asked: BTreeSet<&Spot> = verification.drift.iter().map(|one| &one.spot).collect();
    let later: Vec<&Drift> = verification.later.iter().filter(|one| !asked.contains(&one.spot)).collect();
    if !later.is_empty() {
        let _ = writeln!(text, "{}", look.muted("changed after the agent ended, and not asked about:"));
        text.push_str(&groups(&later, "git status has all", look, &|drift| thing(drift, look)));
    }
    for note in &verification.notes {
        let _ = writeln!(text, "{}", look.muted(format!("note: {}", harmless(note))));
    }
    text
}

/// The drifts by group.
fn listed(verification: &Verification, look: &Look) -> String {
    grouped(verification, PROGRAMS, look, &|drift| one(drift, look))
}

fn grouped(verification: &Verification, whole: &str, look: &Look, one: &dyn Fn(&Drift) -> String) -> String {
    let mut text = groups(&verification.drift.iter().collect::<Vec<_>>(), whole, look, one);
    let rest = verification.total.saturating_sub(verification.drift.len());
    if rest > 0 {
        let _ = writeln!(text, "  … and {rest} more; git grill verify lists all of it");
    }
    text
}

/// Each group under its heading: a file may be in the index and in the working tree.
fn groups(all: &[&Drift], whole: &str, look: &Look, one: &dyn Fn(&Drift) -> String) -> String {
    let mut text = String::new();
    for group in all.chunk_by(|a, b| a.spot.group() == b.spot.group()) {
        let Some(first) = group.first() else { continue };
        let _ = writeln!(text, "{}", look.strong(format!("{}:", first.spot.group())));
        for drift in group.iter().take(SHOWN) {
            text.push_str(&one(drift));
        }
        text.push_str(&more(group.len(), whole));
    }
    text
}

/// Where a list goes on, for programs.
const PROGRAMS: &str = "--json has all";
/// The same in a question.
const ASKED: &str = "“List all” has all";

/// Says that a list goes on, and where.
fn more(count: usize, whole: &str) -> String {
    match count.saturating_sub(SHOWN) {
        0 => String::new(),
        rest => format!("  … and {rest} more ({whole})\n"),
    }
}

fn one(drift: &Drift, look: &Look) -> String {
    let mut line = thing(drift, look);
    let remedy = drift.remedy().map_or_else(String::new, |remedy| format!("; a restore {}", remedy.of_it()));
    let _ = writeln!(line, "              {}", look.muted(format!("{}{remedy}", in_words(&drift.when))));
    if let Some(why) = &drift.stays {
        let verb = if drift.change == Change::Added { "left" } else { "not brought back" };
        let _ = writeln!(line, "              {}", look.muted(format!("{verb}: {}", harmless(why))));
    }
    line
}

fn thing(drift: &Drift, look: &Look) -> String {
    let kind = format!("{}:", drift.change);
    let mut line = format!("  {kind:<12}{}", look.gone(harmless(drift.spot.name())));
    if let Some(detail) = &drift.detail {
        let _ = write!(line, "  {}", harmless(detail));
    }
    if let Some(bytes) = drift.bytes {
        let _ = write!(line, "  {}", look.muted(format!("{bytes} bytes")));
    }
    line.push('\n');
    line
}

/// When something changed, as far as it can be told.
fn in_words(window: &Window) -> String {
    let step = |step: &Step| {
        let what: String = step.what.chars().take(STEP).collect();
        let cut = if step.what.chars().nth(STEP).is_some() { "…" } else { "" };
        format!("{} '{}{cut}'", step.seq, harmless(&what))
    };
    match (&window.after, &window.before) {
        (Some(after), Some(before)) => format!("after {}, before {}", step(after), step(before)),
        (Some(after), None) => format!("after {}", step(after)),
        (None, Some(before)) => format!("before {}", step(before)),
        (None, None) => "since the start; when exactly cannot be told".to_owned(),
    }
}

/// The row of `git grill status`.
pub(super) fn row(verification: &Verification) -> String {
    format!("{} ({})", verification.in_words(), verification.at)
}

/// What bringing the baseline back came to.
pub(super) fn restored(session: &str, restored: &Restored, verification: &Verification, look: &Look) -> String {
    let mut text = String::new();
    match &restored.kept {
        None if verification.is_clean() => text.push_str("nothing had to be brought back\n"),
        None => text.push_str("nothing was brought back; what is left is named below\n"),
        Some(kept) => {
            let line = if restored.left.is_empty() && verification.is_clean() {
                format!("{} the baseline is back", look.good("✓"))
            } else {
                look.warning("! not all of the baseline is back; what is left is named below")
            };
            let _ = writeln!(text, "{line}");
            let [all, one] = looks_at(kept);
            let _ = writeln!(text, "  what it replaced is kept: {all}\n  one file of it: {one}");
        }
    }
    if !restored.refs.is_empty() {
        text.push_str("  refs, each with the command that undoes it after git grill stop:\n");
    }
    for one in restored.refs.iter().take(SHOWN) {
        let _ = writeln!(text, "    {:<12}{}  {}", format!("{}:", one.fate), harmless(&one.name), harmless(&one.undo));
    }
    text.push_str(&more(restored.refs.len(), PROGRAMS));
    for left in restored.left.iter().take(SHOWN) {
        let _ = writeln!(text, "{}", look.warning(format!("warning: {}", harmless(left))));
    }
    text.push_str(&more(restored.left.len(), PROGRAMS));
    if !verification.is_clean() {
        let _ = write!(text, "\n{}\n\n{}", heading(session, verification, look), listed(verification, look));
    }
    text.push_str(&apart(verification, look));
    for note in &verification.notes {
        let _ = writeln!(text, "{}", look.muted(format!("note: {}", harmless(note))));
    }
    text
}

/// The baseline was brought back, for programs.
pub(super) fn restored_json(schema: u32, session: &str, restored: &Restored, verification: &Verification) -> Value {
    let refs = restored.refs.iter();
    let refs: Vec<Value> =
        refs.map(|one| json!({"name": one.name, "change": one.fate.to_string(), "undo": one.undo})).collect();
    json!({
        "schema": schema, "session": session, "kept": restored.kept, "left": restored.left, "refs": refs,
        "verification": json(verification),
    })
}

pub(super) fn json(verification: &Verification) -> Value {
    let all = |drift: &[Drift]| -> Vec<Value> { drift.iter().map(drift_json).collect() };
    json!({
        "clean": verification.is_clean(), "at": verification.at.to_string(), "total": verification.total,
        "drift": all(&verification.drift), "fetched": all(&verification.fetched), "later": all(&verification.later),
        "notes": verification.notes,
    })
}

fn drift_json(drift: &Drift) -> Value {
    let step = |step: &Option<Step>| step.as_ref().map(|step| json!({"seq": step.seq, "what": step.what}));
    json!({
        "group": drift.spot.group(), "name": drift.spot.name(), "change": drift.change.to_string(),
        "detail": drift.detail, "bytes": drift.bytes,
        "after": step(&drift.when.after), "before": step(&drift.when.before), "cannotRestore": drift.stays,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::palette::{Asked, Links};

    const PLAIN: Look = Look { colours: false, terminal: false, asked: Asked::InText, links: Links::Spelled };

    #[test]
    fn a25_what_changed_after_the_agent_ended_is_listed_by_group() {
        let drift = |spot: Spot| Drift {
            spot,
            change: Change::Added,
            detail: None,
            bytes: None,
            when: Window::default(),
            stays: None,
        };
        let later = vec![drift(Spot::Index("a".to_owned())), drift(Spot::File("a".to_owned()))];
        let found = Verification {
            at: jiff::Timestamp::UNIX_EPOCH,
            total: 1,
            drift: vec![drift(Spot::File("b".to_owned()))],
            notes: Vec::new(),
            fetched: Vec::new(),
            later,
            expected: Vec::new(),
            prints: crate::domain::drift::Prints::new(),
        };
        let text = behind(&found, &PLAIN);
        let (asked, later) = text.split_once("and not asked about:\n").unwrap();
        assert!(asked.contains("working tree:\n  new:        b\n"), "{text}");
        assert_eq!(later, "index:\n  new:        a\nworking tree:\n  new:        a\n");
    }
}
