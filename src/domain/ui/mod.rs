//! The UI API, version 1: what an extension can ask a person, and the results (P1, P2, P18, P19). Every call is checked
//! here, wherever it is shown.

mod answered;
mod name;
mod params;

pub use answered::{Answered, Chosen, OneAnswer, Returned, ReturnedAnswer, Taken, Without};
pub use name::{BadName, Name};
pub use params::{ConfirmParams, FormParams, ListParams, NotifyParams, OptionParams, QuestionParams};

use super::text::{Line, Prose, TextError};

/// The version of this API. A change that would break an extension needs a named flag instead (P4).
pub const API_VERSION: u32 = 1;
/// The flags that an extension can ask for; there are none yet.
pub const FLAGS: &[&str] = &[];

/// The most questions of one form.
pub const MOST_QUESTIONS: usize = 20;
/// The most options of one question.
pub const MOST_OPTIONS: usize = 100;
/// The most bytes of a preview.
pub const LONGEST_PREVIEW: usize = 12_000;

/// A call by which an extension asks a person or shows something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Call {
    Ask(Question),
    /// Several questions at once, each with its own tab (P3).
    Form(Vec<Question>),
    Confirm(Prose),
    /// A notice, which never waits.
    Notify(Prose, Level),
}

impl Call {
    /// Its method on the wire.
    pub fn method(&self) -> &'static str {
        match self {
            Self::Ask(Question { kind: Kind::One, .. }) => "ui.select",
            Self::Ask(Question { kind: Kind::Many, .. }) => "ui.multi_select",
            Self::Form(_) => "ui.form",
            Self::Confirm(_) => "ui.confirm",
            Self::Notify(..) => "ui.notify",
        }
    }

    pub const METHODS: &'static [&'static str] =
        &["ui.select", "ui.multi_select", "ui.form", "ui.confirm", "ui.notify"];
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    #[default]
    Info,
    Warning,
    Error,
}

/// How many options an answer takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// One of them.
    #[default]
    One,
    /// At least one of them.
    #[serde(rename = "multi")]
    Many,
}

/// A question, checked. Serialized, it is one of [`FormParams`].
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Question {
    /// The id of its answer, unique in the call. A call with a single question has no id in its message.
    pub id: String,
    /// The tab's short label.
    pub label: Line,
    pub prompt: Prose,
    /// How many options an answer takes.
    #[serde(skip_serializing_if = "is_default")]
    pub kind: Kind,
    /// Its options; may be empty if other words are allowed.
    pub options: Vec<Choice>,
    /// Whether the user may answer in other words.
    pub allow_other: bool,
    /// Markdown shown with an option that has no preview of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preview: Option<String>,
    /// Whether free text can be added to the choice.
    #[serde(skip_serializing_if = "is_default")]
    pub note: bool,
}

/// Whether a field can be left out.
fn is_default<T: Default + PartialEq>(field: &T) -> bool {
    *field == T::default()
}

/// An option of a question, checked.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Choice {
    /// The value that is returned if it is chosen.
    pub value: String,
    pub label: Line,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Markdown shown with it while it is in focus.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preview: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadCall {
    #[error("a form takes at least one question, and there is none")]
    NoQuestions,
    #[error("a form takes at most {MOST_QUESTIONS} questions, and there are {0}")]
    TooManyQuestions(usize),
    #[error("question {number} {why}")]
    Question {
        /// Its position, counting from 1.
        number: usize,
        /// What is wrong, as the rest of the sentence.
        why: String,
    },
    /// A text that is empty or too long.
    #[error(transparent)]
    Text(#[from] TextError),
}

#[cfg(test)]
mod tests;
