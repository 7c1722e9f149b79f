//! The tools for agents (G35, Q1 to Q19): what a caller may ask for, checked once, and what a question came to, in the
//! words and under the kind that every surface hands back. A surface reads the request, finds out what is cited, and
//! shows; what is allowed is decided elsewhere.

mod agent;
mod asking;
mod bad_request;
mod drafts;
mod interview;
mod lenient;
mod phases;
mod question_result;
mod questionnaire;
mod reported;
mod rows;

pub use agent::{AgentToolRequest, agent};
pub use asking::{Asking, AskingRequest, Cited, EvidenceRequest, Follows, NOT_QUITE, OptionRequest, Within};
pub use bad_request::BadRequest;
pub use drafts::{HandedIn, SubmitDraftRequest, submit_draft};
pub use interview::{
    AlternativeRequest, Revision, SetAlternativesRequest, UpdateCheckpointRequest, set_alternatives, update_checkpoint,
};
pub use phases::{
    EnterOutputRequest, EnterSelectionRequest, FinishOutputRequest, FinishSelectionRequest, Leaving, Names,
    OutputRequest, StartRequest, Starting, StatusRequest, WantedOutput, WantedPlan, enter_output, enter_selection,
    finish_output, finish_selection, start,
};
pub use question_result::{QuestionResult, Taken, resumed};
pub use questionnaire::{Questionnaire, QuestionnaireRequest};
pub use reported::{
    ChatReply, Choice, Chosen, QuestionName, RecordAnswerRequest, Reported, record_answer, revise_answer, taken,
};
pub use rows::{Row, rows};

use serde::Deserialize;

use super::agents::request::AgentRequest;
use super::selection::Gate;
use super::subsystem;
use super::text::{Line, Prose};

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
    SetAlternatives,
    /// What the user said in plain chat.
    RecordAnswer,
    /// What the user said in place of an earlier answer.
    ReviseAnswer,
    UpdateCheckpoint,
    /// The gate.
    EnterSelection,
    /// Leaving the gate without an output.
    FinishSelection,
    EnterOutput,
    SubmitDraft,
    FinishOutput,
    Status,
    Start,
    /// Lends work to another agent, in every phase and without a session.
    Agent,
    Own(&'static str),
}

/// What `resume_structured` is called with.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ResumeRequest {
    #[serde(default)]
    pub summary: String,
}

/// A request to a tool, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    Ask(Box<Asking>),
    Resume(Prose),
    Form(Box<Questionnaire>),
    Record(Box<Reported>),
    /// What the user said in place of an earlier answer.
    Revise(Box<Reported>),
    Update(Box<Revision>),
    EnterSelection(Box<Gate>),
    /// How to leave it, and what the user said.
    FinishSelection(Leaving, Option<Line>),
    EnterOutput(Box<WantedPlan>),
    SubmitDraft(Box<HandedIn>),
    FinishOutput(Option<Line>),
    Status,
    Start(Box<Starting>),
    Agent(Box<AgentRequest>),
    Own(Tool, Box<subsystem::Command>),
}

impl Request {
    pub fn tool(&self) -> Tool {
        match self {
            Self::Ask(asking) => asking.tool(),
            Self::Resume(_) => Tool::ResumeStructured,
            Self::Form(_) => Tool::Questionnaire,
            Self::Record(_) => Tool::RecordAnswer,
            Self::Revise(_) => Tool::ReviseAnswer,
            Self::Update(_) => Tool::UpdateCheckpoint,
            Self::EnterSelection(_) => Tool::EnterSelection,
            Self::FinishSelection(..) => Tool::FinishSelection,
            Self::EnterOutput(_) => Tool::EnterOutput,
            Self::SubmitDraft(_) => Tool::SubmitDraft,
            Self::FinishOutput(_) => Tool::FinishOutput,
            Self::Status => Tool::Status,
            Self::Start(_) => Tool::Start,
            Self::Agent(_) => Tool::Agent,
            Self::Own(tool, _) => *tool,
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
