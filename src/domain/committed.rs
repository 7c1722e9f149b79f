//! Commits that were made of what an output phase wrote.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::ids::ObjectId;
use super::production::TargetPath;
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
