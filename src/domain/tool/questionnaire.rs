//! `questionnaire`: several questions as one form (spec P2), or a single one as a list (P8). An extension serves it, so
//! its questions are those of the UI API, and so are their limits.

use serde::Deserialize;

use super::asking::Within;
use super::bad_request::{BadRequest, optional_line};
use crate::domain::text::Line;
use crate::domain::ui::{FormParams, Question, QuestionParams};

/// What the tool is called with, unchecked.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QuestionnaireRequest {
    /// The questions.
    #[serde(default)]
    pub questions: Vec<QuestionParams>,
    /// How long somebody is waited for.
    #[serde(default, rename = "timeoutSeconds")]
    pub timeout_seconds: Option<u64>,
    /// Why the answer before it changed nothing in the checkpoint (G24).
    #[serde(default, rename = "noChange")]
    pub no_change: Option<String>,
}

/// A form, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Questionnaire {
    /// Its questions, at least one.
    pub questions: Vec<Question>,
    /// How long somebody is waited for.
    pub within: Option<Within>,
    /// Why the answer before it changed nothing in the checkpoint.
    pub unchanged: Option<Line>,
}

impl Questionnaire {
    /// Checks a request (P2), before anything is started for it.
    pub fn check(request: QuestionnaireRequest) -> Result<Self, BadRequest> {
        let QuestionnaireRequest { questions, timeout_seconds, no_change } = request;
        if questions.is_empty() {
            return Err(BadRequest::NoQuestions);
        }
        let questions = FormParams { questions }.questions()?;
        let within = timeout_seconds.map(Within::seconds).transpose()?;
        let unchanged = optional_line("noChange", no_change.as_deref())?;
        Ok(Self { questions, within, unchanged })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::ui::OptionParams;

    fn raw(id: &str) -> QuestionParams {
        let option = OptionParams { value: "a".to_owned(), label: "A".to_owned(), ..OptionParams::default() };
        QuestionParams {
            id: id.to_owned(),
            prompt: "Which?".to_owned(),
            options: vec![option],
            allow_other: true,
            ..QuestionParams::default()
        }
    }

    fn check(questions: Vec<QuestionParams>) -> Result<Questionnaire, String> {
        Questionnaire::check(QuestionnaireRequest { questions, ..QuestionnaireRequest::default() })
            .map_err(|error| error.to_string())
    }

    #[test]
    fn p2_labels_have_defaults_and_ids_are_their_own() {
        let form = check(vec![raw("x"), QuestionParams { label: "Two".to_owned(), ..raw("y") }]).unwrap();
        let labels: Vec<&str> = form.questions.iter().map(|one| one.label.as_str()).collect();
        assert_eq!(labels, ["Q1", "Two"]);
        for (questions, expected) in [
            (vec![], "questionnaire takes at least one question, and there is none"),
            (vec![raw(" ")], "question 1 has no id"),
            (vec![raw("x"), raw(" x ")], "question 2 has the id x, which an earlier one has"),
            (vec![QuestionParams { prompt: " ".to_owned(), ..raw("x") }], "question 1 has no prompt"),
            (
                vec![QuestionParams { options: vec![], allow_other: false, ..raw("x") }],
                "question 1 offers no options and takes no other words",
            ),
        ] {
            assert_eq!(check(questions).unwrap_err(), expected);
        }
        assert!(check(vec![QuestionParams { options: vec![], ..raw("x") }]).is_ok());
    }
}
