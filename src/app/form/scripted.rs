//! Answers from a file that a person wrote beforehand (P5). A question that it does not cover gets no answer.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::super::error::AppError;
use super::super::prompt::Settled;
use super::by_prompt::chosen;
use super::{Asker, Met};
use crate::domain::once::no_key_twice;
use crate::domain::ui::{Answered, Call, Chosen, Kind, OneAnswer, Question, Without};

/// The hint for a file that is not one of answers.
pub const SUCH_A_FILE: &str = "man git-grill shows such a file, in the section EXTENSIONS";
/// The version of such files.
const VERSION: u64 = 1;

/// The answers of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Scripted {
    /// By a question's id, or its prompt.
    answers: BTreeMap<String, Value>,
}

impl Scripted {
    /// The most bytes of a file.
    pub const LARGEST: u64 = 1 << 20;

    /// Reads `{"version":1,"answers":{"<a question's id, or its prompt>": …}}`, where an answer is a value, a list of values,
    /// true or false, or an object with `value` or `values`, `other`, `note`; `{"cancelled":true}` closes the prompt.
    pub fn parse(file: &str) -> Result<Self, AppError> {
        let read: Value = serde_json::from_str(file).map_err(|error| wrong(format!("it is not JSON: {error}")))?;
        no_key_twice(&mut serde_json::Deserializer::from_str(file)).map_err(wrong)?;
        let Value::Object(mut file) = read else { return Err(wrong("it is not an object")) };
        match file.remove("version").as_ref().map(|version| (version.as_u64(), version)) {
            Some((Some(VERSION), _)) => {}
            Some((_, other)) => {
                return Err(wrong(format!("its version is {other}, and this git grill reads version 1")));
            }
            None => return Err(wrong("it has no version")),
        }
        let answers = file.remove("answers").ok_or_else(|| wrong("it has no answers"))?;
        if let Some(unknown) = file.keys().next() {
            return Err(wrong(format!("the key \"{unknown}\" is unknown")));
        }
        let Value::Object(answers) = answers else { return Err(wrong("its answers are not an object")) };
        for (question, answer) in &answers {
            known(answer).map_err(|why| wrong(format!("the answer to \"{question}\" {why}")))?;
        }
        Ok(Self { answers: answers.into_iter().collect() })
    }

    fn of(&self, question: &Question, has_id: bool) -> Option<&Value> {
        let by_id = self.answers.get(&question.id).filter(|_| has_id);
        by_id.or_else(|| self.answers.get(question.prompt.as_str()))
    }

    fn answers<'q>(
        &self,
        questions: impl IntoIterator<Item = &'q Question>,
        has_id: bool,
    ) -> Result<Vec<OneAnswer>, Without> {
        let one = |question: &Question| {
            let uncovered = || not_covered(question.prompt.as_str());
            answer(question, self.of(question, has_id).ok_or_else(uncovered)?)
        };
        questions.into_iter().map(one).collect()
    }

    fn answered(&self, call: &Call) -> Result<Answered, Without> {
        Ok(match call {
            Call::Ask(question) => Answered::Questions(self.answers([question], false)?),
            Call::Form(questions) => Answered::Questions(self.answers(questions, true)?),
            Call::Confirm(prompt) => match self.answers.get(prompt.as_str()) {
                Some(Value::Bool(yes)) => Answered::Confirmed(*yes),
                Some(Value::Object(object)) if is_cancelled(object) => return Err(Without::Cancelled),
                Some(_) => return Err(Without::Unavailable(format!("\"{prompt}\" takes true or false"))),
                None => return Err(not_covered(prompt.as_str())),
            },
            Call::Notify(..) => Answered::Shown,
        })
    }
}

impl Asker for Scripted {
    fn available(&self) -> Result<(), String> {
        Ok(())
    }

    fn ask(&mut self, call: &Call, _settled: Settled) -> Met {
        Met::Answered(self.answered(call).unwrap_or_else(Answered::Without))
    }
}

fn wrong(why: impl std::fmt::Display) -> AppError {
    AppError::Usage { message: format!("the file of answers was not read: {why}"), hint: SUCH_A_FILE.to_owned() }
}

fn not_covered(prompt: &str) -> Without {
    Without::Unavailable(format!("the file of answers has no answer to \"{prompt}\""))
}

/// Whether this can be an answer, whatever is asked.
fn known(answer: &Value) -> Result<(), String> {
    match answer {
        Value::String(_) | Value::Bool(_) => Ok(()),
        Value::Array(all) if all.iter().all(Value::is_string) => Ok(()),
        Value::Object(object) => {
            let text = |value: &Value| value.is_string();
            let texts = |value: &Value| value.as_array().is_some_and(|all| all.iter().all(Value::is_string));
            for (key, value) in object {
                let fits = match key.as_str() {
                    "value" | "other" | "note" => text(value),
                    "values" => texts(value),
                    "cancelled" => value.is_boolean(),
                    _ => return Err(format!("has the unknown key \"{key}\"")),
                };
                if !fits {
                    return Err(format!("has a \"{key}\" of the wrong type"));
                }
            }
            Ok(())
        }
        Value::Null | Value::Number(_) | Value::Array(_) => Err("is of a type that answers nothing".to_owned()),
    }
}

fn is_cancelled(answer: &Map<String, Value>) -> bool {
    answer.get("cancelled").and_then(Value::as_bool).unwrap_or(false)
}

/// The answer to this question; a value that the question does not offer is no answer.
fn answer(question: &Question, answer: &Value) -> Result<OneAnswer, Without> {
    let text = |value: Option<&Value>| value.and_then(Value::as_str).map(str::to_owned);
    let (values, other, note) = match answer {
        // Where nothing is offered, words are all that can be meant.
        Value::String(words) if question.options.is_empty() => (Vec::new(), Some(words.clone()), None),
        Value::String(value) => (vec![value.clone()], None, None),
        Value::Array(all) => (all.iter().filter_map(|value| text(Some(value))).collect(), None, None),
        Value::Object(object) if is_cancelled(object) => return Err(Without::Cancelled),
        Value::Object(object) => {
            let several = object.get("values").and_then(Value::as_array).into_iter().flatten();
            let values = several.filter_map(|value| text(Some(value))).chain(text(object.get("value"))).collect();
            (values, text(object.get("other")), text(object.get("note")))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => (Vec::new(), None, None),
    };
    let prompt = question.prompt.as_str();
    let offered = || {
        let offered: Vec<&str> = question.options.iter().map(|option| option.value.as_str()).collect();
        let own = if question.allow_other { ", or {\"other\": \"words\"}" } else { "" };
        format!("it takes {}{own}", offered.join(", "))
    };
    if let Some(value) = values.iter().find(|value| !question.options.iter().any(|option| option.value == **value)) {
        let why = format!("the file of answers has \"{value}\" for \"{prompt}\", but {}", offered());
        return Err(Without::Unavailable(why));
    }
    let words = other.filter(|words| !words.trim().is_empty());
    if words.is_some() && !question.allow_other {
        return Err(Without::Unavailable(format!("\"{prompt}\" takes no other words")));
    }
    if note.is_some() && !question.note {
        return Err(Without::Unavailable(format!("\"{prompt}\" takes no note")));
    }
    // In the order of the options, as a person's choice is returned.
    let options = question.options.iter().filter(|option| values.contains(&option.value)).map(chosen);
    let all: Vec<Chosen> = options.chain(words.map(|words| Chosen::own(words.trim()))).collect();
    match (question.kind, all.len()) {
        (_, 0) => {
            let why = format!("the file of answers chooses nothing for \"{prompt}\", but {}", offered());
            Err(Without::Unavailable(why))
        }
        (Kind::One, 1) | (Kind::Many, _) => {
            Ok(OneAnswer { chosen: all, note: note.filter(|note| !note.trim().is_empty()) })
        }
        (Kind::One, several) => Err(Without::Unavailable(format!(
            "the file of answers has {several} answers to \"{prompt}\", but it takes one"
        ))),
    }
}
