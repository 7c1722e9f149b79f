//! What waits for the end of a debate (D4).

use super::refusal::Refusal as Own;
use crate::domain::command::Command;
use crate::domain::interview;
use crate::domain::refusal::Refusal;
use crate::domain::session::Session;

/// Refuses what asks, answers or chooses outputs while a debate goes on: its end is what that stands on.
pub fn waiting(session: &Session, command: &Command) -> Result<(), Refusal> {
    let Some((number, _)) = session.own.debate.open() else { return Ok(()) };
    let waits = match command.interview() {
        Some(
            interview::Command::Ask { .. }
            | interview::Command::Reopen { .. }
            | interview::Command::Answer { .. }
            | interview::Command::Defer { .. }
            | interview::Command::PushBack { .. }
            | interview::Command::Discuss
            | interview::Command::Back { .. },
        ) => true,
        Some(
            interview::Command::EndDiscussion { .. }
            | interview::Command::Tell { .. }
            | interview::Command::UpdateCheckpoint { .. }
            | interview::Command::Waive { .. }
            | interview::Command::RecordEvidence(_)
            | interview::Command::RecordCitations(_),
        ) => false,
        None => command.production().is_some(),
    };
    if waits { Err(Own::Waits { deed: command.deed(), number }.into()) } else { Ok(()) }
}
