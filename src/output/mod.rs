//! Outputs: the catalogue that is shown before the choice, and the generators that turn a session into a draft. Pure:
//! a draft is text, and somebody else shows it, has it approved and writes it.

mod bullets;
mod cut;
mod design_doc;

use crate::domain::production::TargetPath;
use crate::domain::session::Session;
use crate::domain::settings::{Catalogued, CataloguedStrategy, Destination, Intent, Strategy};

/// An entry of the catalogue (G27).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Which output.
    pub output: Catalogued,
    /// Its name for people.
    pub name: &'static str,
    /// What it is good for, in one line.
    pub about: &'static str,
    /// Whether this version can produce it.
    pub built: bool,
}

/// The eleven outputs, in the order in which they are listed.
pub fn catalogue() -> &'static [Entry] {
    const fn entry(output: Catalogued, name: &'static str, about: &'static str) -> Entry {
        Entry { output, name, about, built: matches!(output, Catalogued::DesignDoc) }
    }
    const ENTRIES: &[Entry] = &[
        entry(Catalogued::GithubIssues, "GitHub issues", "work items in the project's tracker, one a slice"),
        entry(
            Catalogued::DesignDoc,
            "design doc",
            "problem, decisions with their reasons, risks and a plan, to object to",
        ),
        entry(Catalogued::Readme, "README.md", "what newcomers read first"),
        entry(Catalogued::Adr, "ADR doc", "one decision with context, price and rejected options"),
        entry(Catalogued::Prd, "PRD", "who needs what, and how one will know that they got it"),
        entry(Catalogued::ImplementationPlan, "implementation plan", "steps in order, each with the test that ends it"),
        entry(
            Catalogued::ResearchBrief,
            "research brief",
            "the question, the evidence so far, and what to look at next",
        ),
        entry(Catalogued::Summary, "summary / decision memo", "one page for those who were not there"),
        entry(Catalogued::Tutorial, "tutorial / content outline", "chapters or instalments with what each one teaches"),
        entry(Catalogued::TestPlan, "test plan / QA checklist", "what is tried, how, and what has to be seen"),
        entry(Catalogued::Changelog, "changelog / release notes", "what changes for users, in their words"),
    ];
    ENTRIES
}

/// The outputs that this version can produce.
pub fn built() -> Vec<Catalogued> {
    catalogue().iter().filter(|entry| entry.built).map(|entry| entry.output).collect()
}

/// Whether this version can produce it.
pub fn can(destination: &Destination) -> bool {
    match destination {
        Destination::Known(known) => built().contains(known),
        Destination::Custom(_) => false,
    }
}

/// Where an output goes unless somebody names another place (G44); empty for what writes no file.
pub fn default_paths(destination: &Destination, session: &Session) -> Vec<TargetPath> {
    let folder = match destination {
        Destination::Known(known) => match known {
            Catalogued::GithubIssues => return Vec::new(),
            Catalogued::Readme => return path("README.md"),
            Catalogued::Changelog => return path("CHANGELOG.md"),
            Catalogued::DesignDoc => "design",
            Catalogued::Adr => "adr",
            Catalogued::Prd => "prd",
            Catalogued::ImplementationPlan => "plans",
            Catalogued::ResearchBrief => "research",
            Catalogued::Summary => "memos",
            Catalogued::Tutorial => "tutorials",
            Catalogued::TestPlan => "testing",
        },
        Destination::Custom(_) => "grill",
    };
    path(&format!("docs/{folder}/{}.md", slug(session)))
}

fn path(text: &str) -> Vec<TargetPath> {
    vec![TargetPath::parse(text).expect("fixed folders and a slug of letters, digits and hyphens")]
}

/// The recognisable part of the session's id: without the date before it and the random letters behind it.
fn slug(session: &Session) -> &str {
    let id = session.id.as_str();
    let middle = id.split_once('-').map_or(id, |(_, rest)| rest);
    middle.rsplit_once('-').map_or(middle, |(slug, _)| slug)
}

/// How an output is cut unless somebody says otherwise: by what the interview was for.
pub fn default_strategy(destination: &Destination, session: &Session) -> Strategy {
    let by_intent = match session.settings.intent {
        Intent::Auto | Intent::Plan => CataloguedStrategy::VerticalSlices,
        Intent::Learn => CataloguedStrategy::TutorialChapters,
        Intent::Research => CataloguedStrategy::ResearchInvestigations,
        Intent::Content => CataloguedStrategy::ContentOutline,
        Intent::Decide => CataloguedStrategy::AdrCandidates,
    };
    Strategy::Known(match destination {
        Destination::Known(Catalogued::Adr) => CataloguedStrategy::AdrCandidates,
        Destination::Known(Catalogued::ResearchBrief) => CataloguedStrategy::ResearchInvestigations,
        Destination::Known(
            Catalogued::GithubIssues
            | Catalogued::DesignDoc
            | Catalogued::Readme
            | Catalogued::Prd
            | Catalogued::ImplementationPlan
            | Catalogued::Summary
            | Catalogued::Tutorial
            | Catalogued::TestPlan
            | Catalogued::Changelog,
        )
        | Destination::Custom(_) => by_intent,
    })
}

/// The draft of an output; `None` for what this version cannot produce.
pub fn generate(destination: &Destination, strategy: &Strategy, session: &Session) -> Option<String> {
    match destination {
        Destination::Known(Catalogued::DesignDoc) => Some(design_doc::generate(strategy, session)),
        Destination::Known(
            Catalogued::GithubIssues
            | Catalogued::Readme
            | Catalogued::Adr
            | Catalogued::Prd
            | Catalogued::ImplementationPlan
            | Catalogued::ResearchBrief
            | Catalogued::Summary
            | Catalogued::Tutorial
            | Catalogued::TestPlan
            | Catalogued::Changelog,
        )
        | Destination::Custom(_) => None,
    }
}

#[cfg(test)]
mod tests;
