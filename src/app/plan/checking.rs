//! Runs the checks of a plan: a step whose checks pass is done (P24).

use std::collections::BTreeMap;

use super::looking::{changed_paths, look, record};
use crate::app::context::{Context, no_working_tree};
use crate::app::error::AppError;
use crate::app::ports::BaselineError;
use crate::app::reply::Reply;
use crate::domain::harmless::harmless;
use crate::domain::plan::derived::{Backed, Backing, FileMark};
use crate::domain::plan::named::{checks, files};
use crate::domain::plan::{self, State, Step, StepStatus};
use crate::domain::posture::Posture;
use crate::domain::session::Session;
use crate::domain::text::Line;

/// The most files that a check depends on if its step names none.
const MOST_BOUND: usize = 20;
/// The most lines that are shown of a failed check's output.
const MOST_LINES: usize = 40;

/// Runs the checks of these steps; without numbers, of all steps that have checks and that no person settled. They run
/// only if a person executed the plan in this clone, and while nothing is read-only.
pub fn check(context: &mut Context<'_>, steps: &[u32]) -> Result<Reply, AppError> {
    let mut session = context.session()?;
    let wanted = wanted(&session, steps)?;
    if context.dispatcher.outside.is_some() {
        return Err(inside_a_run());
    }
    let (mut backed, mut failed) = (Vec::new(), Vec::new());
    for (step, commands) in wanted {
        match pass(context, &session, step, &commands)? {
            Some(files) => backed.push(Backed { step, backing: Backing { checks: commands, files } }),
            None => failed.push(step),
        }
    }
    look(context, &mut session);
    let outcome = record(context, &session, backed)?;
    let nothing = outcome.events.is_empty();
    if !failed.is_empty() {
        if !nothing {
            context.voice.say(&Reply::Happened(Box::new(outcome)))?;
        }
        return Err(plan::Refusal::CheckFailed { steps: failed }.into());
    }
    Ok(if nothing {
        Reply::Text("the checks passed, as they did before; nothing changed".to_owned())
    } else {
        Reply::Happened(Box::new(outcome))
    })
}

/// The steps whose checks are run, each with its commands.
fn wanted(session: &Session, steps: &[u32]) -> Result<Vec<(u32, Vec<Line>)>, plan::Refusal> {
    let plan: &State = &session.own.plan;
    if plan.steps.is_empty() {
        return Err(plan::Refusal::NoPlan);
    }
    if !plan.is_executing() || !Posture::of(&session.phase).refuses_nothing() {
        return Err(plan::Refusal::Idle { what: "no check was run" });
    }
    let commands = |step: &Step| checks(step.text.as_str());
    if steps.is_empty() {
        let open = |step: &Step| match step.status {
            StepStatus::Pending | StepStatus::Claimed { .. } => true,
            StepStatus::Done { .. } | StepStatus::Skipped { .. } => false,
        };
        let all = plan.numbered().filter(|(_, step)| open(step)).map(|(number, step)| (number, commands(step)));
        let all: Vec<_> = all.filter(|(_, commands)| !commands.is_empty()).collect();
        return if all.is_empty() { Err(plan::Refusal::NothingToCheck) } else { Ok(all) };
    }
    let mut all: Vec<(u32, Vec<Line>)> = Vec::new();
    for number in steps {
        let step = plan.step(*number).ok_or(plan::Refusal::NoSuchStep { step: *number, of: plan.steps.len() })?;
        let commands = commands(step);
        if commands.is_empty() {
            return Err(plan::Refusal::NoCheck { step: *number });
        }
        if all.iter().all(|(known, _)| known != number) {
            all.push((*number, commands));
        }
    }
    Ok(all)
}

/// Runs the checks of a step up to the first that fails. Returns the files that the evidence depends on, or `None` if a
/// check failed.
fn pass(
    context: &mut Context<'_>,
    session: &Session,
    number: u32,
    commands: &[Line],
) -> Result<Option<BTreeMap<String, FileMark>>, AppError> {
    let checks = context.checks.ok_or_else(no_working_tree)?;
    let named = session.own.plan.step(number).map(|step| files(step.text.as_str())).unwrap_or_default();
    let before = stands(context, session, &named)?;
    for command in commands {
        let shown = harmless(command.as_str()).into_owned();
        context.voice.say(&Reply::Text(format!("step {number}: {shown}")))?;
        let why = match checks.run(command.as_str()) {
            Ok(end) if end.code == 0 => continue,
            Ok(end) => format!("{}step {number}: {shown} ended with {}", tail(&end.output), end.code),
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => return Err(AppError::Interrupted),
            Err(error) => format!("step {number}: {shown} did not finish: {error}"),
        };
        context.voice.say(&Reply::Text(why))?;
        return Ok(None);
    }
    if stands(context, session, &named)? != before {
        let why = format!("step {number}: a file that it names changed while its check ran");
        context.voice.say(&Reply::Text(why))?;
        return Ok(None);
    }
    if !before.is_empty() {
        return Ok(Some(before));
    }
    let mut changed = changed_paths(context, session)?;
    if changed.len() > MOST_BOUND {
        let why = format!(
            "step {number} names no file, so its check depends on {MOST_BOUND} of the {} changed files",
            changed.len()
        );
        context.voice.say(&Reply::Text(why))?;
        changed.truncate(MOST_BOUND);
    }
    Ok(Some(stands(context, session, &changed)?))
}

/// The state of these files now, as far as they exist or existed.
fn stands(
    context: &Context<'_>,
    session: &Session,
    paths: &[String],
) -> Result<BTreeMap<String, FileMark>, BaselineError> {
    let seen = context.baseline.named(&session.id, paths)?;
    Ok(seen.into_iter().filter(|(_, seen)| seen.counts()).map(|(path, seen)| (path, seen.now)).collect())
}

/// The end of a check's output, harmless to show.
fn tail(output: &str) -> String {
    let output = harmless(output);
    let lines: Vec<&str> = output.lines().collect();
    let last = &lines[lines.len().saturating_sub(MOST_LINES)..];
    let shown = |line: &&str| format!("  {line}\n");
    last.iter().map(shown).collect()
}

fn inside_a_run() -> AppError {
    AppError::Declined {
        code: "inside_a_run",
        message: "no check was run: a command inside git grill run cannot write".to_owned(),
        causes: Vec::new(),
        hint: "git grill todos check, outside git grill run".to_owned(),
    }
}
