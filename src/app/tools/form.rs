//! `questionnaire`: one form for several questions, a list for one (P3, P8). In a session each answer is recorded, with
//! its question, as any other is (G7).

use crate::domain::actor::Actor;
use crate::domain::command::{Command, Reply};
use crate::domain::decide::wrong_phase;
use crate::domain::ids::QuestionId;
use crate::domain::question::{Alternative, Alternatives, Form, LETS_DISCUSS, Question};
use crate::domain::refusal::Refusal;
use crate::domain::session::{Floor, Phase, Session};
use crate::domain::text::{Line, Prose};
use crate::domain::tool::{BadRequest, FormQuestion, Questionnaire, Told, Tool, Value, Within};

use super::super::desk::Desk;
use super::super::dispatcher::Envelope;
use super::super::error::AppError;
use super::super::outcome::Outcome;
use super::super::prompt::{Choice, FormAnswer, FormPrompt, FormQuestion as Tab, PickPrompt, Picked};
use super::super::putting::within;
use super::late::{Unrecorded, hold, keep, release};
use super::recording::led_on;
use super::{Filled, FormReply, ToolReply, ToolResult, active, caller, ended};
use crate::domain::question::SOMETHING_ELSE;

/// Has a form filled in.
pub(super) fn fill(desk: &mut Desk<'_>, form: &Questionnaire) -> Result<ToolReply, AppError> {
    let session = active(desk)?;
    if let Some(session) = &session {
        in_turn(session, form)?;
    }
    let filled = filled(desk, form)?;
    let mut reply = ToolReply {
        tool: Tool::Questionnaire,
        result: ToolResult::Form { form: Box::new(form.clone()), filled: filled.clone() },
        session: None,
        checkpoint: None,
        remarks: vec![],
        referee: vec![],
    };
    match (session, filled) {
        (Some(session), Filled::Answered(answers)) => {
            reply.session = Some(session.id.clone());
            reply.remarks.extend(recorded(desk, &session, form, &answers));
        }
        (None, Filled::Answered(_)) => {
            reply.remarks.push("no session is active in this worktree, so nothing was recorded".to_owned());
        }
        (Some(_) | None, Filled::Ended(_)) => {}
    }
    Ok(reply)
}

/// Has the user fill in the form.
fn filled(desk: &mut Desk<'_>, form: &Questionnaire) -> Result<Filled, AppError> {
    let limit = form.within.map(Within::duration);
    let prompted = within(desk.prompter, limit, |prompter| match form.questions.as_slice() {
        [only] => prompter.pick(&list(only)).map(|picked| taken(only, picked).into_iter().collect::<Vec<_>>()),
        questions => {
            let tabs = questions.iter().map(tab).collect();
            prompter.form(&FormPrompt { heading: String::new(), questions: tabs }).map(|answers| {
                questions.iter().zip(answers).filter_map(|(question, answer)| reply(question, answer)).collect()
            })
        }
    });
    Ok(match prompted.answered() {
        Ok(answers) if answers.len() == form.questions.len() => Filled::Answered(answers),
        // A prompt that answers what it was not asked has answered nothing.
        Ok(_) => Filled::Ended(Told::Unavailable { why: "the prompt gave an answer that was not offered".to_owned() }),
        Err(unanswered) => Filled::Ended(ended(&unanswered, limit)?),
    })
}

/// Records each answer with its question, one after the other. Until the last one is recorded the rest is held, as a single
/// reply is: this process may be ended between any two. What cannot be recorded any more is kept, and told.
fn recorded(desk: &mut Desk<'_>, session: &Session, form: &Questionnaire, answers: &[FormReply]) -> Vec<String> {
    let mut after = None;
    let mut remarks = Vec::new();
    let mut held: Option<(QuestionId, String)> = None;
    for (at, answer) in answers.iter().enumerate() {
        let (id, rest) = (desk.dispatcher.question_id(), in_lines(&answers[at..]));
        // Under the question that is open next, so that a person who comes back to that one finds it. If it cannot be held,
        // what was held before has it too; if that cannot be removed, it is superfluous.
        if hold(desk, &session.id, &id, None, &rest).is_ok()
            && let Some((before, text)) = held.replace((id.clone(), rest))
        {
            let _ = release(desk, &session.id, &before, &text);
        }
        match one(desk, session, form, at, answer, &id) {
            Ok(outcome) => after = Some(outcome.after),
            Err(error) => {
                remarks.push(kept(desk, session, &id, &answers[at..], &error));
                held = None;
                break;
            }
        }
    }
    if let Some((before, text)) = held {
        let _ = release(desk, &session.id, &before, &text);
    }
    if let Some(after) = after {
        led_on(desk, after);
    }
    remarks
}

/// Records one answer with its question.
fn one(
    desk: &mut Desk<'_>,
    session: &Session,
    form: &Questionnaire,
    at: usize,
    answer: &FormReply,
    id: &QuestionId,
) -> Result<Outcome, AppError> {
    let caller = caller(desk, session);
    let question = asked(&form.questions[at], id.clone())?;
    let words = Prose::parse("the reply", &answer.label)?;
    let chosen = question.alternatives.as_slice().iter().position(|one| one.label.as_str() == answer.label);
    let reply = match chosen.filter(|_| !answer.other) {
        Some(index) => Reply::Chosen(vec![index + 1]),
        None => Reply::Text(words),
    };
    let note = answer.note.as_deref().map(|note| Prose::parse("the note", note)).transpose()?;
    // Those of one form are one step of the interview.
    let same_form = Line::clipped("asked in the same form as the question before");
    let unchanged = if at == 0 { form.unchanged.clone() } else { Some(same_form) };
    let ask = Command::Ask { question: Box::new(question), unchanged };
    let command = Command::Answer { question: id.clone(), id: desk.dispatcher.answer_id(), reply, note, read_ms: None };
    // The question is a commit of the agent's and the answer one of the person's, as everywhere.
    let put = [Envelope { actor: caller.clone(), command: ask }];
    let answered = [
        Envelope { actor: Actor::Human, command },
        Envelope { actor: caller, command: Command::Tell { question: id.clone() } },
    ];
    desk.handle_each(&session.id, &put)?;
    desk.handle_each(&session.id, &answered)
}

/// Answers, one per line.
fn in_lines(answers: &[FormReply]) -> String {
    let line = |one: &FormReply| {
        let note = one.note.as_ref().map(|note| format!("\n{note}")).unwrap_or_default();
        format!("{}: {}{note}", one.id, one.label)
    };
    answers.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// Keeps the answers that were not recorded, and reports it.
fn kept(
    desk: &mut Desk<'_>,
    session: &Session,
    question: &QuestionId,
    answers: &[FormReply],
    error: &AppError,
) -> String {
    let text = in_lines(answers);
    let ids: Vec<&str> = answers.iter().map(|one| one.id.as_str()).collect();
    let because = format!("the answers to {} were not accepted: {error}", ids.join(", "));
    keep(desk, &Unrecorded { session: Some(&session.id), question, because: &because, again: None, text: &text })
}

/// The question as it is recorded. Where it offers less than a list has to, our own entries stand there.
fn asked(question: &FormQuestion, id: QuestionId) -> Result<Question, AppError> {
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
    for option in &question.options {
        options.push(alternative(&option.label, option.description.as_ref())?);
    }
    for ours in [SOMETHING_ELSE, LETS_DISCUSS] {
        if options.len() < 2 {
            options.push(alternative(ours, None)?);
        }
    }
    let form = if Form::Select.takes(options.len()) { Form::Select } else { Form::MultiSelect };
    Ok(Question {
        id,
        form,
        text: question.prompt.clone(),
        dimension: question.label.clone(),
        probe: None,
        why: None,
        alternatives: Alternatives::of(form, options).map_err(BadRequest::from)?,
        evidence: vec![],
        builds_on: vec![],
        purpose: None,
    })
}

/// A form is asked as a question is: one at a time (Q13), none while there is a conversation (Q12), and none before the
/// checkpoint knows the last answer (G24).
fn in_turn(session: &Session, form: &Questionnaire) -> Result<(), AppError> {
    match &session.phase {
        Phase::Interview(Floor::Question { question }) => Err(AppError::Refused(Refusal::QuestionOpen {
            question: question.clone(),
            number: session.transcript.get(question).map_or(0, |asked| asked.number),
        })),
        Phase::Interview(Floor::Discussion { .. }) => {
            Err(AppError::Refused(Refusal::InDiscussion { deed: "asking a question" }))
        }
        Phase::Interview(Floor::Free) if session.checkpoint_due && form.unchanged.is_none() => {
            Err(AppError::Refused(Refusal::CheckpointDue))
        }
        Phase::Interview(Floor::Free) => Ok(()),
        Phase::Selection(_) | Phase::Production(_) | Phase::NoInterview { .. } | Phase::Closed { .. } => {
            Err(AppError::Refused(wrong_phase(session, "asking a question")))
        }
    }
}

fn choice(option: &Value) -> Choice {
    Choice {
        value: option.value.clone(),
        label: option.label.clone(),
        description: option.description.clone(),
        recommended: false,
    }
}

fn other(question: &FormQuestion) -> Option<String> {
    question.allow_other.then(|| SOMETHING_ELSE.to_owned())
}

fn list(question: &FormQuestion) -> PickPrompt {
    PickPrompt {
        question: question.prompt.to_string(),
        choices: question.options.iter().map(choice).collect(),
        other: other(question),
        ..PickPrompt::default()
    }
}

fn tab(question: &FormQuestion) -> Tab {
    Tab {
        label: question.label.to_string(),
        prompt: question.prompt.to_string(),
        choices: question.options.iter().map(choice).collect(),
        other: other(question),
        ..Tab::default()
    }
}

/// What was picked from a list that offers no conversation.
fn taken(question: &FormQuestion, picked: Picked) -> Option<FormReply> {
    match picked {
        Picked::Choice { index, note } => Some(FormReply { note, ..reply(question, FormAnswer::Choice(index))? }),
        Picked::Wrote(text) => reply(question, FormAnswer::Other(text)),
        Picked::Discuss => None,
    }
}

fn reply(question: &FormQuestion, answer: FormAnswer) -> Option<FormReply> {
    let id = question.id.clone();
    Some(match answer {
        FormAnswer::Choice(index) => {
            let option = question.options.get(index)?;
            FormReply { id, value: option.value.clone(), label: option.label.clone(), other: false, note: None }
        }
        FormAnswer::Noted(index, note) => FormReply { note: Some(note), ..reply(question, FormAnswer::Choice(index))? },
        FormAnswer::Other(text) => FormReply { id, value: text.clone(), label: text, other: true, note: None },
        // None of these questions takes several.
        FormAnswer::Several { .. } => return None,
    })
}
