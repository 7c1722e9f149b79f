//! The parameters of the calls, as they are sent, and their checks (P2, P18). An unknown key is an error that names it.

use serde::Deserialize;

use super::{BadCall, Call, Choice, Kind, LONGEST_PREVIEW, Level, MOST_OPTIONS, MOST_QUESTIONS, Question};
use crate::domain::text::{Line, Prose};

/// `ui.select` and `ui.multi_select`
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ListParams {
    #[serde(default)]
    pub prompt: String,
    #[serde(default)]
    pub options: Vec<OptionParams>,
    /// Whether the user may answer in other words.
    #[serde(default)]
    pub allow_other: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FormParams {
    #[serde(default)]
    pub questions: Vec<QuestionParams>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConfirmParams {
    #[serde(default)]
    pub prompt: String,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NotifyParams {
    #[serde(default)]
    pub message: String,
    #[serde(default)]
    pub level: Level,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QuestionParams {
    #[serde(default)]
    pub id: String,
    /// The tab's short label; `Q1`, `Q2`, … when left out.
    #[serde(default)]
    pub label: String,
    #[serde(default)]
    pub prompt: String,
    /// How many options an answer takes.
    #[serde(default)]
    pub kind: Kind,
    #[serde(default)]
    pub options: Vec<OptionParams>,
    /// Whether the user may answer in other words.
    #[serde(default = "yes")]
    pub allow_other: bool,
    /// Markdown shown with an option that has no preview of its own.
    #[serde(default)]
    pub preview: Option<String>,
    /// Whether free text can be added to the choice.
    #[serde(default)]
    pub note: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OptionParams {
    /// The value that is returned if it is chosen.
    pub value: String,
    pub label: String,
    #[serde(default)]
    pub description: Option<String>,
    /// Markdown shown with it while it is in focus.
    #[serde(default)]
    pub preview: Option<String>,
}

fn yes() -> bool {
    true
}

impl ListParams {
    pub fn check(self, kind: Kind) -> Result<Call, BadCall> {
        let Self { prompt, options, allow_other } = self;
        let only =
            QuestionParams { id: ONLY.to_owned(), prompt, kind, options, allow_other, ..QuestionParams::default() };
        only.check(1).map(Call::Ask)
    }
}

/// The id of a question that is asked alone.
const ONLY: &str = "answer";

impl FormParams {
    pub fn check(self) -> Result<Call, BadCall> {
        self.questions().map(Call::Form)
    }

    /// The checked questions.
    pub fn questions(self) -> Result<Vec<Question>, BadCall> {
        match self.questions.len() {
            0 => return Err(BadCall::NoQuestions),
            count if count > MOST_QUESTIONS => return Err(BadCall::TooManyQuestions(count)),
            _ => {}
        }
        let mut questions: Vec<Question> = Vec::with_capacity(self.questions.len());
        for (number, raw) in (1..).zip(self.questions) {
            let question = raw.check(number)?;
            if questions.iter().any(|earlier| earlier.id == question.id) {
                let why = format!("has the id {}, which an earlier one has", question.id);
                return Err(BadCall::Question { number, why });
            }
            questions.push(question);
        }
        Ok(questions)
    }
}

impl ConfirmParams {
    pub fn check(self) -> Result<Call, BadCall> {
        Ok(Call::Confirm(Prose::parse("the prompt", &self.prompt)?))
    }
}

impl NotifyParams {
    pub fn check(self) -> Result<Call, BadCall> {
        Ok(Call::Notify(Prose::parse("the message", &self.message)?, self.level))
    }
}

impl QuestionParams {
    /// The checked question; it is the form's question `number`.
    fn check(self, number: usize) -> Result<Question, BadCall> {
        let bad = |why: String| BadCall::Question { number, why };
        let id = self.id.trim();
        if id.is_empty() {
            return Err(bad("has no id".to_owned()));
        }
        if self.prompt.trim().is_empty() {
            return Err(bad("has no prompt".to_owned()));
        }
        if self.options.is_empty() && !self.allow_other {
            return Err(bad("offers no options and takes no other words".to_owned()));
        }
        if self.options.len() > MOST_OPTIONS {
            return Err(bad(format!("has {} options, more than the {MOST_OPTIONS} that fit", self.options.len())));
        }
        let previews = self.options.iter().map(|option| &option.preview).chain([&self.preview]);
        if previews.flatten().any(|preview| preview.len() > LONGEST_PREVIEW) {
            return Err(bad(format!("has a preview of more than {LONGEST_PREVIEW} bytes")));
        }
        let mut options: Vec<Choice> = Vec::with_capacity(self.options.len());
        for OptionParams { value, label, description, preview } in self.options {
            if label.trim().is_empty() {
                return Err(bad("has an option with an empty label".to_owned()));
            }
            if options.iter().any(|earlier| earlier.value == value) {
                return Err(bad(format!("has the value {value} twice")));
            }
            options.push(Choice { value, label: Line::parse("an option's label", &label)?, description, preview });
        }
        let label = if self.label.trim().is_empty() { format!("Q{number}") } else { self.label };
        Ok(Question {
            id: id.to_owned(),
            label: Line::parse("a question's label", &label)?,
            prompt: Prose::parse("a question's prompt", &self.prompt)?,
            kind: self.kind,
            options,
            allow_other: self.allow_other,
            preview: self.preview,
            note: self.note,
        })
    }
}
