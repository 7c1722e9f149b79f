//! Why a file of an agent's is not edited. Nothing is written then, in no file.

/// Why a text is left as it is.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Trouble {
    #[error("line {line}: {why}")]
    Broken {
        /// The line, counted from 1.
        line: usize,
        why: String,
    },
    /// Something stands there that is not of the kind that the agent reads.
    #[error("line {line}: `{at}` {why}")]
    Shape {
        /// The keys that lead to it.
        at: String,
        /// The line, counted from 1.
        line: usize,
        why: &'static str,
    },
    /// Somebody else's entry has the name of ours.
    #[error("line {line}: `{at}` is somebody else's entry, and does not start git grill")]
    Foreign {
        /// The keys that lead to it.
        at: String,
        /// The line, counted from 1.
        line: usize,
    },
    /// A whole file of this name was not written by us.
    #[error("git grill did not write it")]
    NotOurs,
    /// A whole file that we wrote was edited since.
    #[error("it was edited since git grill wrote it")]
    Edited,
    /// What would be written could not be read again.
    #[error("the entry does not fit in there")]
    Unfit,
}

impl Trouble {
    /// Whether the rules say no, where else the file is at fault.
    pub fn is_conflict(&self) -> bool {
        match self {
            Self::Foreign { .. } | Self::NotOurs | Self::Edited => true,
            Self::Broken { .. } | Self::Shape { .. } | Self::Unfit => false,
        }
    }
}

/// The line of a place in a text, counted from 1.
pub(super) fn line_of(text: &str, at: usize) -> usize {
    text.get(..at).unwrap_or(text).matches('\n').count() + 1
}
