//! The implementation plan.

use super::entry::Entry;

pub(super) const ENTRY: Entry = Entry::page(
    "implementation plan",
    "steps in order, each with the test that ends it",
    "plans",
    include_str!("templates/implementation-plan.md"),
);
