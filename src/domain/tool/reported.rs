//! `grill_record_answer` and `grill_revise_answer`: what a person said in chat, in every way in which they can say it
//! (G58), as an agent reports it.

use serde::Deserialize;

use super::Tool;
use super::bad_request::BadRequest;
use super::lenient;
use crate::domain::command::Reply;
use crate::domain::ids::QuestionId;
use crate::domain::interview::{Transcript, TranscriptEntry};
use crate::domain::question::Question;
use crate::domain::text::{Line, Prose};

/// What both tools are called with, unchecked.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RecordAnswerRequest {
    /// The user's words.
    #[serde(default)]
    pub answer: String,
    /// The alternatives that they took, by number or label.
    #[serde(default)]
    pub choice: Option<Choice>,
    /// `answered`, `skipped`, `not-known`, `pushed-back` or `still-right`; left out, it is answered.
    #[serde(default)]
    pub outcome: Option<String>,
    /// The question's id or number; left out, the one that is open.
    #[serde(default, deserialize_with = "lenient::name")]
    pub question: Option<String>,
    #[serde(default)]
    pub note: Option<String>,
}

/// Alternatives as callers write them.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum Choice {
    One(Chosen),
    Several(Vec<Chosen>),
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum Chosen {
    Number(u64),
    /// Its number, label or value, as text.
    Text(String),
}

impl Choice {
    fn names(&self) -> Vec<String> {
        let one = |chosen: &Chosen| match chosen {
            Chosen::Number(number) => number.to_string(),
            Chosen::Text(text) => text.trim().to_owned(),
        };
        let all = match self {
            Self::One(chosen) => vec![one(chosen)],
            Self::Several(list) => list.iter().map(one).collect(),
        };
        all.into_iter().filter(|name| !name.is_empty()).collect()
    }
}

/// A question as a person or an agent names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum QuestionName {
    Id(QuestionId),
    /// By its display number.
    Number(u32),
}

impl QuestionName {
    /// Reads a name: `3`, `#3` or an id.
    pub fn parse(text: &str) -> Result<Self, BadRequest> {
        let text = text.trim();
        match text.strip_prefix('#').unwrap_or(text).parse() {
            Ok(number) => Ok(Self::Number(number)),
            Err(_) => Ok(Self::Id(QuestionId::parse(text)?)),
        }
    }

    pub fn of<'a>(&self, transcript: &'a Transcript) -> Option<&'a TranscriptEntry> {
        match self {
            Self::Id(id) => transcript.get(id),
            Self::Number(number) => transcript.numbered(*number),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChatReply {
    Words(Prose),
    /// These alternatives, by number, label or value.
    Choice(Vec<String>),
    NotKnown,
    Skipped,
    /// They refuse the question, for this reason.
    PushedBack(Prose),
    /// Their earlier answer still holds, after something that it stands on changed.
    StillRight,
}

/// What the user said in chat, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reported {
    pub reply: ChatReply,
    /// The question that it answers; none is the one that is open.
    pub question: Option<QuestionName>,
    pub note: Option<Prose>,
}

/// Checks what the user said to the open question.
pub fn record_answer(request: &RecordAnswerRequest) -> Result<Reported, BadRequest> {
    checked(Tool::RecordAnswer, request)
}

/// Checks what the user said in place of an earlier answer: the question has to be named.
pub fn revise_answer(request: &RecordAnswerRequest) -> Result<Reported, BadRequest> {
    let reported = checked(Tool::ReviseAnswer, request)?;
    if reported.question.is_none() {
        let what = "the question whose answer changes, by its id or number";
        return Err(BadRequest::Missing { tool: Tool::ReviseAnswer.name(), what });
    }
    if let ChatReply::Skipped | ChatReply::PushedBack(_) = reported.reply {
        let what = "the answer that the user gives instead, or the outcome not-known or still-right";
        return Err(BadRequest::Missing { tool: Tool::ReviseAnswer.name(), what });
    }
    Ok(reported)
}

fn checked(tool: Tool, request: &RecordAnswerRequest) -> Result<Reported, BadRequest> {
    let missing = |what| BadRequest::Missing { tool: tool.name(), what };
    let words = Some(request.answer.trim()).filter(|words| !words.is_empty());
    let choice = request.choice.as_ref().map(Choice::names).filter(|names| !names.is_empty());
    let note = request.note.as_deref().map(str::trim).filter(|note| !note.is_empty());
    let outcome = request.outcome.as_deref().map(str::trim).filter(|outcome| !outcome.is_empty());
    let nothing_else = || match (words, &choice, note) {
        (None, None, None) => Ok(()),
        _ => Err(missing("no answer, choice or note beside an outcome that takes none")),
    };
    let reply = match (outcome, words, &choice) {
        (None | Some("answered"), Some(words), None) => ChatReply::Words(Prose::parse("the answer", words)?),
        (None | Some("answered"), None, Some(names)) => ChatReply::Choice(names.clone()),
        (None | Some("answered"), Some(_), Some(_)) => {
            return Err(missing("an answer or a choice, not both; what the user added to a choice is its note"));
        }
        (None | Some("answered"), None, None) => {
            return Err(missing(
                "an answer: the user's own words; or the choice that they took, or the outcome skipped, not-known or \
                 pushed-back",
            ));
        }
        (Some("not-known"), None, None) => ChatReply::NotKnown,
        (Some("not-known"), _, _) => return Err(missing("no answer or choice with not-known; a note is taken")),
        (Some("skipped"), _, _) => {
            nothing_else()?;
            ChatReply::Skipped
        }
        (Some("still-right"), None, None)
            if request.question.as_deref().is_some_and(|name| !name.trim().is_empty()) =>
        {
            ChatReply::StillRight
        }
        (Some("still-right"), _, _) => {
            return Err(missing("with still-right the question by its id or number, and no answer or choice"));
        }
        (Some("pushed-back"), Some(words), None) if note.is_none() => {
            ChatReply::PushedBack(Prose::parse("the objection", words)?)
        }
        (Some("pushed-back"), _, _) => {
            return Err(missing("with pushed-back the user's objection as answer, and nothing else"));
        }
        (Some(other), _, _) => return Err(BadRequest::AnswerOutcome { given: Line::clipped(other).to_string() }),
    };
    Ok(Reported {
        reply,
        question: request
            .question
            .as_deref()
            .filter(|name| !name.trim().is_empty())
            .map(QuestionName::parse)
            .transpose()?,
        note: note.map(|note| Prose::parse("the note", note)).transpose()?,
    })
}

/// The reply by which a choice answers a question. A label or a value goes before a number, since a label may be one.
pub fn taken(question: &Question, names: &[String]) -> Result<Reply, BadRequest> {
    let alternatives = question.alternatives.as_slice();
    let number = |name: &String| {
        let same = |text: &str| text.trim().to_lowercase() == name.to_lowercase();
        let labelled = alternatives.iter().position(|one| same(one.label.as_str()) || same(one.value.as_str()));
        let numbered = || name.parse::<usize>().ok();
        labelled.map(|index| index + 1).or_else(numbered).ok_or_else(|| BadRequest::NoSuchChoice {
            given: Line::clipped(name).to_string(),
            labels: alternatives.iter().map(|one| one.label.to_string()).collect(),
        })
    };
    Ok(Reply::Chosen(names.iter().map(number).collect::<Result<_, _>>()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(json: &str) -> RecordAnswerRequest {
        serde_json_like(json)
    }

    /// Requests are read by the surfaces; here they are put together by hand.
    fn serde_json_like(fields: &str) -> RecordAnswerRequest {
        let mut request = RecordAnswerRequest::default();
        for field in fields.split(';').filter(|field| !field.is_empty()) {
            let (name, value) = field.split_once('=').unwrap();
            match name {
                "answer" => request.answer = value.to_owned(),
                "choice" => request.choice = Some(Choice::One(Chosen::Text(value.to_owned()))),
                "number" => request.choice = Some(Choice::One(Chosen::Number(value.parse().unwrap()))),
                "outcome" => request.outcome = Some(value.to_owned()),
                "question" => request.question = Some(value.to_owned()),
                "note" => request.note = Some(value.to_owned()),
                other => panic!("{other}"),
            }
        }
        request
    }

    #[test]
    fn g58_each_way_to_reply_is_one_request() {
        let words = |text: &str| Prose::parse("it", text).unwrap();
        for (fields, expected) in [
            ("answer= both ", ChatReply::Words(words("both"))),
            ("answer=both;outcome=answered;note=x", ChatReply::Words(words("both"))),
            ("choice=2", ChatReply::Choice(vec!["2".to_owned()])),
            ("number=2;note=for now", ChatReply::Choice(vec!["2".to_owned()])),
            ("outcome=not-known", ChatReply::NotKnown),
            ("outcome=not-known;note=ask Bob", ChatReply::NotKnown),
            ("outcome=skipped", ChatReply::Skipped),
            ("outcome=still-right;question=3", ChatReply::StillRight),
            ("outcome=still-right;question=3;note=for now", ChatReply::StillRight),
            ("outcome=pushed-back;answer=neither", ChatReply::PushedBack(words("neither"))),
        ] {
            assert_eq!(record_answer(&request(fields)).unwrap().reply, expected, "{fields}");
        }
        for (fields, needs) in [
            ("", "the user's own words"),
            ("answer= ", "the user's own words"),
            ("choice= ", "the user's own words"),
            ("answer=a;choice=1", "not both"),
            ("outcome=not-known;answer=a", "not-known"),
            ("outcome=skipped;answer=a", "takes none"),
            ("outcome=skipped;note=a", "takes none"),
            ("outcome=pushed-back", "objection"),
            ("outcome=pushed-back;choice=1", "objection"),
            ("outcome=approved", "skipped, not-known, pushed-back"),
            ("outcome=still-right", "its id or number"),
            ("outcome=still-right;question= ", "its id or number"),
            ("outcome=still-right;question=3;answer=a", "no answer or choice"),
            ("outcome=still-right;question=3;choice=1", "no answer or choice"),
        ] {
            let error = record_answer(&request(fields)).unwrap_err().to_string();
            assert!(error.contains(needs), "{fields}: {error}");
        }
    }

    #[test]
    fn g58_a_revision_names_its_question_by_id_or_number() {
        assert!(revise_answer(&request("answer=a")).unwrap_err().to_string().contains("by its id or number"));
        for (name, expected) in [("3", QuestionName::Number(3)), ("#3", QuestionName::Number(3))] {
            let revised = revise_answer(&request(&format!("answer=a;question={name}"))).unwrap();
            assert_eq!(revised.question, Some(expected));
        }
        let id = QuestionId::from_nonce(4);
        let revised = revise_answer(&request(&format!("answer=a;question={id}"))).unwrap();
        assert_eq!(revised.question, Some(QuestionName::Id(id)));
        assert!(revise_answer(&request("answer=a;question=../x")).is_err());
    }
}
