//! The citations port: whether a place that somebody cites is there.

use crate::domain::facts::Evidence;

/// Looks up a place that somebody cites (Q16).
pub trait Citations {
    /// The place with the blob that was read: a file of the working tree, or of HEAD where there is no working tree.
    /// Else why it is none, in words that can stand behind its path.
    fn cite(&self, path: &str, lines: Option<(u32, u32)>) -> Result<Evidence, String>;
    /// The bytes of such a file, as they were read just now.
    fn bytes(&self, path: &str) -> Result<Vec<u8>, String>;
    /// Whether one commit's name begins so; else why not, in words that can stand behind it.
    fn commit(&self, name: &str) -> Result<(), String>;
}
