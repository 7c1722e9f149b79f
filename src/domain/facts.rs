//! What the repository already answers: facts as data, each with the place that shows it (G15).

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::ids::{ObjectId, SessionId};
use super::settings::{UnknownValue, closed_set};

/// A place in the repository that shows something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// Path from the top of the repository, `/` between components.
    pub path: String,
    /// First and last line, counted from 1; `None` is the whole file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lines: Option<(u32, u32)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blob: Option<ObjectId>,
}

impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.path)?;
        match self.lines {
            Some((first, last)) if first == last => write!(f, ":{first}"),
            Some((first, last)) => write!(f, ":{first}-{last}"),
            None => Ok(()),
        }
    }
}

/// Something the repository shows, in a few words, with its place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// What was found: `cargo`, `GitHub Actions`, `MIT`, a matching line.
    pub what: String,
    pub at: Evidence,
}

/// A programming or markup language and how much of it there is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Language {
    pub name: String,
    /// Tracked files written in it.
    pub files: u32,
    /// The largest of them.
    pub example: Evidence,
}

/// A file that touches the topic.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Related {
    /// Where: the best matching line, or the file when only its name matches.
    pub at: Evidence,
    /// The line that matches, clipped; empty when only the name matches.
    pub excerpt: String,
    /// The words of the topic that it mentions.
    pub matches: Vec<String>,
}

closed_set! {
    /// A kind of inspection, in the order in which research `ask` asks about them (G15).
    Inspection, "kind of inspection", {
        /// Names of tracked files and their manifests: languages, build, tests, CI, licence, dependencies, entry points.
        Layout = "layout",
        /// Tracked text, searched for the words of the topic.
        Contents = "contents",
        /// README, decision records and design documents.
        Writings = "writings",
        /// Subjects of the newest commits.
        History = "history",
        /// What earlier grill sessions of this repository decided.
        Sessions = "sessions",
    }
    beside ["all"]
}

impl Inspection {
    pub fn reads(self) -> &'static str {
        match self {
            Self::Layout => "names of tracked files, manifests and settings of tools",
            Self::Contents => "tracked text, searched for the words of the topic",
            Self::Writings => "README, decision records and design documents",
            Self::History => "subjects of the newest commits",
            Self::Sessions => "what earlier grill sessions here decided",
        }
    }

    pub fn purpose(self) -> &'static str {
        match self {
            Self::Layout => "so that languages, build, tests, CI and dependencies need not be asked",
            Self::Contents => "so that questions name the code that the topic touches",
            Self::Writings => "so that what is already decided is not asked as if it were new",
            Self::History => "so that questions know what was worked on last",
            Self::Sessions => "so that a decision is not made twice without knowing it",
        }
    }
}

/// What a repository is for, as far as its files show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ProjectKind {
    /// Code that other code calls.
    Library,
    /// A program that is run at a terminal.
    CommandLine,
    /// A program that answers requests over a network.
    Service,
    /// Pages that are looked at in a browser.
    Frontend,
    Documentation,
    /// Descriptions of machines and deployments.
    Infrastructure,
}

/// What an earlier session of this repository decided about something that touches the topic.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Earlier {
    pub session: SessionId,
    pub topic: String,
    /// The decision in one sentence.
    pub decision: String,
    pub at: Timestamp,
    /// The words of the topic that it mentions.
    pub matches: Vec<String>,
}

/// What was looked at and found. The default is: nothing was looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RepoFacts {
    /// Whether somebody looked; all else is empty when nobody did.
    pub looked: bool,
    /// The repository's own name: its folder, or its remote's.
    pub name: String,
    /// Tracked files that were listed.
    pub files: u32,
    /// Whether a limit cut the search short.
    pub truncated: bool,
    /// Languages, the most used first.
    pub languages: Vec<Language>,
    /// Build tools and package managers.
    pub build: Vec<Finding>,
    /// How it is tested: folders, runners.
    pub tests: Vec<Finding>,
    pub ci: Vec<Finding>,
    pub licence: Vec<Finding>,
    /// The README's title or first sentence.
    pub readme: Option<Finding>,
    /// Earlier decisions written down: ADRs, design documents.
    pub decisions: Vec<Finding>,
    /// Files that touch the topic, the best first.
    pub related: Vec<Related>,
    /// The newest commit subjects.
    pub recent: Vec<String>,
    /// What was looked at; everything else stays empty.
    pub inspected: BTreeSet<Inspection>,
    /// What the repository is for, the surest first.
    pub kinds: Vec<ProjectKind>,
    /// Direct dependencies that its manifests name.
    pub dependencies: Vec<Finding>,
    /// Where its programs and its library begin.
    pub entry_points: Vec<Finding>,
    /// What earlier sessions decided, the nearest to the topic first.
    pub earlier: Vec<Earlier>,
}

impl RepoFacts {
    /// The language most files are written in.
    pub fn main_language(&self) -> Option<&Language> {
        self.languages.first()
    }

    /// What was not looked at, of all that there is; nothing where nobody looked, or where it was not noted.
    pub fn untouched(&self) -> Vec<Inspection> {
        if self.inspected.is_empty() {
            return Vec::new();
        }
        Inspection::ALL.iter().copied().filter(|one| !self.inspected.contains(one)).collect()
    }

    pub fn in_words(&self) -> String {
        let cut = if self.truncated { ", and the search was cut short" } else { "" };
        let untouched = self.untouched();
        if !untouched.is_empty() {
            let names = |kinds: &[Inspection]| kinds.iter().map(|kind| kind.as_str()).collect::<Vec<_>>().join(", ");
            let read: Vec<Inspection> = self.inspected.iter().copied().collect();
            return format!("looked at {}{cut}; not at {}", names(&read), names(&untouched));
        }
        let files =
            if self.files == 1 { "one tracked file".to_owned() } else { format!("{} tracked files", self.files) };
        let related = match self.related.len() {
            0 => "none touches the topic".to_owned(),
            1 => "one touches the topic".to_owned(),
            several => format!("{several} touch the topic"),
        };
        format!("looked at {files}: {related}{cut}")
    }

    pub fn findings(&self) -> impl Iterator<Item = &Finding> {
        let findings = [
            &self.build,
            &self.tests,
            &self.ci,
            &self.licence,
            &self.decisions,
            &self.dependencies,
            &self.entry_points,
        ];
        findings.into_iter().flatten().chain(self.readme.iter())
    }

    pub fn citations(&self) -> impl Iterator<Item = &Evidence> {
        self.findings().map(|finding| &finding.at).chain(self.related.iter().map(|related| &related.at))
    }
}
