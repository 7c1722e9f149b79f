//! The interview's own tools (G35): a question with its alternatives, and the checkpoint.
//! Names and parameters are the source's; optional ones are ours.

use std::slice;

use serde::Deserialize;

use super::asking::{Asking, Cited, EvidenceRequest, Follows, Within, distinct, places, reason};
use super::bad_request::{BadRequest, optional_line};
use super::lenient;
use crate::domain::checkpoint::Checkpoint;
use crate::domain::ids::ObjectId;
use crate::domain::question::{Alternatives, Form, RawAlternative};
use crate::domain::text::{Line, Prose};

/// What `grill_set_alternatives` is called with, unchecked.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SetAlternativesRequest {
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
    /// Ids of the questions whose answers it builds on.
    #[serde(default, deserialize_with = "lenient::names")]
    pub builds_on: Vec<String>,
    #[serde(default)]
    pub purpose: Option<String>,
}

/// An alternative, unchecked.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, expecting = "an object with label and description")]
pub struct AlternativeRequest {
    /// Exactly what is sent when it is taken; empty takes the label.
    #[serde(default)]
    pub value: String,
    /// The short visible name; empty takes the value.
    #[serde(default)]
    pub label: String,
    #[serde(default)]
    pub description: Option<String>,
    #[serde(default)]
    pub recommended: bool,
    /// The place that it speaks of, which the question cites with its own.
    #[serde(default)]
    pub evidence: Option<EvidenceRequest>,
}

/// What `grill_update_checkpoint` is called with: the whole document anew (G23).
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UpdateCheckpointRequest {
    #[serde(default)]
    pub markdown: String,
    /// What changed, in one line (G25).
    #[serde(default)]
    pub change_summary: String,
    /// The version that it was made from, as a reply named it; left out, the one that the caller saw or wrote last.
    #[serde(default)]
    pub based_on: Option<String>,
}

/// A new checkpoint with what changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Revision {
    pub checkpoint: Checkpoint,
    pub summary: Line,
    /// The version that it was made from, where it is named.
    pub based_on: Option<ObjectId>,
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
    let mut evidence = places(&request.evidence, cite)?;
    for place in request.alternatives.iter().filter_map(|one| one.evidence.as_ref()) {
        for one in places(slice::from_ref(place), cite)? {
            if !evidence.contains(&one) {
                evidence.push(one);
            }
        }
    }
    let options = alternatives(&request.alternatives)?;
    distinct(options.as_slice())?;
    Ok(Asking {
        form: Form::Grill,
        text: Prose::parse("the question", &request.question)?,
        options,
        dropped: Vec::new(),
        unchanged: optional_line("noChange", request.no_change.as_deref())?,
        within: request.timeout_seconds.map(Within::seconds).transpose()?,
        dimension: optional_line("the dimension", request.dimension.as_deref())?,
        why: reason(request.why.as_deref())?,
        evidence,
        follows: Follows::check(&request.builds_on, request.purpose.as_deref())?,
    })
}

pub fn update_checkpoint(request: &UpdateCheckpointRequest) -> Result<Revision, BadRequest> {
    if request.change_summary.trim().is_empty() {
        let (tool, what) = (super::Tool::UpdateCheckpoint.name(), "a changeSummary: what changed, in one line");
        return Err(BadRequest::Missing { tool, what });
    }
    Ok(Revision {
        checkpoint: Checkpoint::parse(&request.markdown)?,
        summary: Line::parse("the change summary", &request.change_summary)?,
        based_on: request.based_on.as_deref().map(version).transpose()?,
    })
}

/// The fewest digits of a version: fewer could mean another one.
const FEWEST_DIGITS: usize = 7;

/// Checks the name of a version. It is an object id and nothing relative: `~0` would always name what stands now.
fn version(named: &str) -> Result<ObjectId, BadRequest> {
    let named = named.trim();
    let version = ObjectId::parse(named).ok().filter(|version| version.as_str().len() >= FEWEST_DIGITS);
    version.ok_or_else(|| BadRequest::Version { given: Line::clipped(named).to_string() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::facts::Evidence;

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
        let mut cited = request(&["a", "b", "c"]);
        for (one, path) in cited.alternatives.iter_mut().zip(["src/a.rs", "src/b.rs", "src/a.rs"]) {
            one.evidence = Some(EvidenceRequest { path: path.to_owned(), lines: None });
        }
        let mut there = |place: &EvidenceRequest| Ok(Evidence { path: place.path.clone(), lines: None, blob: None });
        let evidence = set_alternatives(&cited, &mut there).unwrap().evidence;
        assert_eq!(evidence.iter().map(ToString::to_string).collect::<Vec<_>>(), ["src/a.rs", "src/b.rs"]);
        let update = UpdateCheckpointRequest { markdown: "# x".to_owned(), ..UpdateCheckpointRequest::default() };
        assert!(update_checkpoint(&update).unwrap_err().to_string().contains("changeSummary"));
        let blank = UpdateCheckpointRequest {
            markdown: " ".to_owned(),
            change_summary: "it".to_owned(),
            ..UpdateCheckpointRequest::default()
        };
        assert!(update_checkpoint(&blank).is_err());
    }
}
