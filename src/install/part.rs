//! The parts of an installation, with what the guard gives an agent to call us by: which file, and what goes into it.

use super::json::Entry;
use crate::agents::install::{Evidence, Place, Purpose};

#[derive(Clone, Debug)]
pub struct Part {
    pub purpose: Purpose,
    pub place: Place,
    pub content: Content,
    pub evidence: Evidence,
}

#[derive(Clone, Debug)]
pub enum Content {
    Json(Vec<Entry>),
    /// Our server as a table of a TOML file.
    TomlServer,
    /// Our rule in the list of calls of a TOML file that are made without asking.
    TomlRule,
    /// The whole file, with a place for its seal.
    Own(String),
    /// Nothing more: what another part makes of the file serves this, too.
    Within,
    /// No file any more: one that an earlier version wrote goes, unless somebody edited it.
    Former,
}
