//! `ask_question` and `ask_multi_select`: recorded before it is shown, put where a person can be asked, open for an
//! answer from elsewhere where none can.

use std::time::Duration;

use crate::domain::actor::Actor;
use crate::domain::command::Command;
use crate::domain::ids::QuestionId;
use crate::domain::interview::Asked;
use crate::domain::question::Question;
use crate::domain::refusal::Refusal;
use crate::domain::session::Session;
use crate::domain::tool::{Asking, Told, Within};

use super::super::desk::Desk;
use super::super::dispatcher::Envelope;
use super::super::error::AppError;
use super::super::putting::{Around, Said, put, within};
use super::recording::led_on;
use super::{ToolReply, ToolResult, active, caller, ended};

/// Asks, in the session if one is active.
pub(super) fn ask(desk: &mut Desk<'_>, asking: &Asking) -> Result<ToolReply, AppError> {
    match active(desk)? {
        // A question of the interview needs one.
        None if asking.form.is_grill() => Err(AppError::NoSession),
        None => plainly(desk, asking),
        Some(session) => recorded(desk, asking, &session),
    }
}

/// What became of a question that was asked before under this id, and is put again where it still waits. It is never
/// asked anew: whoever waits at it waits for this one alone, and what they send answers no other. `None` where there is
/// no such question in this session, or it is not the one of this call.
pub(super) fn again(desk: &mut Desk<'_>, asking: &Asking, id: &QuestionId) -> Result<Option<ToolReply>, AppError> {
    let session = desk.session()?;
    let caller = caller(desk, &session);
    let question = asking.question(desk.dispatcher.question_id());
    let Some(asked) = session.transcript.get(id).filter(|asked| says_the_same(&asked.question, &question)) else {
        return Ok(None);
    };
    if let Some(told) = Told::of(&session, asked) {
        // It may have been told to another call already; whoever waits here is told all the same.
        desk.handle_each(&session.id, &[telling(asked, &caller)])?;
        return Ok(Some(reply(asking, &session, asked, told, vec![])));
    }
    match session.open_question() {
        Some(open) if open.question.id == *id => show(desk, asking, &session, asked, &caller).map(Some),
        open => {
            let open = open.map(|open| open.question.id.clone());
            Err(AppError::Refused(Refusal::QuestionGone { shown: id.clone(), open }))
        }
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
fn plainly(desk: &mut Desk<'_>, asking: &Asking) -> Result<ToolReply, AppError> {
    let question = asking.question(desk.dispatcher.question_id());
    let prompted = within(desk.prompter, limit(asking), |prompter| put(prompter, &question, Around::default()));
    let told = match prompted.answered() {
        Ok(said) => at_once(&question, &said)?,
        Err(unanswered) => ended(&unanswered, limit(asking))?,
    };
    let mut remarks = asking.remarks();
    remarks.push("no session is active in this worktree, so nothing was recorded".to_owned());
    let result = ToolResult::Question { form: asking.form, told, recorded: None };
    Ok(ToolReply { tool: asking.tool(), result, session: None, remarks })
}

/// What was said comes to what it would come to where it is recorded.
fn at_once(question: &Question, said: &Said) -> Result<Told, AppError> {
    Ok(match said.reply()? {
        Some((reply, note)) => Told::at_once(question, &reply, note)?,
        None if *said == Said::Talk => Told::Discuss,
        None => Told::Declined { because: None },
    })
}

fn limit(asking: &Asking) -> Option<Duration> {
    asking.within.map(Within::duration)
}

/// Asks in a session.
fn recorded(desk: &mut Desk<'_>, asking: &Asking, session: &Session) -> Result<ToolReply, AppError> {
    let caller = caller(desk, session);
    let question = asking.question(desk.dispatcher.question_id());
    if let Some(reply) = known(desk, asking, session, &question, &caller)? {
        return Ok(reply);
    }
    let command = Command::Ask { question: Box::new(question.clone()), unchanged: asking.unchanged.clone() };
    let outcome = desk.handle_each(&session.id, &[Envelope { actor: caller.clone(), command }])?;
    let session = outcome.after;
    // Answered between the two looks, from another terminal.
    if let Some(reply) = known(desk, asking, &session, &question, &caller)? {
        return Ok(reply);
    }
    match session.open_question().filter(|asked| asked.question.asks_what(&question)) {
        Some(asked) => show(desk, asking, &session, asked, &caller),
        None => Err(AppError::Refused(Refusal::NoQuestion)),
    }
}

/// What is known of a question that was asked before, where whoever asked has yet to be told.
fn known(
    desk: &mut Desk<'_>,
    asking: &Asking,
    session: &Session,
    question: &Question,
    caller: &Actor,
) -> Result<Option<ToolReply>, AppError> {
    let Some(asked) = session.transcript.asking(question).filter(|asked| !asked.told) else {
        return Ok(None);
    };
    let Some(told) = Told::of(session, asked) else {
        return Ok(None);
    };
    desk.handle_each(&session.id, &[telling(asked, caller)])?;
    Ok(Some(reply(asking, session, asked, told, vec![])))
}

fn telling(asked: &Asked, caller: &Actor) -> Envelope {
    Envelope { actor: caller.clone(), command: Command::Tell { question: asked.question.id.clone() } }
}

fn reply(asking: &Asking, session: &Session, asked: &Asked, told: Told, more: Vec<String>) -> ToolReply {
    let mut remarks = asking.remarks();
    remarks.extend(more);
    ToolReply {
        tool: asking.tool(),
        result: ToolResult::Question {
            form: asking.form,
            told,
            recorded: Some((asked.question.id.clone(), asked.number)),
        },
        session: Some(session.id.clone()),
        remarks,
    }
}

/// Puts the open question, and records what was said.
fn show(
    desk: &mut Desk<'_>,
    asking: &Asking,
    session: &Session,
    asked: &Asked,
    caller: &Actor,
) -> Result<ToolReply, AppError> {
    let id = &asked.question.id;
    let around = Around {
        heading: format!("question {} · asked by {}", asked.number, caller.in_words()),
        draft: desk.dispatcher.store.kept_draft(&session.id, id)?.unwrap_or_default(),
        status: desk.voice.status_line(session),
    };
    let prompted = within(desk.prompter, limit(asking), |prompter| put(prompter, &asked.question, around));
    let unanswered = match prompted.answered() {
        Ok(said) => return answered(desk, asking, session, asked, caller, &said),
        Err(unanswered) => unanswered,
    };
    if let Some(draft) = unanswered.draft() {
        desk.dispatcher.store.replace_draft(&session.id, id, draft)?;
    }
    let told = ended(&unanswered, limit(asking))?;
    match told {
        // Who closes it has said that they do not answer now: it is put off, and the next one can be asked.
        Told::Cancelled => {
            let defer = Envelope { actor: Actor::Human, command: Command::Defer { question: id.clone() } };
            match desk.handle_each(&session.id, &[defer, telling(asked, caller)]) {
                Ok(_) => Ok(reply(asking, session, asked, told, vec![])),
                Err(error) => meanwhile(desk, asking, session, asked, caller, error),
            }
        }
        Told::Unavailable { .. } | Told::TimedOut { .. } => {
            let open = format!(
                "the question stays open: put it to the user in plain text and record their words with \
                 grill_record_answer, or git grill answer --question {id} answers it in another terminal, and the same \
                 call again returns the answer"
            );
            Ok(reply(asking, session, asked, told, vec![open]))
        }
        Told::Selected { .. } | Told::Wrote { .. } | Told::Discuss | Told::Declined { .. } => {
            Ok(reply(asking, session, asked, told, vec![]))
        }
    }
}

/// Records what a person said at the prompt, whoever called, and that the caller knows it.
fn answered(
    desk: &mut Desk<'_>,
    asking: &Asking,
    session: &Session,
    asked: &Asked,
    caller: &Actor,
    said: &Said,
) -> Result<ToolReply, AppError> {
    let id = &asked.question.id;
    // Until it is recorded it is kept, as a reply in the conversation is (Q15).
    if let Some(typed) = said.typed() {
        // Where it cannot be kept, it is still in memory.
        let _ = desk.dispatcher.store.replace_draft(&session.id, id, typed);
    }
    let command = said.command(id, desk.dispatcher.answer_id())?;
    let recorded = desk.handle_each(&session.id, &[Envelope { actor: Actor::Human, command }, telling(asked, caller)]);
    match recorded {
        Ok(outcome) => {
            desk.dispatcher.store.take_draft(&session.id, id)?;
            let after = outcome.after;
            let told = after.transcript.get(id).and_then(|asked| Told::of(&after, asked));
            let told = told.unwrap_or(Told::Unavailable { why: "the answer is not in the session".to_owned() });
            led_on(desk, after);
            Ok(reply(asking, session, asked, told, vec![]))
        }
        Err(error) => meanwhile(desk, asking, session, asked, caller, error),
    }
}

/// The question was closed from elsewhere while the prompt stood open: what it came to there is what it came to.
fn meanwhile(
    desk: &mut Desk<'_>,
    asking: &Asking,
    session: &Session,
    asked: &Asked,
    caller: &Actor,
    error: AppError,
) -> Result<ToolReply, AppError> {
    let AppError::Refused(Refusal::QuestionGone { .. } | Refusal::InDiscussion { .. }) = error else {
        return Err(error);
    };
    let now = desk.dispatcher.store.load(&session.id)?.session;
    let Some(asked) = now.transcript.get(&asked.question.id) else {
        return Err(error);
    };
    let Some(told) = Told::of(&now, asked) else {
        return Err(error);
    };
    desk.handle_each(&session.id, &[telling(asked, caller)])?;
    let elsewhere = "it was answered elsewhere while this prompt stood open; what was said here is not recorded";
    Ok(reply(asking, session, asked, told, vec![elsewhere.to_owned()]))
}
