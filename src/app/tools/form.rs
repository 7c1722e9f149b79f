//! `questionnaire`: one form for several questions, a list for one (P3, P8). In a session each answer is recorded, with
//! its question, as any other is (G7).

mod answers;

pub(in crate::app) use answers::{AnsweredQuestion, NO_SESSION, Respondents, in_turn, keep_answers, record_answers};

use crate::domain::actor::Actor;
use crate::domain::tool::{FormQuestion, Questionnaire, Told, Tool, Value, Within};

use super::super::desk::Desk;
use super::super::error::AppError;
use super::super::prompt::{Choice, FormAnswer, FormPrompt, FormQuestion as Tab, PickPrompt, Picked};
use super::super::putting::within;
use super::recording::led_on;
use super::{Filled, FormReply, ToolReply, ToolResult, active, caller, ended};
use crate::domain::question::SOMETHING_ELSE;

/// Has a form filled in.
pub(super) fn fill(desk: &mut Desk<'_>, form: &Questionnaire) -> Result<ToolReply, AppError> {
    let session = active(desk)?;
    if let Some(session) = &session {
        in_turn(session, form.unchanged.as_ref()).map_err(AppError::Refused)?;
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
            let by = Respondents {
                asker: caller(desk, &session),
                respondent: Actor::Human,
                unchanged: form.unchanged.clone(),
            };
            let answers: Vec<AnsweredQuestion> =
                form.questions.iter().zip(&answers).map(|(question, answer)| answered(question, answer)).collect();
            let (after, remarks) = record_answers(desk, &session.id, &by, &answers);
            reply.remarks.extend(remarks);
            if let Some(after) = after {
                led_on(desk, after);
            }
        }
        (None, Filled::Answered(_)) => {
            reply.remarks.push(NO_SESSION.to_owned());
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

/// A question of a form with its answer.
fn answered(question: &FormQuestion, answer: &FormReply) -> AnsweredQuestion {
    let chosen = question.options.iter().position(|option| !answer.other && option.label == answer.label);
    AnsweredQuestion {
        id: answer.id.clone(),
        label: question.label.clone(),
        prompt: question.prompt.clone(),
        options: question.options.iter().map(|one| (one.label.clone(), one.description.clone())).collect(),
        many: false,
        chosen: chosen.into_iter().collect(),
        labels: vec![answer.label.clone()],
        other: answer.other,
        note: answer.note.clone(),
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
        Picked::Choice { index, note } => Some(FormReply { note, ..reply(question, FormAnswer::choice(index))? }),
        Picked::Wrote(text) => reply(question, FormAnswer::own(text)),
        Picked::Discuss => None,
    }
}

fn reply(question: &FormQuestion, answer: FormAnswer) -> Option<FormReply> {
    let id = question.id.clone();
    let FormAnswer { chosen, other, note } = answer;
    match (chosen.as_slice(), other) {
        ([index], None) => {
            let option = question.options.get(*index)?;
            Some(FormReply { id, value: option.value.clone(), label: option.label.clone(), other: false, note })
        }
        ([], Some(text)) => Some(FormReply { id, value: text.clone(), label: text, other: true, note: None }),
        // None of these questions takes several.
        (_, Some(_) | None) => None,
    }
}
