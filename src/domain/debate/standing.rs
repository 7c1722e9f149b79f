//! What stands in the checkpoint: its decisions by their first lines, with what stands below them, and what is not decided.

use std::ops::Range;

use super::conclusions::{ended, one_line};
use super::not_chosen::{is_considered, listed};
use super::sentence::{is_sentence, origin, without_origin};
use crate::domain::outline::{Outline, Section, behind_mark, is_nested, item_end, moved_out};

pub(super) const DECISIONS: &str = "Decisions";

/// The first lines of the decisions of the checkpoint.
pub(super) fn firsts(outline: &Outline) -> impl Iterator<Item = &str> {
    firsts_in(outline, DECISIONS)
}

fn firsts_in<'a>(outline: &'a Outline, title: &str) -> impl Iterator<Item = &'a str> {
    let body = outline.find(title).map(|at| outline.sections[at].body.as_slice()).unwrap_or_default();
    body.iter().filter(|line| !is_nested(line)).filter_map(|line| behind_mark(line))
}

/// A decision of the checkpoint by its first line: the section, and the lines, with all that stands below it.
pub(super) fn entry(outline: &Outline, decision: &str) -> Option<(usize, Range<usize>)> {
    let at = outline.find(DECISIONS)?;
    let body = &outline.sections[at].body;
    let is_it = |line: &String| {
        !is_nested(line) && behind_mark(line).is_some_and(|first| one_line(first) == one_line(decision))
    };
    let start = body.iter().position(is_it)?;
    Some((at, start..item_end(body, start)))
}

/// The lines below a decision of the checkpoint.
pub(super) fn below(outline: &Outline, decision: &str) -> Vec<String> {
    let found = entry(outline, decision);
    found.map(|(at, lines)| outline.sections[at].body[lines.start + 1..lines.end].to_vec()).unwrap_or_default()
}

/// Whether a decision stands in the checkpoint by its first line.
pub(super) fn stands_there(outline: &Outline, decision: &str) -> bool {
    entry(outline, decision).is_some()
}

/// Whether a sentence stands in a section of the checkpoint, word for word.
pub(super) fn stands(outline: &Outline, title: &str, sentence: &str) -> bool {
    firsts_in(outline, title).any(|first| is_sentence(first, sentence))
}

/// Adds lines below a decision of the checkpoint. Whether it stands there.
pub(super) fn add_below(outline: &mut Outline, first: &str, more: impl IntoIterator<Item = String>) -> bool {
    let Some((at, lines)) = entry(outline, first) else { return false };
    outline.sections[at].body.splice(lines.end..lines.end, more);
    true
}

/// Adds lines at the end of a section, which is made where it is missing.
pub(super) fn add(outline: &mut Outline, title: &str, lines: &[String]) {
    if lines.is_empty() {
        return;
    }
    let at = outline.find(title).unwrap_or_else(|| {
        outline.sections.push(Section { heading: Some(format!("## {title}")), body: Vec::new() });
        outline.sections.len() - 1
    });
    let section = &mut outline.sections[at];
    let end = section.body.iter().rposition(|line| !line.trim().is_empty()).map_or(0, |last| last + 1);
    let mut added: Vec<String> = if end == 0 { vec![String::new()] } else { Vec::new() };
    added.extend(lines.iter().cloned());
    section.body.splice(end..end, added);
    if section.body.last().is_some_and(|line| !line.trim().is_empty()) {
        section.body.push(String::new());
    }
}

/// Takes it out; the place where it stood.
pub(super) fn taken_out(outline: &mut Outline, decision: &str) -> Option<usize> {
    let (at, lines) = entry(outline, decision)?;
    let place = lines.start;
    outline.sections[at].body.drain(lines);
    Some(place)
}

/// Takes out of the open questions what a debate did not decide, where it is one of these: the lines that stood there.
pub(super) fn take_not_decided(outline: &mut Outline, is_one: impl Fn(&str) -> bool) -> Vec<String> {
    take_open(outline, |first, what| origin(first).is_some() && is_one(without_origin(what)))
}

/// Takes lines about what was not decided out of the open questions, by the whole line and by what was not decided, each with
/// what git grill wrote below it. A line that somebody else wrote there stands by itself then.
pub(super) fn take_open(outline: &mut Outline, is_gone: impl Fn(&str, &str) -> bool) -> Vec<String> {
    let Some(at) = outline.find("Open Questions") else { return Vec::new() };
    let (mut taken, mut left, mut place) = (Vec::new(), Vec::new(), 0);
    let body = std::mem::take(&mut outline.sections[at].body);
    while let Some(line) = body.get(place) {
        let what =
            behind_mark(line).map(str::trim).and_then(|first| Some((first, first.strip_prefix("Not decided: ")?)));
        if what.is_some_and(|(first, what)| is_gone(first, what)) {
            let end = item_end(&body, place);
            let below: Vec<String> = body[place + 1..end].iter().filter(|line| !is_considered(line)).cloned().collect();
            taken.extend(
                std::iter::once(line).chain(&body[place + 1..end]).filter(|line| !below.contains(line)).cloned(),
            );
            left.extend(moved_out(&below));
            place = end;
        } else {
            left.push(line.clone());
            place += 1;
        }
    }
    outline.sections[at].body = left;
    taken
}

pub(super) fn taken_back(decision: &str) -> String {
    format!("  - Taken back for it: {}", ended(without_origin(decision)))
}

/// The decision that a line tells to be taken back.
pub(super) fn taken_back_in(line: &str) -> Option<&str> {
    line.trim().strip_prefix("- Taken back for it: ")
}

/// Whether the lines below a decision list this as not chosen, or as taken back.
pub(super) fn is_set_aside(below: &[String], what: &str) -> bool {
    let taken_back = below.iter().filter_map(|line| taken_back_in(line));
    taken_back.chain(listed(below).iter().map(|one| one.what.as_str())).any(|gone| is_sentence(gone, what))
}

/// How the line begins that says that a debate confirmed a decision.
pub(super) fn confirmed(number: u32) -> String {
    format!("  - Confirmed in debate {number}: ")
}

/// Whether a line below a decision is a part of its history and none of what holds.
pub fn is_history(detail: &str) -> bool {
    ["Taken back for it: ", "Confirmed in debate "].iter().any(|history| detail.starts_with(history))
}
