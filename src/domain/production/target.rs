//! Where an output may go: a file of the repository, or an issue of a tracker.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use unicode_normalization::UnicodeNormalization as _;

/// A path that may be written: relative, inside the repository, never inside `.git` or `.grill`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct TargetPath(String);

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{path}' cannot be a target: {because}")]
pub struct BadPath {
    pub path: String,
    pub because: &'static str,
}

impl TargetPath {
    /// Checks a path that is relative to the top of the repository.
    pub fn parse(path: &str) -> Result<Self, BadPath> {
        let bad = |because| BadPath { path: path.to_owned(), because };
        if path.is_empty() || path.len() > 500 {
            return Err(bad("it is empty or longer than 500 bytes"));
        }
        if path.starts_with(['/', '~']) || path.contains('\\') || path.chars().any(char::is_control) {
            return Err(bad("it has to be relative, with plain characters and `/` between folders"));
        }
        if path.starts_with(ISSUE) {
            return Err(bad("it is the name of an issue"));
        }
        for part in path.split('/') {
            // File systems that fold case, or ignore trailing dots and spaces or characters that nobody sees, would reach
            // `.git` by these names.
            let seen: String = part.chars().filter(|one| !is_overlooked(*one)).collect();
            let folded = seen.to_lowercase();
            let folded = folded.trim_end_matches(['.', ' ']);
            if part.is_empty() || part == "." || part == ".." {
                return Err(bad("it has an empty component, `.` or `..`"));
            }
            if matches!(folded, ".git" | ".grill" | "git~1") {
                return Err(bad("it leads into `.git` or `.grill`"));
            }
        }
        Ok(Self(path.to_owned()))
    }

    /// The path as file systems compare it that take upper and lower case, or two spellings of a letter, for the same.
    pub fn folded(&self) -> String {
        self.0.nfc().filter(|one| !is_overlooked(*one)).flat_map(char::to_lowercase).collect()
    }

    /// The path, `/` between components.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Whether the file system of older Macs takes a name with this character for the one without it.
fn is_overlooked(one: char) -> bool {
    matches!(one, '\u{200c}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{206a}'..='\u{206f}' | '\u{feff}')
}

impl fmt::Display for TargetPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<TargetPath> for String {
    fn from(path: TargetPath) -> Self {
        path.0
    }
}

impl TryFrom<String> for TargetPath {
    type Error = BadPath;

    fn try_from(path: String) -> Result<Self, BadPath> {
        Self::parse(&path)
    }
}

/// The longest set of issues of one plan; nobody reads more.
pub const MOST_ISSUES: u32 = 100;

/// The place of an issue in a plan, from 1. It names the issue before the tracker gives it a number, and keeps naming it
/// when the order changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "u32", try_from = "u32")]
pub struct IssueSlot(u32);

impl IssueSlot {
    pub const FIRST: Self = Self(1);

    /// The slot of this number; none for 0 and beyond [`MOST_ISSUES`].
    pub fn new(number: u32) -> Option<Self> {
        (1..=MOST_ISSUES).contains(&number).then_some(Self(number))
    }

    /// The slot as people write it: `1`, `#1` or `issue:1`.
    pub fn typed(text: &str) -> Option<Self> {
        let number = text.strip_prefix(ISSUE).or_else(|| text.strip_prefix('#')).unwrap_or(text);
        number.parse().ok().and_then(Self::new)
    }

    pub fn number(self) -> u32 {
        self.0
    }

    /// The place in a list of the issues of the plan, from 0.
    pub fn place(self) -> usize {
        usize::try_from(self.0 - 1).unwrap_or(usize::MAX)
    }
}

impl From<IssueSlot> for u32 {
    fn from(slot: IssueSlot) -> Self {
        slot.0
    }
}

impl TryFrom<u32> for IssueSlot {
    type Error = String;

    fn try_from(number: u32) -> Result<Self, String> {
        Self::new(number).ok_or_else(|| format!("{number} is no place of an issue; they count from 1 to {MOST_ISSUES}"))
    }
}

impl fmt::Display for IssueSlot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{ISSUE}{}", self.0)
    }
}

/// What the name of an issue's slot begins with; no path does.
const ISSUE: &str = "issue:";

/// What a draft is for. Written as a path, or as `issue:3`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Target {
    File(TargetPath),
    /// An issue of the plan's tracker.
    Issue(IssueSlot),
}

impl Target {
    pub fn path(&self) -> Option<&TargetPath> {
        match self {
            Self::File(path) => Some(path),
            Self::Issue(_) => None,
        }
    }

    pub fn slot(&self) -> Option<IssueSlot> {
        match self {
            Self::Issue(slot) => Some(*slot),
            Self::File(_) => None,
        }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => path.fmt(f),
            Self::Issue(slot) => slot.fmt(f),
        }
    }
}

impl FromStr for Target {
    type Err = BadPath;

    fn from_str(text: &str) -> Result<Self, BadPath> {
        let Some(number) = text.strip_prefix(ISSUE) else {
            return TargetPath::parse(text).map(Self::File);
        };
        let slot = number.parse().ok().filter(|_| !number.starts_with(['+', '0'])).and_then(IssueSlot::new);
        slot.map(Self::Issue)
            .ok_or_else(|| BadPath { path: text.to_owned(), because: "issues are issue:1 to issue:100" })
    }
}

impl From<Target> for String {
    fn from(target: Target) -> Self {
        target.to_string()
    }
}

impl TryFrom<String> for Target {
    type Error = BadPath;

    fn try_from(text: String) -> Result<Self, BadPath> {
        text.parse()
    }
}

impl From<TargetPath> for Target {
    fn from(path: TargetPath) -> Self {
        Self::File(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_stay_inside_and_out_of_git() {
        for good in ["README.md", "docs/design/a b.md", ".github/x.md", "docs/.gitkeep"] {
            assert!(TargetPath::parse(good).is_ok(), "{good}");
        }
        for bad in [
            "",
            "/etc/passwd",
            "~/x",
            "../x",
            "a/../b",
            "a//b",
            "./a",
            ".git/config",
            "sub/.GIT/x",
            ".git./x",
            "a\\b",
            ".grill/checkpoint.md",
            "a\nb",
            "GIT~1/config",
            "issue:3",
            ".g\u{200c}it/config",
            "a/\u{feff}.GIT/x",
        ] {
            assert!(TargetPath::parse(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn g32_an_issue_is_no_path_and_a_path_is_no_issue() {
        for (text, slot) in [("issue:1", Some(1)), ("issue:100", Some(100)), ("docs/issue:1", None), ("issues/1", None)]
        {
            let target: Target = text.parse().unwrap();
            assert_eq!(target.slot().map(IssueSlot::number), slot, "{text}");
            assert_eq!(target.to_string(), text);
        }
        for bad in ["issue:0", "issue:101", "issue:", "issue:one", "issue:+1", "issue:01", "issue:-1"] {
            assert!(bad.parse::<Target>().is_err(), "{bad}");
        }
        // Nor does a stored session name a place that no plan has.
        let stored = |number: u32| IssueSlot::try_from(number).map(u32::from);
        assert_eq!((stored(1), stored(100)), (Ok(1), Ok(100)));
        assert!(stored(0).is_err() && stored(101).is_err());
    }
}
