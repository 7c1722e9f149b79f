//! `grill_record_answer` and `grill_update_checkpoint`: what was said in plain chat, and what it changed (G24).

use crate::domain::checkpoint::CheckpointSource;
use crate::domain::command::{Command, Reply};
use crate::domain::refusal::Refusal;
use crate::domain::session::Session;
use crate::domain::settings::Interviewer;
use crate::domain::tool::{Reported, Revision, Tool};

use super::super::desk::Desk;
use super::super::dispatcher::Envelope;
use super::super::error::AppError;
use super::super::reply::Outcome;
use super::{Kind, ToolReply, caller, done};

/// Records what the user said, as the agent reports it.
pub(super) fn record(desk: &mut Desk<'_>, reported: Reported) -> Result<ToolReply, AppError> {
    let session = desk.session()?;
    let open = || session.open_question().map(|asked| asked.question.id.clone());
    let question = reported.question.or_else(open).ok_or(AppError::Refused(Refusal::NoQuestion))?;
    let number = session.transcript.get(&question).map_or(0, |asked| asked.number);
    let command = Command::Answer {
        question,
        id: desk.dispatcher.answer_id(),
        reply: Reply::Text(reported.answer),
        note: reported.note,
        read_ms: None,
    };
    let after = by_the_caller(desk, &session, command)?.after;
    let next = match after.settings.interviewer {
        Interviewer::Agent(_) => {
            "Bring the checkpoint up to date with grill_update_checkpoint before the next question."
        }
        Interviewer::BuiltIn => "The built-in interviewer leads here, and has the next question.",
    };
    let text = format!("The answer to question {number} is recorded as reported by you, in the user's words. {next}");
    let after = led_on(desk, after);
    Ok(done(desk, Tool::RecordAnswer, Kind::Recorded, text, after))
}

/// Replaces the checkpoint.
pub(super) fn update(desk: &mut Desk<'_>, revision: Revision) -> Result<ToolReply, AppError> {
    let session = desk.session()?;
    let command = Command::UpdateCheckpoint {
        checkpoint: revision.checkpoint,
        summary: revision.summary.clone(),
        source: CheckpointSource::Tool,
        answer: Some(desk.dispatcher.answer_id()),
    };
    let outcome = by_the_caller(desk, &session, command)?;
    // Looked up in what was decided on, which may be newer than what was read before.
    let open = outcome.before.as_ref().and_then(Session::open_question).map(|asked| asked.question.id.clone());
    let closed = open.and_then(|question| outcome.after.transcript.get(&question)?.answer().map(|_| question));
    if outcome.events.is_empty() {
        let text = "The checkpoint says this already; nothing changed.";
        return Ok(done(desk, Tool::UpdateCheckpoint, Kind::Unchanged, text, outcome.after));
    }
    let number = closed.and_then(|question| Some(outcome.after.transcript.get(&question)?.number));
    let after = led_on(desk, outcome.after);
    let text = format!("The checkpoint is up to date: {}", revision.summary);
    let reply = done(desk, Tool::UpdateCheckpoint, Kind::Updated, text, after);
    Ok(match number {
        None => reply,
        Some(number) => reply.remarking(format!(
            "question {number} was still open: it is closed as answered in conversation, and this change summary is \
             recorded as your report of it; grill_record_answer records the user's own words instead"
        )),
    })
}

/// Decides on a wish of whoever called.
pub(super) fn by_the_caller(desk: &mut Desk<'_>, session: &Session, command: Command) -> Result<Outcome, AppError> {
    let actor = caller(desk, session);
    desk.handle_each(&session.id, &[Envelope { actor, command }])
}

/// The session after the built-in interviewer went on, where it leads. What was recorded before is recorded even if that
/// fails.
pub(super) fn led_on(desk: &mut Desk<'_>, session: Session) -> Session {
    match desk.advance(&session.id) {
        Ok(outcome) => outcome.after,
        Err(error) => {
            desk.voice.warn(&error);
            session
        }
    }
}
