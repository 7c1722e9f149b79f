//! The no to a shell command: which part of it, and why.

use std::fmt;

/// What of a command is not known to be read-only, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// The exact part, as it was written.
    pub part: String,
    /// A short sentence without a full stop that a person understands.
    pub why: String,
}

impl Refused {
    pub fn new(part: impl Into<String>, why: impl Into<String>) -> Self {
        Self { part: part.into(), why: why.into() }
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (in `{}`)", self.why, self.part)
    }
}
