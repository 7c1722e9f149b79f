//! `questionnaire`, which the shipped extension serves: one form for several questions, a list for one (P3, P8). In a
//! session each answer is recorded, with its question, as any other is (G7).

mod answers;

pub(in crate::app) use answers::{AnsweredQuestion, NO_SESSION, Respondents, in_turn, keep_answers, record_answers};

use serde_json::{Value, json};

use crate::domain::session::Session;
use crate::domain::tool::{QuestionResult, Questionnaire, Tool, Within};
use crate::domain::ui::{Answered, Call, Name, OneAnswer, Without};

use super::super::context::Context;
use super::super::error::AppError;
use super::super::extensions::respondent;
use super::super::form::{Asker, ByPrompt, Met, Scripted};
use super::super::ports::extensions::{ExtensionAction, Gave, Ran};
use super::super::prompt::{Settled, Unanswered};
use super::super::putting::within;
use super::late::{Unrecorded, keep};
use super::recording::led_on;
use super::{Filled, ToolReply, ToolResult, active, caller, ended};

/// Has a form filled in: by the person, or from a file of answers.
pub fn fill(
    context: &mut Context<'_>,
    form: &Questionnaire,
    scripted: Option<&mut Scripted>,
) -> Result<ToolReply, AppError> {
    let session = active(context)?;
    if let Some(session) = &session {
        in_turn(session, form.unchanged.as_ref()).map_err(AppError::Refused)?;
    }
    let by = respondent(scripted.is_some(), &context.actor);
    let (ran, end) = run(context, form, session.as_ref(), scripted);
    if let End::Unanswered(unanswered) = &end {
        keep_unsent(context, session.as_ref(), unanswered);
    }
    let mut remarks = vec![];
    let mut recorded = None;
    if let End::Answered(answers) = &end {
        match session {
            Some(session) => {
                let by =
                    Respondents { asker: caller(context, &session), respondent: by, unchanged: form.unchanged.clone() };
                let answers: Vec<AnsweredQuestion> =
                    form.questions.iter().zip(answers).map(|(one, answer)| AnsweredQuestion::of(one, answer)).collect();
                let (after, kept) = record_answers(context, &session.id, &by, &answers);
                remarks = kept;
                recorded = Some(session.id);
                if let Some(after) = after {
                    led_on(context, after);
                }
            }
            None => remarks.push(NO_SESSION.to_owned()),
        }
    }
    // What was answered is recorded, whatever became of the extension.
    let result = match (ran?, end) {
        (Ran::Done(gave), End::Answered(_)) => answered(gave)?,
        (Ran::Done(_) | Ran::Later, end) => {
            ToolResult::Form { questions: json!(form.questions), filled: Filled::Ended(end.told(form)?) }
        }
    };
    Ok(ToolReply { tool: Tool::Questionnaire, result, session: recorded, checkpoint: None, remarks, referee: vec![] })
}

/// Keeps what was typed into the form at a terminal and not sent, as any other prompt does (Q15). The caller does not learn
/// of it: nobody said it.
fn keep_unsent(context: &mut Context<'_>, session: Option<&Session>, unanswered: &Unanswered) {
    let Some(text) = unanswered.draft().filter(|_| !context.prompter.at_hand()) else {
        return;
    };
    let (session, question) = (session.map(|session| &session.id), context.dispatcher.question_id());
    let because = "the form was left before it was sent";
    let _told = keep(context, &Unrecorded { session, question: &question, because, again: None, text });
}

/// How the call of the UI ended.
enum End {
    /// With an answer to each question.
    Answered(Vec<OneAnswer>),
    /// Without an answer.
    Unanswered(Unanswered),
    /// Without an answer, since the user cannot be asked, for this reason.
    Unavailable(String),
}

impl End {
    /// How it ended for this many questions.
    fn of(
        answered: Option<Answered>,
        unanswered: Option<Unanswered>,
        available: Result<(), String>,
        questions: usize,
    ) -> Self {
        match (answered, unanswered, available) {
            (Some(Answered::Questions(answers)), _, _)
                if answers.len() == questions && answers.iter().all(|answer| !answer.chosen.is_empty()) =>
            {
                Self::Answered(answers)
            }
            (_, Some(unanswered), _) => Self::Unanswered(unanswered),
            (Some(Answered::Without(without)), None, _) => match without {
                Without::Cancelled => Self::Unanswered(Unanswered::Cancelled { draft: String::new() }),
                Without::Unavailable(why) => Self::Unavailable(why),
                Without::Declined | Without::TimedOut | Without::Lost => Self::Unavailable(without.to_string()),
            },
            (_, None, Err(why)) => Self::Unavailable(why),
            // A prompt that answers what it was not asked has answered nothing.
            (_, None, Ok(())) => Self::Unavailable("the prompt gave an answer that was not offered".to_owned()),
        }
    }

    /// The result of the tool; whoever interrupts the program ends it.
    fn told(self, form: &Questionnaire) -> Result<QuestionResult, AppError> {
        match self {
            Self::Unanswered(unanswered) => ended(&unanswered, form.within.map(Within::duration)),
            Self::Unavailable(why) => Ok(QuestionResult::Unavailable { why }),
            // Its result did not come.
            Self::Answered(_) => Ok(QuestionResult::Unavailable { why: "the answers came too late".to_owned() }),
        }
    }
}

/// Runs the extension.
fn run(
    context: &mut Context<'_>,
    form: &Questionnaire,
    session: Option<&Session>,
    scripted: Option<&mut Scripted>,
) -> (Result<Ran, AppError>, End) {
    let name = Name::questionnaire();
    let deed = ExtensionAction::Tool(name.clone(), json!({"questions": form.questions}));
    let extensions = context.extensions;
    within(context.prompter, form.within.map(Within::duration), |prompter| {
        let mut by_prompt = ByPrompt::new(prompter, None);
        let asker: &mut dyn Asker = match scripted {
            Some(scripted) => scripted,
            None => &mut by_prompt,
        };
        let mut noting = Noting { asker, answered: None };
        let ran = extensions.run(&name, &deed, session, &mut noting);
        let (available, answered) = (noting.available(), noting.answered);
        (ran, End::of(answered, by_prompt.unanswered, available, form.questions.len()))
    })
}

/// Asks, and notes the answer.
struct Noting<'a> {
    asker: &'a mut dyn Asker,
    answered: Option<Answered>,
}

impl Asker for Noting<'_> {
    fn available(&self) -> Result<(), String> {
        self.asker.available()
    }

    fn ask(&mut self, call: &Call, settled: Settled) -> Met {
        let met = self.asker.ask(call, settled);
        if let Met::Answered(answered) = &met {
            self.answered = Some(answered.clone());
        }
        met
    }
}

/// The result of the tool with the extension's answers.
fn answered(gave: Gave) -> Result<ToolResult, AppError> {
    let mut value = gave.value;
    match (value["questions"].take(), value["answers"].take()) {
        (questions @ Value::Array(_), Value::Array(answers)) if !gave.failed => {
            Ok(ToolResult::Form { questions, filled: Filled::Answered(answers) })
        }
        _ => Err(AppError::Environment {
            code: "extension",
            message: "the answers are recorded, but the extension questionnaire returned no result".to_owned(),
            causes: gave.text.into_iter().collect(),
            hint: None,
        }),
    }
}
