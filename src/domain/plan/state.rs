//! What is known of a plan: its steps and how far each is, who approved it, and whether plan mode is on.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::cited::KeptDecision;
use super::derived::{Backed, Backing, Derived, Observed};
use super::grants::{self, OFF};
use super::notes::{Notes, StepNote};
use super::progress::Tally;
use super::{Event, Settlement, Steps};
use crate::domain::actor::Actor;
use crate::domain::ids::SessionId;
use crate::domain::production::TargetPath;
use crate::domain::subsystem::{Folded, Hold};
use crate::domain::text::{Line, Prose};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// Nothing: the rules of the phase apply alone.
    #[default]
    Unset,
    /// It is on, unless a plan is being executed.
    On,
    /// A person turned it off in a session without an interview, where that lifts the hold.
    Off,
}

impl Mode {
    fn is_unset(&self) -> bool {
        *self == Self::Unset
    }
}

/// The kind of source that a plan was read from (P16).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum PlanSource {
    /// A text that was handed in on the command line.
    Text,
    Message,
    Tool {
        name: Line,
    },
    /// Another session, or the interview of the same one.
    Session {
        id: SessionId,
        /// The output that it was taken from; none for a plan of plan mode.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        output: Option<TargetPath>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        decisions: Vec<KeptDecision>,
    },
}

impl PlanSource {
    /// The session it was taken from, with the decisions that were kept; none where the plan was handed in.
    pub fn decisions(&self) -> Option<(&SessionId, &[KeptDecision])> {
        match self {
            Self::Text | Self::Message | Self::Tool { .. } => None,
            Self::Session { id, decisions, .. } => Some((id, decisions.as_slice())),
        }
    }

    /// The place it was taken from, in words; none where the plan was handed in.
    pub fn taken_from(&self) -> Option<String> {
        match self {
            Self::Text | Self::Message | Self::Tool { .. } => None,
            Self::Session { id, output: Some(path), .. } => Some(format!("{path} of session {id}")),
            Self::Session { id, output: None, .. } => Some(format!("session {id}")),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    #[serde(flatten)]
    pub kind: PlanSource,
    pub by: Actor,
    pub at: Timestamp,
}

impl Source {
    /// Who set it, when, and where it came from.
    pub fn in_words(&self) -> String {
        let taken = self.kind.taken_from().map(|place| format!(", from {place}")).unwrap_or_default();
        format!("set by {} at {}{taken}", self.by.in_words(), self.at)
    }
}

/// The approval of a plan: its execution began.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Execution {
    pub by: Actor,
    pub at: Timestamp,
}

/// How far a step is (P24).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "status")]
pub enum StepStatus {
    #[default]
    Pending,
    /// Marked as done, and that is all we know.
    Claimed {
        by: Actor,
        at: Timestamp,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        note: Option<Line>,
    },
    /// Done, by a person's word.
    Done { by: Actor, at: Timestamp },
    /// Left out, by a person's word.
    Skipped { by: Actor, at: Timestamp },
}

impl StepStatus {
    /// Whether somebody spoke of it: it is claimed, done or skipped.
    pub fn is_marked(&self) -> bool {
        match self {
            Self::Pending => false,
            Self::Claimed { .. } | Self::Done { .. } | Self::Skipped { .. } => true,
        }
    }

    /// The word for people and machines.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Claimed { .. } => "claimed",
            Self::Done { .. } => "done",
            Self::Skipped { .. } => "skipped",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    pub text: Prose,
    /// Its recorded status; [`State::derived`] tells how far it is.
    #[serde(flatten)]
    pub status: StepStatus,
    /// The evidence that it is done; none where there is none, or none was looked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub backing: Option<Backing>,
    /// Whether a person opened it again after it was marked, and nobody marked it since.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub reopened: bool,
}

impl Step {
    /// Whether there is nothing to mark any more: it is claimed, done or skipped, or its checks passed once. Whether it
    /// is finished is another question, which [`Derived::is_finished`] answers.
    pub fn is_marked(&self) -> bool {
        self.status.is_marked() || self.backing.is_some()
    }

    /// Whether this counts as evidence for it: a step that a person settled needs none, and a change counts only where
    /// the step is marked.
    pub(super) fn takes(&self, backing: &Backing) -> bool {
        match self.status {
            StepStatus::Pending => !backing.checks.is_empty(),
            StepStatus::Claimed { .. } => true,
            StepStatus::Done { .. } | StepStatus::Skipped { .. } => false,
        }
    }
}

/// Plan mode and the plan of a session.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct State {
    /// What was said of plan mode; [`State::is_on`] tells whether it is on.
    #[serde(skip_serializing_if = "Mode::is_unset")]
    pub mode: Mode,
    /// The steps; none without a plan.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<Step>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
    /// The approval of this very plan; none before it, and none after plan mode was turned on again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub execution: Option<Execution>,
    /// Notes on its steps that no new plan has answered yet; until then the plan cannot be executed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<StepNote>,
    /// The source of an earlier plan that was taken over; the steps of this one may cite its decisions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub taken: Option<PlanSource>,
    /// The files of the working tree as they were read just now; empty where they were not read.
    #[serde(skip)]
    pub seen: Observed,
}

impl State {
    pub fn is_on(&self) -> bool {
        self.mode == Mode::On && self.execution.is_none()
    }

    /// Whether the plan is approved and carried out. It still is once all steps are finished.
    pub fn is_executing(&self) -> bool {
        self.execution.is_some() && !self.steps.is_empty()
    }

    /// Whether all steps of an approved plan are marked, so that none is left to be carried out.
    pub fn is_all_marked(&self) -> bool {
        self.is_executing() && self.steps.iter().all(Step::is_marked)
    }

    /// Whether all steps of an approved plan are finished.
    pub fn is_complete(&self) -> bool {
        self.is_executing() && Tally::of(self).is_all_finished()
    }

    /// The plan as a person is shown it and approves it; none without a plan.
    pub fn plan(&self) -> Option<Steps> {
        Steps::known(self.steps.iter().map(|step| step.text.clone()).collect())
    }

    /// The session that this plan, or an earlier one, was taken from, with the decisions that were kept.
    pub fn taken_from(&self) -> Option<(&SessionId, &[KeptDecision])> {
        let now = self.source.as_ref().map(|source| &source.kind);
        now.and_then(PlanSource::decisions).or_else(|| self.taken.as_ref()?.decisions())
    }

    /// Whether this is the plan, text by text.
    pub fn is_plan(&self, steps: &Steps) -> bool {
        self.steps.iter().map(|step| &step.text).eq(steps.texts())
    }

    pub fn step(&self, number: u32) -> Option<&Step> {
        self.steps.get(place(number)?)
    }

    /// The steps with their numbers, from 1.
    pub fn numbered(&self) -> impl Iterator<Item = (u32, &Step)> {
        (1..).zip(&self.steps)
    }

    /// How far a step is, by its recorded status and by the working tree.
    pub fn derived(&self, step: &Step) -> Derived {
        Derived::of(step, &self.seen)
    }

    /// A new status replaces the evidence.
    fn set_status(&mut self, number: u32, status: StepStatus) {
        if let Some(step) = place(number).and_then(|place| self.steps.get_mut(place)) {
            step.reopened = status == StepStatus::Pending;
            step.status = status;
            step.backing = None;
        }
    }

    fn back(&mut self, backed: &Backed) {
        let executing = self.is_executing();
        let Some(step) = place(backed.step).and_then(|place| self.steps.get_mut(place)) else {
            return;
        };
        if executing && step.takes(&backed.backing) {
            step.backing = Some(backed.backing.clone());
        }
    }
}

/// The place of a step in the list.
fn place(number: u32) -> Option<usize> {
    usize::try_from(number).ok()?.checked_sub(1)
}

impl Folded<Event> for State {
    const LAPSED: &'static str = "plan mode stays on until you turn it off or execute the plan; steps that you settled \
                                  there are claims here, or open; evidence found there that a step is done does not \
                                  count; no agent gets the notes on the steps";

    fn grants(&self) -> Vec<String> {
        let off = (self.mode == Mode::Off).then(|| OFF.to_owned());
        let execute = self.execution.is_some().then(|| grants::execute(self));
        let settled = self.numbered().filter_map(|(number, step)| grants::settled(number, step));
        let backed = self.numbered().filter_map(|(number, step)| grants::backed(number, step));
        off.into_iter().chain(execute).chain(settled).chain(backed).chain(grants::notes(&self.notes)).collect()
    }

    fn lapse(&mut self, grants: &[&str]) {
        let fell = |grant: &str| grants.contains(&grant);
        if self.mode == Mode::Off && fell(OFF) {
            self.mode = Mode::On;
        }
        if self.execution.is_some() && fell(&grants::execute(self)) {
            self.execution = None;
        }
        if grants::notes(&self.notes).is_some_and(|grant| fell(&grant)) {
            self.notes.clear();
        }
        for (number, step) in (1..).zip(&mut self.steps) {
            if grants::backed(number, step).is_some_and(|grant| fell(&grant)) {
                step.backing = None;
            }
            if grants::settled(number, step).is_some_and(|grant| fell(&grant)) {
                step.status = match &step.status {
                    // Whoever said so elsewhere says so still.
                    StepStatus::Done { by, at } => StepStatus::Claimed { by: by.clone(), at: *at, note: None },
                    StepStatus::Pending | StepStatus::Claimed { .. } | StepStatus::Skipped { .. } => {
                        StepStatus::Pending
                    }
                };
            }
        }
    }

    fn hold(&self) -> Option<Hold> {
        if self.execution.is_some() {
            return Some(Hold::Lifted { by: grants::execute(self) });
        }
        match self.mode {
            Mode::Unset => None,
            Mode::On => Some(Hold::ReadOnly),
            Mode::Off => Some(Hold::Lifted { by: OFF.to_owned() }),
        }
    }

    fn evolve(&mut self, by: &Actor, at: Timestamp, event: &Event) {
        match event {
            Event::PlanModeSet { mode } => {
                self.mode = *mode;
                if *mode == Mode::On {
                    self.execution = None;
                }
            }
            Event::PlanSet { steps, source } => {
                if let Ok(steps) = Steps::of(steps.clone()) {
                    let before = self.source.take().map(|source| source.kind);
                    self.taken = match source.decisions() {
                        Some(_) => None,
                        None => before.filter(|kind| kind.decisions().is_some()).or_else(|| self.taken.take()),
                    };
                    let fresh = |text: &Prose| Step {
                        text: text.clone(),
                        status: StepStatus::Pending,
                        backing: None,
                        reopened: false,
                    };
                    self.steps = steps.texts().iter().map(fresh).collect();
                    self.source = Some(Source { kind: source.clone(), by: by.clone(), at });
                    self.execution = None;
                    self.notes.clear();
                }
            }
            Event::PlanReviewed { notes } => {
                let given = notes.iter().map(|note| (note.step, note.text.to_string()));
                if notes.iter().all(|note| self.step(note.step).is_some())
                    && let Ok(notes) = Notes::parse(given)
                {
                    self.notes = notes.list().to_vec();
                }
            }
            Event::PlanExecutionBegun if self.steps.is_empty() => {}
            Event::PlanExecutionBegun => {
                self.execution = Some(Execution { by: by.clone(), at });
                // Without its approval the plan is one to be looked at.
                if self.mode == Mode::Unset {
                    self.mode = Mode::On;
                }
            }
            Event::PlanStepClaimed { step, note } => {
                let open = self.step(*step).is_some_and(|step| !step.is_marked());
                if open && self.is_executing() {
                    self.set_status(*step, StepStatus::Claimed { by: by.clone(), at, note: note.clone() });
                }
            }
            Event::PlanStepsBacked { steps } => steps.iter().for_each(|backed| self.back(backed)),
            Event::PlanStepSettled { step, to } => {
                let by = by.clone();
                let status = match to {
                    Settlement::Done => StepStatus::Done { by, at },
                    Settlement::Skipped => StepStatus::Skipped { by, at },
                    Settlement::Pending => StepStatus::Pending,
                };
                self.set_status(*step, status);
            }
        }
    }
}
