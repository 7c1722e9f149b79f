//! How far a step is, derived from its recorded status and from the files it names (P24). A mark is a claim: it counts
//! once a file of the step has changed since the execution began, or the checks of the step passed. This evidence holds
//! as long as those files stay as they were then.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::named::{files, is_path};
use super::{State, Step, StepStatus};
use crate::domain::text::Line;

/// The most files that are read for a plan.
pub const MOST_LOOKED_AT: usize = 256;

/// The state of a file: its mode and the id of its content, as in git; or that it does not exist, or is not read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FileMark(String);

impl FileMark {
    /// The file does not exist.
    pub fn nothing() -> Self {
        Self("-".to_owned())
    }

    pub fn of(mode: u32, id: &str) -> Self {
        Self(format!("{mode:o} {id}"))
    }

    /// A mark as it was stored.
    pub fn noted(text: &str) -> Self {
        Self(text.to_owned())
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What is there is no file that is read: a pipe, a socket or a device, or a file that is too large. It differs from
    /// every file that was read, and is no evidence itself, since it is bound to no content.
    pub fn unread() -> Self {
        Self("?".to_owned())
    }

    pub fn is_there(&self) -> bool {
        self.0 != "-"
    }

    fn is_read(&self) -> bool {
        self.0 != "?"
    }
}

/// A file that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sighting {
    /// Its state when the execution began; none where that is not known.
    pub begun: Option<FileMark>,
    pub now: FileMark,
}

impl Sighting {
    /// Whether the file exists, or existed when the execution began, so that evidence can depend on it.
    pub fn counts(&self) -> bool {
        self.now.is_read() && (self.now.is_there() || self.begun.as_ref().is_some_and(FileMark::is_there))
    }

    fn has_changed(&self) -> bool {
        self.now.is_read() && self.begun.as_ref().is_some_and(|begun| *begun != self.now)
    }
}

/// The files of the working tree as they were read just now. They are never stored.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Observed {
    /// The files that were looked at. A file that may not be read is left out.
    pub files: BTreeMap<String, Sighting>,
    /// Changes that no step names, and steps without a change, where they were looked for.
    pub outside: Option<Mismatch>,
}

/// How the changes since the execution began differ from the plan (P25).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Mismatch {
    /// Changed files that no step names.
    pub changed: Vec<String>,
    /// Numbers of steps without a change.
    pub unchanged: Vec<u32>,
    /// Numbers of stale steps: something changed, but after their evidence was found.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stale: Vec<u32>,
}

/// The evidence that a step is done.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Backing {
    /// The checks that passed; none where the evidence is a changed file.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub checks: Vec<Line>,
    /// The files that it depends on, in their state at that time.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub files: BTreeMap<String, FileMark>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Backed {
    /// Its number, from 1.
    pub step: u32,
    pub backing: Backing,
}

/// How far a step is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Derived {
    Pending,
    /// It is marked, and there is no evidence that it is done.
    Claimed,
    /// A person said so, or there is evidence that it is done.
    Done,
    /// A file that its evidence depends on has changed.
    Stale {
        path: String,
        /// Whether its checks were the evidence.
        checked: bool,
    },
    Skipped,
    /// Nobody marked it, and a file that it names has changed.
    Unknown {
        path: String,
    },
}

impl Derived {
    /// How far a step is, by its recorded status and these files.
    pub fn of(step: &Step, seen: &Observed) -> Self {
        match (&step.status, &step.backing) {
            (StepStatus::Skipped { .. }, _) => Self::Skipped,
            (StepStatus::Pending | StepStatus::Claimed { .. }, Some(backing)) => match moved(backing, seen) {
                Some(path) => Self::Stale { path, checked: !backing.checks.is_empty() },
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

    /// Whether it is finished: done by what was looked up or by a person's word, or skipped. A claim is not, and neither
    /// is a step whose evidence is stale.
    pub fn is_finished(&self) -> bool {
        match self {
            Self::Done | Self::Skipped => true,
            Self::Pending | Self::Claimed | Self::Stale { .. } | Self::Unknown { .. } => false,
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

    /// The reason for a status that needs one, harmless to show: paths are checked before they are read.
    pub fn because(&self) -> Option<String> {
        match self {
            Self::Stale { path, checked: true } => Some(format!("stale: checked before {path} changed")),
            Self::Stale { path, checked: false } => Some(format!("stale: {path} has changed since")),
            Self::Unknown { path } => Some(format!("unclaimed: {path} has changed")),
            Self::Pending | Self::Claimed | Self::Done | Self::Skipped => None,
        }
    }
}

/// The first file that has changed since the evidence was found.
fn moved(backing: &Backing, seen: &Observed) -> Option<String> {
    let differs = |(path, stand): &(&String, &FileMark)| seen.files.get(*path).is_some_and(|seen| seen.now != **stand);
    backing.files.iter().find(differs).map(|(path, _)| path.clone())
}

/// The files of a step that have changed since the execution began, in their state now.
fn changed_files(step: &Step, seen: &Observed) -> BTreeMap<String, FileMark> {
    // Whatever is shown without a look, such as the line of a prompt, reads no text for nothing.
    if seen.files.is_empty() {
        return BTreeMap::new();
    }
    let found = files(step.text.as_str()).into_iter().filter_map(|path| {
        let now = seen.files.get(&path).filter(|seen| seen.has_changed())?.now.clone();
        Some((path, now))
    });
    found.collect()
}

/// The files that are read for a plan: those that its steps name, and those that their evidence depends on.
pub fn paths(plan: &State) -> Vec<String> {
    let mut known = BTreeSet::new();
    let named = plan.steps.iter().flat_map(|step| files(step.text.as_str()));
    named.chain(bound(plan)).filter(|path| known.insert(path.clone())).take(MOST_LOOKED_AT).collect()
}

/// The files that the evidence depends on. Where the plan is not being executed, no others are read.
pub fn bound(plan: &State) -> Vec<String> {
    let backings = plan.steps.iter().filter_map(|step| step.backing.as_ref());
    // A stored path may come from another clone.
    let paths = backings.flat_map(|backing| backing.files.keys()).filter(|path| is_path(path));
    let distinct: BTreeSet<&String> = paths.collect();
    distinct.into_iter().take(MOST_LOOKED_AT).cloned().collect()
}

/// The claims for which there is evidence now and was none before.
pub fn backed(plan: &State) -> Vec<Backed> {
    let claimed = |step: &Step| matches!(step.status, StepStatus::Claimed { .. }) && step.backing.is_none();
    let open = plan.numbered().filter(|(_, step)| claimed(step));
    let found = open.map(|(number, step)| Backed {
        step: number,
        backing: Backing { checks: Vec::new(), files: changed_files(step, &plan.seen) },
    });
    found.filter(|backed| !backed.backing.files.is_empty()).collect()
}

/// How these changes differ from the steps. A step that names a directory names every file in it.
pub fn outside(plan: &State, changes: &[String]) -> Mismatch {
    let named: Vec<Vec<String>> = plan.steps.iter().map(|step| files(step.text.as_str())).collect();
    let unnamed = changes.iter().filter(|change| !named.iter().any(|names| names_it(names, change))).cloned().collect();
    let (mut unchanged, mut stale) = (Vec::new(), Vec::new());
    for ((number, step), names) in plan.numbered().zip(&named) {
        let touched =
            !changed_files(step, &plan.seen).is_empty() || changes.iter().any(|change| names_it(names, change));
        match plan.derived(step) {
            Derived::Stale { .. } => stale.push(number),
            Derived::Pending | Derived::Claimed | Derived::Done | Derived::Unknown { .. } if !touched => {
                unchanged.push(number);
            }
            Derived::Pending | Derived::Claimed | Derived::Done | Derived::Unknown { .. } | Derived::Skipped => {}
        }
    }
    Mismatch { changed: unnamed, unchanged, stale }
}

/// Whether one of these names is that of a changed file, or of a directory that contains it.
fn names_it(names: &[String], change: &str) -> bool {
    let ends = |rest: &str| rest.is_empty() || rest.starts_with('/');
    names.iter().any(|name| change.strip_prefix(name.as_str()).is_some_and(ends))
}
