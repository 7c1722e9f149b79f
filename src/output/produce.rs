//! From a planned output to its documents, together with what stands in the repository already.

use super::cannot::Cannot;
use super::custom;
use super::cut;
use super::existing::{Existing, Wants};
use super::material::Material;
use super::page::{finished, linked};
use super::template::fill;
use super::view::View;
use super::{adr, changelog, issues, readme, slug};
use crate::domain::issue::write;
use crate::domain::production::{IssueSlot, TargetPath};
use crate::domain::session::Session;
use crate::domain::settings::{Catalogued, Destination, Strategy};

/// A file as it would be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    /// Where.
    pub path: TargetPath,
    /// What.
    pub text: String,
}

/// What has to be seen before paths or documents can be made; ask again with what was found until nothing is wanted.
pub fn wants(destination: &Destination, chosen: &[TargetPath], session: &Session, existing: &Existing) -> Wants {
    let chosen = chosen.first();
    match destination {
        Destination::Known(known) => match known {
            Catalogued::Adr => adr::wants(session, chosen, existing),
            Catalogued::Changelog => existing.missing(changelog::wants(chosen)),
            Catalogued::Readme => existing.missing(readme::wants(chosen)),
            Catalogued::GithubIssues
            | Catalogued::DesignDoc
            | Catalogued::Prd
            | Catalogued::ImplementationPlan
            | Catalogued::ResearchBrief
            | Catalogued::Summary
            | Catalogued::Tutorial
            | Catalogued::TestPlan => Wants::default(),
        },
        Destination::Custom(name) => existing.missing(custom::wants(name)),
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
    let material = Material::of(session);
    let known = match destination {
        Destination::Known(known) => *known,
        Destination::Custom(_) => return Ok(vec![wanted.cloned().unwrap_or_else(|| in_docs("grill", session))]),
    };
    match (known, wanted) {
        // Issues are several files, so what is named is their folder.
        (Catalogued::GithubIssues, Some(folder)) => Ok(issues::paths(folder, &issues::drafts(strategy, &material)?)),
        (Catalogued::GithubIssues, None) => Err(Cannot::NoTracker),
        (_, Some(path)) => Ok(vec![path.clone()]),
        (Catalogued::Adr, None) => adr::paths(session, strategy, &material, existing),
        (Catalogued::Readme, None) => readme::place(existing).map(|path| vec![path]),
        (Catalogued::Changelog, None) => changelog::place(existing).map(|path| vec![path]),
        (Catalogued::DesignDoc, None) => Ok(vec![in_docs("design", session)]),
        (Catalogued::Prd, None) => Ok(vec![in_docs("prd", session)]),
        (Catalogued::ImplementationPlan, None) => Ok(vec![in_docs("plans", session)]),
        (Catalogued::ResearchBrief, None) => Ok(vec![in_docs("research", session)]),
        (Catalogued::Summary, None) => Ok(vec![in_docs("memos", session)]),
        (Catalogued::Tutorial, None) => Ok(vec![in_docs("tutorials", session)]),
        (Catalogued::TestPlan, None) => Ok(vec![in_docs("testing", session)]),
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

/// The documents of an output, one for each path.
pub fn documents(
    destination: &Destination,
    strategy: &Strategy,
    paths: &[TargetPath],
    session: &Session,
    existing: &Existing,
) -> Result<Vec<Document>, Cannot> {
    let material = Material::of(session);
    // A design document may be the sheet of paper on which one begins; everything else would only be a heading.
    if material.is_bare() && *destination != Destination::Known(Catalogued::DesignDoc) {
        return Err(Cannot::NothingToSay { what: "nothing" });
    }
    let template = match destination {
        Destination::Known(Catalogued::Adr) => {
            let made = adr::documents(session, strategy, &material, paths, existing)?;
            return Ok(made.into_iter().map(|one| dressed(one, &material)).collect());
        }
        Destination::Known(Catalogued::GithubIssues) => {
            return issues::documents(&issues::drafts(strategy, &material)?, paths);
        }
        Destination::Known(Catalogued::Readme) => {
            return each(paths, |path| readme::document(&material, path, existing));
        }
        Destination::Known(Catalogued::Changelog) => {
            return each(paths, |path| changelog::document(&material, path, existing));
        }
        Destination::Custom(name) => {
            let template = custom::template(name, existing)?;
            let view = view(strategy, &material);
            return each(paths, |path| {
                let text = template.fill(&view)?;
                Ok(linked(&finished(&text), path.as_str(), &material.cited))
            });
        }
        Destination::Known(Catalogued::DesignDoc) => include_str!("templates/design-doc.md"),
        Destination::Known(Catalogued::Prd) => include_str!("templates/prd.md"),
        Destination::Known(Catalogued::ImplementationPlan) => include_str!("templates/implementation-plan.md"),
        Destination::Known(Catalogued::ResearchBrief) => include_str!("templates/research-brief.md"),
        Destination::Known(Catalogued::Summary) => include_str!("templates/summary.md"),
        Destination::Known(Catalogued::Tutorial) => include_str!("templates/tutorial.md"),
        Destination::Known(Catalogued::TestPlan) => include_str!("templates/test-plan.md"),
    };
    let view = view(strategy, &material);
    each(paths, |path| {
        let text = fill(template, &view).map_err(Cannot::TooLarge)?;
        Ok(linked(&finished(&text), path.as_str(), &material.cited))
    })
}

fn each(paths: &[TargetPath], make: impl Fn(&TargetPath) -> Result<String, Cannot>) -> Result<Vec<Document>, Cannot> {
    paths.iter().map(|path| Ok(Document { path: path.clone(), text: make(path)? })).collect()
}

fn dressed(document: Document, material: &Material) -> Document {
    let text = linked(&finished(&document.text), document.path.as_str(), &material.cited);
    Document { text, ..document }
}

fn view(strategy: &Strategy, material: &Material) -> View {
    View::of(material, &cut::pieces(strategy, material), strategy)
}
