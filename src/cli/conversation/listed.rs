//! The open question as a list: what a question tool asked is put with its own picker or checklist, wherever it is put.

use crate::app::context::Context;
use crate::app::error::AppError;
use crate::app::prompt::Slash;
use crate::app::putting::{Around, PersonReply, keeper, put};
use crate::app::watched::watched;
use crate::domain::interview::TranscriptEntry;
use crate::domain::session::Session;

use super::super::interview;
use super::{Next, Talk, recover, typed, unsent};

/// Puts it, and records what was said. A line that begins with `/` is a verb, as it is everywhere in the conversation
/// (G11).
pub(super) fn ask(
    context: &mut Context<'_>,
    session: &Session,
    asked: &TranscriptEntry,
    talk: &mut Talk,
) -> Result<Next, AppError> {
    let question = &asked.question;
    let around = Around {
        heading: format!("question {} · {}", asked.number, question.dimension),
        draft: unsent::recall(context, session, Some(&question.id), talk)?,
        status: talk.status(context, session),
        topic: session.topic.to_string(),
        slash: Slash::Verb,
    };
    let kept = around.draft.clone();
    let mut keep = keeper(context, &session.id, &question.id);
    let said = match watched(context, session, |context| put(context.prompter, question, around, &mut keep)).answered()
    {
        Ok(said) => said,
        Err(unanswered) => return unsent::leave(context, session, Some(&question.id), unanswered),
    };
    if let PersonReply::Wrote(text) = &said
        && typed::is_verb(text)
    {
        // What had been kept for the question is not what the verb was typed over.
        if kept.trim().is_empty() || typed::is_verb(&kept) {
            unsent::forget(context, session, Some(&question.id))?;
        } else {
            unsent::hold(context, session, Some(&question.id), &kept);
        }
        return typed::verb(context, talk, text);
    }
    if let PersonReply::Wrote(text) = &said
        && let Some(slip) = typed::behind_a_number(text, question.alternatives.as_slice().len())
    {
        return typed::mistyped(context, talk, text, &slip);
    }
    let words = said.kept(question).unwrap_or_default();
    let held = if words.is_empty() { None } else { unsent::hold(context, session, Some(&question.id), &words) };
    let command = said.command(&question.id, context.dispatcher.answer_id());
    let answered = command.map_err(AppError::from).and_then(|command| context.handle_and_advance(&session.id, command));
    match answered {
        Ok(outcome) => {
            unsent::forget(context, session, Some(&question.id))?;
            context.voice.say(&interview::happened(outcome))?;
        }
        Err(error) => {
            let error = unsent::after_an_error(words, held, error, talk);
            recover(context, &error)?;
        }
    }
    Ok(Next::On)
}
