//! `git grill plan` and `git grill todos`: their arguments and their service.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use clap::{Args, Subcommand};

use crate::app::context::Context;
use crate::app::error::AppError;
use crate::app::plan::{self, Review, Shows};
use crate::app::reply::Reply;
use crate::domain::ids::SessionId;
use crate::domain::plan::{MOST_STEPS, Refusal, Settlement, parse};
use crate::domain::text::Topic;

use super::begin::named;
use super::lower::usage;
use crate::text::shell::word;

/// `git grill plan`
#[derive(Args, Debug)]
pub struct Plan {
    /// What to do; left out, plan mode is turned on or off
    #[command(subcommand)]
    action: Option<PlanAction>,
}

impl Plan {
    /// Whether it writes notes on the steps, which the agent answers.
    pub(super) fn writes_notes(&self) -> bool {
        matches!(self.action, Some(PlanAction::Review { drop: false, .. }))
    }
}

/// What to do with plan mode and its plan.
#[derive(Debug, Subcommand)]
enum PlanAction {
    /// Turn plan mode on: git refuses changes until you execute a plan or turn it off. Without a session one begins that
    /// asks nothing
    On {
        /// What the new session is about
        topic: Vec<String>,
    },
    /// Turn plan mode off; the plan stays. Only you can
    Off,
    /// Set the plan: a numbered list, with or without a line "Plan:" above it. Without a text your editor opens
    Set {
        /// The text; `-` reads it from standard input
        text: Vec<String>,
        /// Read the text from this file
        #[arg(short = 'F', long, conflicts_with = "text")]
        file: Option<String>,
    },
    /// Take over a session's implementation plan, or its plan. Where no session is active, this begins one that asks
    /// nothing
    Take {
        /// The session's id, or the beginning of one; when left out, the active one if it makes outputs, else the one that
        /// ended last
        session: Option<String>,
    },
    /// Write notes on steps before you approve the plan: your agent answers them first. Only you can
    Review {
        /// A note on a step, as "2: say how"; without one, your editor opens with room below each step
        #[arg(long)]
        note: Vec<String>,
        /// Withdraw the notes
        #[arg(long, conflicts_with = "note")]
        drop: bool,
    },
    /// Show the plan and how far it is
    Show {
        /// The session's id, or the beginning of one; the active one when left out
        session: Option<String>,
    },
    /// Approve the plan and let changes through; an agent claims steps, you decide. Only you can
    Execute {
        /// Start this agent on the plan, in a copy of the repository; git grill agent accept writes its changes here
        #[arg(long, value_name = "NAME")]
        agent: Option<String>,
    },
}

/// `git grill todos`
#[derive(Args, Debug, Default)]
pub struct Todos {
    /// List changed files that no step names, and steps without a change
    #[arg(long)]
    outside: bool,
    /// What to do; left out, the steps are shown
    #[command(subcommand)]
    action: Option<TodosAction>,
}

/// What you say of a step.
#[derive(Debug, Subcommand)]
enum TodosAction {
    /// Say that steps are done
    Done(Steps),
    /// Leave steps out
    Skip(Steps),
    /// Open steps again
    Reopen(Steps),
    /// Run the checks that steps name; a step whose checks pass is done
    Check(Checked),
}

/// Steps by their numbers, or all that have a check.
#[derive(Args, Debug)]
struct Checked {
    /// Their numbers; when left out, all steps that have a check and that you did not settle
    #[arg(value_name = "N", value_delimiter = ',', value_parser = range)]
    steps: Vec<RangeInclusive<u32>>,
}

/// Steps by their numbers.
#[derive(Args, Debug)]
struct Steps {
    /// Their numbers, as 3 or 1-3,5
    #[arg(required = true, value_name = "N", value_delimiter = ',', value_parser = range)]
    steps: Vec<RangeInclusive<u32>>,
}

/// The numbers in the order of the plan, each once, however they were typed.
fn numbers(steps: Vec<RangeInclusive<u32>>) -> Vec<u32> {
    let numbers: BTreeSet<u32> = steps.into_iter().flatten().collect();
    numbers.into_iter().collect()
}

/// Reads `3` or `1-3`; a range has at least one number, and no more than a plan has steps.
fn range(typed: &str) -> Result<RangeInclusive<u32>, String> {
    let number =
        |typed: &str| typed.parse::<u32>().map_err(|_| "use a step's number, or a range such as 1-3".to_owned());
    let Some((first, last)) = typed.split_once('-') else {
        return number(typed).map(|step| step..=step);
    };
    let (first, last) = (number(first)?, number(last)?);
    let more = last.checked_sub(first).ok_or_else(|| format!("a range goes up: {last}-{first}"))?;
    if usize::try_from(more).is_ok_and(|more| more < MOST_STEPS) {
        Ok(first..=last)
    } else {
        Err(format!("a plan has at most {MOST_STEPS} steps"))
    }
}

pub(super) fn plan(context: &mut Context<'_>, args: Plan) -> Result<Reply, AppError> {
    match args.action {
        None => plan::set_mode(context, None, None),
        Some(PlanAction::On { topic }) => {
            let words = topic.join(" ");
            let topic = (!words.trim().is_empty()).then(|| Topic::parse(&words)).transpose()?;
            plan::set_mode(context, Some(true), topic)
        }
        Some(PlanAction::Off) => plan::set_mode(context, Some(false), None),
        Some(PlanAction::Set { file: Some(file), .. }) => {
            let text = if file == "-" { (context.input)()? } else { context.elsewhere.read(&file)? };
            plan::set(context, Some(&text))
        }
        Some(PlanAction::Set { text, file: None }) => match text.join(" ") {
            words if words.trim().is_empty() => plan::set(context, None),
            words if words == "-" => {
                let text = (context.input)()?;
                plan::set(context, Some(&text))
            }
            words if names_a_file(context, &words) => Err(usage(
                format!("no plan was set: '{words}' is the name of a file, not a plan"),
                format!("git grill plan set --file {}", word(&words)),
            )),
            words => plan::set(context, Some(&words)),
        },
        Some(PlanAction::Take { session }) => {
            let id = meant(context, session.as_deref())?;
            plan::take(context, id.as_ref())
        }
        Some(PlanAction::Review { drop: true, .. }) => plan::review(context, Review::Drop),
        Some(PlanAction::Review { note, drop: false }) if note.is_empty() => plan::review(context, Review::Editor),
        Some(PlanAction::Review { note, drop: false }) => {
            let notes = note.iter().map(|note| on_a_step(note)).collect::<Result<_, _>>()?;
            plan::review(context, Review::Notes(notes))
        }
        Some(PlanAction::Show { session }) => {
            let id = meant(context, session.as_deref())?;
            plan::show(context, id.as_ref(), Shows::Whole)
        }
        Some(PlanAction::Execute { agent: None }) => plan::execute(context),
        Some(PlanAction::Execute { agent: Some(agent) }) => plan::execute_by(context, agent),
    }
}

/// Whether a text that is no plan names a file that can be read.
fn names_a_file(context: &Context<'_>, text: &str) -> bool {
    matches!(parse::set_from(text), Err(Refusal::NoPlanInText)) && context.elsewhere.read(text).is_ok()
}

/// A note with the number of its step.
fn on_a_step(note: &str) -> Result<(u32, String), AppError> {
    let parts = note.split_once(':').and_then(|(step, text)| Some((step.trim().parse::<u32>().ok()?, text.trim())));
    match parts {
        Some((step, text)) if !text.is_empty() => Ok((step, text.to_owned())),
        Some(_) | None => Err(usage(
            format!("no note was recorded: '{note}' is not a step's number, a colon and a text"),
            "git grill plan review --note \"2: <what you have to say>\"",
        )),
    }
}

/// The session of this id, if one is named.
fn meant(context: &Context<'_>, wanted: Option<&str>) -> Result<Option<SessionId>, AppError> {
    wanted.filter(|wanted| !wanted.is_empty()).map(|wanted| named(context, wanted)).transpose()
}

pub(super) fn todos(context: &mut Context<'_>, args: Todos) -> Result<Reply, AppError> {
    const HINT: &str = "git grill todos --outside";
    if args.outside {
        return match args.action {
            None => plan::outside(context),
            Some(TodosAction::Done(_) | TodosAction::Skip(_) | TodosAction::Reopen(_) | TodosAction::Check(_)) => {
                Err(usage("nothing was done: --outside only lists, and neither settles nor checks steps", HINT))
            }
        };
    }
    match args.action {
        None => plan::show(context, None, Shows::Gist),
        Some(TodosAction::Check(steps)) => plan::check(context, &numbers(steps.steps)),
        Some(TodosAction::Done(steps)) => plan::settle(context, &numbers(steps.steps), Settlement::Done),
        Some(TodosAction::Skip(steps)) => plan::settle(context, &numbers(steps.steps), Settlement::Skipped),
        Some(TodosAction::Reopen(steps)) => plan::settle(context, &numbers(steps.steps), Settlement::Pending),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn p24_a_range_has_its_numbers_and_never_none() {
        for (typed, expected) in [("3", 3..=3), ("1-3", 1..=3), ("2-2", 2..=2), ("1-100", 1..=100)] {
            assert_eq!(range(typed), Ok(expected), "{typed}");
        }
        for typed in ["", "-", "1-", "-3", "3-1", "1-x", "x", "1-2-3", "1--3", " 1-3", "1-101", "0-4294967295"] {
            assert!(range(typed).is_err(), "{typed:?}");
        }
    }

    #[test]
    fn p24_steps_are_named_in_the_order_of_the_plan_however_they_were_typed() {
        for typed in ["6,3-5", "3-6", "5,6,3,4,3-4", "4-5,3,6,6"] {
            let ranges = typed.split(',').map(|part| range(part).unwrap()).collect();
            assert_eq!(numbers(ranges), [3, 4, 5, 6], "{typed}");
        }
    }
}
