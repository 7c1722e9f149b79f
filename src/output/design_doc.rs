//! The design document: everything that the session holds.

use super::entry::Entry;

pub(super) const ENTRY: Entry = Entry {
    sheet: true,
    ..Entry::page(
        "design doc",
        "problem, decisions with their reasons, risks and a plan, to object to",
        "design",
        include_str!("templates/design-doc.md"),
    )
};
