//! `grill_revise_answer`, and answers to questions that are not open any more: the session goes back to the question, takes
//! the answer, and puts the question again that was open, all of it at once.

use crate::domain::command::Command;
use crate::domain::decide::wrong_phase;
use crate::domain::interview::{self, QuestionStatus, TranscriptEntry, gist};
use crate::domain::question::Question;
use crate::domain::session::{Phase, Session};
use crate::domain::text::Line;
use crate::domain::tool::{ChatReply, Reported, Tool};

use super::super::context::Context;
use super::super::dispatcher::Envelope;
use super::super::error::AppError;
use super::recording::{answers, led_on, named, next, wish};
use super::{Kind, Newest, ToolReply, caller, done, turned};

/// Replaces an earlier answer by what the user said, as the agent reports it.
pub(super) fn revise(context: &mut Context<'_>, reported: &Reported) -> Result<ToolReply, AppError> {
    let session = context.session()?;
    let asked = match &reported.question {
        None => return Err(AppError::from(interview::Refusal::NoQuestion)),
        Some(name) => named(&session, name)?,
    };
    answer(context, &session, asked, reported, Tool::ReviseAnswer)
}

/// Whether a reply is for a question that the session has to go back to: one that was overtaken, set aside or skipped, or
/// one whose answer is called right still.
pub(super) fn is_meant(asked: &TranscriptEntry, reply: &ChatReply) -> bool {
    match asked.standing {
        QuestionStatus::Stale | QuestionStatus::SetAside | QuestionStatus::Deferred => true,
        QuestionStatus::Answered => *reply == ChatReply::StillRight,
        QuestionStatus::Open | QuestionStatus::PushedBack { .. } => false,
    }
}

/// Goes back to a question and answers it.
pub(super) fn answer(
    context: &mut Context<'_>,
    session: &Session,
    asked: &TranscriptEntry,
    reported: &Reported,
    tool: Tool,
) -> Result<ToolReply, AppError> {
    // Going back would end an output selection that only the user ends.
    if let Phase::Selection(_) | Phase::Production(_) = session.phase {
        return Err(AppError::Refused(wrong_phase(session, "answering an earlier question")));
    }
    let (command, became) = wish(context, session, asked, reported)?;
    let (id, number) = (asked.question.id.clone(), asked.number);
    let caller = caller(context, session);
    let mut commands = vec![
        Command::from(interview::Command::Back { to: id.clone() }),
        command,
        interview::Command::Tell { question: id.clone() }.into(),
    ];
    let open = session.open_question().filter(|open| open.question.id != id && open.question.is_from_a_tool());
    if let Some(open) = open {
        let unchanged = Some(Line::clipped(&format!("question {number} was answered anew; this one was open")));
        // The same question under another id is the same question.
        let question = Box::new(Question { id: context.dispatcher.question_id(), ..open.question.clone() });
        commands.push(interview::Command::Ask { question, unchanged }.into());
    }
    let envelopes: Vec<Envelope> =
        commands.into_iter().map(|command| Envelope { actor: caller.clone(), command }).collect();
    let outcome = context.handle_each(&session.id, &envelopes)?;
    let stale: Vec<String> = outcome.staled().iter().map(|stale| stale.number.to_string()).collect();
    let replaced = match asked.holding().last() {
        Some(before) if tool == Tool::ReviseAnswer && answers(&reported.reply) => format!(
            "The answer to question {number} is replaced, as reported by you. It was “{}”, which stays in the history.",
            gist(before)
        ),
        Some(_) | None => became.replace("{number}", &number.to_string()),
    };
    let text = format!("{replaced}{} {}", overtaken(&stale), next(&outcome.after, &reported.reply));
    let turned = answers(&reported.reply).then(|| turned(&outcome.after, Newest::Answer(&id))).flatten();
    let after = led_on(context, outcome.after);
    Ok(done(context, tool, Kind::Recorded, text, after).remarking(turned))
}

/// The questions that stand on an answer which changed, and how each is closed.
fn overtaken(stale: &[String]) -> String {
    match stale {
        [] => String::new(),
        [one] => format!(
            " Question {one} builds on it: ask it again. Once the user has said that its answer holds, record still-right."
        ),
        several => format!(
            " Questions {} build on it: ask them again. Where the user has said that an answer holds, record still-right.",
            several.join(", ")
        ),
    }
}
