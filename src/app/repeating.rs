//! Repeating: an answer that still holds is given once more, word for word, when what it stands on has changed.

use crate::domain::command::{Command, Reply};
use crate::domain::interview::{self, AnswerKind, QuestionStatus, TranscriptEntry};
use crate::domain::session::Session;
use crate::domain::text::Prose;

use super::context::Context;
use super::dispatcher::Envelope;
use super::error::AppError;
use super::reply::Outcome;

/// The command that gives an answer once more, with what the user adds to it or had added before.
pub(super) fn repeating(
    context: &Context<'_>,
    session: &Session,
    asked: &TranscriptEntry,
    added: Option<Prose>,
) -> Result<Command, AppError> {
    Ok(interview::Command::Answer {
        question: asked.question.id.clone(),
        id: context.dispatcher.answer_id(),
        reply: repeated(session, asked)?,
        note: added.or_else(|| asked.holding().last().and_then(|answer| answer.note.clone())),
    }
    .into())
}

/// The reply that repeats the answer which holds. A question without one, or with two that hold at once, has none to repeat,
/// and one whose answer nothing has overtaken needs none.
fn repeated(session: &Session, asked: &TranscriptEntry) -> Result<Reply, AppError> {
    let mut holding = asked.holding();
    let number = asked.number;
    let refused = |why| AppError::from(interview::Refusal::NothingToRepeat { number, why });
    let (Some(answer), None) = (holding.next(), holding.next()) else {
        return Err(refused(if asked.contested() { "two answers hold at once" } else { "it has no answer" }));
    };
    // A place that it stands on may have changed as well.
    let in_doubt = session.doubted().iter().any(|(doubted, _)| doubted.question.id == asked.question.id);
    if asked.standing == QuestionStatus::Answered && !in_doubt {
        return Err(refused("its answer holds, since nothing that it stands on has changed"));
    }
    Ok(match (answer.kind, answer.chosen.as_slice()) {
        (AnswerKind::Unknown, _) => Reply::Unknown,
        (AnswerKind::Alternative | AnswerKind::Own | AnswerKind::Reported | AnswerKind::Summarised, []) => {
            Reply::Text(answer.text.clone())
        }
        (AnswerKind::Alternative | AnswerKind::Own | AnswerKind::Reported | AnswerKind::Summarised, chosen) => {
            Reply::Chosen(chosen.to_vec())
        }
    })
}

/// Records that the answer to a question is still right, as the context's actor says.
pub fn still_right(context: &mut Context<'_>, session: &Session, asked: &TranscriptEntry) -> Result<Outcome, AppError> {
    let commands = [
        Command::from(interview::Command::Back { to: asked.question.id.clone() }),
        repeating(context, session, asked, None)?,
    ];
    let envelopes = commands.map(|command| Envelope { actor: context.actor.clone(), command });
    let kept = context.handle_each(&session.id, &envelopes)?;
    match context.advance(&session.id) {
        Ok(further) => Ok(kept.then(further)),
        // It is recorded all the same; `git grill next` tries again.
        Err(error) => {
            context.voice.warn(&error);
            Ok(kept)
        }
    }
}
