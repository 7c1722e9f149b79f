//! The summary or decision memo.

use super::entry::Entry;

pub(super) const ENTRY: Entry = Entry::page(
    "summary / decision memo",
    "one page for those who were not there",
    "memos",
    include_str!("templates/summary.md"),
);
