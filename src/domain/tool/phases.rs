//! The tools of the phases (G26 to G35): what each is called with, checked once. Nothing here decides whether it may
//! happen; the rules do, and a person.

use serde::Deserialize;

use super::Tool;
use super::bad_request::{BadRequest, optional_line};
use super::interview::{AlternativeRequest, alternatives};
use crate::domain::production::TargetPath;
use crate::domain::selection::{Findings, Gate};
use crate::domain::settings::{Destination, Intensity, Intent, Research, Strategy};
use crate::domain::text::{Line, Prose, Topic};
use crate::domain::tracker::TrackerRepository;

/// What `grill_enter_output_selection_phase` is called with, unchecked (G26).
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EnterSelectionRequest {
    #[serde(default)]
    pub readiness_rationale: String,
    /// Ids of the catalogue, a list or separated by commas; `none` recommends nothing.
    #[serde(default)]
    pub recommended_outputs: Names,
    /// The strategy, apart from the destination; `none` recommends none.
    #[serde(default)]
    pub recommended_strategy: Option<String>,
    #[serde(default)]
    pub question: String,
    /// 2 to 5 replies to it.
    #[serde(default)]
    pub alternatives: Vec<AlternativeRequest>,
}

/// Names as callers write them.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum Names {
    /// One text, perhaps with commas.
    Text(String),
    List(Vec<String>),
}

impl Default for Names {
    fn default() -> Self {
        Self::List(Vec::new())
    }
}

impl Names {
    /// The names, one by one; `none` and blanks are none.
    fn each(&self) -> impl Iterator<Item = &str> {
        let texts: Vec<&str> = match self {
            Self::Text(text) => vec![text],
            Self::List(list) => list.iter().map(String::as_str).collect(),
        };
        texts.into_iter().flat_map(|text| text.split(',')).filter_map(named)
    }
}

/// A name; `none` and blank are no name.
pub(super) fn named(name: &str) -> Option<&str> {
    Some(name.trim()).filter(|name| !name.is_empty() && !name.eq_ignore_ascii_case("none"))
}

/// What `grill_finish_output_selection_phase` is called with, unchecked (G29).
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FinishSelectionRequest {
    /// `continue-grilling` or `stop-without-output`.
    #[serde(default)]
    pub outcome: String,
    #[serde(default)]
    pub summary: Option<String>,
}

/// How the selection is left without an output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaving {
    ContinueGrilling,
    StopWithoutOutput,
}

/// What `grill_enter_output_phase` is called with, unchecked (G30, G41).
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EnterOutputRequest {
    #[serde(default)]
    pub output_plan: String,
    /// What it binds to.
    #[serde(default)]
    pub outputs: Vec<OutputRequest>,
}

/// An output of a plan, unchecked.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct OutputRequest {
    /// An id of the catalogue.
    #[serde(default)]
    pub destination: String,
    /// An id of a strategy; left out, the one that was recommended.
    #[serde(default)]
    pub strategy: Option<String>,
    /// The file it may write; left out, the destination's own.
    #[serde(default)]
    pub paths: Vec<String>,
    /// Where its issues are created, as `owner/name`; left out, where gh says.
    #[serde(default)]
    pub repository: Option<String>,
}

/// A plan that somebody wants to be approved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WantedPlan {
    /// In the asker's words.
    pub prose: Prose,
    /// What it binds to; empty is what was recommended, or chosen already.
    pub outputs: Vec<WantedOutput>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WantedOutput {
    pub destination: Destination,
    /// How it is cut; none is as recommended.
    pub strategy: Option<Strategy>,
    /// The files it may write; empty is the destination's own.
    pub paths: Vec<TargetPath>,
    /// Where its issues are created; none is where `gh` says.
    pub repository: Option<TrackerRepository>,
}

/// What `grill_finish_output_phase` is called with, unchecked (G34).
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FinishOutputRequest {
    #[serde(default)]
    pub summary: Option<String>,
}

/// What `grill_status` is called with: nothing that it needs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StatusRequest {
    /// Whether the instructions are told again; a server that serves one client tells them once.
    #[serde(default)]
    pub instructions: bool,
}

/// What `grill_start` is called with, unchecked (G2).
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct StartRequest {
    /// What it is about, in the agent's summary of the conversation.
    #[serde(default)]
    pub topic: String,
    /// As in `git grill start`.
    #[serde(default)]
    pub intent: Option<String>,
    /// As in `git grill start`.
    #[serde(default)]
    pub intensity: Option<String>,
    /// As in `git grill start`.
    #[serde(default)]
    pub research: Option<String>,
    /// The user's words with which they agreed to the topic in plain chat.
    #[serde(default)]
    pub confirmed: Option<String>,
}

/// A session that somebody wants to begin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Starting {
    /// What it is about; the user still confirms it.
    pub topic: Topic,
    pub intent: Option<Intent>,
    pub intensity: Option<Intensity>,
    pub research: Option<Research>,
    /// What the user said to the topic, as the agent reports it.
    pub confirmed: Option<Line>,
}

/// Checks the gate that an agent opens. What speaks against it is found by whoever records it.
pub fn enter_selection(request: &EnterSelectionRequest) -> Result<Gate, BadRequest> {
    let missing = |what| BadRequest::Missing { tool: Tool::EnterSelection.name(), what };
    if request.readiness_rationale.trim().is_empty() {
        return Err(missing("a readinessRationale: why nothing is left to ask that would change the result"));
    }
    if request.question.trim().is_empty() {
        return Err(missing("the question that the user is to decide"));
    }
    if let Some(place) = request.alternatives.iter().find_map(|one| one.evidence.as_ref()) {
        return Err(BadRequest::Cited {
            path: place.path.clone(),
            why: "the output selection cites no place".to_owned(),
        });
    }
    let outputs = request.recommended_outputs.each().map(str::parse);
    Ok(Gate {
        rationale: Prose::parse("the rationale", &request.readiness_rationale)?,
        recommended_outputs: outputs.collect::<Result<_, _>>()?,
        recommended_strategy: request.recommended_strategy.as_deref().and_then(named).map(str::parse).transpose()?,
        question: Prose::parse("the question", &request.question)?,
        alternatives: alternatives(&request.alternatives)?,
        findings: Findings::default(),
    })
}

/// Checks how the selection is to be left; any other outcome is refused by naming the allowed ones (G29).
pub fn finish_selection(request: &FinishSelectionRequest) -> Result<(Leaving, Option<Line>), BadRequest> {
    let leaving = match request.outcome.trim() {
        "continue-grilling" => Leaving::ContinueGrilling,
        "stop-without-output" => Leaving::StopWithoutOutput,
        other => return Err(BadRequest::Outcome { given: other.to_owned() }),
    };
    Ok((leaving, optional_line("the summary", request.summary.as_deref())?))
}

pub fn enter_output(request: &EnterOutputRequest) -> Result<WantedPlan, BadRequest> {
    if request.output_plan.trim().is_empty() {
        return Err(BadRequest::Missing { tool: Tool::EnterOutput.name(), what: "an outputPlan: what is written" });
    }
    let outputs = request.outputs.iter().map(|output| {
        let paths = output.paths.iter().map(|path| TargetPath::parse(path));
        Ok(WantedOutput {
            destination: output.destination.trim().parse()?,
            strategy: output.strategy.as_deref().and_then(named).map(str::parse).transpose()?,
            paths: paths.collect::<Result<_, _>>()?,
            repository: output.repository.as_deref().and_then(named).map(str::parse).transpose()?,
        })
    });
    Ok(WantedPlan {
        prose: Prose::parse("the plan", &request.output_plan)?,
        outputs: outputs.collect::<Result<_, BadRequest>>()?,
    })
}

/// Checks what came out of the output phase.
pub fn finish_output(request: &FinishOutputRequest) -> Result<Option<Line>, BadRequest> {
    optional_line("the summary", request.summary.as_deref())
}

pub fn start(request: &StartRequest) -> Result<Starting, BadRequest> {
    if request.topic.trim().is_empty() {
        let what = "a topic: what the conversation so far is about, in a few words";
        return Err(BadRequest::Missing { tool: Tool::Start.name(), what });
    }
    Ok(Starting {
        topic: Topic::parse(&request.topic)?,
        intent: request.intent.as_deref().map(str::parse).transpose()?,
        intensity: request.intensity.as_deref().map(str::parse).transpose()?,
        research: request.research.as_deref().map(str::parse).transpose()?,
        confirmed: optional_line("what the user said", request.confirmed.as_deref())?,
    })
}

#[cfg(test)]
mod tests {
    use super::super::EvidenceRequest;
    use super::*;

    fn request(outputs: Names) -> EnterSelectionRequest {
        let one = |label: &str| AlternativeRequest { label: label.to_owned(), ..AlternativeRequest::default() };
        EnterSelectionRequest {
            readiness_rationale: "r".to_owned(),
            recommended_outputs: outputs,
            recommended_strategy: Some("vertical-slices".to_owned()),
            question: "q".to_owned(),
            alternatives: vec![one("a"), one("b")],
        }
    }

    #[test]
    fn g35_recommended_outputs_are_a_list_a_text_or_none() {
        let list = |names: &[&str]| Names::List(names.iter().map(|name| (*name).to_owned()).collect());
        for (outputs, expected) in [
            (Names::Text("none".to_owned()), &[][..]),
            (list(&[]), &[]),
            (list(&["None", ""]), &[]),
            (Names::Text("design-doc, adr".to_owned()), &["design-doc", "adr"]),
            (list(&["design-doc", "custom:a talk"]), &["design-doc", "custom:a talk"]),
        ] {
            let gate = enter_selection(&request(outputs.clone())).unwrap();
            let named: Vec<String> = gate.recommended_outputs.iter().map(ToString::to_string).collect();
            assert_eq!(named, expected, "{outputs:?}");
        }
        let error = enter_selection(&request(list(&["powerpoint"]))).unwrap_err().to_string();
        assert!(error.contains("powerpoint") && error.contains("design-doc"), "{error}");
    }

    #[test]
    fn g26_a_gate_needs_a_reason_a_question_and_choices() {
        let full = request(Names::default());
        for (request, needs) in [
            (EnterSelectionRequest { readiness_rationale: " ".to_owned(), ..full.clone() }, "readinessRationale"),
            (EnterSelectionRequest { question: String::new(), ..full.clone() }, "the question"),
            (EnterSelectionRequest { alternatives: vec![], ..full.clone() }, "2 to 5"),
            (EnterSelectionRequest { recommended_strategy: Some("salami".to_owned()), ..full }, "vertical-slices"),
        ] {
            let error = enter_selection(&request).unwrap_err().to_string();
            assert!(error.contains(needs), "{request:?}: {error}");
        }
        let mut citing = request(Names::default());
        citing.alternatives[1].evidence = Some(EvidenceRequest { path: "src/a.rs".to_owned(), lines: None });
        let error = enter_selection(&citing).unwrap_err().to_string();
        assert_eq!(error, "src/a.rs is cited: the output selection cites no place");
    }

    #[test]
    fn g29_any_other_outcome_is_refused_by_naming_the_allowed_ones() {
        let request = |outcome: &str| FinishSelectionRequest { outcome: outcome.to_owned(), summary: None };
        assert_eq!(finish_selection(&request("continue-grilling")), Ok((Leaving::ContinueGrilling, None)));
        assert_eq!(finish_selection(&request(" stop-without-output")), Ok((Leaving::StopWithoutOutput, None)));
        for outcome in ["", "approved", "outputs", "CONTINUE-GRILLING"] {
            let error = finish_selection(&request(outcome)).unwrap_err().to_string();
            assert!(error.contains("continue-grilling") && error.contains("stop-without-output"), "{error}");
        }
    }

    #[test]
    fn g41_paths_stay_inside_and_out_of_git() {
        for path in ["../x", "/etc/passwd", ".git/config", "", "docs//x.md"] {
            let output = OutputRequest {
                destination: "design-doc".to_owned(),
                paths: vec![path.to_owned()],
                ..OutputRequest::default()
            };
            assert!(
                enter_output(&EnterOutputRequest { output_plan: "p".to_owned(), outputs: vec![output] }).is_err(),
                "{path}"
            );
        }
    }

    #[test]
    fn g1_g2_a_start_names_a_topic_and_known_values() {
        let named = StartRequest { topic: "x".to_owned(), ..StartRequest::default() };
        assert!(start(&StartRequest::default()).unwrap_err().to_string().contains("a topic"));
        let cruel = StartRequest { intensity: Some("cruel".to_owned()), ..named.clone() };
        let error = start(&cruel).unwrap_err().to_string();
        assert!(error.contains("adversarial"), "{error}");
        let good =
            StartRequest { intent: Some("learn".to_owned()), confirmed: Some(" yes, that ".to_owned()), ..named };
        let good = start(&good).unwrap();
        assert_eq!((good.intent, good.confirmed), (Some(Intent::Learn), Some(Line::clipped("yes, that"))));
    }
}
