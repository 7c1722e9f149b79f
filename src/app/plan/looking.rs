//! Reads the working tree while a plan is executed: the evidence for claims, and changes that no step names (P24, P25).

use crate::app::context::Context;
use crate::app::dispatcher::Envelope;
use crate::app::error::AppError;
use crate::app::ports::BaselineError;
use crate::app::reply::{Outcome, Reply};
use crate::domain::actor::Actor;
use crate::domain::command::Command;
use crate::domain::drift::{Change, Spot};
use crate::domain::harmless::harmless;
use crate::domain::plan::derived::{self, Backed, Observed};
use crate::domain::plan::named::is_path;
use crate::domain::plan::progress::{self, WidgetLine};
use crate::domain::plan::{self, State};
use crate::domain::session::Session;

/// Reads the files that the steps name, while the plan is executed; else those alone that their evidence depends on,
/// since nothing has changed yet for a plan that is not executed. If that fails, only the recorded status is known, and
/// a warning says so.
pub fn look(context: &mut Context<'_>, session: &mut Session) {
    let plan = &session.own.plan;
    let executing = plan.is_executing();
    let paths = if executing { derived::paths(plan) } else { derived::bound(plan) };
    if paths.is_empty() {
        return;
    }
    match context.baseline.named(&session.id, &paths) {
        Ok(mut files) => {
            if !executing {
                for seen in files.values_mut() {
                    seen.begun = None;
                }
            }
            session.own.plan.seen = Observed { files, outside: None };
        }
        Err(error) => context.voice.warn(&AppError::from(error)),
    }
}

/// What came of a command is told by the files as they are now, and so are the marks that a new plan dropped.
pub fn look_after(context: &mut Context<'_>, outcome: &mut Outcome) {
    look(context, &mut outcome.after);
    let drops = !outcome.dropped_marks().is_empty();
    if let Some(before) = outcome.before.as_mut().filter(|_| drops) {
        look(context, before);
    }
}

/// What came of a command is told by the files that were read for this session.
pub(super) fn seen(outcome: &mut Outcome, session: &Session) {
    for told in outcome.before.iter_mut().chain([&mut outcome.after]) {
        told.own.plan.seen.clone_from(&session.own.plan.seen);
    }
}

/// The same, and records new evidence for claims. Inside `git grill run` nothing is recorded; a later look outside does
/// that.
pub(super) fn look_and_record(context: &mut Context<'_>, mut session: Session) -> Session {
    look(context, &mut session);
    let backed = derived::backed(&session.own.plan);
    if backed.is_empty() || context.dispatcher.outside.is_some() {
        return session;
    }
    match record(context, &session, backed) {
        Ok(outcome) => outcome.after,
        Err(error) => {
            context.voice.warn(&error);
            session
        }
    }
}

/// Records the evidence for these steps as found by git grill. The session keeps the files that were read.
pub(super) fn record(context: &mut Context<'_>, session: &Session, backed: Vec<Backed>) -> Result<Outcome, AppError> {
    let plan = session.own.plan.plan().ok_or(plan::Refusal::NoPlan)?;
    let command: Command = plan::Command::Back { plan, backed }.into();
    let mut outcome = context.handle_each(&session.id, &[Envelope { actor: Actor::System, command }])?;
    seen(&mut outcome, session);
    Ok(outcome)
}

/// The files that have changed since the execution began, by comparison with its baseline.
pub(super) fn changes(context: &Context<'_>, session: &Session) -> Result<Vec<(String, Change)>, BaselineError> {
    let found = context.baseline.verify(session)?;
    let file = |spot: Spot| match spot {
        Spot::File(name) => Some(name),
        Spot::Head
        | Spot::Ref(_)
        | Spot::Stash
        | Spot::Operation(_)
        | Spot::Index(_)
        | Spot::Nested(_)
        | Spot::Setting(_) => None,
    };
    Ok(found.drift.into_iter().filter_map(|one| Some((file(one.spot)?, one.change))).collect())
}

/// The files that a check depends on if its step names none.
pub(super) fn changed_paths(context: &Context<'_>, session: &Session) -> Result<Vec<String>, BaselineError> {
    Ok(changes(context, session)?.into_iter().map(|(path, _)| path).filter(|path| is_path(path)).collect())
}

/// Lists changed files that no step names, steps without a change, and stale ones (P25).
pub fn outside(context: &mut Context<'_>) -> Result<Reply, AppError> {
    let mut session = context.session()?;
    let plan = &session.own.plan;
    if plan.steps.is_empty() {
        return Err(plan::Refusal::NoPlan.into());
    }
    if !plan.is_executing() {
        return Err(plan::Refusal::Idle { what: "nothing was compared" }.into());
    }
    look(context, &mut session);
    let changes = changes(context, &session)?;
    let names: Vec<String> = changes.iter().map(|(name, _)| name.clone()).collect();
    let outside = derived::outside(&session.own.plan, &names);
    let plan = &session.own.plan;
    let (unchanged, stale) = (listed(plan, &outside.unchanged), listed(plan, &outside.stale));
    let lines = lines(plan, &unchanged, &stale, &outside, &changes);
    let signs = progress::signs(&[unchanged, stale].concat());
    session.own.plan.seen.outside = Some(outside);
    Ok(Reply::Shown { session: Box::new(session), lines, signs })
}

/// The steps of these numbers, as they are listed.
fn listed(plan: &State, numbers: &[u32]) -> Vec<WidgetLine> {
    progress::list(plan).into_iter().filter(|line| numbers.contains(&line.number)).collect()
}

fn lines(
    plan: &State,
    unchanged: &[WidgetLine],
    stale: &[WidgetLine],
    outside: &derived::Mismatch,
    changes: &[(String, Change)],
) -> Vec<String> {
    let mut lines = Vec::new();
    if outside.changed.is_empty() {
        lines.push("every changed file is named by a step".to_owned());
    } else {
        lines.push("changed, and named by no step:".to_owned());
        let of = changes.iter().filter(|(name, _)| outside.changed.contains(name));
        let line = |(name, change): &(String, Change)| {
            let word = change.to_string();
            format!("  {word:<10}  {}", harmless(name))
        };
        lines.extend(of.map(line));
    }
    let steps = plan.steps.len();
    if !unchanged.is_empty() {
        lines.push("steps without a change:".to_owned());
        lines.extend(unchanged.iter().map(|line| format!("  {}", line.line(steps))));
    } else if stale.is_empty() {
        lines.push("every step has a change".to_owned());
    }
    if !stale.is_empty() {
        lines.push("steps whose evidence is stale:".to_owned());
        let reason = |line: &WidgetLine| plan.step(line.number).and_then(|step| plan.derived(step).because());
        let line = |line: &WidgetLine| match reason(line) {
            Some(reason) => format!("  {} ({reason})", line.line(steps)),
            None => format!("  {}", line.line(steps)),
        };
        lines.extend(stale.iter().map(line));
    }
    lines
}
