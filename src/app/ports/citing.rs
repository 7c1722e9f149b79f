//! The citations port: whether a place that somebody cites is there.

use std::fmt;

use crate::domain::facts::Evidence;

/// Why the bytes of a cited file are not at hand, in words that can stand behind its path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unread {
    /// There is no such file, or none that may be cited.
    NotThere(String),
    /// The file may be there: it is too large, or cannot be read.
    Unreadable(String),
}

impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotThere(why) | Self::Unreadable(why) => f.write_str(why),
        }
    }
}

/// Looks up a place that somebody cites (Q16).
pub trait Citations {
    /// The place with the blob that was read: a file of the working tree, or of HEAD where there is no working tree.
    /// Else why it is none, in words that can stand behind its path.
    fn cite(&self, path: &str, lines: Option<(u32, u32)>) -> Result<Evidence, String>;
    /// The bytes of such a file, as they were read just now; of `<commit>:path`, those that the commit has.
    fn bytes(&self, path: &str) -> Result<Vec<u8>, Unread>;
    /// Whether one commit's name begins so; else why not, in words that can stand behind it.
    fn commit(&self, name: &str) -> Result<(), String>;
}
