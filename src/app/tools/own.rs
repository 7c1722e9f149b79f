//! The tools of the subsystems: each of them is a wish of the agent, which the subsystem decides on.

#[cfg(test)]
mod tests;

use crate::domain::command::Command;
use crate::domain::subsystem;
use crate::domain::told::{Scene, Told};
use crate::domain::tool::Tool;

use super::super::context::Context;
use super::super::debate;
use super::super::dispatcher::Envelope;
use super::super::error::AppError;
use super::super::plan;
use super::super::reply::Outcome;
use super::{Kind, ToolReply, caller, done};

pub(super) fn serve(context: &mut Context<'_>, tool: Tool, command: subsystem::Command) -> Result<ToolReply, AppError> {
    let session = context.session()?;
    let by = caller(context, &session);
    // What its text cites is looked up first.
    if let subsystem::Command::Debate(crate::domain::debate::Command::Hosted(submission)) = &command {
        let (outcome, next) = debate::hosted(context, &session, &by, submission.as_deref())?;
        let kind = if outcome.events.is_empty() { Kind::Unchanged } else { Kind::Recorded };
        let text = if outcome.events.is_empty() { next } else { format!("{}\n\n{next}", told(&outcome)) };
        return Ok(done(context, tool, kind, text, outcome.after));
    }
    let envelope = Envelope { actor: by, command: Command::Of(command) };
    let mut outcome = context.handle_each(&session.id, &[envelope])?;
    // The agent is told how far its plan is by what is so now.
    plan::look_after(context, &mut outcome);
    let kind = if outcome.events.is_empty() { Kind::Unchanged } else { Kind::Recorded };
    let next = outcome.after.own.instructions().unwrap_or_default();
    let text = format!("{}\n\n{next}", told(&outcome)).trim_end().to_owned();
    Ok(done(context, tool, kind, text, outcome.after))
}

/// What happened, a line each.
fn told(outcome: &Outcome) -> String {
    let scene = Scene { before: outcome.before.as_ref(), after: &outcome.after, by_prompt: false };
    let lines: Vec<String> = outcome
        .events
        .iter()
        .map(|recorded| match recorded.event.told(scene) {
            Told::Line(line) => line,
            Told::Nothing | Told::Checkpoint { .. } | Told::Drift(_) | Told::Cited(_) => {
                recorded.event.facets().subject
            }
        })
        .collect();
    if lines.is_empty() { "It is so already: nothing was recorded.".to_owned() } else { lines.join("\n") }
}
