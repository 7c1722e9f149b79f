//! An output that exists in tests alone: it proves that a newcomer needs its own file and a line in the registry.

use super::entry::Entry;
use crate::domain::settings::CataloguedStrategy;

pub(super) const ENTRY: Entry = Entry {
    suits: &[CataloguedStrategy::MilestoneExperiments],
    ..Entry::page(
        "bell sheet",
        "what the bell rings for",
        "bells",
        "# {{ title }}\n\n{{ goals | said }}\n\nCut into {{ strategy }}.\n",
    )
};
