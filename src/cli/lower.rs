//! Lowering: from words to checked values. A word that is not taken is a usage error, and nothing was done.

use crate::app::error::AppError;
use crate::domain::decide::out_of_no_interview;
use crate::domain::ids::{BadId, QuestionId};
use crate::domain::interview::{self, TranscriptEntry};
use crate::domain::production::BadPath;
use crate::domain::refusal::Refusal;
use crate::domain::session::{Floor, Phase, Session};
use crate::domain::settings::UnknownValue;
use crate::domain::text::{Line, Prose, TextError};
use crate::domain::tracker::BadTrackerRepository;

pub(super) fn usage(message: impl Into<String>, hint: impl Into<String>) -> AppError {
    AppError::Usage { message: message.into(), hint: hint.into() }
}

/// What explains a value where the verb that takes it is not known yet; [`naming`] puts it in.
const UNNAMED: &str = "git grill help <verb> explains what it takes";

/// The error with the verb that was typed in its hint.
pub(super) fn naming(verb: &'static str, error: AppError) -> AppError {
    if let AppError::Usage { message, hint } = &error
        && hint == UNNAMED
    {
        return usage(message.as_str(), UNNAMED.replace("<verb>", verb));
    }
    error
}

impl From<UnknownValue> for AppError {
    fn from(error: UnknownValue) -> Self {
        usage(error.to_string(), UNNAMED)
    }
}

impl From<TextError> for AppError {
    fn from(error: TextError) -> Self {
        let hint = match error {
            TextError::Blank { .. } => "git grill help shows what each verb takes",
            TextError::TooLong { .. } => "put the long text into a file of the repository and refer to it",
        };
        usage(error.to_string(), hint)
    }
}

impl From<BadId> for AppError {
    fn from(error: BadId) -> Self {
        usage(error.to_string(), "git grill status --questions lists the questions, git grill sessions the sessions")
    }
}

impl From<BadPath> for AppError {
    fn from(error: BadPath) -> Self {
        usage(error.to_string(), "give a path below the top of the repository, such as docs/design/api.md")
    }
}

impl From<BadTrackerRepository> for AppError {
    fn from(error: BadTrackerRepository) -> Self {
        usage(error.to_string(), "git grill select github-issues --repo octo/links")
    }
}

/// Words of the command line as one prose text.
pub(super) fn prose(what: &'static str, words: &[String]) -> Result<Prose, AppError> {
    Ok(Prose::parse(what, &words.join(" "))?)
}

pub(super) fn optional_prose(what: &'static str, text: Option<&str>) -> Result<Option<Prose>, AppError> {
    text.map(|text| Prose::parse(what, text)).transpose().map_err(AppError::from)
}

/// An optional line; blank is none.
pub(super) fn optional_line(what: &'static str, text: &str) -> Result<Option<Line>, AppError> {
    if text.trim().is_empty() { Ok(None) } else { Ok(Some(Line::parse(what, text)?)) }
}

/// The question that is meant: the one named, else the one that was last shown as open.
pub(super) fn question(session: &Session, named: Option<&str>) -> Result<QuestionId, AppError> {
    match named {
        Some(text) => Ok(QuestionId::parse(text)?),
        None => session.open_question().map(|asked| asked.question.id.clone()).ok_or_else(|| nothing_open(session)),
    }
}

/// Why no question is open, and what leads on from here.
fn nothing_open(session: &Session) -> AppError {
    let deed = "answering";
    let phase = session.phase.name();
    AppError::Refused(match session.phase {
        Phase::Interview(Floor::Discussion { .. }) => interview::Refusal::InDiscussion { deed }.into(),
        Phase::Interview(Floor::Free | Floor::Question { .. }) => interview::Refusal::NoQuestion.into(),
        Phase::Selection(_) => Refusal::WrongPhase {
            deed,
            phase,
            way_out: "git grill select <output> chooses; git grill next goes on with the interview",
        },
        Phase::Production(_) => {
            Refusal::WrongPhase { deed, phase, way_out: "git grill finish returns to the interview" }
        }
        Phase::NoInterview { .. } => Refusal::WrongPhase { deed, phase, way_out: out_of_no_interview(session) },
        Phase::Closed { .. } => Refusal::SessionClosed { deed },
    })
}

/// A question by its number or its id.
pub(super) fn any_question<'a>(session: &'a Session, text: &str) -> Result<&'a TranscriptEntry, AppError> {
    let found = match text.parse::<u32>() {
        Ok(number) => session.transcript.numbered(number),
        Err(_) => session.transcript.get(&QuestionId::parse(text)?),
    };
    found.ok_or_else(|| {
        usage(
            format!("there is no question {text}; {} were asked", session.transcript.asked.len()),
            "git grill status --questions lists them",
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::settings::Strategy;

    #[test]
    fn g44_the_hint_names_the_verb_that_was_typed() {
        let unknown = || AppError::from("poem".parse::<Strategy>().unwrap_err());
        assert_eq!(naming("select", unknown()).hint().unwrap(), "git grill help select explains what it takes");
        assert_eq!(naming("select", usage("no", "git grill status")).hint().unwrap(), "git grill status");
    }
}
