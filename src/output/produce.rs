//! From a planned output to its documents, together with what stands in the repository already.

use super::cannot::Cannot;
use super::catalogue::entry;
use super::entry::{Document, Making, Sources};
use super::existing::{Existing, Wants, place_of, wants_one};
use super::material::Material;
use super::page::{finished, linked};
use super::template::fill;
use super::view::View;
use super::{custom, cut, issues, slug};
use crate::domain::issue::write;
use crate::domain::production::{IssueSlot, TargetPath};
use crate::domain::session::Session;
use crate::domain::settings::{Destination, Strategy};

/// What has to be seen before paths or documents can be made; ask again with what was found until nothing is wanted.
pub fn wants(destination: &Destination, chosen: &[TargetPath], session: &Session, existing: &Existing) -> Wants {
    let chosen = chosen.first();
    match destination {
        Destination::Known(known) => match entry(*known).making {
            Making::Page { .. } => Wants::default(),
            Making::Part { names, foreign, .. } => existing.missing(wants_one(chosen, names, foreign)),
            Making::Own { wants, .. } => wants(session, chosen, existing),
        },
        Destination::Custom(name) => existing.missing(custom::wants(name)),
    }
}

/// Refuses an output whose name leads to no place of this repository, whatever the session holds.
pub fn check_name(destination: &Destination) -> Result<(), Cannot> {
    match destination {
        Destination::Known(_) => Ok(()),
        Destination::Custom(name) => custom::check_name(name),
    }
}

/// Where an output goes (G44): where somebody wants it, or where it belongs in this repository.
pub fn paths(
    destination: &Destination,
    strategy: &Strategy,
    wanted: Option<&TargetPath>,
    session: &Session,
    existing: &Existing,
) -> Result<Vec<TargetPath>, Cannot> {
    let making = match destination {
        Destination::Known(known) => entry(*known).making,
        Destination::Custom(name) => {
            custom::check_name(name)?;
            return Ok(vec![wanted.cloned().unwrap_or_else(|| in_docs("grill", session))]);
        }
    };
    match (making, wanted) {
        (Making::Own { paths, .. }, _) => {
            paths(&Sources { session, strategy, material: &Material::of(session), existing }, wanted)
        }
        (Making::Page { .. } | Making::Part { .. }, Some(path)) => Ok(vec![path.clone()]),
        (Making::Page { folder, .. }, None) => Ok(vec![in_docs(folder, session)]),
        (Making::Part { names, foreign, why, .. }, None) => {
            place_of(existing, names, foreign, why).map(|path| vec![path])
        }
    }
}

fn in_docs(folder: &str, session: &Session) -> TargetPath {
    TargetPath::parse(&format!("docs/{folder}/{}.md", slug::of_session(session)))
        .expect("fixed folders and a slug of letters, digits and hyphens")
}

/// The issues of a session as texts that can be edited and read back, each with its slot.
pub fn issue_drafts(strategy: &Strategy, session: &Session) -> Result<Vec<(IssueSlot, String)>, Cannot> {
    let drafts = issues::drafts(strategy, &Material::of(session))?;
    let texts = drafts.iter().enumerate().filter_map(|(place, issue)| Some((issues::slot(place)?, write(issue))));
    Ok(texts.collect())
}

/// Whether git grill can make documents of this output. A custom output without a template has to be submitted.
pub fn makes(destination: &Destination, existing: &Existing) -> bool {
    match destination {
        Destination::Known(_) => true,
        Destination::Custom(name) => custom::template(name, existing).is_ok(),
    }
}

/// Decisions that the documents of an output leave out, by their names.
pub fn unrecorded(destination: &Destination, strategy: &Strategy, session: &Session) -> Vec<String> {
    let Destination::Known(known) = destination else { return Vec::new() };
    match entry(*known).making {
        Making::Own { unrecorded, .. } => unrecorded(strategy, &Material::of(session)),
        Making::Page { .. } | Making::Part { .. } => Vec::new(),
    }
}

/// The documents of an output, one for each path.
pub fn documents(
    destination: &Destination,
    strategy: &Strategy,
    paths: &[TargetPath],
    session: &Session,
    existing: &Existing,
) -> Result<Vec<Document>, Cannot> {
    let material = Material::of(session);
    let sheet = matches!(destination, Destination::Known(known) if entry(*known).sheet);
    if material.is_bare() && !sheet {
        return Err(Cannot::NothingToSay { what: "nothing" });
    }
    let sources = Sources { session, strategy, material: &material, existing };
    match destination {
        Destination::Known(known) => match entry(*known).making {
            Making::Page { template, .. } => {
                pages(&sources, paths, |view| fill(template, view).map_err(Cannot::TooLarge))
            }
            Making::Part { document, .. } => each(paths, |path| document(&material, path, existing)),
            Making::Own { documents, .. } => documents(&sources, paths),
        },
        Destination::Custom(name) => {
            let template = custom::template(name, existing)?;
            pages(&sources, paths, |view| template.fill(view))
        }
    }
}

/// A document of everything that a template names, at each of the paths.
fn pages(
    Sources { strategy, material, .. }: &Sources<'_>,
    paths: &[TargetPath],
    filled: impl Fn(&View) -> Result<String, Cannot>,
) -> Result<Vec<Document>, Cannot> {
    let view = View::of(material, &cut::pieces(strategy, material), strategy);
    each(paths, |path| Ok(linked(&finished(&filled(&view)?), path.as_str(), &material.cited)))
}

fn each(paths: &[TargetPath], make: impl Fn(&TargetPath) -> Result<String, Cannot>) -> Result<Vec<Document>, Cannot> {
    paths.iter().map(|path| Ok(Document { path: path.clone(), text: make(path)? })).collect()
}
