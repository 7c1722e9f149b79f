//! What happened to a plan, as the history says it and as a person is told.

use serde::{Deserialize, Serialize};

use super::derived::Backed;
use super::dropped::{DroppedMark, counted_marks, dropped};
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
                let left = scene.before.map(|before| left_behind(&before.own.plan, plan)).unwrap_or_default();
                format!("{}; git grill todos shows them{left}", set(steps.len(), source))
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
            Self::PlanStepsBacked { steps } => match of_all(scene) {
                Some((_, news)) => format!("{}; {news}", backed(steps)),
                None => backed(steps),
            },
            Self::PlanStepSettled { step, to } => with_completion(settled(*step, *to), *step, scene),
        })
    }
}

/// The line of an event with the news of the whole plan, if the event of this step is the one that tells it.
fn with_completion(line: String, step: u32, scene: Scene<'_>) -> String {
    match of_all(scene) {
        Some((last, news)) if last.is_none_or(|last| last == step) => format!("{line}; {news}"),
        Some(_) | None => line,
    }
}

/// The news that all steps are marked now, or that the plan is complete now, and was not before; and the last of the
/// steps that made it so, since several may have done so at once.
fn of_all(scene: Scene<'_>) -> Option<(Option<u32>, String)> {
    let plan = &scene.after.own.plan;
    let before = scene.before.map(|session| &session.own.plan);
    let last = |was: fn(&State, &Step) -> bool| {
        let had_been = |number: u32| before.is_some_and(|plan| plan.step(number).is_some_and(|step| was(plan, step)));
        plan.numbered().map(|(number, _)| number).filter(|number| !had_been(*number)).last()
    };
    let last = if plan.is_complete() && !before.is_some_and(State::is_complete) {
        last(|plan, step| plan.derived(step).is_finished())
    } else if plan.is_all_marked() && !before.is_some_and(State::is_all_marked) {
        last(|_, step| step.is_marked())
    } else {
        return None;
    };
    Some((last, format!("{}; git grill todos shows them", Tally::of(plan).completion())))
}

fn set(steps: usize, source: &PlanSource) -> String {
    let taken = source.taken_from().map(|place| format!(", from {place}")).unwrap_or_default();
    format!("plan: {}{taken}", counted(steps))
}

/// The news of what the plan before had and this one does not: notes, which a new plan answers, and marks, each in a line.
fn left_behind(before: &State, plan: &State) -> String {
    let (notes, marks) = (before.notes.len(), dropped(before, plan));
    let notes = (notes > 0).then(|| counted_notes(notes));
    let counted = (!marks.is_empty()).then(|| counted_marks(marks.len()));
    let had: Vec<String> = notes.into_iter().chain(counted).collect();
    if had.is_empty() {
        return String::new();
    }
    let news = format!(
        "; the plan before it had {}, which git log -p GRILL_HEAD -- :/.grill/plan.yaml shows again",
        had.join(" and ")
    );
    if marks.is_empty() {
        return news;
    }
    let marks: Vec<String> = marks.iter().map(DroppedMark::line).collect();
    format!("{news}; this one has none of these marks:\n  {}", marks.join("\n  "))
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
