//! Producing outputs: the approved plan, drafts, and approvals that bind to bytes (G31 to G34).

mod apart;
mod command;
mod depending;
mod draft;
mod drafting;
mod event;
mod evolve;
pub(super) mod gate;
mod issues;
mod parked;
mod record;
mod refusal;
mod target;

use serde::{Deserialize, Serialize};

pub use self::apart::Collision;
pub use self::command::Command;
pub use self::depending::Astray;
pub use self::draft::{Approved, Draft, Drafted, Origin, Stage, whole};
pub use self::event::Event;
pub use self::parked::{ParkedDraft, some_of};
pub use self::record::{CreatedIssue, Creation, Produced, Undo};
pub use self::refusal::Refusal;
pub use self::target::{BadPath, IssueSlot, MOST_ISSUES, Target, TargetPath};
use super::actor::Actor;
use super::danger::{Danger, danger};
use super::outside::Stood;
use super::settings::{Destination, Strategy};
use super::text::Prose;
use super::tracker::TrackerRepository;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlannedOutput {
    pub destination: Destination,
    pub strategy: Strategy,
    /// The files it may write; empty for what writes no file.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub paths: Vec<TargetPath>,
    /// Where its issues are created; none for what creates none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tracker: Option<TrackerRepository>,
}

impl PlannedOutput {
    /// Where it goes, in words: its files, or the tracker of its issues.
    pub fn place(&self) -> String {
        let paths = self.paths.iter().map(ToString::to_string);
        let tracker = self.tracker.iter().map(|tracker| format!("issues of {tracker}"));
        paths.chain(tracker).collect::<Vec<_>>().join(", ")
    }
}

/// What was chosen, at least one output.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    pub outputs: Vec<PlannedOutput>,
    /// The plan in the asker's words (G41).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prose: Option<Prose>,
    /// Dangerous files that a person typed at a terminal and confirmed. No other actor adds one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub permitted: Vec<TargetPath>,
}

impl Plan {
    /// The first file of the plan that makes programs run and that no person permitted.
    pub fn dangerous(&self) -> Option<(&TargetPath, Danger)> {
        let paths = self.outputs.iter().flat_map(|output| &output.paths);
        paths.filter(|path| !self.permitted.contains(path)).find_map(|path| Some((path, danger(path)?)))
    }

    pub fn names(&self, target: &Target) -> bool {
        match target {
            Target::File(path) => self.outputs.iter().any(|output| output.paths.contains(path)),
            Target::Issue(_) => self.tracked().is_some(),
        }
    }

    /// The output whose issues are created in a tracker. A plan has one at most: a slot names an issue of the plan.
    pub fn tracked(&self) -> Option<(&PlannedOutput, &TrackerRepository)> {
        self.outputs.iter().find_map(|output| Some((output, output.tracker.as_ref()?)))
    }
}

/// The output phase.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Production {
    pub plan: Plan,
    pub selected_by: Actor,
    /// The number of the event that opened it, by which one output phase is told from another.
    #[serde(default)]
    pub round: u64,
    /// Drafts, one a target; issues in the order in which they are created.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub drafts: Vec<Drafted>,
    /// What stood at each file when it was first drafted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stood: Vec<Stood>,
}

impl Production {
    /// What makes it no destination of this phase, if anything does: it makes programs run, and no person permitted it.
    pub fn forbids(&self, path: &TargetPath) -> Option<Danger> {
        let permitted = self.selected_by == Actor::Human && self.plan.permitted.contains(path);
        danger(path).filter(|_| !permitted)
    }

    pub fn open_files(&self) -> impl Iterator<Item = &TargetPath> {
        self.plan.outputs.iter().flat_map(|output| &output.paths).filter(|path| self.forbids(path).is_none())
    }

    pub fn draft(&self, target: &Target) -> Option<&Drafted> {
        self.drafts.iter().find(|drafted| drafted.draft.target == *target)
    }

    pub fn file(&self, path: &TargetPath) -> Option<&Drafted> {
        self.drafts.iter().find(|drafted| drafted.draft.path() == Some(path))
    }

    pub fn waiting(&self) -> impl Iterator<Item = &Draft> {
        self.drafts.iter().filter(|drafted| drafted.stage == Stage::Drafted).map(|drafted| &drafted.draft)
    }

    /// Approved drafts that are neither written nor created.
    pub fn approved(&self) -> impl Iterator<Item = &Draft> {
        self.drafts.iter().filter(|drafted| drafted.stage.is_approved()).map(|drafted| &drafted.draft)
    }

    pub fn owed_files(&self) -> impl Iterator<Item = Approved<TargetPath>> {
        self.drafts.iter().filter_map(Approved::file)
    }

    /// Approved drafts whose issue is owed, each after what it depends on: those that stand on nothing unapproved, however
    /// far down, for an issue that waits for something that nobody approved would be created with a hole in it.
    pub fn owed_issues(&self) -> impl Iterator<Item = Approved<IssueSlot>> {
        self.complete().into_iter().filter_map(move |slot| Approved::issue(self.draft(&Target::Issue(slot))?))
    }

    /// Approved issues that are not created yet because something that they stand on is not approved, each with what it
    /// is.
    pub fn held_back(&self) -> Vec<(IssueSlot, IssueSlot)> {
        let complete = self.complete();
        let owed = self.issues().filter(|(slot, one)| one.stage.is_approved() && !complete.contains(slot));
        let unsettled = |slot: &IssueSlot| !self.draft(&Target::Issue(*slot)).is_some_and(|one| one.stage.is_settled());
        owed.filter_map(|(slot, one)| Some((slot, one.draft.depends_on().into_iter().find(unsettled)?))).collect()
    }

    /// The issues that are approved together with all that they stand on, each after what it depends on, else in order.
    fn complete(&self) -> Vec<IssueSlot> {
        let settled = self.issues().filter(|(_, one)| one.stage.is_settled());
        let mut left: Vec<(IssueSlot, Vec<IssueSlot>)> =
            settled.map(|(slot, one)| (slot, one.draft.depends_on())).collect();
        let mut complete: Vec<IssueSlot> = Vec::with_capacity(left.len());
        while let Some(next) = left.iter().position(|(_, needed)| needed.iter().all(|one| complete.contains(one))) {
            complete.push(left.remove(next).0);
        }
        complete
    }

    /// How many approved drafts are neither written nor created.
    pub fn owing(&self) -> usize {
        self.approved().count()
    }

    /// The drafts of issues with their slots, in order; dropped ones too.
    pub fn issues(&self) -> impl Iterator<Item = (IssueSlot, &Drafted)> {
        self.drafts.iter().filter_map(|drafted| Some((drafted.draft.target.slot()?, drafted)))
    }

    pub fn created(&self) -> impl Iterator<Item = CreatedIssue> {
        let repository = self.plan.tracked().map(|(_, repository)| repository.clone());
        self.issues().filter_map(move |(slot, drafted)| match &drafted.stage {
            Stage::Created { number, url, .. } => Some(CreatedIssue {
                repository: repository.clone()?,
                slot,
                number: *number,
                url: url.clone(),
                blob: drafted.draft.blob.clone(),
                round: self.round,
            }),
            Stage::Drafted | Stage::Dropped | Stage::Approved { .. } | Stage::Written { .. } => None,
        })
    }

    pub fn written(&self) -> impl Iterator<Item = &Draft> {
        self.drafts.iter().filter_map(|drafted| match drafted.stage {
            Stage::Written { .. } => Some(&drafted.draft),
            Stage::Drafted | Stage::Dropped | Stage::Approved { .. } | Stage::Created { .. } => None,
        })
    }
}
