//! Edited drafts of an output phase that was left before they were approved: each comes back when its output is chosen
//! again, so that no choice of outputs loses what was written by hand (G31).

use serde::{Deserialize, Serialize};

use super::{Draft, Drafted, IssueSlot, Plan, PlannedOutput, Production, Stage, Target};
use crate::domain::fnv::fnv1a;
use crate::domain::interview::TranscriptEntry;
use crate::domain::issue;
use crate::domain::session::{Phase, Session};
use crate::domain::settings::Strategy;

/// An edited draft that waits for its output to be chosen again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ParkedDraft {
    /// The draft without what it would replace, which is read again when it comes back.
    #[serde(flatten)]
    pub draft: Draft,
    /// How its output was cut.
    pub strategy: Strategy,
    /// Its place in its output, counted from 1. The files of issues have the places of the issues.
    pub place: u32,
    /// The fingerprint of the understanding when the phase was left.
    pub understanding: String,
}

impl ParkedDraft {
    fn of(plan: &Plan, draft: &Draft, understanding: &str) -> Option<Self> {
        let (output, place) = plan.place_of(&draft.target)?;
        Some(Self {
            draft: Draft { destination: output.destination.clone(), replaces: None, replaced: None, ..draft.clone() },
            strategy: output.strategy.clone(),
            place,
            understanding: understanding.to_owned(),
        })
    }

    fn is_of(&self, output: &PlannedOutput) -> bool {
        self.draft.destination == output.destination && self.strategy == output.strategy
    }

    /// Whether it takes the place of an earlier one.
    fn replaces(&self, earlier: &Self) -> bool {
        (&self.draft.target, &self.draft.destination, &self.strategy)
            == (&earlier.draft.target, &earlier.draft.destination, &earlier.strategy)
    }
}

impl PlannedOutput {
    /// Whether both are one output: of the same kind, and cut in the same way.
    fn is_again(&self, other: &Self) -> bool {
        self.destination == other.destination && self.strategy == other.strategy
    }

    fn has_place(&self, place: u32) -> bool {
        if self.tracker.is_some() {
            return IssueSlot::new(place).is_some();
        }
        usize::try_from(place).is_ok_and(|place| (1..=self.paths.len()).contains(&place))
    }
}

impl Plan {
    /// The output that a target belongs to, and its place there, counted from 1.
    fn place_of(&self, target: &Target) -> Option<(&PlannedOutput, u32)> {
        match target {
            Target::Issue(slot) => self.tracked().map(|(output, _)| (output, slot.number())),
            Target::File(path) => self.outputs.iter().find_map(|output| {
                let before = output.paths.iter().position(|one| one == path)?;
                Some((output, u32::try_from(before + 1).ok()?))
            }),
        }
    }
}

impl Production {
    /// Whether a choice of these outputs drafts it again: from the session, or as it was edited.
    fn is_drafted_again(&self, draft: &Draft, plan: &Plan) -> bool {
        let Some((output, place)) = self.plan.place_of(&draft.target) else {
            return false;
        };
        let Some(again) = plan.outputs.iter().find(|one| one.is_again(output)) else {
            return false;
        };
        draft.origin.is_generated()
            || plan.place_of(&draft.target).map_or_else(|| again.has_place(place), |(there, _)| there.is_again(output))
    }
}

impl Session {
    /// A fingerprint of what outputs are made of: the checkpoint, and which answers hold.
    pub fn understanding(&self) -> String {
        let answers = self.transcript.asked.iter().flat_map(TranscriptEntry::holding);
        let ids = answers.flat_map(|answer| answer.id.as_str().bytes());
        format!("{:016x}", fnv1a(self.checkpoint.as_str().bytes().chain(ids)))
    }

    /// The output phase whose drafts another choice would leave: the open one, or the one that waits at the gate.
    fn drafting(&self) -> Option<&Production> {
        match &self.phase {
            Phase::Production(production) => Some(&**production),
            Phase::Selection(selection) => selection.kept.as_deref(),
            Phase::Interview(_) | Phase::NoInterview { .. } | Phase::Closed { .. } => None,
        }
    }

    /// The drafts that wait and that a choice of these outputs drops, the edited ones first.
    pub fn dropped_by(&self, plan: &Plan) -> Vec<&Draft> {
        let Some(left) = self.drafting() else {
            return Vec::new();
        };
        let mut dropped: Vec<&Draft> = left.waiting().filter(|draft| !left.is_drafted_again(draft, plan)).collect();
        dropped.sort_by_key(|draft| draft.origin.is_generated());
        dropped
    }

    /// Keeps the edited drafts of an output phase that is left.
    pub(in crate::domain) fn park(&mut self) {
        self.park_those(|stage| *stage == Stage::Drafted);
    }

    /// Keeps the edited drafts of an output phase that the session ends in, approved ones too: none is written any more.
    pub(in crate::domain) fn park_at_the_end(&mut self) {
        self.park_those(|stage| *stage == Stage::Drafted || stage.is_approved());
    }

    fn park_those(&mut self, unwritten: impl Fn(&Stage) -> bool) {
        let Some(left) = self.drafting() else {
            return;
        };
        let edited = |one: &&Drafted| unwritten(&one.stage) && !one.draft.origin.is_generated();
        let edited: Vec<&Draft> = left.drafts.iter().filter(edited).map(|one| &one.draft).collect();
        if edited.is_empty() {
            return;
        }
        let understanding = self.understanding();
        let parked: Vec<ParkedDraft> =
            edited.into_iter().filter_map(|draft| ParkedDraft::of(&left.plan, draft, &understanding)).collect();
        for one in parked {
            self.parked.retain(|earlier| !one.replaces(earlier));
            self.parked.push(one);
        }
    }

    /// The edited draft that comes back at a target of the open output phase, which has none for it yet: the one of that
    /// very target, else the one at its place in the same output, which means the same while the understanding does.
    pub fn comes_back(&self, target: &Target) -> Option<&ParkedDraft> {
        let Phase::Production(production) = &self.phase else {
            return None;
        };
        if self.parked.is_empty() || production.draft(target).is_some() {
            return None;
        }
        let (output, place) = production.plan.place_of(target)?;
        let of_the_output = || self.parked.iter().rev().filter(move |one| one.is_of(output));
        let moved = |one: &&ParkedDraft| {
            one.place == place
                && production.plan.place_of(&one.draft.target).is_none()
                && one.understanding == self.understanding()
        };
        let found = of_the_output().find(|one| one.draft.target == *target).or_else(|| of_the_output().find(moved))?;
        // The file of an issue takes any text, and an issue does not.
        (target.slot().is_none() || issue::parse(&found.draft.content).is_ok()).then_some(found)
    }

    /// The edited drafts of the planned outputs that did not come back: each is of a target that the output has no more, or
    /// of another way to cut it.
    pub fn kept_behind(&self) -> Vec<&ParkedDraft> {
        let Phase::Production(production) = &self.phase else {
            return Vec::new();
        };
        let is_planned = |one: &&ParkedDraft| {
            production.plan.outputs.iter().any(|output| output.destination == one.draft.destination)
        };
        self.parked.iter().filter(is_planned).collect()
    }

    /// The issues beyond those that the session makes that come back as they were edited.
    pub fn further_issues(&self, made: &[IssueSlot]) -> Vec<IssueSlot> {
        let slots = (1..).map_while(IssueSlot::new).filter(|slot| !made.contains(slot));
        slots.filter(|slot| self.comes_back(&Target::Issue(*slot)).is_some()).collect()
    }

    /// An edited draft is a draft of the open output phase again.
    pub(in crate::domain) fn unpark(&mut self, draft: &Draft) {
        let same = self.comes_back(&draft.target).filter(|parked| parked.draft.blob == draft.blob);
        if let Some(at) = same.and_then(|same| self.parked.iter().position(|one| std::ptr::eq(one, same))) {
            self.parked.remove(at);
        }
    }
}

/// What was kept of edited drafts between two states, in words.
pub(super) fn kept_since(before: Option<&Session>, after: &Session) -> Option<String> {
    let known: &[ParkedDraft] = before.map_or(&[], |before| &before.parked);
    let kept: Vec<&Draft> = after.parked.iter().filter(|one| !known.contains(one)).map(|one| &one.draft).collect();
    match kept.as_slice() {
        [] => None,
        [Draft { target, destination, .. }] => {
            Some(format!("kept {target} as it was edited, for when {destination} is chosen again"))
        }
        several => {
            let names = some_of(several.iter().map(|one| one.target.to_string()).collect());
            Some(format!("kept {names} as they were edited, for when their outputs are chosen again"))
        }
    }
}

/// Names in a row; of many only the first ones.
pub fn some_of(mut names: Vec<String>) -> String {
    const SHOWN: usize = 8;
    let more = names.len().saturating_sub(SHOWN);
    names.truncate(SHOWN);
    if more > 0 {
        names.push(format!("{more} more"));
    }
    names.join(", ")
}
