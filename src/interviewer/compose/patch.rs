//! Laying a change onto the real text: the difference between two generated documents, line by line and section by
//! section, applied where the person left room for it.

use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices};

use crate::domain::outline::{Outline, Section, behind_mark, is_nested, item_end, moved_out};

use super::document::{Document, SECTIONS};

/// The text with the change from `before` to `after` made in it.
pub(super) fn patch(text: &str, before: &Document, after: &Document) -> String {
    let mut outline = Outline::parse(text);
    for title in SECTIONS {
        let old = before.lines(title);
        let new = after.lines(title);
        if old != new {
            patch_section(&mut outline, title, old, new);
        }
    }
    outline.render()
}

fn patch_section(outline: &mut Outline, title: &str, old: &[String], new: &[String]) {
    let index = match outline.find(title) {
        Some(index) => index,
        // Nothing can be deleted from a section that the person removed.
        None if new.iter().all(|line| old.contains(line)) => return,
        None => create(outline, title),
    };
    let body = &mut outline.sections[index].body;
    for step in capture_diff_slices(Algorithm::Myers, old, new) {
        match step {
            DiffOp::Equal { .. } => {}
            DiffOp::Delete { old_index, old_len, .. } => {
                let stood = delete(body, old, old_index..old_index + old_len);
                if let Some(at) = stood.filter(|_| !is_nested(&old[old_index])) {
                    stand_alone(body, at);
                }
            }
            DiffOp::Insert { new_index, new_len, .. } => {
                insert(body, new, new_index..new_index + new_len, None);
            }
            DiffOp::Replace { old_index, old_len, new_index, new_len } => {
                let stood = delete(body, old, old_index..old_index + old_len);
                insert(body, new, new_index..new_index + new_len, stood);
            }
        }
    }
    if index + 1 < outline.sections.len() {
        close_with_blank(&mut outline.sections[index].body);
    }
}

/// Deletes lines that still stand word for word, and says where the first of them stood.
fn delete(body: &mut Vec<String>, old: &[String], gone: Range<usize>) -> Option<usize> {
    let mut first = None;
    // Equal lines below different bullets are told apart by what stood before them.
    let mut from = gone.start.checked_sub(1).and_then(|before| find(body, &old[before], 0)).map_or(0, |at| at + 1);
    for line in &old[gone] {
        // One that stands below another item as well is not taken from there.
        let is_the_only_one = || old.iter().filter(|one| *one == line).count() == 1;
        if let Some(at) = find(body, line, from).or_else(|| find(body, line, 0).filter(|_| is_the_only_one())) {
            body.remove(at);
            // A person may have put what follows before it, and then it moves up.
            first = Some(first.map_or(at, |stood: usize| if at < stood { stood - 1 } else { stood }));
            from = at;
        }
    }
    first
}

/// What somebody wrote below an item that is gone hangs below no stranger.
fn stand_alone(body: &mut Vec<String>, at: usize) {
    let is_below = |line: &String| is_nested(line) || line.trim().is_empty();
    let below = body[at..].iter().take_while(|line| is_below(line)).count();
    // Blank lines behind them are none of theirs.
    let below = body[at..at + below].iter().rposition(|line| is_nested(line)).map_or(0, |last| last + 1);
    if below > 0 && is_nested(&body[at]) {
        let moved = moved_out(&body[at..at + below]);
        body.splice(at..at + below, moved);
    }
}

/// Adds lines item by item, the first one where the replaced ones stood.
fn insert(body: &mut Vec<String>, new: &[String], added: Range<usize>, mut stood: Option<usize>) {
    let added = from_an_item(new, added);
    let mut start = added.start;
    while start < added.end {
        let end = (start + 1..added.end).find(|at| !is_nested(&new[*at])).unwrap_or(added.end);
        insert_item(body, new, start..end, stood.take());
        start = end;
    }
}

/// Adds lines that do not stand there yet: where the replaced ones stood, else after what stands before them, else at the
/// section's end.
fn insert_item(body: &mut Vec<String>, new: &[String], added: Range<usize>, stood: Option<usize>) {
    let anchor = anchor(body, new, added.start);
    let mut at = stood.or(anchor).unwrap_or_else(|| end(body));
    let orphaned = stood.is_none() && anchor.is_none();
    if at == 0 && body.first().is_none_or(|line| !line.trim().is_empty()) {
        body.insert(0, String::new());
        at = 1;
    }
    for (offset, line) in new[added.clone()].iter().enumerate() {
        let wanted = new[..=added.start + offset].iter().filter(|one| *one == line).count();
        if body.iter().filter(|one| *one == line).count() >= wanted {
            continue;
        }
        // A detail whose bullet the person changed must not hang itself below a stranger.
        let detached = orphaned && offset == 0 && is_nested(line) && behind_mark(line.trim_start()).is_some();
        let line = if detached { line.trim_start().to_owned() } else { line.clone() };
        if detached && body.contains(&line) {
            continue;
        }
        body.insert(at, line);
        at += 1;
    }
}

/// The same lines of a whole that may be said to be new, beginning with an item if they can: what is new in `a, x, b, x` is
/// `b, x` and not `x, b`.
fn from_an_item(new: &[String], added: Range<usize>) -> Range<usize> {
    let mut found = added.clone();
    while is_nested(&new[found.start]) && new.get(found.end) == Some(&new[found.start]) {
        found = found.start + 1..found.end + 1;
    }
    if is_nested(&new[found.start]) { added } else { found }
}

/// Where lines go that are new from a place on: an item behind the whole item before it, with all that somebody wrote below
/// that one; what stands below an item behind the line before it.
fn anchor(body: &[String], new: &[String], start: usize) -> Option<usize> {
    let before = &new[..start];
    let item = before.iter().rfind(|line| !is_nested(line)).and_then(|line| find(body, line, 0));
    // Equal lines below different items are told apart by the item.
    let line = before.last().and_then(|line| find(body, line, item.unwrap_or(0)).or_else(|| find(body, line, 0)));
    if new.get(start).is_some_and(|line| is_nested(line)) {
        return line.map(|at| at + 1);
    }
    let at = item.or(line)?;
    let is_of_an_item = is_nested(&body[at]) || behind_mark(&body[at]).is_some();
    Some(if is_of_an_item { item_end(body, at) } else { at + 1 })
}

fn find(body: &[String], line: &str, from: usize) -> Option<usize> {
    let from = from.min(body.len());
    body[from..].iter().position(|one| one == line).map(|at| from + at)
}

/// Where a section's content ends.
fn end(body: &mut Vec<String>) -> usize {
    if let Some(last) = body.iter().rposition(|line| !line.trim().is_empty()) {
        return last + 1;
    }
    if body.is_empty() {
        body.push(String::new());
    }
    1
}

fn close_with_blank(body: &mut Vec<String>) {
    if body.last().is_none_or(|line| !line.trim().is_empty()) {
        body.push(String::new());
    }
}

/// Makes a section in its place: after the nearest one that comes before it, else before the nearest after it.
fn create(outline: &mut Outline, title: &str) -> usize {
    let place = SECTIONS.iter().position(|one| *one == title).unwrap_or(SECTIONS.len());
    let before = SECTIONS[..place].iter().rev().find_map(|one| outline.find(one));
    let after = SECTIONS.iter().skip(place + 1).find_map(|one| outline.find(one));
    let at = match (before, after) {
        (Some(index), _) => index + 1 + below(&outline.sections[index + 1..]),
        (None, Some(index)) => index,
        (None, None) => outline.sections.len(),
    };
    if let Some(previous) = outline.sections[..at].last_mut()
        && (previous.heading.is_some() || !previous.body.is_empty())
    {
        close_with_blank(&mut previous.body);
    }
    let section = Section { heading: Some(format!("## {title}")), body: vec![String::new()] };
    outline.sections.insert(at, section);
    at
}

/// How many of the next sections belong to the one before them.
fn below(sections: &[Section]) -> usize {
    sections.iter().take_while(|section| section.level() > 2).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(lines: &[&str]) -> Document {
        let mut document = Document::default();
        document.add("Decisions", lines.iter().map(|line| (*line).to_owned()));
        document
    }

    #[test]
    fn changes_land_where_the_person_left_room() {
        let rows: &[(&str, &[&str], &[&str], &str)] = &[
            ("## Decisions\n\n## X\n", &[], &["- a"], "## Decisions\n\n- a\n\n## X\n"),
            ("## Decisions\n", &[], &["- a"], "## Decisions\n\n- a\n"),
            ("## Decisions\n- a\n- mine\n", &["- a"], &["- a", "- b"], "## Decisions\n- a\n- b\n- mine\n"),
            ("## Decisions\n\n- a, edited\n", &["- a"], &["- a", "- b"], "## Decisions\n\n- a, edited\n- b\n"),
            ("## Decisions\n\n- mine\n", &["- a"], &["- a", "- b"], "## Decisions\n\n- mine\n- b\n"),
            ("## Decisions\n\n- a\n- mine\n", &["- a"], &["- c"], "## Decisions\n\n- c\n- mine\n"),
            ("## Decisions\n\n- a\n\n## X\n", &["- a"], &[], "## Decisions\n\n\n## X\n"),
            // The person turned the two round, and both make room.
            ("## Decisions\n- b\n- a", &["- a", "- b"], &["- c"], "## Decisions\n\n- c\n"),
            ("## Risks / Unknowns\n\nr\n", &[], &["- a"], "## Decisions\n\n- a\n\n## Risks / Unknowns\n\nr\n"),
            ("# Mine\n\ntext\n", &[], &["- a"], "# Mine\n\ntext\n\n## Decisions\n\n- a\n"),
            ("# Mine\n\ntext\n", &["- a"], &[], "# Mine\n\ntext\n"),
            ("## Decisions\n\n- a\n", &[], &["- a"], "## Decisions\n\n- a\n"),
            // Nothing comes between an item and what stands below it, whoever wrote that.
            (
                "## Decisions\n\n- a\n  - why\n  - mine\n\n  More.\n- b\n",
                &["- a", "  - why", "- b"],
                &["- a", "  - why", "- c", "  - why", "- b"],
                "## Decisions\n\n- a\n  - why\n  - mine\n\n  More.\n- c\n  - why\n- b\n",
            ),
            (
                "## Decisions\n- a\n  - why\n  - mine\n",
                &["- a", "  - why"],
                &["- a", "  - why", "  - more", "- c"],
                "## Decisions\n- a\n  - why\n  - more\n  - mine\n- c\n",
            ),
            (
                "## Decisions\n- a\n  - why\n- b\n  - why\n  - mine\n- c\n",
                &["- a", "  - why", "- b", "  - why", "- c"],
                &["- a", "  - why", "- c"],
                "## Decisions\n- a\n  - why\n- mine\n- c\n",
            ),
            (
                "## Decisions\n- a\n  - mine\n- c\n",
                &["- a", "- c"],
                &["- b", "- d", "- c"],
                "## Decisions\n\n- b\n  - mine\n- d\n- c\n",
            ),
            ("## Decisions\n\n- a!\n", &["- a"], &["- a", "  - why"], "## Decisions\n\n- a!\n- why\n"),
        ];
        for (text, before, after, expected) in rows {
            let patched = patch(text, &document(before), &document(after));
            assert_eq!(&patched, expected, "{text:?}: {before:?} -> {after:?}");
            let again = patch(&patched, &document(before), &document(after));
            assert_eq!(again, patched, "twice is once: {text:?}");
        }
    }
}
