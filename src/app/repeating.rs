//! Repeating: an answer that still holds is given once more, word for word, when what it stands on has changed.

use crate::domain::command::{Command, Reply};
use crate::domain::interview::{self, AnswerKind, Asked, QuestionStatus};
use crate::domain::session::Session;
use crate::domain::text::Prose;

use super::desk::Desk;
use super::dispatcher::Envelope;
use super::error::AppError;
use super::reply::Outcome;

/// The command that gives an answer once more, with what the user adds to it or had added before.
pub(super) fn repeating(
    desk: &Desk<'_>,
    session: &Session,
    asked: &Asked,
    added: Option<Prose>,
) -> Result<Command, AppError> {
    Ok(interview::Command::Answer {
        question: asked.question.id.clone(),
        id: desk.dispatcher.answer_id(),
        reply: repeated(session, asked)?,
        note: added.or_else(|| asked.holding().last().and_then(|answer| answer.note.clone())),
    }
    .into())
}

/// The reply that repeats the answer which holds. A question without one, or with two that hold at once, has none to repeat,
/// and one whose answer nothing has overtaken needs none.
fn repeated(session: &Session, asked: &Asked) -> Result<Reply, AppError> {
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

/// Records that the answer to a question is still right, as whoever is at the desk says.
pub fn still_right(desk: &mut Desk<'_>, session: &Session, asked: &Asked) -> Result<Outcome, AppError> {
    let commands = [
        Command::from(interview::Command::Back { to: asked.question.id.clone() }),
        repeating(desk, session, asked, None)?,
    ];
    let by_the_desk = commands.map(|command| Envelope { actor: desk.actor.clone(), command });
    let kept = desk.handle_each(&session.id, &by_the_desk)?;
    match desk.advance(&session.id) {
        Ok(further) => Ok(kept.then(further)),
        // It is recorded all the same; `git grill next` tries again.
        Err(error) => {
            desk.voice.warn(&error);
            Ok(kept)
        }
    }
}
