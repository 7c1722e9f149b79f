//! Drift: what of a repository is no longer as it was when its session began, and how that is kept in the history.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

pub mod in_the_way;

/// How many drifts one verification keeps in the history; the rest is counted.
pub const KEPT: usize = 50;
/// How many bytes of names they may have together: a record of a session has a limit of its own.
const KEPT_BYTES: usize = 24 * 1024;

/// Where something changed. Names are as git quotes them: bytes that are not UTF-8 stand as `\ooo`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind", content = "name")]
pub enum Spot {
    /// What HEAD names.
    Head,
    Ref(String),
    Stash,
    /// A merge, rebase or the like in progress, by its file in the git directory.
    Operation(String),
    /// An entry of the index.
    Index(String),
    /// A file or symlink of the working tree.
    File(String),
    /// A submodule or another repository within the working tree.
    Nested(String),
    /// A file of the git directory that changes what git does: configuration, exclusions, hooks.
    Setting(String),
}

impl Spot {
    /// The group that it is listed under.
    pub fn group(&self) -> &'static str {
        match self {
            Self::Head => "HEAD",
            Self::Ref(_) => "refs",
            Self::Stash => "stash",
            Self::Operation(_) => "operations in progress",
            Self::Index(_) => "index",
            Self::File(_) => "working tree",
            Self::Nested(_) => "nested repositories",
            Self::Setting(_) => "configuration and hooks",
        }
    }

    /// Its name, and where that is: the same name stands in the index and in the working tree.
    pub fn place(&self) -> String {
        match self {
            Self::Index(name) => format!("{name} in the index"),
            Self::Setting(name) if name.starts_with('/') => format!("{name} (named by git's configuration)"),
            Self::Setting(name) => format!("{name} in the git directory"),
            Self::Head | Self::Ref(_) | Self::Stash | Self::Operation(_) | Self::File(_) | Self::Nested(_) => {
                self.name().to_owned()
            }
        }
    }

    /// Its name within the group.
    pub fn name(&self) -> &str {
        match self {
            Self::Head => "HEAD",
            Self::Stash => "refs/stash",
            Self::Ref(name)
            | Self::Operation(name)
            | Self::Index(name)
            | Self::File(name)
            | Self::Nested(name)
            | Self::Setting(name) => name,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Change {
    Added,
    Deleted,
    /// Its content is another one.
    Modified,
    /// Its permissions are others.
    Mode,
    /// It is another kind of thing, such as a symlink where a file was.
    Type,
    /// It points elsewhere.
    Moved,
    /// Its marks in the index are others: assume-unchanged, skip-worktree, intent-to-add.
    Flags,
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Added => "new",
            Self::Deleted => "deleted",
            Self::Modified => "modified",
            Self::Mode => "mode",
            Self::Type => "typechange",
            Self::Moved => "moved",
            Self::Flags => "flags",
        })
    }
}

/// A recorded step of the session: a commit of its ref.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// Its number, as the trailer `Grill-Seq` has it.
    pub seq: u64,
    /// What happened in it, in a few words.
    pub what: String,
}

/// When something changed, as far as it can be told: after the one step and before the other.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Window {
    /// The last step before it; none when it cannot be told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<Step>,
    /// The first step after it; none when there was none yet, or when it cannot be told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<Step>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Drift {
    pub spot: Spot,
    pub change: Change,
    /// From what to what, where a few words say it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// How many bytes it has now, or had when it is gone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
    #[serde(default)]
    pub when: Window,
    /// Why it cannot be brought back, if it cannot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stays: Option<String>,
}

/// What a restore does to something that changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Remedy {
    /// It points where it pointed again.
    MovesBack,
    /// It is new, and goes.
    Deletes,
    Restores,
}

impl Remedy {
    /// The verb, of one thing.
    pub fn of_it(self) -> &'static str {
        match self {
            Self::MovesBack => "moves it back",
            Self::Deletes => "deletes it",
            Self::Restores => "restores it",
        }
    }

    /// The verb, of several things.
    pub fn of_several(self) -> &'static str {
        match self {
            Self::MovesBack => "moves back",
            Self::Deletes => "deletes",
            Self::Restores => "restores",
        }
    }
}

impl Drift {
    pub fn remedy(&self) -> Option<Remedy> {
        if self.stays.is_some() {
            return None;
        }
        Some(match (&self.spot, self.change) {
            // The entry for a file that stays.
            (Spot::Index(_), _)
            | (_, Change::Deleted | Change::Modified | Change::Mode | Change::Type | Change::Flags) => Remedy::Restores,
            (_, Change::Added) => Remedy::Deletes,
            (_, Change::Moved) => Remedy::MovesBack,
        })
    }
}

/// What a comparison saw at each place that changed, as fingerprints that are only ever compared.
pub type Prints = BTreeMap<Spot, String>;

/// What the user keeps as it is: each place, with the fingerprint that it had when they said so.
pub type Kept = BTreeMap<Spot, Option<String>>;

/// What a comparison with the baseline came to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verification {
    pub at: Timestamp,
    pub total: usize,
    /// What changed; in the history no more than [`KEPT`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub drift: Vec<Drift>,
    /// What is no drift and should be known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// New tags that a fetch may have brought, as the hooks allow: no drift, and a restore leaves them unless they are
    /// named.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fetched: Vec<Drift>,
    /// What changed after the session ended: no drift of it, and a restore leaves it unless it is named. Under a watch,
    /// what changed after the agent was gone; what the agent had changed before that is among the drift as well.
    #[serde(skip)]
    pub later: Vec<Drift>,
    /// Approved outputs that are expected as they are; what is kept of a verification needs them not.
    #[serde(skip)]
    pub expected: Vec<String>,
    /// What there was where something changed: a restore replaces that and nothing else. No record needs it.
    #[serde(skip)]
    pub prints: Prints,
}

impl Verification {
    pub fn is_clean(&self) -> bool {
        self.total == 0
    }

    /// Those of its changes that a later comparison finds no more, or finds to be others.
    pub fn gone_in(&self, rest: &Self) -> Vec<Drift> {
        let there: BTreeSet<&Spot> = rest.drift.iter().map(|one| &one.spot).collect();
        let is_same = |spot: &Spot| there.contains(spot) && rest.prints.get(spot) == self.prints.get(spot);
        self.drift.iter().filter(|drift| !is_same(&drift.spot)).cloned().collect()
    }

    /// The changes that are not kept as they are now.
    pub fn beside(&self, kept: &Kept) -> Vec<Drift> {
        self.drift.iter().filter(|drift| !self.is_kept(drift, kept)).cloned().collect()
    }

    /// The changes that are kept as they are now.
    pub fn staying(&self, kept: &Kept) -> Vec<&Drift> {
        self.drift.iter().filter(|drift| self.is_kept(drift, kept)).collect()
    }

    fn is_kept(&self, drift: &Drift, kept: &Kept) -> bool {
        kept.get(&drift.spot) == Some(&self.prints.get(&drift.spot).cloned())
    }

    /// The same, cut to what a record of the session can hold.
    #[must_use]
    pub fn kept(&self) -> Self {
        let mut room = KEPT_BYTES;
        let mut fits = |drift: &&Drift| {
            let words = drift.detail.as_ref().map_or(0, String::len) + drift.stays.as_ref().map_or(0, String::len);
            let size = 240 + drift.spot.name().len() + words;
            let enough = size <= room;
            room = room.saturating_sub(size);
            enough
        };
        let drift = self.drift.iter().take(KEPT).take_while(&mut fits).cloned().collect();
        let fetched = self.fetched.iter().take(KEPT).take_while(&mut fits).cloned().collect();
        Self {
            at: self.at,
            total: self.total,
            drift,
            fetched,
            notes: Vec::new(),
            later: Vec::new(),
            expected: Vec::new(),
            prints: Prints::new(),
        }
    }

    /// Whether another verification found the same, whenever it was made.
    pub fn same_findings(&self, other: &Self) -> bool {
        let (ours, theirs) = (self.kept(), other.kept());
        ours.total == theirs.total && ours.drift == theirs.drift && ours.fetched == theirs.fetched
    }

    pub fn in_words(&self) -> String {
        match self.total {
            0 => "nothing drifted".to_owned(),
            1 => "1 thing drifted".to_owned(),
            several => format!("{several} things drifted"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(names: impl IntoIterator<Item = String>) -> Verification {
        let drift: Vec<Drift> = names
            .into_iter()
            .map(|name| Drift {
                spot: Spot::File(name),
                change: Change::Modified,
                detail: None,
                bytes: Some(1),
                when: Window::default(),
                stays: None,
            })
            .collect();
        Verification {
            at: Timestamp::UNIX_EPOCH,
            total: drift.len(),
            drift,
            notes: vec!["a note".to_owned()],
            fetched: vec![],
            later: vec![],
            expected: vec![],
            prints: Prints::new(),
        }
    }

    #[test]
    fn what_is_kept_fits_into_a_record_and_counts_everything() {
        let many = found((0..1000).map(|n| format!("file-{n}"))).kept();
        assert_eq!((many.total, many.drift.len()), (1000, KEPT));
        let long = found((0..40).map(|n| format!("{n}{}", "x".repeat(4000)))).kept();
        assert!(long.drift.len() < 7 && long.total == 40, "{}", long.drift.len());
    }

    #[test]
    fn a25_a_change_is_gone_once_it_is_found_no_more_or_is_another_one() {
        let print = |found: &mut Verification, print: &str| {
            found.prints = found.drift.iter().map(|one| (one.spot.clone(), print.to_owned())).collect();
        };
        let mut shown = found(["a".to_owned(), "b".to_owned()]);
        let mut rest = found(["b".to_owned()]);
        print(&mut shown, "1");
        print(&mut rest, "1");
        let gone =
            |rest: &Verification| shown.gone_in(rest).iter().map(|one| one.spot.name().to_owned()).collect::<Vec<_>>();
        assert_eq!(gone(&rest), ["a"]);
        print(&mut rest, "2");
        assert_eq!(gone(&rest), ["a", "b"]);
    }

    #[test]
    fn the_same_findings_are_the_same_whenever_they_were_made() {
        let (first, mut second) = (found(["a".to_owned()]), found(["a".to_owned()]));
        second.at = Timestamp::from_second(9).unwrap();
        assert!(first.same_findings(&second));
        assert!(!first.same_findings(&found(["b".to_owned()])));
    }
}
