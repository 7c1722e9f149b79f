//! The interview's own tools (G35): a question with its alternatives, the checkpoint, and what the user said elsewhere.
//! Names and parameters are the source's; optional ones are ours.

use serde::Deserialize;

use super::asking::{Asking, Cited, EvidenceRequest, Within};
use super::bad_request::{BadRequest, optional_line};
use crate::domain::checkpoint::Checkpoint;
use crate::domain::ids::QuestionId;
use crate::domain::question::{Alternatives, Form, RawAlternative};
use crate::domain::text::{Line, Prose};

/// What `grill_set_alternatives` is called with, unchecked.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SetAlternativesRequest {
    /// The question that they answer.
    #[serde(default)]
    pub question: String,
    /// 2 to 5 of them.
    #[serde(default)]
    pub alternatives: Vec<AlternativeRequest>,
    /// Why the question matters (G10).
    #[serde(default)]
    pub why: Option<String>,
    /// What it is about, such as `scope`.
    #[serde(default)]
    pub dimension: Option<String>,
    /// Places in the repository that it speaks of.
    #[serde(default)]
    pub evidence: Vec<EvidenceRequest>,
    /// Why the answer before it changed nothing in the checkpoint (G24).
    #[serde(default)]
    pub no_change: Option<String>,
    /// How long somebody is waited for; without it, as long as it takes.
    #[serde(default)]
    pub timeout_seconds: Option<u64>,
}

/// An alternative, unchecked.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AlternativeRequest {
    /// Exactly what is sent when it is taken; empty takes the label.
    #[serde(default)]
    pub value: String,
    /// The short visible name; empty takes the value.
    #[serde(default)]
    pub label: String,
    /// The reason to take it.
    #[serde(default)]
    pub description: Option<String>,
    /// Whether it is the recommendation.
    #[serde(default)]
    pub recommended: bool,
}

/// What `grill_update_checkpoint` is called with: the whole document anew (G23).
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UpdateCheckpointRequest {
    /// The document.
    #[serde(default)]
    pub markdown: String,
    /// What changed, in one line (G25).
    #[serde(default)]
    pub change_summary: String,
}

/// What `grill_record_answer` is called with: what the user said in plain chat (G24).
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RecordAnswerRequest {
    /// The user's words.
    #[serde(default)]
    pub answer: String,
    /// The question's id; left out, the one that is open.
    #[serde(default)]
    pub question: Option<String>,
    /// What they added.
    #[serde(default)]
    pub note: Option<String>,
}

/// What the user said in plain chat, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reported {
    /// Their words.
    pub answer: Prose,
    /// The question that they answer; none is the one that is open.
    pub question: Option<QuestionId>,
    /// What they added.
    pub note: Option<Prose>,
}

/// A new checkpoint with what changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Revision {
    /// The document.
    pub checkpoint: Checkpoint,
    /// What changed.
    pub summary: Line,
}

/// Checks a list of alternatives; entries with neither value nor label are dropped first (G8).
pub(super) fn alternatives(given: &[AlternativeRequest]) -> Result<Alternatives, BadRequest> {
    let raw: Vec<RawAlternative> = given
        .iter()
        .map(|one| RawAlternative {
            value: one.value.clone(),
            label: one.label.clone(),
            description: one.description.clone().unwrap_or_default(),
            recommended: one.recommended,
        })
        .collect();
    Ok(Alternatives::parse(&raw)?)
}

/// Checks a question of the interview; `cite` looks a place up.
pub fn set_alternatives(
    request: &SetAlternativesRequest,
    cite: &mut dyn FnMut(&EvidenceRequest) -> Cited,
) -> Result<Asking, BadRequest> {
    if request.question.trim().is_empty() {
        return Err(BadRequest::Missing { tool: super::Tool::SetAlternatives.name(), what: "a question" });
    }
    let mut evidence = Vec::with_capacity(request.evidence.len());
    for place in &request.evidence {
        evidence.push(cite(place).map_err(|why| BadRequest::Cited { path: place.path.clone(), why })?);
    }
    let why = request.why.as_deref().map(str::trim).filter(|why| !why.is_empty());
    Ok(Asking {
        form: Form::Grill,
        text: Prose::parse("the question", &request.question)?,
        options: alternatives(&request.alternatives)?,
        dropped: Vec::new(),
        unchanged: optional_line("noChange", request.no_change.as_deref())?,
        within: request.timeout_seconds.map(Within::seconds).transpose()?,
        dimension: optional_line("the dimension", request.dimension.as_deref())?,
        why: why.map(|why| Prose::parse("why it matters", why)).transpose()?,
        evidence,
    })
}

/// Checks a new checkpoint.
pub fn update_checkpoint(request: &UpdateCheckpointRequest) -> Result<Revision, BadRequest> {
    if request.change_summary.trim().is_empty() {
        let (tool, what) = (super::Tool::UpdateCheckpoint.name(), "a changeSummary: what changed, in one line");
        return Err(BadRequest::Missing { tool, what });
    }
    Ok(Revision {
        checkpoint: Checkpoint::parse(&request.markdown)?,
        summary: Line::parse("the change summary", &request.change_summary)?,
    })
}

/// Checks what the user said.
pub fn record_answer(request: &RecordAnswerRequest) -> Result<Reported, BadRequest> {
    if request.answer.trim().is_empty() {
        let (tool, what) = (super::Tool::RecordAnswer.name(), "an answer: the user's own words");
        return Err(BadRequest::Missing { tool, what });
    }
    let note = request.note.as_deref().map(str::trim).filter(|note| !note.is_empty());
    Ok(Reported {
        answer: Prose::parse("the answer", &request.answer)?,
        question: request.question.as_deref().map(QuestionId::parse).transpose()?,
        note: note.map(|note| Prose::parse("the note", note)).transpose()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(labels: &[&str]) -> SetAlternativesRequest {
        let one = |label: &&str| AlternativeRequest { label: (*label).to_owned(), ..AlternativeRequest::default() };
        SetAlternativesRequest {
            question: "Who calls it?".to_owned(),
            alternatives: labels.iter().map(one).collect(),
            ..SetAlternativesRequest::default()
        }
    }

    fn check(request: &SetAlternativesRequest) -> Result<Asking, BadRequest> {
        set_alternatives(request, &mut |_| Err("there is no such place".to_owned()))
    }

    #[test]
    fn g8_two_to_five_alternatives_after_dropping_empty_ones() {
        for (labels, taken) in [
            (&[][..], false),
            (&["a"], false),
            (&["a", " "], false),
            (&["a", "b"], true),
            (&["a", "", "b", "c", "d", "e"], true),
            (&["a", "b", "c", "d", "e", "f"], false),
        ] {
            let checked = check(&request(labels));
            assert_eq!(checked.is_ok(), taken, "{labels:?}");
            if let Err(error) = checked {
                assert!(error.to_string().contains("2 to 5"), "{error}");
            }
        }
        let many: Vec<String> = (0..200).map(|number| number.to_string()).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        assert!(check(&request(&many)).unwrap_err().to_string().contains("200"));
    }

    #[test]
    fn g8_what_is_missing_is_accepted_and_named() {
        let bare = check(&request(&["a", "b"])).unwrap();
        assert_eq!(
            bare.remarks(),
            ["no alternative is marked as recommended", "no reason stands with alternatives 1, 2"]
        );
        let mut good = request(&["a", "b"]);
        good.alternatives[1].recommended = true;
        for one in &mut good.alternatives {
            one.description = Some("because".to_owned());
        }
        assert!(check(&good).unwrap().remarks().is_empty());
        good.alternatives[0].recommended = true;
        assert!(check(&good).unwrap_err().to_string().contains("one alternative can be recommended"));
    }

    #[test]
    fn g35_each_request_says_what_it_needs() {
        let no_question = SetAlternativesRequest { question: " ".to_owned(), ..request(&["a", "b"]) };
        assert_eq!(check(&no_question).unwrap_err().to_string(), "grill_set_alternatives needs a question");
        let cited = SetAlternativesRequest {
            evidence: vec![EvidenceRequest { path: "src/a.rs".to_owned(), lines: None }],
            ..request(&["a", "b"])
        };
        assert_eq!(check(&cited).unwrap_err().to_string(), "src/a.rs is cited: there is no such place");
        let update = UpdateCheckpointRequest { markdown: "# x".to_owned(), change_summary: String::new() };
        assert!(update_checkpoint(&update).unwrap_err().to_string().contains("changeSummary"));
        let blank = UpdateCheckpointRequest { markdown: " ".to_owned(), change_summary: "it".to_owned() };
        assert!(update_checkpoint(&blank).is_err());
        assert!(record_answer(&RecordAnswerRequest::default()).unwrap_err().to_string().contains("own words"));
        let odd = RecordAnswerRequest {
            answer: "x".to_owned(),
            question: Some("../x".to_owned()),
            ..RecordAnswerRequest::default()
        };
        assert!(record_answer(&odd).is_err());
    }
}
