//! The question tools (spec Q1 to Q19): what a caller may ask for, checked once, and what a question came to, in the
//! words and under the kind that every surface hands back. A surface reads the request, finds out what is cited, and
//! shows; what is allowed is decided elsewhere.

mod asking;
mod questionnaire;
mod told;

pub use asking::{Asking, AskingRequest, BadRequest, Cited, EvidenceRequest, NOT_QUITE, OptionRequest, Within};
pub use questionnaire::{FormQuestion, FormQuestionRequest, Questionnaire, QuestionnaireRequest, Value};
pub use told::{Taken, Told, resumed};

use super::text::Prose;
use serde::Deserialize;

/// A tool, by the name under which callers know it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tool {
    /// One of several options.
    AskQuestion,
    /// Several of them.
    AskMultiSelect,
    /// The end of a conversation.
    ResumeStructured,
    /// Several questions as one form.
    Questionnaire,
}

impl Tool {
    /// Every tool, in the order in which they are listed.
    pub const ALL: &'static [Self] =
        &[Self::AskQuestion, Self::AskMultiSelect, Self::ResumeStructured, Self::Questionnaire];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::AskQuestion => "ask_question",
            Self::AskMultiSelect => "ask_multi_select",
            Self::ResumeStructured => "resume_structured",
            Self::Questionnaire => "questionnaire",
        }
    }

    /// The tool of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|tool| tool.name() == name)
    }
}

/// What `resume_structured` is called with.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ResumeRequest {
    /// What the conversation came to.
    #[serde(default)]
    pub summary: String,
}

/// A request to a tool, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// A question to put.
    Ask(Box<Asking>),
    /// The summary of a conversation.
    Resume(Prose),
    /// A form to fill in.
    Form(Box<Questionnaire>),
}

impl Request {
    /// The tool that it is a request to.
    pub fn tool(&self) -> Tool {
        match self {
            Self::Ask(asking) => asking.tool(),
            Self::Resume(_) => Tool::ResumeStructured,
            Self::Form(_) => Tool::Questionnaire,
        }
    }
}

/// Checks the summary of a conversation.
pub fn resume(request: &ResumeRequest) -> Result<Request, BadRequest> {
    if request.summary.trim().is_empty() {
        return Err(BadRequest::NoSummary);
    }
    Ok(Request::Resume(Prose::parse("the summary", &request.summary)?))
}
