//! The research brief.

use super::entry::Entry;
use crate::domain::settings::CataloguedStrategy;

pub(super) const ENTRY: Entry = Entry {
    suits: &[CataloguedStrategy::ResearchInvestigations],
    ..Entry::page(
        "research brief",
        "the question, the evidence so far, and what to look at next",
        "research",
        include_str!("templates/research-brief.md"),
    )
};
