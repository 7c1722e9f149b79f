//! Commits that were made of what an output phase wrote, and what that was made of.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::event::Recorded;
use super::facets::Filed;
use super::ids::ObjectId;
use super::production::{Draft, Target, TargetPath};
use super::session::{Phase, Session};

/// A commit of written outputs on the user's branch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutputCommit {
    pub commit: ObjectId,
    pub paths: Vec<TargetPath>,
    /// The output phase that it was made in.
    #[serde(default)]
    pub round: u64,
}

/// A search for the states that drafts were made of: those in which they were handed in last. The session does not hold
/// them, so they are gathered from its history, the newest commit first.
#[derive(Clone, Debug)]
pub struct DraftSearch<'d>(Vec<&'d Draft>);

impl<'d> DraftSearch<'d> {
    pub fn new(drafts: &[&'d Draft]) -> Self {
        Self(drafts.to_vec())
    }

    /// Whether a commit of these events handed in some of the drafts; those are looked for no more.
    pub fn finds(&mut self, events: &[Recorded]) -> bool {
        let mut handed_in: BTreeSet<(&Target, &ObjectId)> = BTreeSet::new();
        for recorded in events {
            if let Some(Filed::Draft(draft)) = recorded.event.facets().filed {
                handed_in.insert((&draft.target, &draft.blob));
            }
        }
        let before = self.0.len();
        self.0.retain(|draft| !handed_in.contains(&(&draft.target, &draft.blob)));
        self.0.len() < before
    }

    pub fn is_over(&self) -> bool {
        self.0.is_empty()
    }
}

impl Session {
    /// Notes a commit of the open output phase.
    pub(super) fn take_commit(&mut self, commit: &ObjectId, paths: &[TargetPath]) {
        if let Phase::Production(production) = &self.phase {
            let round = production.round;
            self.commits.push(OutputCommit { commit: commit.clone(), paths: paths.to_vec(), round });
        }
    }

    pub fn knows_commit(&self, commit: &ObjectId) -> bool {
        self.commits.iter().any(|one| one.commit == *commit)
    }

    /// Whether a commit was noted as one of this file: git grill made it, or found in it what it had written.
    pub fn is_commit_of(&self, commit: &ObjectId, path: &TargetPath) -> bool {
        self.commits.iter().any(|one| one.commit == *commit && one.paths.contains(path))
    }

    /// The files that it wrote, in finished output phases and in the one that is open, with the bytes that it wrote last.
    pub fn files_written(&self) -> BTreeMap<TargetPath, ObjectId> {
        let open: Vec<(TargetPath, ObjectId)> = match &self.phase {
            Phase::Production(production) => {
                production.written().filter_map(|draft| Some((draft.path()?.clone(), draft.blob.clone()))).collect()
            }
            Phase::Interview(_) | Phase::Selection(_) | Phase::NoInterview { .. } | Phase::Closed { .. } => Vec::new(),
        };
        self.produced.iter().map(|one| (one.path.clone(), one.blob.clone())).chain(open).collect()
    }

    /// The noted commits that hold one of these files, the newest first.
    pub fn commits_of(&self, paths: &[TargetPath]) -> Vec<&OutputCommit> {
        let holds = |one: &&OutputCommit| one.paths.iter().any(|path| paths.contains(path));
        self.commits.iter().rev().filter(holds).collect()
    }
}
