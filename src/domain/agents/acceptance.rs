//! Work of an agent that was taken over into the repository that it was lent from (A16, A23), as its ledger keeps it.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::changed::ChangedFiles;
use crate::domain::settings::{UnknownValue, closed_set};
use crate::domain::text::Line;

/// Who accepted work, or took it back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "who")]
pub enum AcceptedBy {
    Person,
    /// Not known: whoever it was, was cut off before the ledger could tell.
    Unrecorded,
    /// The agent that the person put in charge (A23).
    Host {
        name: Line,
    },
}

closed_set! {
    /// Who may accept work (A23).
    MayAccept, "who may accept", {
        /// A person at a terminal.
        Person = "person",
        /// A host agent as well, where nothing needs a yes of its own.
        Host = "host",
    }
}

/// One step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Acceptance {
    pub by: AcceptedBy,
    /// Its number among those of the session.
    #[serde(default)]
    pub step: u32,
    /// The files that it changed.
    pub files: ChangedFiles,
}
