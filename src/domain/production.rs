//! Producing outputs: the approved plan, drafts, and approvals that bind to bytes (G31 to G34).

use std::fmt;

use serde::{Deserialize, Serialize};

use super::actor::Actor;
use super::ids::ObjectId;
use super::settings::{Destination, Strategy};
use super::text::Prose;

/// A path that may be written: relative, inside the repository, never inside `.git` or `.grill`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct TargetPath(String);

/// A path that may not be written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{path}' cannot be a target: {because}")]
pub struct BadPath {
    /// The path as it was given.
    pub path: String,
    /// What is wrong with it.
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
        for part in path.split('/') {
            let folded = part.to_lowercase();
            // File systems that fold case or ignore trailing dots and spaces would reach `.git` by these names.
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

    /// The path, `/` between components.
    pub fn as_str(&self) -> &str {
        &self.0
    }
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

/// One output that was chosen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlannedOutput {
    /// Where it goes.
    pub destination: Destination,
    /// How it is cut.
    pub strategy: Strategy,
    /// The files it may write; empty for what writes no file.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub paths: Vec<TargetPath>,
}

/// What was chosen, at least one output.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// The outputs.
    pub outputs: Vec<PlannedOutput>,
    /// The plan in the asker's words (G41).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prose: Option<Prose>,
}

impl Plan {
    /// Whether `path` belongs to an output of the plan.
    pub fn names(&self, path: &TargetPath) -> bool {
        self.outputs.iter().any(|output| output.paths.contains(path))
    }
}

/// A file as it would be written, and what it would replace.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Draft {
    /// Where it would be written.
    pub path: TargetPath,
    /// Which output it belongs to.
    pub destination: Destination,
    /// The blob id of `content`; an approval names it.
    pub blob: ObjectId,
    /// The blob id of what stood there when it was shown; `None` when there was no file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replaces: Option<ObjectId>,
    /// Whose text it is.
    #[serde(default, skip_serializing_if = "Origin::is_generated")]
    pub origin: Origin,
    /// The bytes; kept in a file of their own.
    #[serde(skip)]
    pub content: String,
    /// What stood there, so that it can come back; kept in a file of its own.
    #[serde(skip)]
    pub replaced: Option<String>,
}

/// Whose text a draft is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Origin {
    /// What git grill makes of the session; it can be made anew at any time.
    #[default]
    Generated,
    /// Handed in; nobody but whoever writes another one changes it.
    HandedIn,
}

impl Origin {
    /// Whether git grill made it.
    pub fn is_generated(&self) -> bool {
        *self == Self::Generated
    }
}

/// How far a draft is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "stage")]
pub enum Stage {
    /// It waits for an approval.
    Drafted,
    /// Approved; the file is owed.
    Approved {
        /// Whose approval.
        approval: Actor,
    },
    /// Written.
    Written {
        /// Whose approval.
        approval: Actor,
    },
}

/// A draft with how far it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Drafted {
    /// The draft.
    #[serde(flatten)]
    pub draft: Draft,
    /// How far it is.
    #[serde(flatten)]
    pub stage: Stage,
}

/// The output phase.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Production {
    /// What was chosen.
    pub plan: Plan,
    /// Who chose.
    pub selected_by: Actor,
    /// The number of the event that opened it, by which one output phase is told from another.
    #[serde(default)]
    pub round: u64,
    /// Drafts, one a path.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub drafts: Vec<Drafted>,
}

impl Production {
    /// The draft for this path.
    pub fn draft(&self, path: &TargetPath) -> Option<&Drafted> {
        self.drafts.iter().find(|drafted| drafted.draft.path == *path)
    }

    /// Drafts that wait for an approval.
    pub fn waiting(&self) -> impl Iterator<Item = &Draft> {
        self.drafts.iter().filter(|drafted| drafted.stage == Stage::Drafted).map(|drafted| &drafted.draft)
    }

    /// Approved drafts whose file is owed.
    pub fn owed(&self) -> impl Iterator<Item = Approved> {
        self.drafts.iter().filter_map(|drafted| match drafted.stage {
            Stage::Approved { .. } => Some(Approved(drafted.draft.clone())),
            Stage::Drafted | Stage::Written { .. } => None,
        })
    }

    /// Files that were written.
    pub fn written(&self) -> impl Iterator<Item = &Draft> {
        self.drafts.iter().filter_map(|drafted| match drafted.stage {
            Stage::Written { .. } => Some(&drafted.draft),
            Stage::Drafted | Stage::Approved { .. } => None,
        })
    }
}

/// A draft whose approval is recorded. Only the rules make one, from a recorded approval of exactly these bytes; the
/// writer takes nothing else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Approved(Draft);

impl Approved {
    /// The draft.
    pub fn draft(&self) -> &Draft {
        &self.0
    }
}

/// What a finished production left behind; stays in the session (G34).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Produced {
    /// The destination.
    pub destination: Destination,
    /// The file.
    pub path: TargetPath,
    /// Its bytes.
    pub blob: ObjectId,
    /// What stood there before; none when there was no file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replaced: Option<ObjectId>,
    /// The output phase that it was written in.
    #[serde(default)]
    pub round: u64,
}

impl Produced {
    /// A draft that was written in this output phase.
    pub fn of(draft: &Draft, round: u64) -> Self {
        Self {
            destination: draft.destination.clone(),
            path: draft.path.clone(),
            blob: draft.blob.clone(),
            replaced: draft.replaces.clone(),
            round,
        }
    }
}

/// A written file that can be brought back to what stood there before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undo {
    /// The file.
    pub path: TargetPath,
    /// What was written last, and has to stand there still.
    pub written: ObjectId,
    /// What stood there before the first of it; none when there was no file.
    pub replaced: Option<ObjectId>,
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
        ] {
            assert!(TargetPath::parse(bad).is_err(), "{bad:?}");
        }
    }
}
