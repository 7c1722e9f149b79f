//! What somebody wants of plan mode, and what comes of it. Turning it on only restricts, so anybody may; what lifts a
//! refusal is for whoever approves in this session (G30).

use std::collections::BTreeSet;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::derived::Backed;
use super::notes::Notes;
use super::{Event, LONGEST_NOTE, Mode, PlanSource, Refusal as Own, State, Step, StepStatus, Steps, tools};
use crate::domain::actor::Actor;
use crate::domain::decide::may_approve;
use crate::domain::from_inside::{BadWish, Outside};
use crate::domain::refusal::Refusal;
use crate::domain::session::{Phase, Session};
use crate::domain::subsystem::Wanted;
use crate::domain::text::Line;

/// What a person says of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Settlement {
    Done,
    Skipped,
    Pending,
}

/// What somebody wants of plan mode. What an agent's tools want may come from inside of a read-only run; the skipped ones are
/// never read from what a caller sends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", rename_all_fields = "kebab-case", deny_unknown_fields)]
pub enum Command {
    #[serde(skip)]
    SetMode { on: bool },
    /// Set the plan, in place of the one before.
    SetPlan { steps: Steps, source: PlanSource },
    /// Write notes on the steps of the plan, which replace those that wait; no notes withdraw them.
    #[serde(skip)]
    Review {
        /// The plan that was shown; if another one is set now, nothing happens.
        shown: Steps,
        notes: Notes,
    },
    /// Approve the plan, and begin to carry it out.
    #[serde(skip)]
    Execute {
        /// The plan that was shown; if another one is set by now, nothing happens.
        shown: Steps,
    },
    /// Take the marks of a message. Those that mark nothing are passed over.
    #[serde(skip)]
    Mark {
        /// The numbers of the steps, from 1.
        steps: Vec<u32>,
    },
    /// Mark one step through a tool, whose caller is told what does not fit.
    StepDone {
        /// Its number, from 1.
        step: u32,
        note: Option<Line>,
    },
    /// Record evidence that steps are done.
    #[serde(skip)]
    Back {
        /// The plan of these steps; if another one is set now, nothing happens.
        plan: Steps,
        backed: Vec<Backed>,
    },
    /// Settle a step by a person's word.
    #[serde(skip)]
    Settle {
        /// Its number, from 1.
        step: u32,
        to: Settlement,
    },
}

impl Wanted for Command {
    type Event = Event;

    fn deed(&self) -> &'static str {
        match self {
            Self::SetMode { on: true } => "turning plan mode on",
            Self::SetMode { on: false } => "turning plan mode off",
            Self::SetPlan { .. } => "setting a plan",
            Self::Review { .. } => "reviewing the plan",
            Self::Execute { .. } => "executing the plan",
            Self::Mark { .. } | Self::StepDone { .. } => "marking a step",
            Self::Back { .. } => "recording the evidence for a step",
            Self::Settle { .. } => "settling a step",
        }
    }

    fn decide(&self, session: &Session, actor: &Actor, _: Timestamp) -> Result<Vec<Event>, Refusal> {
        let (plan, deed) = (&session.own.plan, self.deed());
        match self {
            Self::SetMode { on: true } => turn_on(session, deed),
            Self::SetMode { on: false } => turn_off(session, actor, deed),
            Self::SetPlan { steps, source } => set(plan, steps, source),
            Self::Review { shown, notes } => review(session, actor, deed, shown, notes),
            Self::Execute { shown } => execute(session, actor, deed, shown),
            Self::Mark { steps } => Ok(mark(plan, steps)),
            Self::StepDone { step, note } => step_done(plan, *step, note.as_ref()),
            Self::Back { plan: of, backed } => back(plan, actor, deed, of, backed),
            Self::Settle { step, to } => settle(session, actor, deed, *step, *to),
        }
    }

    fn settle(&mut self, _: &Outside<'_>) -> Result<(), BadWish> {
        match self {
            Self::SetPlan { steps: _, source } => *source = tools::source(),
            Self::StepDone { .. } => {}
            Self::SetMode { .. }
            | Self::Review { .. }
            | Self::Execute { .. }
            | Self::Mark { .. }
            | Self::Back { .. }
            | Self::Settle { .. } => return Err(BadWish::ours(self.deed())),
        }
        Ok(())
    }
}

fn turn_on(session: &Session, deed: &'static str) -> Result<Vec<Event>, Refusal> {
    if session.own.plan.is_on() {
        return Ok(vec![]);
    }
    match &session.phase {
        Phase::Interview(_) | Phase::Selection(_) | Phase::NoInterview { .. } => {
            Ok(vec![Event::PlanModeSet { mode: Mode::On }])
        }
        Phase::Production(_) | Phase::Closed { .. } => Err(wrong_phase(session, deed)),
    }
}

/// In a session with an interview this lifts nothing, so that nothing is granted either (P14).
fn turn_off(session: &Session, actor: &Actor, deed: &'static str) -> Result<Vec<Event>, Refusal> {
    let mode = match &session.phase {
        Phase::NoInterview { .. } => Mode::Off,
        Phase::Interview(_) | Phase::Selection(_) | Phase::Production(_) | Phase::Closed { .. } => Mode::Unset,
    };
    if session.own.plan.mode == mode {
        return Ok(vec![]);
    }
    person(session, actor, deed, "git grill plan off")?;
    Ok(vec![Event::PlanModeSet { mode }])
}

fn set(plan: &State, steps: &Steps, source: &PlanSource) -> Result<Vec<Event>, Refusal> {
    if plan.is_plan(steps) {
        return Ok(vec![]);
    }
    if plan.is_executing() && !plan.is_all_marked() {
        let left = plan.steps.iter().filter(|step| !step.is_marked()).count();
        return Err(Own::Executing { left, of: plan.steps.len() }.into());
    }
    Ok(vec![Event::PlanSet { steps: steps.texts().to_vec(), source: source.clone() }])
}

/// Notes are written before the plan is approved, and on the plan that was shown (P23).
fn review(
    session: &Session,
    actor: &Actor,
    deed: &'static str,
    shown: &Steps,
    notes: &Notes,
) -> Result<Vec<Event>, Refusal> {
    let plan = &session.own.plan;
    if plan.steps.is_empty() {
        return Err(Own::NoPlan.into());
    }
    if plan.is_executing() {
        return Err(Own::ReviewedTooLate.into());
    }
    if !plan.is_plan(shown) {
        return Err(Own::ReviewMoved.into());
    }
    if let Some(note) = notes.list().iter().find(|note| plan.step(note.step).is_none()) {
        return Err(Own::NoSuchStep { step: note.step, of: plan.steps.len() }.into());
    }
    if plan.notes == notes.list() {
        return Ok(vec![]);
    }
    person(session, actor, deed, "git grill plan review")?;
    Ok(vec![Event::PlanReviewed { notes: notes.list().to_vec() }])
}

/// The approval of exactly the plan that was shown (P13).
fn execute(session: &Session, actor: &Actor, deed: &'static str, shown: &Steps) -> Result<Vec<Event>, Refusal> {
    match &session.phase {
        Phase::NoInterview { .. } => {}
        Phase::Interview(_) | Phase::Selection(_) => return Err(Own::InsideInterview.into()),
        Phase::Production(_) => {
            let way_out = "git grill stop ends the session; git grill plan take then takes its plan over";
            return Err(Refusal::WrongPhase { deed, phase: session.phase.name(), way_out });
        }
        Phase::Closed { .. } => return Err(wrong_phase(session, deed)),
    }
    let plan = &session.own.plan;
    if plan.steps.is_empty() {
        return Err(Own::NoPlan.into());
    }
    let same = plan.is_plan(shown);
    if same && plan.is_executing() {
        return Ok(vec![]);
    }
    if !plan.notes.is_empty() {
        return Err(Own::NotesWait.into());
    }
    person(session, actor, deed, "git grill plan execute")?;
    if same { Ok(vec![Event::PlanExecutionBegun]) } else { Err(Own::PlanMoved.into()) }
}

/// In the order of the steps, so that the news that all are finished comes last.
fn mark(plan: &State, steps: &[u32]) -> Vec<Event> {
    if !plan.is_executing() {
        return vec![];
    }
    let numbers: BTreeSet<u32> = steps.iter().copied().collect();
    let open = |number: &u32| plan.step(*number).is_some_and(|step| !step.is_marked());
    numbers.into_iter().filter(open).map(|step| Event::PlanStepClaimed { step, note: None }).collect()
}

fn step_done(plan: &State, step: u32, note: Option<&Line>) -> Result<Vec<Event>, Refusal> {
    let found = known_step(plan, step)?;
    if !plan.is_executing() {
        return Err(Own::NotExecuting { step }.into());
    }
    if let Some(bytes) = note.map(|note| note.as_str().len()).filter(|bytes| *bytes > LONGEST_NOTE) {
        return Err(Own::NoteTooLong { bytes }.into());
    }
    if found.is_marked() {
        return Ok(vec![]);
    }
    Ok(vec![Event::PlanStepClaimed { step, note: note.cloned() }])
}

/// Only what we find ourselves is evidence.
fn back(plan: &State, actor: &Actor, deed: &'static str, of: &Steps, backed: &[Backed]) -> Result<Vec<Event>, Refusal> {
    match actor {
        Actor::System => {}
        Actor::Human | Actor::Unattended | Actor::Agent(_) => {
            return Err(Refusal::NotYours { deed, by: actor.clone() });
        }
    }
    let is_news = |Backed { step, backing }: &&Backed| {
        plan.step(*step).is_some_and(|step| step.takes(backing) && step.backing.as_ref() != Some(backing))
    };
    if !plan.is_executing() || !plan.is_plan(of) {
        return Ok(vec![]);
    }
    let steps: Vec<Backed> = backed.iter().filter(is_news).cloned().collect();
    Ok(if steps.is_empty() { vec![] } else { vec![Event::PlanStepsBacked { steps }] })
}

/// An agent's word on a step is a claim, whatever it may approve here.
fn settle(
    session: &Session,
    actor: &Actor,
    deed: &'static str,
    step: u32,
    to: Settlement,
) -> Result<Vec<Event>, Refusal> {
    let known = known_step(&session.own.plan, step)?;
    let same = match (&known.status, to) {
        (StepStatus::Pending, Settlement::Pending) => known.backing.is_none(),
        (StepStatus::Done { .. }, Settlement::Done) | (StepStatus::Skipped { .. }, Settlement::Skipped) => true,
        (
            StepStatus::Pending | StepStatus::Claimed { .. } | StepStatus::Done { .. } | StepStatus::Skipped { .. },
            Settlement::Pending | Settlement::Done | Settlement::Skipped,
        ) => false,
    };
    if same {
        return Ok(vec![]);
    }
    let command = match to {
        Settlement::Done => "git grill todos done <number>",
        Settlement::Skipped => "git grill todos skip <number>",
        Settlement::Pending => "git grill todos reopen <number>",
    };
    match actor {
        Actor::Agent(_) => return Err(Refusal::ApprovalRequired { deed, by: actor.clone(), command }),
        Actor::Human | Actor::Unattended | Actor::System => person(session, actor, deed, command)?,
    }
    Ok(vec![Event::PlanStepSettled { step, to }])
}

fn known_step(plan: &State, step: u32) -> Result<&Step, Refusal> {
    if plan.steps.is_empty() {
        return Err(Own::NoPlan.into());
    }
    let found = plan.step(step).ok_or(Own::NoSuchStep { step, of: plan.steps.len() })?;
    Ok(found)
}

/// Refuses whoever may not approve in this session.
fn person(session: &Session, actor: &Actor, deed: &'static str, command: &'static str) -> Result<(), Refusal> {
    let refused = || Refusal::ApprovalRequired { deed, by: actor.clone(), command };
    may_approve(session, actor).then_some(()).ok_or_else(refused)
}

fn wrong_phase(session: &Session, deed: &'static str) -> Refusal {
    let way_out = match &session.phase {
        Phase::Interview(_) | Phase::Selection(_) => "git grill stop ends the interview",
        Phase::Production(_) => "git grill finish ends the output phase",
        Phase::NoInterview { .. } => "git grill status shows what is possible now",
        Phase::Closed { .. } => "git grill plan on begins a new session",
    };
    Refusal::WrongPhase { deed, phase: session.phase.name(), way_out }
}
