//! Issues: each piece of the cut understanding as a work item with acceptance criteria and what it depends on. As data,
//! for whoever creates them, and as files that can be edited and read back.

use serde::Serialize;

use super::cannot::Cannot;
use super::cut::{criteria, pieces, words};
use super::entry::{Document, Entry, Making, Sources};
use super::existing::{Wants, path};
use super::material::Material;
use super::material::item::Item;
use super::page::finished;
use super::piece::Piece;
use super::slug::slug;
use super::template::{fill, lists};
use crate::domain::issue::{IssueText, write_file};
use crate::domain::production::{IssueSlot, MOST_ISSUES, Stage, TargetPath};
use crate::domain::session::{Phase, Session};
use crate::domain::settings::Strategy;

pub(super) const ENTRY: Entry = Entry {
    tracked: true,
    ..Entry::new(
        "GitHub issues",
        "work items in the project's tracker, one a slice",
        Making::Own { wants: |_, _, _| Wants::default(), paths, documents, unrecorded: |_, _| Vec::new() },
    )
};

/// The issues of a session, those first that others need.
pub(super) fn drafts(strategy: &Strategy, material: &Material) -> Result<Vec<IssueText>, Cannot> {
    let pieces = pieces(strategy, material);
    if pieces.is_empty() {
        return Err(Cannot::NothingToSay { what: "nothing" });
    }
    let most = usize::try_from(MOST_ISSUES).unwrap_or(usize::MAX);
    if pieces.len() > most {
        return Err(Cannot::OtherNumber {
            files: most,
            things: pieces.len(),
            what: "issues, more than anybody reads,",
        });
    }
    pieces.iter().map(|piece| draft(strategy, piece)).collect()
}

#[derive(Serialize)]
struct View {
    purpose: Vec<lists::Line>,
    contents: Vec<lists::Line>,
    criteria: Vec<lists::Line>,
    begin: Vec<lists::Line>,
    mind: Vec<lists::Line>,
    not_this: Vec<lists::Line>,
}

fn draft(strategy: &Strategy, piece: &Piece) -> Result<IssueText, Cannot> {
    let named = criteria(strategy, piece);
    // An issue without a criterion never ends: then what it begins with is what has to be done.
    let (criteria, begin) = if named.is_empty() { (&piece.begin, &Vec::new()) } else { (&named, &piece.begin) };
    let text: Vec<String> = named.iter().map(Item::text).collect();
    let unless_said = |list: &[Item]| {
        let said = |item: &&Item| text.iter().any(|criterion| criterion.ends_with(&item.alone().text()));
        lists::lines(list.iter().filter(|item| !said(item)))
    };
    let view = View {
        purpose: unless_said(&piece.purpose),
        contents: unless_said(&piece.contents),
        begin: lists::lines(begin),
        mind: unless_said(&piece.mind),
        not_this: unless_said(&piece.not_this),
        criteria: lists::lines(criteria),
    };
    let text = fill(concat!("# -\n\n", include_str!("../templates/issue.md")), &view).map_err(Cannot::TooLarge)?;
    let body = finished(&text);
    let body = body.strip_prefix("# -\n\n").unwrap_or(&body);
    Ok(IssueText {
        title: super::inline::capital(&piece.title),
        body: body.to_owned(),
        labels: vec![words(strategy).label.to_owned()],
        depends_on: piece.after.iter().filter_map(|at| slot(*at)).collect(),
    })
}

/// The slot of the issue at this place, from 0.
pub(super) fn slot(place: usize) -> Option<IssueSlot> {
    u32::try_from(place + 1).ok().and_then(IssueSlot::new)
}

/// The files of the issues in their order. Issues are several files, so what is named is their folder.
fn paths(
    Sources { strategy, material, .. }: &Sources<'_>,
    folder: Option<&TargetPath>,
) -> Result<Vec<TargetPath>, Cannot> {
    let folder = folder.ok_or(Cannot::NoTracker)?;
    let issues = drafts(strategy, material)?;
    let titles: Vec<(usize, &str)> =
        issues.iter().enumerate().map(|(place, issue)| (place + 1, issue.title.as_str())).collect();
    Ok(names(&titles).iter().filter_map(|name| path(&format!("{folder}/{name}"))).collect())
}

/// The names of the files of issues with these numbers and titles. They begin with the number, so that no two are the same
/// and each stands behind what it depends on.
fn names(issues: &[(usize, &str)]) -> Vec<String> {
    let width = issues.iter().map(|(number, _)| number.to_string().len()).max().unwrap_or_default().max(2);
    let name = |(number, title): &(usize, &str)| {
        let slug = slug(title);
        if slug.is_empty() { format!("{number:0width$}.md") } else { format!("{number:0width$}-{slug}.md") }
    };
    issues.iter().map(name).collect()
}

/// The issues as files, one for each path. What one depends on is named by its path, unless it is left out.
fn documents(
    Sources { session, strategy, material, .. }: &Sources<'_>,
    paths: &[TargetPath],
) -> Result<Vec<Document>, Cannot> {
    let issues = drafts(strategy, material)?;
    if issues.len() != paths.len() {
        return Err(Cannot::OtherNumber { files: paths.len(), things: issues.len(), what: "issues" });
    }
    let there = |slot: IssueSlot| paths.get(slot.place()).filter(|path| !is_left_out(session, path));
    let document = |(issue, path): (&IssueText, &TargetPath)| {
        let before: Vec<&str> = issue.depends_on.iter().filter_map(|slot| Some(there(*slot)?.as_str())).collect();
        Document { path: path.clone(), text: write_file(issue, &before) }
    };
    Ok(issues.iter().zip(paths).map(document).collect())
}

fn is_left_out(session: &Session, path: &TargetPath) -> bool {
    match &session.phase {
        Phase::Production(production) => production.file(path).is_some_and(|drafted| drafted.stage == Stage::Dropped),
        Phase::Interview(_) | Phase::Selection(_) | Phase::NoInterview { .. } | Phase::Closed { .. } => false,
    }
}
