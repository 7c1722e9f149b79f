//! The verbs that carry the interview: answer, next, skip, unknown, why, discuss, back.

use crate::app::context::Context;
use crate::app::error::AppError;
use crate::app::plan;
use crate::app::repeating;
use crate::app::reply::{Outcome, Reply};
use crate::domain::actor::Actor;
use crate::domain::command::Reply as UserReply;
use crate::domain::debate;
use crate::domain::decide::wrong_phase;
use crate::domain::ids::QuestionId;
use crate::domain::interview::{self, QuestionStatus, TranscriptEntry};
use crate::domain::production;
use crate::domain::question::Form;
use crate::domain::refusal::Refusal;
use crate::domain::session::{Floor, Phase, Session};
use crate::domain::settings::Interviewer;
use crate::domain::text::Prose;

use super::{Manner, args, conversation, lower};

pub(super) fn answer(context: &mut Context<'_>, args: &args::Answer) -> Result<Reply, AppError> {
    let session = context.session()?;
    let question = lower::question(&session, args.question.as_deref())?;
    let note = lower::optional_prose("the note", args.note.as_deref())?;
    let said = match args.choose.as_slice() {
        [] if args.text == ["-"] => UserReply::Text(Prose::parse("the reply", &(context.input)()?)?),
        [] if args.text.concat().trim().is_empty() => {
            return Err(lower::usage(
                "no reply was given",
                "git grill answer --choose 2, git grill answer \"<your words>\", or git grill answer - < file",
            ));
        }
        [] => UserReply::Text(lower::prose("the reply", &args.text)?),
        numbers => chosen(&session, &question, numbers)?,
    };
    let keep = if args.choose.is_empty() { Keep::WhateverFailed } else { Keep::WhatCameTooLate };
    reply(context, &session, &question, said, note, keep).map(happened)
}

/// Which replies that could not be recorded are kept as drafts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Keep {
    /// Those that came too late. A number is typed again in no time.
    WhatCameTooLate,
    /// Also those that the store could not take: typed words stand nowhere else.
    WhateverFailed,
}

/// What was typed of a reply, if anything was.
fn words(said: &UserReply, note: Option<&Prose>) -> Option<String> {
    match said {
        UserReply::Text(text) => Some(text.as_str().to_owned()),
        UserReply::Unknown | UserReply::Chosen(_) => note.map(|note| note.as_str().to_owned()),
    }
}

/// Records a reply. One that cannot be recorded is kept as a draft, so that nothing typed is lost (Q15).
fn reply(
    context: &mut Context<'_>,
    session: &Session,
    question: &QuestionId,
    said: UserReply,
    note: Option<Prose>,
    keep: Keep,
) -> Result<Outcome, AppError> {
    let words = words(&said, note.as_ref());
    let failed = match record(context, session, question, said, note) {
        Ok(outcome) => return Ok(outcome),
        Err(error) => error,
    };
    let late = failed.came_late() || matches!(&failed, AppError::Refused(refusal) if came_too_late(refusal));
    let broken = matches!(failed, AppError::Store(_) | AppError::Contended(_) | AppError::Outside(_))
        && keep == Keep::WhateverFailed;
    let Some(words) = words.filter(|_| late || broken) else {
        return Err(failed);
    };
    match context.dispatcher.store.keep_draft(&session.id, question, &words) {
        Ok(kept) => Err(AppError::ReplyKept { because: Box::new(failed), kept }),
        Err(error) if late => Err(error.into()),
        // What stopped the reply stopped this too, and is what has to be mended.
        Err(_) => Err(AppError::ReplyLost { because: Box::new(failed) }),
    }
}

/// Records a reply and keeps none.
pub(super) fn record(
    context: &mut Context<'_>,
    session: &Session,
    question: &QuestionId,
    said: UserReply,
    note: Option<Prose>,
) -> Result<Outcome, AppError> {
    let id = context.dispatcher.answer_id();
    context.handle_and_advance(
        &session.id,
        interview::Command::Answer { question: question.clone(), id, reply: said, note }.into(),
    )
}

/// Whether a reply was right when it was written and is not any more.
pub fn came_too_late(refusal: &Refusal) -> bool {
    use crate::domain::interview::Refusal::{InDiscussion, QuestionGone};

    matches!(refusal, Refusal::WrongPhase { .. } | Refusal::SessionClosed { .. })
        || matches!(refusal.interview(), Some(QuestionGone { .. } | InDiscussion { .. }))
}

/// The alternatives with these numbers, as a reply that fits the question's form.
fn chosen(session: &Session, question: &QuestionId, numbers: &[usize]) -> Result<UserReply, AppError> {
    let asked = session
        .transcript
        .get(question)
        .ok_or_else(|| AppError::from(interview::Refusal::NoSuchQuestion { question: question.clone() }))?;
    let question = &asked.question;
    let last = question.lets_discuss().unwrap_or(question.alternatives.as_slice().len());
    if let Some(wrong) = numbers.iter().find(|number| !(1..=last).contains(*number)) {
        let kind = if question.form.is_grill() { "alternative" } else { "option" };
        return Err(lower::usage(
            format!("there is no {kind} {wrong}; they are 1 to {last}"),
            "git grill next shows them",
        ));
    }
    if let (Form::Grill, [number]) = (question.form, numbers)
        && let Some(one) = question.alternatives.numbered(*number)
    {
        return Ok(UserReply::Text(one.value.clone()));
    }
    match (question.form, numbers) {
        (Form::Select, [number]) if Some(*number) == question.something_else() => Err(lower::usage(
            format!("{number} takes words of your own, and there were none"),
            "git grill answer \"<your words>\"",
        )),
        (Form::Grill | Form::Select, [_, _, ..]) => Err(lower::usage(
            format!("one of them answers this question, and {} were chosen", numbers.len()),
            "git grill answer --choose 1, or git grill answer \"<your words>\"",
        )),
        (Form::Grill | Form::Select | Form::MultiSelect, _) => Ok(UserReply::Chosen(numbers.to_vec())),
    }
}

/// `git grill next`: shows what is open; asks the next question when nothing is. Where nobody can be asked, or typed in
/// the conversation, it leaves the gate for a question that is left; typed at a terminal it comes back to the gate, since
/// it is what a pause there names, and another terminal may stand at it.
pub(super) fn next(context: &mut Context<'_>, manner: Manner) -> Result<Reply, AppError> {
    let session = context.session()?;
    if let Some((number, _)) = session.own.debate.open()
        && manner == Manner::Single
    {
        return Err(debate::Refusal::Waits { deed: "asking a question", number }.into());
    }
    let outcome = match &session.phase {
        Phase::Selection(_) if manner == Manner::Single => leave_gate(context, &session)?,
        Phase::Interview(Floor::Free) => context.advance(&session.id)?,
        Phase::Interview(Floor::Question { .. } | Floor::Discussion { .. })
        | Phase::Selection(_)
        | Phase::Production(_)
        | Phase::Closed { .. } => Outcome::nothing(session),
        Phase::NoInterview { .. } => {
            // An agent that was chosen here goes on with the plan.
            if !conversation::goes_on_planning(context, &session, manner)? {
                return Err(AppError::Refused(wrong_phase(&session, "asking")));
            }
            let shown = plan::show(context, None, plan::Shows::Gist)?;
            return conversation::go_on(context, shown, manner);
        }
    };
    conversation::go_on(context, happened(outcome), manner)
}

/// Goes on with the interview from the gate: a new question, else one that was put off. With nothing left to ask the
/// gate stays, and so does a request that waits there for a person. A script that looks reopens nothing: without a
/// terminal a question that was put off waits for `git grill back`.
fn leave_gate(context: &mut Context<'_>, session: &Session) -> Result<Outcome, AppError> {
    if session.request().is_some() && context.actor != Actor::Human {
        return Ok(Outcome::nothing(session.clone()));
    }
    // What an agent would ask next nobody knows but the agent.
    if let Interviewer::Agent(_) = session.settings.interviewer {
        return context.handle(&session.id, production::Command::ContinueInterview { summary: None }.into());
    }
    if context.dispatcher.has_more_to_ask(session) {
        return context
            .handle_and_advance(&session.id, production::Command::ContinueInterview { summary: None }.into());
    }
    if context.prompter.available().is_err() {
        return Ok(Outcome::nothing(session.clone()));
    }
    match put_off(session) {
        Some(asked) => {
            let to = asked.question.id.clone();
            context.handle(&session.id, interview::Command::Back { to }.into())
        }
        None => Err(AppError::from(interview::Refusal::NothingLeftToAsk)),
    }
}

/// The first question that was put off.
fn put_off(session: &Session) -> Option<&TranscriptEntry> {
    session.transcript.asked.iter().find(|asked| asked.standing == QuestionStatus::Deferred)
}

/// Whether there is a question to go on with from the gate, as far as anybody but an agent knows.
pub(super) fn can_go_on(context: &Context<'_>, session: &Session) -> bool {
    matches!(session.settings.interviewer, Interviewer::Agent(_))
        || context.dispatcher.has_more_to_ask(session)
        || put_off(session).is_some()
}

pub(super) fn skip(context: &mut Context<'_>, args: &args::Skip) -> Result<Reply, AppError> {
    let session = context.session()?;
    let question = lower::question(&session, args.question.as_deref())?;
    let command = match lower::optional_prose("the objection", args.because.as_deref())? {
        Some(because) => interview::Command::PushBack { question, because }.into(),
        None => interview::Command::Defer { question }.into(),
    };
    context.handle_and_advance(&session.id, command).map(happened)
}

pub(super) fn unknown(context: &mut Context<'_>, args: &args::Unknown) -> Result<Reply, AppError> {
    let session = context.session()?;
    let question = lower::question(&session, args.question.as_deref())?;
    let note = lower::optional_prose("the note", args.note.as_deref())?;
    reply(context, &session, &question, UserReply::Unknown, note, Keep::WhateverFailed).map(happened)
}

pub(super) fn why(context: &mut Context<'_>) -> Result<Reply, AppError> {
    let session = context.session()?;
    if session.phase.asks_nothing() {
        return Err(AppError::Refused(wrong_phase(&session, "asking")));
    }
    let asked = session.open_question().ok_or(AppError::from(interview::Refusal::NoQuestion))?;
    Ok(Reply::Why { question: Box::new(asked.question.clone()), number: asked.number, explained: false })
}

pub(super) fn discuss(context: &mut Context<'_>, done: Option<&str>) -> Result<Reply, AppError> {
    let session = context.session()?;
    match lower::optional_prose("the summary", done)? {
        Some(summary) => sum_up(context, &session, summary).map(happened),
        None => context.handle(&session.id, interview::Command::Discuss.into()).map(happened),
    }
}

/// Comes back from a conversation.
pub(super) fn sum_up(context: &mut Context<'_>, session: &Session, summary: Prose) -> Result<Outcome, AppError> {
    let answer = context.dispatcher.answer_id();
    context.handle_and_advance(&session.id, interview::Command::EndDiscussion { summary, answer }.into())
}

pub(super) fn back(context: &mut Context<'_>, args: &args::Back, manner: Manner) -> Result<Reply, AppError> {
    let session = context.session()?;
    let to = match args.to.as_deref() {
        Some(text) if args.still_right => {
            let outcome = repeating::still_right(context, &session, lower::any_question(&session, text)?)?;
            return conversation::go_on(context, happened(outcome), manner);
        }
        Some(text) => lower::any_question(&session, text)?.question.id.clone(),
        // A discussion is left for the question that it is about.
        None => session.discussed().cloned().map_or_else(|| before_the_open_one(&session), Ok)?,
    };
    let outcome = context.handle(&session.id, interview::Command::Back { to }.into())?;
    conversation::go_on(context, happened(outcome), manner)
}

/// The question that was closed last.
fn before_the_open_one(session: &Session) -> Result<QuestionId, AppError> {
    session
        .transcript
        .asked
        .iter()
        .rev()
        .find(|asked| asked.standing != QuestionStatus::Open && asked.standing != QuestionStatus::SetAside)
        .map(|asked| asked.question.id.clone())
        .ok_or_else(|| {
            lower::usage("there is no earlier question to go back to", "git grill status --questions lists them")
        })
}

pub(super) fn happened(outcome: Outcome) -> Reply {
    Reply::Happened(Box::new(outcome))
}
