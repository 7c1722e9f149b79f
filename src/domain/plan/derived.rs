//! How far a step is, derived from what was recorded of it and from what was seen of the files it names (P24). A mark is
//! a claim: it counts once a file of the step has changed since the execution began, or the checks of the step passed.
//! What backs a step is bound to the files as they stood then.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::named::{files, is_path};
use super::{State, Step, StepStatus};
use crate::domain::text::Line;

/// The most files that are looked at for a plan.
pub const MOST_LOOKED_AT: usize = 256;

/// How a file stands: its mode and the id of its bytes, as git has both; or that there is none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FileMark(String);

impl FileMark {
    /// No file.
    pub fn nothing() -> Self {
        Self("-".to_owned())
    }

    /// A file.
    pub fn of(mode: u32, id: &str) -> Self {
        Self(format!("{mode:o} {id}"))
    }

    /// The same as it was noted.
    pub fn noted(text: &str) -> Self {
        Self(text.to_owned())
    }

    /// As it is noted.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether there is a file.
    pub fn is_there(&self) -> bool {
        self.0 != "-"
    }
}

/// A file that was looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sighting {
    /// How it stood when the execution began; none where that is not known.
    pub begun: Option<FileMark>,
    /// How it stands now.
    pub now: FileMark,
}

impl Sighting {
    /// Whether there is such a file, or was.
    pub fn counts(&self) -> bool {
        self.now.is_there() || self.begun.as_ref().is_some_and(FileMark::is_there)
    }

    fn has_changed(&self) -> bool {
        self.begun.as_ref().is_some_and(|begun| *begun != self.now)
    }
}

/// What was seen of the working tree just now. It is never stored.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Observed {
    /// The files that were looked at. What is too large or cannot be read is not among them.
    pub files: BTreeMap<String, Sighting>,
    /// The changes that no step names, where they were looked for.
    pub outside: Option<Mismatch>,
}

/// What a plan and the changes since its execution began do not have in common (P25).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Mismatch {
    /// Changed files that no step names.
    pub changed: Vec<String>,
    /// Numbers of steps without a change.
    pub unchanged: Vec<u32>,
}

/// What backs a step.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Backing {
    /// The commands that ended with 0; none where changed files back a claim.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub checks: Vec<Line>,
    /// The files that it is bound to, as they stood then.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub files: BTreeMap<String, FileMark>,
}

/// A step with what backs it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Backed {
    /// Its number, from 1.
    pub step: u32,
    /// What backs it.
    pub backing: Backing,
}

/// How far a step is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Derived {
    /// It is open.
    Pending,
    /// It is marked, and nothing backs the mark.
    Claimed,
    /// A person said so, or something backs it.
    Done,
    /// What backed it has changed.
    Stale {
        /// The file that changed.
        path: String,
    },
    /// A person left it out.
    Skipped,
    /// Nobody marked it, and a file that it names has changed.
    Unknown {
        /// The file.
        path: String,
    },
}

impl Derived {
    /// How far a step is by what was seen.
    pub fn of(step: &Step, seen: &Observed) -> Self {
        match (&step.status, &step.backing) {
            (StepStatus::Skipped { .. }, _) => Self::Skipped,
            (StepStatus::Pending | StepStatus::Claimed { .. }, Some(backing)) => match moved(backing, seen) {
                Some(path) => Self::Stale { path },
                None => Self::Done,
            },
            (StepStatus::Claimed { .. }, None) if changed_files(step, seen).is_empty() => Self::Claimed,
            (StepStatus::Pending, None) => match changed_files(step, seen).into_keys().next() {
                Some(path) => Self::Unknown { path },
                None => Self::Pending,
            },
            (StepStatus::Done { .. }, _) | (StepStatus::Claimed { .. }, None) => Self::Done,
        }
    }

    /// The word for people and machines.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Claimed => "claimed",
            Self::Done => "done",
            Self::Stale { .. } => "stale",
            Self::Skipped => "skipped",
            Self::Unknown { .. } => "unknown",
        }
    }

    /// The reason of a status that is not clear by itself, harmless to show: paths are checked before they are seen.
    pub fn because(&self) -> Option<String> {
        match self {
            Self::Stale { path } => Some(format!("stale: {path} has changed since")),
            Self::Unknown { path } => Some(format!("changed, not marked: {path}")),
            Self::Pending | Self::Claimed | Self::Done | Self::Skipped => None,
        }
    }
}

/// The first file that is not as it was when it backed a step.
fn moved(backing: &Backing, seen: &Observed) -> Option<String> {
    let differs = |(path, stand): &(&String, &FileMark)| seen.files.get(*path).is_some_and(|seen| seen.now != **stand);
    backing.files.iter().find(differs).map(|(path, _)| path.clone())
}

/// The files of a step that have changed since the execution began, as they stand now.
fn changed_files(step: &Step, seen: &Observed) -> BTreeMap<String, FileMark> {
    let found = files(step.text.as_str()).into_iter().filter_map(|path| {
        let now = seen.files.get(&path).filter(|seen| seen.has_changed())?.now.clone();
        Some((path, now))
    });
    found.collect()
}

/// The files that are looked at for a plan: those that its steps name, and those that back one.
pub fn paths(plan: &State) -> Vec<String> {
    let mut known = BTreeSet::new();
    let named = plan.steps.iter().flat_map(|step| files(step.text.as_str()));
    let bound = plan.steps.iter().filter_map(|step| step.backing.as_ref());
    // What is stored may come from elsewhere.
    let bound = bound.flat_map(|backing| backing.files.keys().cloned()).filter(|path| is_path(path));
    named.chain(bound).filter(|path| known.insert(path.clone())).take(MOST_LOOKED_AT).collect()
}

/// The claims that something backs by now and nothing did before.
pub fn backed(plan: &State) -> Vec<Backed> {
    let claimed = |step: &Step| matches!(step.status, StepStatus::Claimed { .. }) && step.backing.is_none();
    let open = plan.numbered().filter(|(_, step)| claimed(step));
    let found = open.map(|(number, step)| Backed {
        step: number,
        backing: Backing { checks: Vec::new(), files: changed_files(step, &plan.seen) },
    });
    found.filter(|backed| !backed.backing.files.is_empty()).collect()
}

/// What these changes and the steps do not have in common. A step that names a folder names what is in it.
pub fn outside(plan: &State, changes: &[String]) -> Mismatch {
    let named: Vec<Vec<String>> = plan.steps.iter().map(|step| files(step.text.as_str())).collect();
    let unnamed = changes.iter().filter(|change| !named.iter().any(|names| names_it(names, change))).cloned().collect();
    let mut unchanged = Vec::new();
    for ((number, step), names) in plan.numbered().zip(&named) {
        let skipped = matches!(step.status, StepStatus::Skipped { .. });
        let touched =
            !changed_files(step, &plan.seen).is_empty() || changes.iter().any(|change| names_it(names, change));
        if !skipped && !touched {
            unchanged.push(number);
        }
    }
    Mismatch { changed: unnamed, unchanged }
}

/// Whether one of these names is that of a changed file, or of a folder around it.
fn names_it(names: &[String], change: &str) -> bool {
    let ends = |rest: &str| rest.is_empty() || rest.starts_with('/');
    names.iter().any(|name| change.strip_prefix(name.as_str()).is_some_and(ends))
}
