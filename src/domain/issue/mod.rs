//! Issues as texts: what is drafted, approved byte for byte, and read back by whoever creates them (G32, G42).

mod body;
mod file;

pub use self::body::{body, marker, marker_of_all};
pub use self::file::{BadIssue, depends_on_line, file_depends_on, file_without, parse, recorded, write, write_file};
use super::production::IssueSlot;

/// An issue that nobody created yet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IssueText {
    /// Its title, one line.
    pub title: String,
    /// Its body in Markdown.
    pub body: String,
    pub labels: Vec<String>,
    /// The issues of the same plan that come before it.
    pub depends_on: Vec<IssueSlot>,
}
