//! What happened to a plan, as the history says it and as a person is told.

use serde::{Deserialize, Serialize};

use super::derived::Backed;
use super::notes::{StepNote, counted_notes};
use super::progress::{Tally, counted};
use super::{Mode, PlanSource, Settlement, State, Step};
use crate::domain::facets::Facets;
use crate::domain::harmless::harmless;
use crate::domain::subsystem::Happened;
use crate::domain::text::{Line, Prose};
use crate::domain::told::{Scene, Told};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "event")]
pub enum Event {
    PlanModeSet {
        mode: Mode,
    },
    /// A plan came in, in place of the one before with its marks and its approval.
    PlanSet {
        steps: Vec<Prose>,
        source: PlanSource,
    },
    /// A person wrote notes on the steps, which replace the earlier ones; no notes withdraw those.
    PlanReviewed {
        notes: Vec<StepNote>,
    },
    PlanExecutionBegun,
    PlanStepClaimed {
        /// Its number, from 1.
        step: u32,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        note: Option<Line>,
    },
    /// A changed file or a passed check shows that these steps are done.
    PlanStepsBacked {
        steps: Vec<Backed>,
    },
    /// A person settled a step.
    PlanStepSettled {
        /// Its number, from 1.
        step: u32,
        to: Settlement,
    },
}

impl Happened for Event {
    fn facets(&self) -> Facets<'_> {
        match self {
            Self::PlanModeSet { mode: Mode::On } => Facets::of("plan-mode", "plan mode on"),
            Self::PlanModeSet { mode: Mode::Off | Mode::Unset } => Facets::of("plan-mode", "plan mode off"),
            Self::PlanSet { steps, source } => Facets::of("plan", set(steps.len(), source)),
            Self::PlanReviewed { notes } if notes.is_empty() => Facets::of("plan-review", "withdraw the notes"),
            Self::PlanReviewed { notes } => Facets::of("plan-review", counted_notes(notes.len())),
            Self::PlanExecutionBegun => Facets::of("plan-execute", "execute the plan"),
            Self::PlanStepClaimed { step, note: Some(note) } => {
                Facets::of("plan-claim", format!("claim step {step}: {}", Line::clipped(note.as_str())))
            }
            Self::PlanStepClaimed { step, note: None } => Facets::of("plan-claim", format!("claim step {step}")),
            Self::PlanStepsBacked { steps } => Facets::of("plan-back", Line::clipped(&backed(steps)).to_string()),
            Self::PlanStepSettled { step, to } => Facets::of("plan-settle", settled(*step, *to)),
        }
    }

    fn told(&self, scene: Scene<'_>) -> Told<'_> {
        let plan = &scene.after.own.plan;
        Told::Line(match self {
            Self::PlanModeSet { mode: Mode::On } if scene.after.phase.asks_nothing() => {
                "plan mode is on: git refuses commits, branches and tags until you execute a plan or turn it off"
                    .to_owned()
            }
            Self::PlanModeSet { mode: Mode::On } => {
                "plan mode is on beside the interview, which keeps the repository read-only by itself".to_owned()
            }
            Self::PlanModeSet { mode: Mode::Off } => "plan mode is off: git grill refuses nothing here".to_owned(),
            Self::PlanModeSet { mode: Mode::Unset } => "plan mode is off; the rules of this phase apply".to_owned(),
            Self::PlanSet { steps, source } => {
                let had_marks = scene.before.is_some_and(|before| before.own.plan.steps.iter().any(Step::is_finished));
                let gone = if had_marks { "; the marks of the plan before it are gone from this one" } else { "" };
                format!("{}{gone}; git grill todos shows them", set(steps.len(), source))
            }
            Self::PlanReviewed { notes } if notes.is_empty() => {
                "the notes are withdrawn; git grill plan execute approves the plan as it is".to_owned()
            }
            Self::PlanReviewed { notes } => format!(
                "{}: your agent has to answer with a new plan before anything is executed",
                counted_notes(notes.len())
            ),
            Self::PlanExecutionBegun => format!(
                "executing the plan: nothing is refused any more, and git grill todos shows how far it is; {}",
                Tally::of(plan).in_words()
            ),
            Self::PlanStepClaimed { step, .. } => {
                let text = plan.step(*step).map_or("", |step| step.text.as_str());
                let text = Line::clipped(text);
                let claimed = format!("step {step} is claimed: {}", harmless(text.as_str()));
                with_completion(claimed, *step, scene)
            }
            Self::PlanStepsBacked { steps } => {
                let was_complete = scene.before.is_some_and(|session| session.own.plan.is_complete());
                if plan.is_complete() && !was_complete {
                    format!("{}; {}", backed(steps), completion(plan))
                } else {
                    backed(steps)
                }
            }
            Self::PlanStepSettled { step, to } => with_completion(settled(*step, *to), *step, scene),
        })
    }
}

/// The line of an event with the news that all steps are finished, if the event of this step is the one that tells it.
fn with_completion(line: String, step: u32, scene: Scene<'_>) -> String {
    let plan = &scene.after.own.plan;
    let finished_before = |number: u32| {
        let before = scene.before.and_then(|session| session.own.plan.step(number));
        before.is_some_and(Step::is_finished)
    };
    // Several may have finished at once; the last of them tells it.
    let last = plan.numbered().map(|(number, _)| number).filter(|number| !finished_before(*number)).last();
    let was_complete = scene.before.is_some_and(|session| session.own.plan.is_complete());
    if plan.is_complete() && !was_complete && last.is_none_or(|last| last == step) {
        format!("{line}; {}", completion(plan))
    } else {
        line
    }
}

/// The news that a plan is carried out.
fn completion(plan: &State) -> String {
    format!("{}; git grill todos shows them", Tally::of(plan).completion())
}

fn set(steps: usize, source: &PlanSource) -> String {
    let taken = source.taken_from().map(|place| format!(", from {place}")).unwrap_or_default();
    format!("plan: {}{taken}", counted(steps))
}

fn backed(steps: &[Backed]) -> String {
    let why = |Backed { step, backing }: &Backed| match (backing.checks.as_slice(), backing.files.keys().next()) {
        ([], None) => format!("step {step} is done"),
        ([], Some(path)) => format!("step {step} is done: {} changed", harmless(path)),
        ([check], _) => format!("step {step} is done: {} passed", harmless(check.as_str())),
        ([_, _, ..], _) => format!("step {step} is done: its {} checks passed", backing.checks.len()),
    };
    steps.iter().map(why).collect::<Vec<_>>().join("; ")
}

fn settled(step: u32, to: Settlement) -> String {
    match to {
        Settlement::Done => format!("step {step} is done"),
        Settlement::Skipped => format!("step {step} is skipped"),
        Settlement::Pending => format!("step {step} is open again"),
    }
}
