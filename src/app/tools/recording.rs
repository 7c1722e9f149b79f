//! `grill_record_answer` and `grill_update_checkpoint`: what was said in plain chat, and what it changed (G24).

use crate::domain::checkpoint::CheckpointSource;
use crate::domain::command::{Command, Reply};
use crate::domain::decide::wrong_phase;
use crate::domain::interview::{self, TranscriptEntry};
use crate::domain::refusal::Refusal;
use crate::domain::session::{Floor, Phase, Session};
use crate::domain::settings::Interviewer;
use crate::domain::tool::{ChatReply, QuestionName, Reported, Revision, Tool, taken};

use super::super::context::Context;
use super::super::dispatcher::Envelope;
use super::super::error::AppError;
use super::super::rebasing;
use super::super::repeating::repeating;
use super::super::reply::Outcome;
use super::{Kind, Newest, ToolReply, anew, caller, checkpoint, done, name, turned};

/// The next step after an answer.
pub(super) const DUE: &str = "Bring the checkpoint up to date with grill_update_checkpoint before the next question.";

/// Records what the user said, as the agent reports it.
pub(super) fn record(context: &mut Context<'_>, reported: &Reported) -> Result<ToolReply, AppError> {
    let session = context.session()?;
    let open = || session.open_question().ok_or_else(|| AppError::Refused(none_open(&session)));
    let asked = match &reported.question {
        None => open()?,
        Some(name) => named(&session, name)?,
    };
    if anew::is_meant(asked, &reported.reply) {
        return anew::answer(context, &session, asked, reported, Tool::RecordAnswer);
    }
    let number = asked.number;
    let (command, became) = wish(context, &session, asked, reported)?;
    let caller = caller(context, &session);
    let tell: Command = interview::Command::Tell { question: asked.question.id.clone() }.into();
    // Who passes it on knows it.
    let envelopes = [command, tell].map(|command| Envelope { actor: caller.clone(), command });
    let after = context.handle_each(&session.id, &envelopes)?.after;
    let next = next(&after, &reported.reply);
    let text = format!("{} {next}", became.replace("{number}", &number.to_string()));
    let turned = answers(&reported.reply).then(|| turned(&after, Newest::Answer(&asked.question.id))).flatten();
    let after = led_on(context, after);
    Ok(done(context, Tool::RecordAnswer, Kind::Recorded, text, after).remarking(turned))
}

/// The refusal of an answer to a question that is not open: by what is possible instead.
fn none_open(session: &Session) -> Refusal {
    const DEED: &str = "recording an answer";
    match &session.phase {
        Phase::Interview(Floor::Free | Floor::Question { .. }) => interview::Refusal::NoQuestion.into(),
        Phase::Interview(Floor::Discussion { .. }) => interview::Refusal::InDiscussion { deed: DEED }.into(),
        Phase::Selection(_) | Phase::Production(_) | Phase::NoInterview { .. } | Phase::Closed { .. } => {
            wrong_phase(session, DEED)
        }
    }
}

pub(super) fn named<'s>(session: &'s Session, name: &QuestionName) -> Result<&'s TranscriptEntry, AppError> {
    name.of(&session.transcript).ok_or_else(|| {
        AppError::Refused(match name {
            QuestionName::Id(id) => interview::Refusal::NoSuchQuestion { question: id.clone() }.into(),
            QuestionName::Number(number) => interview::Refusal::NoQuestionNumbered { number: *number }.into(),
        })
    })
}

/// The wish behind a reply in chat, and the sentence that says what became of the question `{number}`.
pub(super) fn wish(
    context: &Context<'_>,
    session: &Session,
    asked: &TranscriptEntry,
    reported: &Reported,
) -> Result<(Command, &'static str), AppError> {
    let question = asked.question.id.clone();
    let answering = |reply| {
        Command::from(interview::Command::Answer {
            question: question.clone(),
            id: context.dispatcher.answer_id(),
            reply,
            note: reported.note.clone(),
        })
    };
    let recorded = "The answer to question {number} is recorded as reported by you, in the user's words.";
    Ok(match &reported.reply {
        ChatReply::Words(words) => (answering(Reply::Text(words.clone())), recorded),
        ChatReply::Choice(names) => (
            answering(taken(&asked.question, names)?),
            "The choice at question {number} is recorded as reported by you.",
        ),
        ChatReply::NotKnown => {
            (answering(Reply::Unknown), "Question {number} is recorded as not known, as reported by you.")
        }
        ChatReply::Skipped => (
            interview::Command::Defer { question }.into(),
            "Question {number} is recorded as skipped, as reported by you; it has no answer.",
        ),
        ChatReply::StillRight => (
            repeating(context, session, asked, reported.note.clone())?,
            "The answer to question {number} is recorded as still right, as reported by you.",
        ),
        ChatReply::PushedBack(because) => (
            interview::Command::PushBack { question, because: because.clone() }.into(),
            "The objection to question {number} is recorded as reported by you. Ask something else, or ask it differently; \
             if the user answers it after all, grill_revise_answer with question {number} records that.",
        ),
    })
}

pub(super) fn answers(reply: &ChatReply) -> bool {
    match reply {
        ChatReply::Words(_) | ChatReply::Choice(_) | ChatReply::NotKnown => true,
        ChatReply::Skipped | ChatReply::PushedBack(_) | ChatReply::StillRight => false,
    }
}

/// The next step of whoever leads.
pub(super) fn next(after: &Session, reply: &ChatReply) -> &'static str {
    let answered = answers(reply);
    match after.settings.interviewer {
        Interviewer::Agent(_) if matches!(after.phase, Phase::Interview(Floor::Discussion { .. })) => {
            "The user wants to talk about it: plain text, until resume_structured is called with the outcome."
        }
        Interviewer::Agent(_) if answered || after.checkpoint_due => DUE,
        Interviewer::Agent(_) => "The next question may come.",
        Interviewer::BuiltIn => "The built-in interviewer leads here, and has the next question.",
    }
}

pub(super) fn update(context: &mut Context<'_>, revision: &Revision) -> Result<ToolReply, AppError> {
    let session = context.session()?;
    let agent = name(context, &session);
    let base = rebasing::base(context, &session, &agent, revision.based_on.as_ref())?;
    let command: Command = interview::Command::UpdateCheckpoint {
        checkpoint: revision.checkpoint.clone(),
        base: base.clone(),
        summary: revision.summary.clone(),
        source: CheckpointSource::Tool,
        answer: Some(context.dispatcher.answer_id()),
    }
    .into();
    let outcome = by_the_caller(context, &session, command)
        .map_err(|error| rebasing::explained(context, &session.id, &base, error))?;
    // What it wrote is what it knows; what was merged into it is told, and may be overlooked.
    context.shown.note(&session.id, &agent, &revision.checkpoint);
    let merged = rebasing::merged_with(context, &outcome, &base);
    // Looked up in what was decided on, which may be newer than what was read before.
    let open = outcome.before.as_ref().and_then(Session::open_question).map(|asked| asked.question.id.clone());
    let closed = open.and_then(|question| outcome.after.transcript.get(&question)?.answer().map(|_| question));
    if outcome.events.is_empty() {
        let text = "The checkpoint says this already; nothing changed.";
        return Ok(done(context, Tool::UpdateCheckpoint, Kind::Unchanged, text, outcome.after));
    }
    let before = outcome.before.as_ref().map_or(&session.checkpoint, |before| &before.checkpoint).clone();
    let number = closed.as_ref().and_then(|question| Some(outcome.after.transcript.get(question)?.number));
    let turned = closed.as_ref().and_then(|id| turned(&outcome.after, Newest::Answer(id)));
    let after = led_on(context, outcome.after);
    let (text, seen) = checkpoint::judgement(context, &after, &before, &revision.summary);
    let mut reply = done(context, Tool::UpdateCheckpoint, Kind::Updated, text, after);
    reply.referee = seen;
    reply.remarks.extend(merged.into_iter().chain(turned));
    Ok(match number {
        None => reply,
        Some(number) => reply.remarking([format!(
            "question {number} was still open: it is closed as answered in conversation, and this change summary is \
             recorded as your summary, which the user did not confirm; grill_revise_answer with question {number} records \
             their own words"
        )]),
    })
}

/// Decides on a wish of whoever called.
pub(super) fn by_the_caller(
    context: &mut Context<'_>,
    session: &Session,
    command: Command,
) -> Result<Outcome, AppError> {
    let actor = caller(context, session);
    context.handle_each(&session.id, &[Envelope { actor, command }])
}

/// The session after the built-in interviewer went on, where it leads. What was recorded before is recorded even if that
/// fails.
pub(in crate::app) fn led_on(context: &mut Context<'_>, session: Session) -> Session {
    match context.advance(&session.id) {
        Ok(outcome) => outcome.after,
        Err(error) => {
            context.voice.warn(&error);
            session
        }
    }
}
