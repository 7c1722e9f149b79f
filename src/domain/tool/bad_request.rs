//! Why a tool was not served: what is wrong with what it was called with, in one sentence.

use super::agent::actions;
use super::asking::LONGEST;
use crate::domain::agents::handle::BadHandle;
use crate::domain::agents::profile::UnknownProfile;
use crate::domain::agents::receipt::WaitTooLong;
use crate::domain::ids::BadId;
use crate::domain::production::BadPath;
use crate::domain::purpose::Purpose;
use crate::domain::question::BadAlternatives;
use crate::domain::settings::UnknownValue;
use crate::domain::subsystem;
use crate::domain::text::{Line, TextError};
use crate::domain::tracker::BadTrackerRepository;
use crate::domain::ui::BadCall;

/// Why a request was not taken. Nothing was shown and nothing stored.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadRequest {
    #[error("{tool} needs a question; it takes a question and {limit} options")]
    NoQuestion {
        tool: &'static str,
        /// How many options it takes.
        limit: String,
    },
    /// Too few options or too many.
    #[error("{tool} takes {limit} options, and there {} {count}{}", were(*count), after(*dropped))]
    Options {
        tool: &'static str,
        /// How many it takes.
        limit: String,
        count: usize,
        /// How many of the caller's were dropped before.
        dropped: usize,
    },
    #[error("option {number} has an empty label; each of the {limit} options needs one")]
    NoLabel {
        number: usize,
        /// How many options there may be.
        limit: String,
    },
    /// A place that an option cites is not there.
    #[error("option {number} cites {path}: {why}")]
    NotThere {
        /// The option's number.
        number: usize,
        path: String,
        why: String,
    },
    #[error("timeoutSeconds is {0}, and it takes 1 to {LONGEST}")]
    Timeout(u64),
    #[error("resume_structured needs a summary of what the conversation came to, and it is empty")]
    NoSummary,
    #[error("questionnaire takes at least one question, and there is none")]
    NoQuestions,
    /// The UI API does not take a form.
    #[error(transparent)]
    Form(#[from] BadCall),
    #[error("{tool} needs {what}")]
    Missing { tool: &'static str, what: &'static str },
    #[error(transparent)]
    Own(#[from] Box<subsystem::Refusal>),
    /// A purpose without the answers that it is about, or too many of them.
    #[error(
        "buildsOn names {count} {}; {}", if *count == 1 { "question" } else { "questions" },
        purpose.map_or_else(
            || format!("it takes at most {most}"),
            |purpose| {
                if least == most {
                    format!("the purpose {purpose} takes exactly {most}")
                } else {
                    format!("the purpose {purpose} takes {least} to {most} of them")
                }
            },
        )
    )]
    Follows {
        purpose: Option<Purpose>,
        least: usize,
        most: usize,
        /// The number of questions that were named.
        count: usize,
    },
    #[error("'{given}' is no outcome of an answer; allowed: answered, skipped, not-known, pushed-back, still-right")]
    AnswerOutcome { given: String },
    #[error("'{given}' is none of the alternatives: {}", labels.join("; "))]
    NoSuchChoice { given: String, labels: Vec<String> },
    #[error("{path} is cited: {why}")]
    Cited { path: String, why: String },
    /// Two alternatives that an answer could not tell apart.
    #[error("alternatives {one} and {other} are the same: '{label}'")]
    Same {
        one: usize,
        /// The number of the second one.
        other: usize,
        /// The label of the second one.
        label: Line,
    },
    /// No way to leave the selection.
    #[error(
        "'{given}' is no outcome; there are continue-grilling and stop-without-output, and grill_enter_output_phase for \
         outputs"
    )]
    Outcome { given: String },
    /// No version of the checkpoint.
    #[error("basedOn is \"{given}\", and it takes the checkpointVersion of a reply, as 1a2b3c4d5e")]
    Version { given: String },
    /// A draft is too long.
    #[error("the draft has {bytes} bytes, and {limit} are the most")]
    Draft { bytes: usize, limit: usize },
    #[error("'{given}' is no action; there are {}", actions())]
    AgentAction { given: String },
    #[error("'{given}' is no agent's name; one is made of letters, digits and . _ -, such as codex")]
    AgentName { given: String },
    #[error("the action {action} takes no {field}; it takes {takes}")]
    AgentField {
        action: &'static str,
        field: &'static str,
        /// The names of the fields that it takes.
        takes: String,
    },
    #[error("{tool} needs {what} for {action}")]
    AgentNeeds { tool: &'static str, action: &'static str, what: &'static str },
    #[error(transparent)]
    Handle(#[from] BadHandle),
    #[error(transparent)]
    Profile(#[from] UnknownProfile),
    #[error(transparent)]
    Wait(#[from] WaitTooLong),
    #[error("the issue was not taken: {why}")]
    Issue { why: String },
    #[error(transparent)]
    Alternatives(#[from] BadAlternatives),
    #[error(transparent)]
    Unknown(#[from] UnknownValue),
    #[error(transparent)]
    Path(#[from] BadPath),
    #[error(transparent)]
    Repository(#[from] BadTrackerRepository),
    #[error(transparent)]
    Id(#[from] BadId),
    #[error(transparent)]
    Text(#[from] TextError),
}

fn were(count: usize) -> &'static str {
    if count == 1 { "is" } else { "are" }
}

fn after(dropped: usize) -> String {
    match dropped {
        0 => String::new(),
        _ => format!(" without the {dropped} that git grill appends itself"),
    }
}

/// An optional line; blank is none.
pub(super) fn optional_line(what: &'static str, text: Option<&str>) -> Result<Option<Line>, BadRequest> {
    match text {
        Some(text) if !text.trim().is_empty() => Ok(Some(Line::parse(what, text)?)),
        Some(_) | None => Ok(None),
    }
}
