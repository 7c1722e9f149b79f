//! Why a tool was not served: what is wrong with what it was called with, in one sentence.

use super::asking::LONGEST;
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
    /// There is no question.
    #[error("{tool} needs a question; it takes a question and {limit} options")]
    NoQuestion {
        /// The tool's name.
        tool: &'static str,
        /// How many options it takes.
        limit: String,
    },
    /// Too few options or too many.
    #[error("{tool} takes {limit} options, and there {} {count}{}", were(*count), after(*dropped))]
    Options {
        /// The tool's name.
        tool: &'static str,
        /// How many it takes.
        limit: String,
        /// How many there were.
        count: usize,
        /// How many of the caller's were dropped before.
        dropped: usize,
    },
    /// An option has no label.
    #[error("option {number} has an empty label; each of the {limit} options needs one")]
    NoLabel {
        /// Its number.
        number: usize,
        /// How many options there may be.
        limit: String,
    },
    /// A place that an option cites is not there.
    #[error("option {number} cites {path}: {why}")]
    NotThere {
        /// The option's number.
        number: usize,
        /// What it cites.
        path: String,
        /// What is wrong with it.
        why: String,
    },
    /// A time-out that is none.
    #[error("timeoutSeconds is {0}, and it takes 1 to {LONGEST}")]
    Timeout(u64),
    /// The summary is missing.
    #[error("resume_structured needs a summary of what the conversation came to, and it is empty")]
    NoSummary,
    /// A form without questions.
    #[error("questionnaire takes at least one question, and there is none")]
    NoQuestions,
    /// The UI API does not take a form.
    #[error(transparent)]
    Form(#[from] BadCall),
    /// Something that it needs is missing.
    #[error("{tool} needs {what}")]
    Missing {
        /// The tool's name.
        tool: &'static str,
        /// What is missing.
        what: &'static str,
    },
    /// A subsystem does not take it.
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
        /// The purpose.
        purpose: Option<Purpose>,
        /// The fewest questions that it takes.
        least: usize,
        /// The most questions that it takes.
        most: usize,
        /// The number of questions that were named.
        count: usize,
    },
    /// An outcome of an answer that is none.
    #[error("'{given}' is no outcome of an answer; allowed: answered, skipped, not-known, pushed-back, still-right")]
    AnswerOutcome {
        /// What was given.
        given: String,
    },
    /// A choice that is none of the alternatives.
    #[error("'{given}' is none of the alternatives: {}", labels.join("; "))]
    NoSuchChoice {
        /// What was given.
        given: String,
        /// The labels of the alternatives.
        labels: Vec<String>,
    },
    /// A place that the question cites is not there.
    #[error("{path} is cited: {why}")]
    Cited {
        /// The path.
        path: String,
        /// What is wrong with it.
        why: String,
    },
    /// Two alternatives that an answer could not tell apart.
    #[error("alternatives {one} and {other} are the same: '{label}'")]
    Same {
        /// The number of the first one.
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
    Outcome {
        /// The value given.
        given: String,
    },
    /// No version of the checkpoint.
    #[error("basedOn is \"{given}\", and it takes the checkpointVersion of a reply, as 1a2b3c4d5e")]
    Version {
        /// The value given.
        given: String,
    },
    /// A draft is too long.
    #[error("the draft has {bytes} bytes, and {limit} are the most")]
    Draft {
        /// How many it has.
        bytes: usize,
        /// How many it may have.
        limit: usize,
    },
    /// An issue is not as it must be.
    #[error("the issue was not taken: {why}")]
    Issue {
        /// What is wrong with it.
        why: String,
    },
    /// The alternatives are not as they must be.
    #[error(transparent)]
    Alternatives(#[from] BadAlternatives),
    /// A name that is none.
    #[error(transparent)]
    Unknown(#[from] UnknownValue),
    /// A path that cannot be written.
    #[error(transparent)]
    Path(#[from] BadPath),
    /// A repository that is none.
    #[error(transparent)]
    Repository(#[from] BadTrackerRepository),
    /// An id that is none.
    #[error(transparent)]
    Id(#[from] BadId),
    /// A text is blank or too long.
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
