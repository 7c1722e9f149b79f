//! The catalogue that is shown before the choice, and how an output is cut unless somebody says otherwise.

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
}

/// The eleven outputs, in the order in which they are listed.
pub fn catalogue() -> &'static [Entry] {
    const fn entry(output: Catalogued, name: &'static str, about: &'static str) -> Entry {
        Entry { output, name, about }
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

/// How an output is cut: as somebody wants it, as nothing else suits it (records are cut into decisions, a
/// brief into investigations, a tutorial into chapters or an outline), as is recommended for this session, or by what the interview was for.
pub fn strategy_for(
    destination: &Destination,
    wanted: Option<&Strategy>,
    recommended: Option<&Strategy>,
    session: &Session,
) -> Strategy {
    if let Some(wanted) = wanted {
        return wanted.clone();
    }
    let own = match destination {
        Destination::Known(known) => match known {
            Catalogued::Adr => Some(CataloguedStrategy::AdrCandidates),
            Catalogued::ResearchBrief => Some(CataloguedStrategy::ResearchInvestigations),
            Catalogued::Tutorial if recommended != Some(&Strategy::Known(CataloguedStrategy::ContentOutline)) => {
                Some(CataloguedStrategy::TutorialChapters)
            }
            Catalogued::GithubIssues
            | Catalogued::DesignDoc
            | Catalogued::Readme
            | Catalogued::Prd
            | Catalogued::ImplementationPlan
            | Catalogued::Summary
            | Catalogued::Tutorial
            | Catalogued::TestPlan
            | Catalogued::Changelog => None,
        },
        Destination::Custom(_) => None,
    };
    match (own, recommended) {
        (Some(own), _) => Strategy::Known(own),
        (None, Some(recommended)) => recommended.clone(),
        (None, None) => Strategy::Known(match session.settings.intent {
            Intent::Auto | Intent::Plan => CataloguedStrategy::VerticalSlices,
            Intent::Learn => CataloguedStrategy::TutorialChapters,
            Intent::Research => CataloguedStrategy::ResearchInvestigations,
            Intent::Content => CataloguedStrategy::ContentOutline,
            Intent::Decide => CataloguedStrategy::AdrCandidates,
        }),
    }
}
