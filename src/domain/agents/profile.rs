//! The six profiles (A4). A caller names one; everything that follows from it is in this table, never in a flag.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::domain::harmless::on_one_line;
use crate::domain::text::within;

/// Characters of a foreign name that an error repeats.
const REPEATED: usize = 40;

/// Curated set of rights and limits under which an agent works (A4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Profile {
    #[default]
    LocalReview,
    GroundedReview,
    DeepResearch,
    WorktreeEdit,
    GroundedEdit,
    Media,
}

/// Files that an agent may write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edits {
    None,
    /// Everything in a worktree of its own (A14).
    Worktree,
    /// Generated media among the artifacts of its turn.
    Artifacts,
}

/// Access of an agent's own tools to the web.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Web {
    Open,
    Closed,
}

/// Tools of an agent that read files and run programs here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LocalTools {
    Open,
    Closed,
}

/// Whether an agent that is lent work uses a tool of its own only after git grill has ruled on it (A4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asks {
    /// It asks about each, or its own configuration forbids what the profile does not allow.
    Each,
    /// It uses them unasked: the kernel alone holds it.
    Nothing,
    Unknown,
}

/// One row of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    pub profile: Profile,
    pub name: &'static str,
    pub edits: Edits,
    pub web: Web,
    pub tools: LocalTools,
    /// Time without a sign of activity after which turn and session fail (A5).
    pub silence: Duration,
}

const fn row(profile: Profile, name: &'static str, edits: Edits, web: Web, tools: LocalTools, seconds: u64) -> Terms {
    Terms { profile, name, edits, web, tools, silence: Duration::from_secs(seconds) }
}

/// All profiles, in the order in which they are listed.
pub const TERMS: [Terms; 6] = [
    row(Profile::LocalReview, "local-review", Edits::None, Web::Closed, LocalTools::Open, 60),
    row(Profile::GroundedReview, "grounded-review", Edits::None, Web::Open, LocalTools::Open, 90),
    row(Profile::DeepResearch, "deep-research", Edits::None, Web::Open, LocalTools::Closed, 120),
    row(Profile::WorktreeEdit, "worktree-edit", Edits::Worktree, Web::Closed, LocalTools::Open, 90),
    row(Profile::GroundedEdit, "grounded-edit", Edits::Worktree, Web::Open, LocalTools::Open, 120),
    row(Profile::Media, "media", Edits::Artifacts, Web::Closed, LocalTools::Open, 120),
];

/// A name that no profile has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no profile \"{text}\"; the profiles are {}", Profile::names())]
pub struct UnknownProfile {
    /// The name, harmless and cut.
    text: String,
}

impl Profile {
    /// Reads a profile by its exact name.
    pub fn parse(text: &str) -> Result<Self, UnknownProfile> {
        let found = TERMS.iter().find(|terms| terms.name == text);
        found.map(|terms| terms.profile).ok_or_else(|| UnknownProfile { text: on_one_line(&within(text, REPEATED)) })
    }

    /// The row of this profile.
    pub const fn terms(self) -> &'static Terms {
        match self {
            Self::LocalReview => &TERMS[0],
            Self::GroundedReview => &TERMS[1],
            Self::DeepResearch => &TERMS[2],
            Self::WorktreeEdit => &TERMS[3],
            Self::GroundedEdit => &TERMS[4],
            Self::Media => &TERMS[5],
        }
    }

    /// Whether the agent gets a worktree of its own to write in.
    pub fn needs_worktree(self) -> bool {
        match self.terms().edits {
            Edits::Worktree => true,
            Edits::None | Edits::Artifacts => false,
        }
    }

    /// The names of all profiles.
    fn names() -> String {
        TERMS.map(|terms| terms.name).join(", ")
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.terms().name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a4_each_profile_has_its_row_and_only_its_exact_name() {
        for terms in &TERMS {
            assert_eq!(terms.profile.terms(), terms);
            assert_eq!(Profile::parse(terms.name), Ok(terms.profile));
            assert_eq!(terms.profile.to_string(), terms.name);
        }
        assert_eq!(Profile::default(), Profile::LocalReview);
        for text in ["", "Local-Review", "local-review ", "local_review", "--always-approve", "worktree-edit\u{1b}"] {
            assert!(
                Profile::parse(text).unwrap_err().to_string().contains("local-review, grounded-review"),
                "{text:?}"
            );
        }
    }

    #[test]
    fn a4_what_each_profile_may() {
        let rows: Vec<String> = TERMS
            .iter()
            .map(|row| format!("{} {:?} {:?} {:?} {}", row.name, row.edits, row.web, row.tools, row.silence.as_secs()))
            .collect();
        assert_eq!(
            rows,
            [
                "local-review None Closed Open 60",
                "grounded-review None Open Open 90",
                "deep-research None Open Closed 120",
                "worktree-edit Worktree Closed Open 90",
                "grounded-edit Worktree Open Open 120",
                "media Artifacts Closed Open 120",
            ]
        );
        let with_worktree = TERMS.iter().filter(|row| row.profile.needs_worktree());
        let names: Vec<&str> = with_worktree.map(|row| row.name).collect();
        assert_eq!(names, ["worktree-edit", "grounded-edit"]);
    }
}
