//! The product requirements document.

use super::entry::Entry;

pub(super) const ENTRY: Entry = Entry::page(
    "PRD",
    "who needs what, and how one will know that they got it",
    "prd",
    include_str!("templates/prd.md"),
);
