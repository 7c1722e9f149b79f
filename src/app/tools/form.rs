//! `questionnaire`: one form for several questions, a list for one (P3, P8). Its answers go back to the caller and are
//! not recorded: they belong to whoever asked, not to the interview.

use crate::domain::refusal::Refusal;
use crate::domain::session::{Floor, Phase, Session};
use crate::domain::tool::{FormQuestion, Questionnaire, Told, Tool, Value, Within};

use super::super::desk::Desk;
use super::super::error::AppError;
use super::super::prompt::{Choice, FormAnswer, FormPrompt, FormQuestion as Tab, PickPrompt, Picked};
use super::super::putting::within;
use super::{Filled, FormReply, ToolReply, ToolResult, active, ended};
use crate::domain::question::SOMETHING_ELSE;

/// Has a form filled in.
pub(super) fn fill(desk: &mut Desk<'_>, form: Box<Questionnaire>) -> Result<ToolReply, AppError> {
    if let Some(session) = active(desk)? {
        in_turn(&session)?;
    }
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
    let filled = match prompted.answered() {
        Ok(answers) if answers.len() == form.questions.len() => Filled::Answered(answers),
        // A prompt that answers what it was not asked has answered nothing.
        Ok(_) => Filled::Ended(Told::Unavailable { why: "the prompt gave an answer that was not offered".to_owned() }),
        Err(unanswered) => Filled::Ended(ended(&unanswered, limit)?),
    };
    let result = ToolResult::Form { form, filled };
    Ok(ToolReply { tool: Tool::Questionnaire, result, session: None, remarks: vec![] })
}

/// A form is a question too: one at a time (Q13), and none while there is a conversation (Q12).
fn in_turn(session: &Session) -> Result<(), AppError> {
    match &session.phase {
        Phase::Interview(Floor::Question { question }) => Err(AppError::Refused(Refusal::QuestionOpen {
            question: question.clone(),
            number: session.transcript.get(question).map_or(0, |asked| asked.number),
        })),
        Phase::Interview(Floor::Discussion { .. }) => {
            Err(AppError::Refused(Refusal::InDiscussion { deed: "asking a question" }))
        }
        Phase::Interview(Floor::Free) | Phase::Selection(_) | Phase::Production(_) | Phase::Closed { .. } => Ok(()),
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
        FormAnswer::Other(text) => FormReply { id, value: text.clone(), label: text, other: true, note: None },
    })
}
