//! `questionnaire`: several questions as one form (spec P2), or a single one as a list (P8).

use serde::{Deserialize, Serialize};

use super::asking::Within;
use super::bad_request::{BadRequest, optional_line};
use crate::domain::text::{Line, Prose};

/// What the tool is called with, unchecked.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QuestionnaireRequest {
    /// The questions.
    #[serde(default)]
    pub questions: Vec<FormQuestionRequest>,
    /// How long somebody is waited for.
    #[serde(default, rename = "timeoutSeconds")]
    pub timeout_seconds: Option<u64>,
    /// Why the answer before it changed nothing in the checkpoint (G24).
    #[serde(default, rename = "noChange")]
    pub no_change: Option<String>,
}

/// A question of it, unchecked.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FormQuestionRequest {
    /// What its answer is called.
    #[serde(default)]
    pub id: String,
    /// The tab's short label; `Q1`, `Q2`, … when left out.
    #[serde(default)]
    pub label: String,
    /// The question.
    #[serde(default)]
    pub prompt: String,
    /// What it offers.
    #[serde(default)]
    pub options: Vec<Value>,
    /// Whether other words are taken.
    #[serde(default = "yes")]
    pub allow_other: bool,
}

fn yes() -> bool {
    true
}

/// An option of a form question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Value {
    /// What is returned when it is taken.
    pub value: String,
    /// Its name.
    pub label: String,
    /// What it means.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}

/// A form, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Questionnaire {
    /// Its questions, at least one.
    pub questions: Vec<FormQuestion>,
    /// How long somebody is waited for.
    pub within: Option<Within>,
    /// Why the answer before it changed nothing in the checkpoint.
    pub unchanged: Option<Line>,
}

/// A question of a form, checked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FormQuestion {
    /// What its answer is called; no other question's id.
    pub id: String,
    /// The tab's short label.
    pub label: Line,
    /// The question.
    pub prompt: Prose,
    /// What it offers; may be empty where other words are taken.
    pub options: Vec<Value>,
    /// Whether other words are taken.
    pub allow_other: bool,
}

impl Questionnaire {
    /// Checks a request (P2).
    pub fn check(request: &QuestionnaireRequest) -> Result<Self, BadRequest> {
        if request.questions.is_empty() {
            return Err(BadRequest::NoQuestions);
        }
        let mut questions: Vec<FormQuestion> = Vec::with_capacity(request.questions.len());
        for (index, raw) in request.questions.iter().enumerate() {
            let number = index + 1;
            let bad = |why: String| BadRequest::FormQuestion { number, why };
            let id = raw.id.trim();
            if id.is_empty() {
                return Err(bad("has no id".to_owned()));
            }
            if questions.iter().any(|earlier| earlier.id == id) {
                return Err(bad(format!("has the id {id}, which an earlier one has")));
            }
            if raw.prompt.trim().is_empty() {
                return Err(bad("has no prompt".to_owned()));
            }
            if raw.options.is_empty() && !raw.allow_other {
                return Err(bad("offers no options and takes no other words".to_owned()));
            }
            if raw.options.iter().any(|option| option.label.trim().is_empty()) {
                return Err(bad("has an option with an empty label".to_owned()));
            }
            let label = if raw.label.trim().is_empty() { format!("Q{number}") } else { raw.label.clone() };
            questions.push(FormQuestion {
                id: id.to_owned(),
                label: Line::parse("a question's label", &label)?,
                prompt: Prose::parse("a question's prompt", &raw.prompt)?,
                options: raw.options.clone(),
                allow_other: raw.allow_other,
            });
        }
        let within = request.timeout_seconds.map(Within::seconds).transpose()?;
        let unchanged = optional_line("noChange", request.no_change.as_deref())?;
        Ok(Self { questions, within, unchanged })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(id: &str) -> FormQuestionRequest {
        FormQuestionRequest {
            id: id.to_owned(),
            label: String::new(),
            prompt: "Which?".to_owned(),
            options: vec![Value { value: "a".to_owned(), label: "A".to_owned(), description: None }],
            allow_other: true,
        }
    }

    fn check(questions: Vec<FormQuestionRequest>) -> Result<Questionnaire, String> {
        Questionnaire::check(&QuestionnaireRequest { questions, ..QuestionnaireRequest::default() })
            .map_err(|error| error.to_string())
    }

    #[test]
    fn p2_labels_have_defaults_and_ids_are_their_own() {
        let form = check(vec![raw("x"), FormQuestionRequest { label: "Two".to_owned(), ..raw("y") }]).unwrap();
        let labels: Vec<&str> = form.questions.iter().map(|one| one.label.as_str()).collect();
        assert_eq!(labels, ["Q1", "Two"]);
        for (questions, expected) in [
            (vec![], "questionnaire takes at least one question, and there is none"),
            (vec![raw(" ")], "question 1 has no id"),
            (vec![raw("x"), raw(" x ")], "question 2 has the id x, which an earlier one has"),
            (vec![FormQuestionRequest { prompt: " ".to_owned(), ..raw("x") }], "question 1 has no prompt"),
            (
                vec![FormQuestionRequest { options: vec![], allow_other: false, ..raw("x") }],
                "question 1 offers no options and takes no other words",
            ),
        ] {
            assert_eq!(check(questions).unwrap_err(), expected);
        }
        assert!(check(vec![FormQuestionRequest { options: vec![], ..raw("x") }]).is_ok());
    }
}
