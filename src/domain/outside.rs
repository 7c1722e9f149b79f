//! Planned files that somebody else changed while an output phase was open (G42): an agent may edit them under G33, and
//! what it made of them is shown before the phase can finish.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::ids::ObjectId;
use super::production::{Draft, Production, TargetPath};
use super::session::{Phase, Session};

/// What stood at a file when it was first drafted in an output phase.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stood {
    pub path: TargetPath,
    /// Its bytes; none when there was no file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blob: Option<ObjectId>,
}

/// A planned file that is not as git grill left it; by whom nobody knows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutsideChange {
    pub path: TargetPath,
    /// The bytes that git grill wrote, or that stood there when the phase began; none when there was no file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub was: Option<ObjectId>,
    /// The bytes that were found; none where there is no file, or nothing that is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blob: Option<ObjectId>,
    /// Commits on the branch that put other bytes there, the newest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub commits: Vec<ObjectId>,
    /// The output phase that it was found in.
    #[serde(default)]
    pub round: u64,
}

impl Production {
    /// Keeps what stood at a file when it was first drafted; a later draft may be held against somebody's edit.
    pub(super) fn note_stood(&mut self, draft: &Draft) {
        if let Some(path) = draft.path()
            && !self.stood.iter().any(|stood| stood.path == *path)
        {
            self.stood.push(Stood { path: path.clone(), blob: draft.replaces.clone() });
        }
    }

    pub fn planned(&self) -> impl Iterator<Item = &TargetPath> {
        self.plan.outputs.iter().flat_map(|output| &output.paths)
    }
}

impl Session {
    /// What the open output phase left at a planned file: what it wrote last, else what stood there. None where nothing
    /// is known of it.
    pub fn left_at(&self, path: &TargetPath) -> Option<Option<&ObjectId>> {
        let Phase::Production(production) = &self.phase else {
            return None;
        };
        let written = production.written().find(|draft| draft.path() == Some(path)).map(|draft| &draft.blob);
        let before = self.produced.iter().rev().filter(|one| one.round == production.round);
        let earlier = before.filter(|one| one.path == *path).map(|one| &one.blob);
        let stood = production.stood.iter().find(|stood| stood.path == *path).map(|stood| stood.blob.as_ref());
        written.into_iter().chain(earlier).next().map(Some).or(stood)
    }

    /// Whether these bytes at a planned file are known: written in this session, or there when the phase began.
    pub fn knows_bytes(&self, path: &TargetPath, blob: Option<&ObjectId>) -> bool {
        let Phase::Production(production) = &self.phase else {
            return false;
        };
        let written = production.written().filter(|draft| draft.path() == Some(path)).map(|draft| &draft.blob);
        let produced = self.produced.iter().filter(|one| one.path == *path).map(|one| &one.blob);
        written.chain(produced).any(|known| Some(known) == blob)
            || production.stood.iter().any(|stood| stood.path == *path && stood.blob.as_ref() == blob)
    }

    /// Whether a commit was shown in an earlier output phase.
    pub fn showed_commit(&self, round: u64, commit: &ObjectId) -> bool {
        self.outside.iter().any(|one| one.round != round && one.commits.contains(commit))
    }

    /// What was found last in an output phase.
    pub fn found_outside(&self, round: u64) -> Vec<&OutsideChange> {
        self.outside.iter().filter(|one| one.round == round).collect()
    }

    /// Takes what was found in the open output phase in the place of what was found there before.
    pub(super) fn take_outside(&mut self, changes: &[OutsideChange]) {
        if let Phase::Production(production) = &self.phase {
            let round = production.round;
            self.outside.retain(|one| one.round != round);
            self.outside.extend(changes.iter().map(|one| OutsideChange { round, ..one.clone() }));
        }
    }
}

pub fn in_words(changes: &[OutsideChange]) -> String {
    let names: Vec<&str> = changes.iter().map(|one| one.path.as_str()).collect();
    match names.as_slice() {
        [] => "no planned file is changed by somebody else any more".to_owned(),
        names => format!("somebody else changed {}", names.join(", ")),
    }
}

impl Session {
    /// The files that this session wrote or committed, in the order of their names. One that was taken back stays in the
    /// history of the branch.
    pub fn outputs(&self) -> Vec<String> {
        let open = match &self.phase {
            Phase::Production(production) => Some(&**production),
            Phase::Interview(_) | Phase::Selection(_) | Phase::NoInterview { .. } | Phase::Closed { .. } => None,
        };
        let written = open.into_iter().flat_map(Production::written).filter_map(Draft::path);
        let committed = self.commits.iter().flat_map(|commit| &commit.paths);
        let all: BTreeSet<&TargetPath> =
            self.produced.iter().map(|one| &one.path).chain(written).chain(committed).collect();
        all.into_iter().map(ToString::to_string).collect()
    }
}
