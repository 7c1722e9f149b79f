//! `ask_question` and `ask_multi_select`: recorded before it is shown, put where a person can be asked, open for an
//! answer from elsewhere where none can.

use std::time::Duration;

use crate::domain::actor::Actor;
use crate::domain::command::Command;
use crate::domain::ids::QuestionId;
use crate::domain::interview::{self, TranscriptEntry};
use crate::domain::question::Question;
use crate::domain::session::Session;
use crate::domain::tool::{Asking, QuestionResult, Within};

use super::super::context::Context;
use super::super::dispatcher::Envelope;
use super::super::error::AppError;
use super::super::prompt::Slash;
use super::super::putting::{Around, PersonReply, keeper, put, within};
use super::late::{Unrecorded, file, hold, keep, release};
use super::recording::led_on;
use super::{ToolReply, ToolResult, active, caller, ended};

/// Asks, in the session if one is active.
pub(super) fn ask(context: &mut Context<'_>, asking: &Asking) -> Result<ToolReply, AppError> {
    match active(context)? {
        // A question of the interview needs one.
        None if asking.form.is_grill() => Err(AppError::NoSession),
        None => plainly(context, asking),
        Some(session) => recorded(context, &asking.in_session(&session.transcript)?, &session),
    }
}

/// What became of a question that was asked before under this id, and is put again where it still waits. It is never
/// asked anew: whoever waits at it waits for this one alone, and what they send answers no other. `None` where there is
/// no such question in this session, or it is not the one of this call.
pub(super) fn again(
    context: &mut Context<'_>,
    asking: &Asking,
    id: &QuestionId,
) -> Result<Option<ToolReply>, AppError> {
    let session = context.session()?;
    let asking = &asking.in_session(&session.transcript)?;
    let caller = caller(context, &session);
    let question = asking.question(context.dispatcher.question_id());
    let Some(asked) = session.transcript.get(id).filter(|asked| says_the_same(&asked.question, &question)) else {
        return Ok(None);
    };
    if let Some(told) = QuestionResult::of(&session, asked) {
        let late = late(context, &session, asked);
        // It may have been told to another call already; whoever waits here is told all the same.
        context.handle_each(&session.id, &[telling(asked, &caller)])?;
        return Ok(Some(reply(asking, &session, asked, told, late.into_iter().collect())));
    }
    match session.open_question() {
        Some(open) if open.question.id == *id => show(context, asking, &session, asked, &caller).map(Some),
        // The server that received the input keeps it.
        open => {
            let open = open.map(|open| open.question.id.clone());
            Err(AppError::from(interview::Refusal::QuestionGone { shown: id.clone(), open }))
        }
    }
}

/// Keeps a reply to a settled question like any late reply, and reports it to the caller. `None` where
/// nothing came back, or the same was said.
fn late(context: &mut Context<'_>, session: &Session, asked: &TranscriptEntry) -> Option<String> {
    if !context.prompter.at_hand() {
        return None;
    }
    let said = put(context.prompter, &asked.question, Around::default(), &mut |_| {}).answered().ok()?;
    Some(kept_late(context, session, asked, &said))
}

/// Keeps a late reply, and reports it.
fn kept_late(context: &mut Context<'_>, session: &Session, asked: &TranscriptEntry, said: &PersonReply) -> String {
    let text = whole(context, session, asked, said);
    let because = format!("question {} was settled elsewhere first", asked.number);
    // Only what was typed at a terminal of ours stands in the editor again.
    let with = if context.prompter.at_hand() { "" } else { ", with these words" };
    let again = format!("git grill back {} asks the question again{with}", asked.number);
    keep(context, &unrecorded(session, asked, &because, Some(&again), &text))
}

/// The whole reply. It replaces the text that was kept while the user typed.
fn whole(context: &mut Context<'_>, session: &Session, asked: &TranscriptEntry, said: &PersonReply) -> String {
    let text = match context.prompter.beside() {
        Some(beside) => format!("{}\n{beside}", said.in_words(&asked.question)),
        None => said.in_words(&asked.question),
    };
    // If it cannot be held, it cannot be kept either, and the user is told.
    let _ = hold(context, &session.id, &asked.question.id, said.typed(), &text);
    text
}

fn unrecorded<'a>(
    session: &'a Session,
    asked: &'a TranscriptEntry,
    because: &'a str,
    again: Option<&'a str>,
    text: &'a str,
) -> Unrecorded<'a> {
    Unrecorded { session: Some(&session.id), question: &asked.question.id, because, again, text }
}

/// The error for a reply from a terminal that could not be recorded, with the file that keeps it. For a client, the
/// server keeps the input and everything that came with it.
fn failed(
    context: &mut Context<'_>,
    session: &Session,
    asked: &TranscriptEntry,
    said: Option<&PersonReply>,
    error: AppError,
) -> AppError {
    let Some(said) = said.filter(|_| !context.prompter.at_hand()) else { return error };
    let text = whole(context, session, asked, said);
    match file(context, &unrecorded(session, asked, "", None, &text), None) {
        Ok(kept) => AppError::ReplyKept { because: Box::new(error), kept },
        Err(_) => AppError::ReplyLost { because: Box::new(error) },
    }
}

/// Whether two questions say the same, whatever they cite.
fn says_the_same(one: &Question, other: &Question) -> bool {
    let words = |question: &Question| -> Vec<_> {
        question.alternatives.as_slice().iter().map(|one| (one.value.clone(), one.label.clone())).collect()
    };
    one.form == other.form && one.text == other.text && words(one) == words(other)
}

/// Asks without a session: whoever is there is asked, and nothing is recorded.
fn plainly(context: &mut Context<'_>, asking: &Asking) -> Result<ToolReply, AppError> {
    let question = asking.question(context.dispatcher.question_id());
    let prompted =
        within(context.prompter, limit(asking), |prompter| put(prompter, &question, Around::default(), &mut |_| {}));
    let told = match prompted.answered() {
        Ok(said) => at_once(&question, &said)?,
        Err(unanswered) => ended(&unanswered, limit(asking))?,
    };
    let mut remarks = asking.remarks();
    remarks.push("no session is active in this worktree, so nothing was recorded".to_owned());
    let result = ToolResult::Question { form: asking.form, told, recorded: None };
    Ok(ToolReply { tool: asking.tool(), result, session: None, checkpoint: None, remarks, referee: vec![] })
}

/// What was said comes to what it would come to where it is recorded.
fn at_once(question: &Question, said: &PersonReply) -> Result<QuestionResult, AppError> {
    Ok(match said.reply()? {
        Some((reply, note)) => QuestionResult::at_once(question, &reply, note)?,
        None if *said == PersonReply::Talk => QuestionResult::Discuss,
        None => QuestionResult::Declined { because: None },
    })
}

fn limit(asking: &Asking) -> Option<Duration> {
    asking.within.map(Within::duration)
}

/// Asks in a session.
fn recorded(context: &mut Context<'_>, asking: &Asking, session: &Session) -> Result<ToolReply, AppError> {
    let caller = caller(context, session);
    let question = asking.question(context.dispatcher.question_id());
    if let Some(reply) = known(context, asking, session, &question, &caller)? {
        return Ok(reply);
    }
    let command: Command =
        interview::Command::Ask { question: Box::new(question.clone()), unchanged: asking.unchanged.clone() }.into();
    let outcome = context.handle_each(&session.id, &[Envelope { actor: caller.clone(), command }])?;
    let session = outcome.after;
    // Answered between the two looks, from another terminal.
    if let Some(reply) = known(context, asking, &session, &question, &caller)? {
        return Ok(reply);
    }
    match session.open_question().filter(|asked| asked.question.asks_what(&question)) {
        Some(asked) => show(context, asking, &session, asked, &caller),
        None => Err(AppError::from(interview::Refusal::NoQuestion)),
    }
}

/// What is known of a question that was asked before, where whoever asked has yet to be told.
fn known(
    context: &mut Context<'_>,
    asking: &Asking,
    session: &Session,
    question: &Question,
    caller: &Actor,
) -> Result<Option<ToolReply>, AppError> {
    let Some(asked) = session.transcript.asking(question).filter(|asked| !asked.told) else {
        return Ok(None);
    };
    let Some(told) = QuestionResult::of(session, asked) else {
        return Ok(None);
    };
    context.handle_each(&session.id, &[telling(asked, caller)])?;
    Ok(Some(reply(asking, session, asked, told, vec![])))
}

fn telling(asked: &TranscriptEntry, caller: &Actor) -> Envelope {
    Envelope { actor: caller.clone(), command: interview::Command::Tell { question: asked.question.id.clone() }.into() }
}

fn reply(
    asking: &Asking,
    session: &Session,
    asked: &TranscriptEntry,
    told: QuestionResult,
    more: Vec<String>,
) -> ToolReply {
    let mut remarks = asking.remarks();
    remarks.extend(more);
    if let QuestionResult::Declined { because: Some(_) } = &told {
        remarks.push(format!(
            "ask something else, or ask it differently; if the user answers it after all, grill_revise_answer with \
             question {} records that",
            asked.number
        ));
    }
    ToolReply {
        tool: asking.tool(),
        result: ToolResult::Question {
            form: asking.form,
            told,
            recorded: Some((asked.question.id.clone(), asked.number)),
        },
        session: Some(session.id.clone()),
        checkpoint: None,
        remarks,
        referee: vec![],
    }
}

/// Puts the open question, and records what was said.
fn show(
    context: &mut Context<'_>,
    asking: &Asking,
    session: &Session,
    asked: &TranscriptEntry,
    caller: &Actor,
) -> Result<ToolReply, AppError> {
    let id = &asked.question.id;
    let around = Around {
        heading: format!("question {} · asked by {}", asked.number, caller.in_words()),
        draft: context.dispatcher.store.kept_draft(&session.id, id)?.unwrap_or_default(),
        status: context.voice.status_line(session),
        topic: session.topic.to_string(),
        slash: Slash::Refused,
    };
    let mut keep = keeper(context, &session.id, id);
    let prompted =
        within(context.prompter, limit(asking), |prompter| put(prompter, &asked.question, around, &mut keep));
    let unanswered = match prompted.answered() {
        Ok(said) => return answered(context, asking, session, asked, caller, &said),
        Err(unanswered) => unanswered,
    };
    if let Some(draft) = unanswered.draft() {
        context.dispatcher.store.replace_draft(&session.id, id, draft)?;
    }
    let told = ended(&unanswered, limit(asking))?;
    match told {
        // Who closes it has said that they do not answer now: it is put off, and the next one can be asked.
        QuestionResult::Cancelled => {
            let defer =
                Envelope { actor: Actor::Human, command: interview::Command::Defer { question: id.clone() }.into() };
            match context.handle_each(&session.id, &[defer, telling(asked, caller)]) {
                Ok(_) => Ok(reply(asking, session, asked, told, vec![])),
                Err(error) => meanwhile(context, asking, session, asked, caller, None, error),
            }
        }
        QuestionResult::Unavailable { .. } | QuestionResult::TimedOut { .. } => {
            let open = format!(
                "the question stays open: put it to the user in plain text and record their words with \
                 grill_record_answer, or git grill answer --question {id} answers it in another terminal, and the same \
                 call again returns the answer"
            );
            Ok(reply(asking, session, asked, told, vec![open]))
        }
        QuestionResult::Selected { .. }
        | QuestionResult::Wrote { .. }
        | QuestionResult::Discuss
        | QuestionResult::Declined { .. } => Ok(reply(asking, session, asked, told, vec![])),
    }
}

/// Records what a person said at the prompt, whoever called, and that the caller knows it.
fn answered(
    context: &mut Context<'_>,
    asking: &Asking,
    session: &Session,
    asked: &TranscriptEntry,
    caller: &Actor,
    said: &PersonReply,
) -> Result<ToolReply, AppError> {
    let id = &asked.question.id;
    // Until it is recorded it is kept, as a reply in the conversation is (Q15).
    if let Some(typed) = said.typed() {
        // If it cannot be kept, it is still in memory. At a terminal the kept text was in the editor and grew into this.
        let _ = hold(context, &session.id, id, Some(typed), typed);
    }
    let command = match said.command(id, context.dispatcher.answer_id()) {
        Ok(command) => command,
        Err(error) => return Err(failed(context, session, asked, Some(said), error.into())),
    };
    let recorded =
        context.handle_each(&session.id, &[Envelope { actor: Actor::Human, command }, telling(asked, caller)]);
    match recorded {
        Ok(outcome) => {
            release(context, &session.id, id, said.typed().unwrap_or_default())?;
            let after = outcome.after;
            let told = after.transcript.get(id).and_then(|asked| QuestionResult::of(&after, asked));
            let told =
                told.unwrap_or(QuestionResult::Unavailable { why: "the answer is not in the session".to_owned() });
            led_on(context, after);
            let beside = beside(context, session, asked, said, &told)?;
            Ok(reply(asking, session, asked, told, beside.into_iter().collect()))
        }
        Err(error) => meanwhile(context, asking, session, asked, caller, Some(said), error),
    }
}

/// Words that came with a wish to talk or to skip, which are no part of what is recorded: they are kept, from a terminal as
/// the draft of the reply, and told.
fn beside(
    context: &mut Context<'_>,
    session: &Session,
    asked: &TranscriptEntry,
    said: &PersonReply,
    told: &QuestionResult,
) -> Result<Option<String>, AppError> {
    let beside = context.prompter.beside();
    let note = match told {
        QuestionResult::Discuss | QuestionResult::Declined { .. } => said.typed(),
        QuestionResult::Selected { .. }
        | QuestionResult::Wrote { .. }
        | QuestionResult::Cancelled
        | QuestionResult::Unavailable { .. }
        | QuestionResult::TimedOut { .. } => None,
    };
    let words: Vec<&str> = note.into_iter().chain(beside.as_deref()).collect();
    if words.is_empty() {
        return Ok(None);
    }
    let words = words.join("\n");
    hold(context, &session.id, &asked.question.id, None, &words)?;
    Ok(Some(format!("the user also wrote: {words}")))
}

/// The question was closed from elsewhere while the prompt stood open: what it came to there is what it came to.
fn meanwhile(
    context: &mut Context<'_>,
    asking: &Asking,
    session: &Session,
    asked: &TranscriptEntry,
    caller: &Actor,
    said: Option<&PersonReply>,
    error: AppError,
) -> Result<ToolReply, AppError> {
    use crate::domain::interview::Refusal::{InDiscussion, QuestionGone};

    if !matches!(error.interview(), Some(QuestionGone { .. } | InDiscussion { .. })) {
        return Err(failed(context, session, asked, said, error));
    }
    let now = context.dispatcher.store.load(&session.id)?.session;
    let settled =
        now.transcript.get(&asked.question.id).and_then(|asked| Some((asked, QuestionResult::of(&now, asked)?)));
    let Some((asked, told)) = settled else {
        return Err(failed(context, session, asked, said, error));
    };
    let elsewhere = match said {
        Some(said) => kept_late(context, session, asked, said),
        None => "the question was answered elsewhere while this prompt was open".to_owned(),
    };
    context.handle_each(&session.id, &[telling(asked, caller)])?;
    Ok(reply(asking, session, asked, told, vec![elsewhere]))
}
