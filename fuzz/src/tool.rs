//! What agents call our tools with: the name of the tool on the first line, JSON below it. A request that passes keeps
//! every limit, and a key that nobody knows is never passed over.

use git_grill::domain::facts::Evidence;
use git_grill::domain::question::Form;
use git_grill::domain::subsystem;
use git_grill::domain::tool::{self, Asking, BadRequest, EvidenceRequest, Questionnaire, Request, StatusRequest, Tool};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::text;

pub fn run(data: &[u8]) {
    let Some((name, json)) = text(data).and_then(|text| text.split_once('\n')) else { return };
    for name in [name, "ask_question"] {
        let Some(tool) = Tool::named(name) else { continue };
        assert_eq!(tool.name(), name);
        let Ok(request) = lowered(tool, json) else { continue };
        assert_eq!(request.tool(), tool, "{json}");
        let Ok(Value::Object(mut object)) = serde_json::from_str::<Value>(json) else {
            panic!("a request that is no object: {json}");
        };
        object.insert("xKeyThatNobodyKnows".to_owned(), Value::Null);
        assert!(lowered(tool, &Value::Object(object).to_string()).is_err(), "a key was passed over: {json}");
        bounded(&request, json);
    }
}

fn bounded(request: &Request, json: &str) {
    if let Request::Ask(asking) = request {
        assert!(!asking.text.as_str().trim().is_empty(), "{json}");
        if let Some(within) = asking.within {
            assert!((1..=24 * 60 * 60).contains(&within.duration().as_secs()), "{json}");
        }
    }
    assert!(!format!("{request:?}").is_empty());
}

fn lowered(tool: Tool, json: &str) -> Result<Request, String> {
    let mut cite = |place: &EvidenceRequest| Ok(Evidence { path: place.path.clone(), lines: None, blob: None });
    let bad = |why: BadRequest| {
        assert!(!why.to_string().is_empty());
        why.to_string()
    };
    let ask = |form, cite: &mut dyn FnMut(&EvidenceRequest) -> tool::Cited| {
        Ok(Request::Ask(Box::new(Asking::check(form, &read(json)?, cite).map_err(bad)?)))
    };
    match tool {
        Tool::AskQuestion => ask(Form::Select, &mut cite),
        Tool::AskMultiSelect => ask(Form::MultiSelect, &mut cite),
        Tool::ResumeStructured => tool::resume(&read(json)?).map_err(bad),
        Tool::SetAlternatives => {
            Ok(Request::Ask(Box::new(tool::set_alternatives(&read(json)?, &mut cite).map_err(bad)?)))
        }
        Tool::RecordAnswer => Ok(Request::Record(Box::new(tool::record_answer(&read(json)?).map_err(bad)?))),
        Tool::ReviseAnswer => Ok(Request::Revise(Box::new(tool::revise_answer(&read(json)?).map_err(bad)?))),
        Tool::UpdateCheckpoint => Ok(Request::Update(Box::new(tool::update_checkpoint(&read(json)?).map_err(bad)?))),
        Tool::EnterSelection => {
            Ok(Request::EnterSelection(Box::new(tool::enter_selection(&read(json)?).map_err(bad)?)))
        }
        Tool::FinishSelection => {
            let (leaving, summary) = tool::finish_selection(&read(json)?).map_err(bad)?;
            Ok(Request::FinishSelection(leaving, summary))
        }
        Tool::EnterOutput => Ok(Request::EnterOutput(Box::new(tool::enter_output(&read(json)?).map_err(bad)?))),
        Tool::SubmitDraft => Ok(Request::SubmitDraft(Box::new(tool::submit_draft(read(json)?).map_err(bad)?))),
        Tool::FinishOutput => Ok(Request::FinishOutput(tool::finish_output(&read(json)?).map_err(bad)?)),
        Tool::Status => {
            let StatusRequest { instructions: _ } = read(json)?;
            Ok(Request::Status)
        }
        Tool::Start => Ok(Request::Start(Box::new(tool::start(&read(json)?).map_err(bad)?))),
        Tool::Agent => Ok(Request::Agent(Box::new(tool::agent(&read(json)?).map_err(bad)?))),
        Tool::Questionnaire => Ok(Request::Form(Box::new(Questionnaire::check(read(json)?).map_err(bad)?))),
        Tool::Own(name) => {
            let command = subsystem::Command::of_call(name, &Text(json)).map_err(|Wrong(why)| why)?;
            Ok(Request::Own(tool, Box::new(command.expect("a row of a subsystem"))))
        }
    }
}

/// The text of a call.
pub struct Text<'c>(pub &'c str);

/// Why it is not taken.
pub struct Wrong(pub String);

impl From<BadRequest> for Wrong {
    fn from(why: BadRequest) -> Self {
        Self(why.to_string())
    }
}

impl subsystem::Call for Text<'_> {
    type Error = Wrong;

    fn read<T: DeserializeOwned>(&self) -> Result<T, Wrong> {
        read(self.0).map_err(Wrong)
    }
}

fn read<T: DeserializeOwned>(json: &str) -> Result<T, String> {
    // As whoever lowers a request reads it.
    if !json.trim_start().starts_with('{') {
        return Err("no object".to_owned());
    }
    serde_json::from_str(json).map_err(|error| error.to_string())
}
