//! Issues: each piece of the cut understanding as a work item with acceptance criteria and what it depends on. As data,
//! for whoever creates them, and as files that can be edited and read back.

mod file;

use serde::Serialize;

pub use self::file::{BadIssue, parse, write};

use super::cannot::Cannot;
use super::cut::{criteria, pieces, words};
use super::existing::path;
use super::material::Material;
use super::material::item::Item;
use super::page::finished;
use super::piece::Piece;
use super::produce::Document;
use super::slug::slug;
use super::template::{fill, lists};
use crate::domain::production::TargetPath;
use crate::domain::settings::Strategy;

/// An issue that nobody created yet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IssueDraft {
    /// Its title, one line.
    pub title: String,
    /// Its body in Markdown.
    pub body: String,
    /// Its labels.
    pub labels: Vec<String>,
    /// The milestone it belongs to.
    pub milestone: Option<String>,
    /// The issues of the same set that come before it, counted from 1.
    pub depends_on: Vec<usize>,
}

/// The most issues that are made at once; nobody can approve more.
const MOST_ISSUES: usize = 100;

/// The issues of a session, those first that others need.
pub(super) fn drafts(strategy: &Strategy, material: &Material) -> Result<Vec<IssueDraft>, Cannot> {
    let pieces = pieces(strategy, material);
    if pieces.is_empty() {
        return Err(Cannot::NothingToSay { what: "nothing" });
    }
    if pieces.len() > MOST_ISSUES {
        return Err(Cannot::OtherNumber {
            files: MOST_ISSUES,
            things: pieces.len(),
            what: "issues, more than anybody reads,",
        });
    }
    pieces.iter().map(|piece| draft(strategy, material, piece)).collect()
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

fn draft(strategy: &Strategy, material: &Material, piece: &Piece) -> Result<IssueDraft, Cannot> {
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
    Ok(IssueDraft {
        title: super::inline::capital(&piece.title),
        body: body.to_owned(),
        labels: vec![words(strategy).label.to_owned()],
        milestone: Some(material.title()),
        depends_on: piece.after.iter().map(|at| at + 1).collect(),
    })
}

/// The files of the issues in a folder, in their order.
pub(super) fn paths(folder: &TargetPath, issues: &[IssueDraft]) -> Vec<TargetPath> {
    let width = issues.len().to_string().len().max(2);
    let name = |(index, issue): (usize, &IssueDraft)| {
        let number = index + 1;
        let slug = slug(&issue.title);
        let name = if slug.is_empty() { format!("{number:0width$}") } else { format!("{number:0width$}-{slug}") };
        path(&format!("{folder}/{name}.md"))
    };
    issues.iter().enumerate().filter_map(name).collect()
}

/// The issues as files, one for each path.
pub(super) fn documents(issues: &[IssueDraft], paths: &[TargetPath]) -> Result<Vec<Document>, Cannot> {
    if issues.len() != paths.len() {
        return Err(Cannot::OtherNumber { files: paths.len(), things: issues.len(), what: "issues" });
    }
    let document = |(issue, path): (&IssueDraft, &TargetPath)| Document { path: path.clone(), text: write(issue) };
    Ok(issues.iter().zip(paths).map(document).collect())
}
