//! The checkpoint: one Markdown document, replaced as a whole by each update (G23).

use serde::{Deserialize, Deserializer, Serialize};

use super::harmless::harmless;
use super::text::{TextError, Topic, plain_line_ends};

/// The document of shared understanding. Any Markdown; no section is required or imposed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Checkpoint(String);

impl<'de> Deserialize<'de> for Checkpoint {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::parse(&String::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CheckpointSource {
    /// Written by the built-in interviewer from an answer.
    Interviewer,
    Tool,
    /// Edited by the user through `checkpoint edit`.
    Editor,
    /// Edited in the working tree, taken in at the next command; nobody saw who did it (G25).
    WorkingTree,
    /// An earlier version brought back.
    Restored,
    /// What came of a debate.
    Debate,
}

impl Checkpoint {
    /// The largest document, in bytes.
    pub const LIMIT: usize = 512 * 1024;

    /// Checks a document: not blank, within [`Self::LIMIT`], `\n` line ends, one at the end.
    pub fn parse(markdown: &str) -> Result<Self, TextError> {
        let what = "the checkpoint";
        if markdown.trim().is_empty() {
            return Err(TextError::Blank { what });
        }
        if markdown.len() > Self::LIMIT {
            return Err(TextError::TooLong { what, bytes: markdown.len(), limit: Self::LIMIT });
        }
        Ok(Self(format!("{}\n", plain_line_ends(markdown).trim_end())))
    }

    /// The document as it is stored. What is read back from the history is taken as it is.
    pub fn stored(markdown: String) -> Self {
        Self(markdown)
    }

    /// The first version that a session shows (G5): no character of the topic is hidden in it, or acts on a terminal that
    /// `git show` writes it to.
    pub fn first(topic: &Topic) -> Self {
        Self(harmless(&Self::initial(topic).0).into_owned())
    }

    /// The document that a session begins with, with the topic as it was given: histories add up to it. Every section can
    /// be removed.
    pub fn initial(topic: &Topic) -> Self {
        let mut text = format!("# Shared Understanding\n\n## Topic\n\n{topic}\n");
        for heading in SECTIONS {
            text.push_str("\n## ");
            text.push_str(heading);
            text.push('\n');
        }
        Self(text)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The sections of the first version after the topic, in their order (G5).
pub const SECTIONS: &[&str] = &[
    "Current Understanding",
    "Decisions",
    "Assumptions",
    "Constraints",
    "Risks / Unknowns",
    "Open Questions",
    "Likely Output Strategy",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn g5_the_first_version_has_the_eight_sections() {
        let first = Checkpoint::initial(&Topic::parse("rate limiting").unwrap());
        assert!(first.as_str().starts_with("# Shared Understanding\n\n## Topic\n\nrate limiting\n\n## Current"));
        assert_eq!(first.as_str().matches("\n## ").count(), 8);
    }

    #[test]
    fn g30_the_first_version_hides_nothing_and_histories_begin_as_they_did() {
        let topic = Topic::parse("red \u{1b}[31m \u{7}\u{202e}").unwrap();
        assert!(Checkpoint::first(&topic).as_str().contains("\n\nred ␛[31m ␇\\u{202e}\n\n"));
        assert!(Checkpoint::initial(&topic).as_str().contains(topic.as_str()));
        let plain = Topic::parse("größere 日本語 ❤\u{fe0f}").unwrap();
        assert_eq!(Checkpoint::first(&plain), Checkpoint::initial(&plain));
    }

    #[test]
    fn a_document_ends_with_one_newline() {
        assert_eq!(Checkpoint::parse("# a\r\n\r\n\n").unwrap().as_str(), "# a\n");
        assert!(Checkpoint::parse(" \n ").is_err());
        assert!(Checkpoint::parse(&"x".repeat(Checkpoint::LIMIT + 1)).is_err());
    }
}
