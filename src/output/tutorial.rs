//! The tutorial or content outline.

use super::entry::Entry;
use crate::domain::settings::CataloguedStrategy;

pub(super) const ENTRY: Entry = Entry {
    suits: &[CataloguedStrategy::TutorialChapters, CataloguedStrategy::ContentOutline],
    ..Entry::page(
        "tutorial / content outline",
        "chapters or instalments with what each one teaches",
        "tutorials",
        include_str!("templates/tutorial.md"),
    )
};
