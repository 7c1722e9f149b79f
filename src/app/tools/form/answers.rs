//! Questions that a form or an extension has asked, with their answers: each is recorded as any other question and
//! answer (G7).

use crate::domain::actor::Actor;
use crate::domain::command::{Command, Reply};
use crate::domain::decide::wrong_phase;
use crate::domain::ids::{QuestionId, SessionId};
use crate::domain::interview;
use crate::domain::question::{Alternative, Alternatives, Form, LETS_DISCUSS, Question, SOMETHING_ELSE};
use crate::domain::refusal::Refusal;
use crate::domain::session::{Floor, Phase, Session};
use crate::domain::text::{Line, Prose};
use crate::domain::tool::BadRequest;
use crate::domain::ui::{self, OneAnswer};

use super::super::super::context::Context;
use super::super::super::dispatcher::Envelope;
use super::super::super::error::AppError;
use super::super::super::outcome::Outcome;
use super::super::late::{Unrecorded, hold, keep, release};

/// The remark of a caller whose answers were recorded nowhere.
pub(in crate::app) const NO_SESSION: &str = "no session is active in this worktree, so nothing was recorded";

#[derive(Clone, Debug)]
pub(in crate::app) struct AnsweredQuestion {
    /// The name of its answer.
    pub id: String,
    pub label: Line,
    pub prompt: Prose,
    /// Labels of the options, each with its description.
    pub options: Vec<(String, Option<String>)>,
    pub many: bool,
    /// Indices of the options that were taken.
    pub chosen: Vec<usize>,
    /// Labels of everything that was taken.
    pub labels: Vec<String>,
    /// Whether words of the person's own are among them.
    pub other: bool,
    pub note: Option<String>,
}

impl AnsweredQuestion {
    /// A question of the UI API with its answer.
    pub(in crate::app) fn of(question: &ui::Question, answer: &OneAnswer) -> Self {
        let at = |value: &str| question.options.iter().position(|option| option.value == value);
        Self {
            id: question.id.clone(),
            label: question.label.clone(),
            prompt: question.prompt.clone(),
            options: question
                .options
                .iter()
                .map(|option| (option.label.as_str().to_owned(), option.description.clone()))
                .collect(),
            many: question.kind == ui::Kind::Many,
            chosen: answer.chosen.iter().filter(|one| !one.other).filter_map(|one| at(&one.value)).collect(),
            labels: answer.chosen.iter().map(|one| one.label.clone()).collect(),
            other: answer.chosen.iter().any(|one| one.other),
            note: answer.note.clone(),
        }
    }
}

/// Who put the questions, and who answered them.
#[derive(Clone, Debug)]
pub(in crate::app) struct Respondents {
    /// Who put them.
    pub asker: Actor,
    /// Who answered them.
    pub respondent: Actor,
    /// Why the first of them may be put although the checkpoint does not know the answer before it (G24).
    pub unchanged: Option<Line>,
}

/// A form is asked as a question is: one at a time (Q13), none while there is a conversation (Q12), and none before the
/// checkpoint knows the last answer (G24), unless the caller says why it is `unchanged`.
pub(in crate::app) fn in_turn(session: &Session, unchanged: Option<&Line>) -> Result<(), Refusal> {
    const DEED: &str = "asking a question";
    match &session.phase {
        Phase::Interview(Floor::Question { question }) => Err(interview::Refusal::QuestionOpen {
            question: question.clone(),
            number: session.transcript.get(question).map_or(0, |asked| asked.number),
        }
        .into()),
        Phase::Interview(Floor::Discussion { .. }) => Err(interview::Refusal::InDiscussion { deed: DEED }.into()),
        Phase::Interview(Floor::Free) if session.checkpoint_due && unchanged.is_none() => {
            Err(interview::Refusal::CheckpointDue.into())
        }
        Phase::Interview(Floor::Free) => Ok(()),
        Phase::Selection(_) | Phase::Production(_) | Phase::NoInterview { .. } | Phase::Closed { .. } => {
            Err(wrong_phase(session, DEED))
        }
    }
}

/// Records each answer with its question, one after the other. Until the last one is recorded the rest is held, as a single
/// reply is: this process may be ended between any two. What cannot be recorded any more is kept, and told in a remark.
/// Returns the session after the last that was recorded, and the remarks.
pub(in crate::app) fn record_answers(
    context: &mut Context<'_>,
    session: &SessionId,
    by: &Respondents,
    answers: &[AnsweredQuestion],
) -> (Option<Session>, Vec<String>) {
    let mut after = None;
    let mut remarks = Vec::new();
    let mut held: Option<(QuestionId, String)> = None;
    for (at, answer) in answers.iter().enumerate() {
        let (id, rest) = (context.dispatcher.question_id(), in_lines(&answers[at..]));
        // Under the question that is open next, so that a person who comes back to that one finds it. If it cannot be held,
        // what was held before has it too; if that cannot be removed, it is superfluous.
        if hold(context, session, &id, None, &rest).is_ok()
            && let Some((before, text)) = held.replace((id.clone(), rest))
        {
            let _ = release(context, session, &before, &text);
        }
        // Those of one form are one step of the interview.
        let same_form = || Line::clipped("asked in the same form as the question before");
        let unchanged = if at == 0 { by.unchanged.clone() } else { Some(same_form()) };
        match one(context, session, by, answer, &id, unchanged) {
            Ok(outcome) => after = Some(outcome.after),
            Err(error) => {
                remarks.push(keep_answers(context, Some(session), &id, &answers[at..], &error));
                held = None;
                break;
            }
        }
    }
    if let Some((before, text)) = held {
        let _ = release(context, session, &before, &text);
    }
    (after, remarks)
}

/// Records one answer with its question.
fn one(
    context: &mut Context<'_>,
    session: &SessionId,
    by: &Respondents,
    answer: &AnsweredQuestion,
    id: &QuestionId,
    unchanged: Option<Line>,
) -> Result<Outcome, AppError> {
    let question = asked(answer, id.clone())?;
    let reply = if answer.other || answer.chosen.is_empty() {
        Reply::Text(Prose::parse("the reply", &answer.labels.join(", "))?)
    } else {
        Reply::Chosen(answer.chosen.iter().map(|index| index + 1).collect())
    };
    let note = answer.note.as_deref().map(|note| Prose::parse("the note", note)).transpose()?;
    let ask: Command = interview::Command::Ask { question: Box::new(question), unchanged }.into();
    let command: Command =
        interview::Command::Answer { question: id.clone(), id: context.dispatcher.answer_id(), reply, note }.into();
    // The question is a commit of who put it and the answer one of who answered, as everywhere.
    let put = [Envelope { actor: by.asker.clone(), command: ask }];
    let answered = [
        Envelope { actor: by.respondent.clone(), command },
        Envelope { actor: by.asker.clone(), command: interview::Command::Tell { question: id.clone() }.into() },
    ];
    context.handle_each(session, &put)?;
    context.handle_each(session, &answered)
}

fn in_lines(answers: &[AnsweredQuestion]) -> String {
    let line = |one: &AnsweredQuestion| {
        let note = one.note.as_ref().map(|note| format!("\n{note}")).unwrap_or_default();
        format!("{}: {}{note}", one.id, one.labels.join(", "))
    };
    answers.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// Keeps the answers that were not recorded, and reports it.
pub(in crate::app) fn keep_answers(
    context: &mut Context<'_>,
    session: Option<&SessionId>,
    question: &QuestionId,
    answers: &[AnsweredQuestion],
    error: &AppError,
) -> String {
    let text = in_lines(answers);
    let ids: Vec<&str> = answers.iter().map(|one| one.id.as_str()).collect();
    let because = format!("the answers to {} were not accepted: {error}", ids.join(", "));
    keep(context, &Unrecorded { session, question, because: &because, again: None, text: &text })
}

/// The question as it is recorded. Where it offers less than a list has to, our own entries stand there.
fn asked(answer: &AnsweredQuestion, id: QuestionId) -> Result<Question, AppError> {
    let alternative = |label: &str, description: Option<&String>| -> Result<Alternative, AppError> {
        let label = Line::clipped(label);
        Ok(Alternative {
            value: Prose::parse("an option's label", label.as_str())?,
            description: description.filter(|text| !text.trim().is_empty()).map(|text| Line::clipped(text)),
            label,
            discuss: false,
            recommended: false,
            evidence: None,
        })
    };
    let mut options = Vec::new();
    for (label, description) in &answer.options {
        options.push(alternative(label, description.as_ref())?);
    }
    for ours in [SOMETHING_ELSE, LETS_DISCUSS] {
        if options.len() < 2 {
            options.push(alternative(ours, None)?);
        }
    }
    let form = if !answer.many && Form::Select.takes(options.len()) { Form::Select } else { Form::MultiSelect };
    Ok(Question {
        id,
        form,
        text: answer.prompt.clone(),
        dimension: answer.label.clone(),
        probe: None,
        why: None,
        alternatives: Alternatives::of(form, options).map_err(BadRequest::from)?,
        evidence: vec![],
        builds_on: vec![],
        purpose: None,
    })
}
