//! The test plan or QA checklist.

use super::entry::Entry;

pub(super) const ENTRY: Entry = Entry::page(
    "test plan / QA checklist",
    "what is tried, how, and what has to be seen",
    "testing",
    include_str!("templates/test-plan.md"),
);
