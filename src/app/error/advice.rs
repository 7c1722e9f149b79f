//! Advice to an agent after a failed call: first what to do, in one line with a tool to call, then why.
//!
//! The rule: the line has at most [`LONGEST`] characters and names a tool. Clients cut what is long, and models act on
//! what comes first. Every surface that speaks to agents builds its refusals here.

use super::{AppError, CHECKPOINT_MOVED};
use crate::app::ports::{NotRecorded, WriteError};
use crate::domain::refusal::Refusal;
use crate::domain::tool::{Tool, rows};

/// The longest line that says what to do, in characters.
pub const LONGEST: usize = 200;

/// Stands for the tool that was called, where whoever writes the advice does not know it.
const CALLED: &str = "{tool}";

/// Advice after a refusal, for an agent inside of a run: the process outside knows what was refused, and not by which tool
/// it was wished. None for another error.
pub fn from_outside(error: &AppError) -> Option<Box<str>> {
    let AppError::Refused(refusal) = error else { return None };
    Some(of_refusal(refusal, CALLED).into())
}

/// Advice after an error of this tool.
pub fn what_to_do(error: &AppError, tool: &str) -> String {
    let known = Tool::named(tool);
    let tool = known.map_or(Tool::Status.name(), Tool::name);
    let wanted = match error {
        AppError::Usage { .. } if known.is_none() => {
            "Call a tool that exists, such as grill_status; nothing was recorded.".to_owned()
        }
        AppError::Refused(refusal) => of_refusal(refusal, tool),
        AppError::Usage { message, .. } => {
            let with_the_reason = format!("Call {tool} again, as in the example below; nothing was recorded: {message}");
            let short = format!("Call {tool} again, as in the example below; nothing was recorded. The error says why.");
            if fits(&with_the_reason) { with_the_reason } else { short }
        }
        AppError::CheckpointMoved { version, .. } => format!(
            "Call grill_update_checkpoint again with basedOn \"{version}\" and the whole text; keep the changes of \
             others in it, which are shown below."
        ),
        AppError::NeedsPerson { hint, .. } if known == Some(Tool::Agent) => {
            format!("Call grill_agent again once the user agreed: {hint}")
        }
        // The user was asked before the provider of an agent would have been used, and said no.
        AppError::Cancelled(_) if known == Some(Tool::Agent) => {
            "Tell the user that nothing was sent, and do not call grill_agent for it again unless they ask.".to_owned()
        }
        AppError::NoSession => "Call grill_start to begin one, once the user has agreed to its topic.".to_owned(),
        AppError::Contended(_) => format!("Call {tool} again."),
        AppError::ReplyKept { .. } => {
            "Call grill_status and continue from there; tell the user that this reply came too late and was kept."
                .to_owned()
        }
        AppError::ReplyLost { .. } => {
            "Ask the user for their reply once more, and record it with grill_record_answer.".to_owned()
        }
        AppError::Outside(told) if told.code == CHECKPOINT_MOVED => {
            "Call grill_status, which shows the current checkpoint, and base the update on it.".to_owned()
        }
        AppError::Outside(NotRecorded { advice: Some(advice), .. }) => advice.replace(CALLED, tool),
        AppError::Write(WriteError::Leads { .. }) => {
            "Call grill_enter_output_phase with another file in outputs[].paths; this one is a symlink to one that only \
             the user, at a terminal, can name."
                .to_owned()
        }
        AppError::EditKept { .. }
        | AppError::Store(_)
        | AppError::Write(_)
        | AppError::Outside(_)
        | AppError::Baseline(_)
        | AppError::NeedsPerson { .. }
        | AppError::Cancelled(_)
        | AppError::PutOff
        | AppError::Stopped(_)
        | AppError::Interrupted
        | AppError::InterruptedWith(_)
        | AppError::Declined { .. }
        | AppError::Environment { .. }
        | AppError::ReaderGone => match error.hint() {
            Some(hint) => format!("Show the user what follows ({hint}); then call {tool} again."),
            None => format!("Show the user what follows; then call {tool} again."),
        },
    };
    if fits(&wanted) { wanted } else { format!("Show the user what follows; once it is fixed, call {tool} again.") }
}

/// A valid call of the tool, where the arguments of a call were not taken.
pub fn example(error: &AppError, tool: &str) -> Option<String> {
    let AppError::Usage { .. } = error else { return None };
    Tool::named(tool).map(|tool| format!("{} {}", tool.name(), tool.row().example))
}

fn fits(line: &str) -> bool {
    line.chars().count() <= LONGEST && !line.contains('\n')
}

pub fn of_refusal(refusal: &Refusal, tool: &str) -> String {
    let line = match refusal {
        Refusal::SessionClosed { .. } => "Call grill_start to begin a new one, once the user has agreed to its topic.",
        Refusal::WrongPhase { phase, way_out, .. } => return wrong_phase(phase, way_out),
        Refusal::NotYours { .. } => "Call grill_status to see what is possible now.",
        Refusal::SelectionRequired => "Call grill_enter_output_selection_phase; the user chooses there.",
        Refusal::AnotherActive { .. } => {
            "Call grill_status and go on with that session, or ask the user to end it with git grill stop \
             --without-output at a terminal."
        }
        Refusal::ApprovalRequired { command, .. } => {
            return format!("Ask the user to run {command} at a terminal; then call grill_status.");
        }
        Refusal::NothingProduced => {
            "Call grill_enter_output_selection_phase, or end it there with stop-without-output."
        }
        Refusal::Of(refusal) => return refusal.advice(tool),
    };
    line.to_owned()
}

/// A way out that names a tool was written for agents; any other was written for people.
fn wrong_phase(phase: &str, way_out: &str) -> String {
    if !way_out.contains("git grill") && rows().any(|row| way_out.contains(row.name)) {
        return format!("Call {way_out}.");
    }
    let line = match phase {
        "interview" => {
            "Call grill_enter_output_selection_phase to open the output selection, or resume_structured to end a discussion."
        }
        "output-selection" => {
            "Let the user decide there; grill_finish_output_selection_phase with continue-grilling goes on with the \
             interview."
        }
        "output" => "Call grill_finish_output_phase to return to the interview.",
        _ => "Call grill_status to see what is possible now.",
    };
    line.to_owned()
}

#[cfg(test)]
mod tests;
