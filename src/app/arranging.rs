//! The issues of a plan as a list that a person edits, as git has commits arranged: a line an issue, in the order in which
//! they are created. The list decides nothing: it is read back, and what it says is done by the same rules as everything.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::domain::command::Command;
use crate::domain::production::{IssueSlot, Production, Stage, Target};
use crate::domain::session::Session;

use super::desk::{Desk, Subject};
use super::error::AppError;
use super::leaving_out::{leaving, together};
use super::revising::{Revised, edited, hold, kept, production};

const HELP: &str = "
# One issue a line, in the order in which they are created. Lines can be moved.
#
# keep (k)  create it, once it is approved
# drop (d)  leave it out; so does deleting its line
#
# What stands behind the number is only shown. An empty list changes nothing.
";

/// Opens the list in the person's editor, and does what it says.
pub fn arrange(desk: &mut Desk<'_>, session: &Session) -> Result<Revised, AppError> {
    desk.need_person("arranging the issues", "git grill draft --order 2,1 and git grill draft --drop issue:3")?;
    let opened = production(session)?;
    let slots = open_slots(opened);
    if slots.is_empty() {
        return Err(AppError::Usage {
            message: "there are no issues that could be arranged".to_owned(),
            hint: "git grill draft shows what is drafted".to_owned(),
        });
    }
    let list = written(opened);
    let subject = Subject { what: "the list of issues".to_owned(), ending: "-issues.txt".to_owned() };
    let check = |text: &str| read(text, &slots).map_err(|why| bad(&why));
    let text = edited(desk, &subject, &list, &check)?;
    let done = check(&text).and_then(|lines| take(desk, session, &slots, &lines));
    let done = done.map_err(|error| kept(desk, &subject, &text, error))?;
    desk.editor.forget(&subject);
    Ok(done)
}

fn bad(why: &str) -> AppError {
    AppError::Usage {
        message: format!("{why}, and nothing changed"),
        hint: "git grill draft --arrange begins anew".to_owned(),
    }
}

/// The issues that are not created yet, in order.
fn open_slots(production: &Production) -> Vec<IssueSlot> {
    let open = production.issues().filter(|(_, one)| !matches!(one.stage, Stage::Created { .. }));
    open.map(|(slot, _)| slot).collect()
}

/// The list as it is opened.
fn written(production: &Production) -> String {
    let mut text = String::new();
    for (slot, drafted) in production.issues() {
        let title = drafted.draft.issue().map(|issue| issue.title).unwrap_or_default();
        let _ = match &drafted.stage {
            Stage::Dropped => writeln!(text, "drop {slot} {title}"),
            Stage::Created { number, .. } => writeln!(text, "# created as #{number}: {slot} {title}"),
            Stage::Drafted | Stage::Approved { .. } | Stage::Written { .. } => writeln!(text, "keep {slot} {title}"),
        };
    }
    text + HELP
}

/// A line of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kept {
    Yes,
    No,
}

/// Reads the list back; nothing where it is empty. What cannot be read is told by its line.
fn read(text: &str, known: &[IssueSlot]) -> Result<Vec<(IssueSlot, Kept)>, String> {
    let mut lines: Vec<(IssueSlot, Kept)> = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let wrong = |why: String| format!("line {}: {why}", at + 1);
        let mut words = line.split_whitespace();
        let kept = match words.next() {
            Some("keep" | "k") => Kept::Yes,
            Some("drop" | "d") => Kept::No,
            Some(_) | None => return Err(wrong(format!("'{line}' begins with neither keep nor drop"))),
        };
        let named = words.next().unwrap_or_default();
        let slot = named.parse::<Target>().ok().and_then(|target| target.slot());
        let slot = slot
            .filter(|slot| known.contains(slot))
            .ok_or_else(|| wrong(format!("'{named}' is no issue of this list")))?;
        if lines.iter().any(|(one, _)| *one == slot) {
            return Err(wrong(format!("{slot} stands there twice")));
        }
        lines.push((slot, kept));
    }
    Ok(lines)
}

/// Does what the list says, all of it as one.
fn take(
    desk: &mut Desk<'_>,
    session: &Session,
    shown: &[IssueSlot],
    lines: &[(IssueSlot, Kept)],
) -> Result<Revised, AppError> {
    if lines.is_empty() {
        return Ok(Revised::nothing(session.clone()));
    }
    let all: Vec<Target> = shown.iter().copied().map(Target::Issue).collect();
    let _held = hold(desk, session, &all)?;
    let session = desk.dispatcher.store.load(&session.id)?.session;
    let production = production(&session)?;
    let keeps = |slot: &IssueSlot| lines.contains(&(*slot, Kept::Yes));
    let dropped = |slot: &IssueSlot| {
        production.draft(&Target::Issue(*slot)).is_some_and(|drafted| drafted.stage == Stage::Dropped)
    };
    // What came in meanwhile was not in the list, and is not left out by it.
    let out: BTreeSet<IssueSlot> = shown.iter().copied().filter(|slot| !keeps(slot) && !dropped(slot)).collect();
    let targets: Vec<Target> = out.iter().copied().map(Target::Issue).collect();
    let (mut commands, changes) = leaving(desk.dispatcher.store, production, &targets, &out)?;
    let again = lines.iter().filter(|(slot, _)| keeps(slot) && dropped(slot));
    let again = again.filter_map(|(slot, _)| production.draft(&Target::Issue(*slot)));
    commands.extend(again.map(|drafted| Command::SubmitDraft(Box::new(drafted.draft.clone()))));
    // What was created keeps its place before what is not.
    let created =
        production.issues().filter(|(_, one)| matches!(one.stage, Stage::Created { .. })).map(|(slot, _)| slot);
    let first: Vec<IssueSlot> = created.chain(lines.iter().map(|(slot, _)| *slot)).collect();
    commands.push(Command::OrderIssues { first });
    let actor = desk.actor.clone();
    let outcome = together(desk, &actor, &session, commands)?;
    Ok(Revised { outcome, changes })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slots(numbers: &[u32]) -> Vec<IssueSlot> {
        numbers.iter().filter_map(|number| IssueSlot::new(*number)).collect()
    }

    fn read_as(text: &str) -> Result<Vec<(u32, bool)>, String> {
        let lines = read(text, &slots(&[1, 2, 3]))?;
        Ok(lines.into_iter().map(|(slot, kept)| (slot.number(), kept == Kept::Yes)).collect())
    }

    #[test]
    fn g32_a_list_is_read_as_it_stands_and_what_is_wrong_is_told_by_its_line() {
        let list = "keep issue:3 Whatever # is shown\n\n# drop issue:1\n  k issue:1\r\nd issue:2 Two\n";
        assert_eq!(read_as(list), Ok(vec![(3, true), (1, true), (2, false)]));
        assert_eq!(read_as(HELP), Ok(vec![]), "an empty list");
        for (text, why) in [
            ("keep issue:1\npick issue:2\n", "line 2: 'pick issue:2' begins with neither"),
            ("keep issue:4 Four", "line 1: 'issue:4' is no issue of this list"),
            ("keep docs/a.md", "line 1: 'docs/a.md' is no issue"),
            ("keep", "line 1: '' is no issue"),
            ("keep issue:1\ndrop issue:1", "line 2: issue:1 stands there twice"),
        ] {
            let error = read_as(text).unwrap_err();
            assert!(error.starts_with(why), "{error}");
        }
    }
}
