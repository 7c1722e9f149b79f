//! `git grill tool`: the question tools for whoever has a shell. JSON comes in on standard input, one JSON object goes
//! out; the prompt is drawn on the terminal itself.

use crate::app::desk::Desk;
use crate::app::error::AppError;
use crate::app::reply::Reply;
use crate::app::tools;
use crate::domain::question::Form;
use crate::domain::tool::{self, Asking, BadRequest, EvidenceRequest, Questionnaire, Request, StatusRequest, Tool};

use super::{args, lower};

const LIST: &str = "git grill tool --list prints what each of them takes";

/// Serves one call.
pub(super) fn serve(desk: &mut Desk<'_>, args: &args::Tool) -> Result<Reply, AppError> {
    let Some(name) = &args.name else {
        return Ok(list());
    };
    named(name)?;
    let json = (desk.input)()?;
    call(desk, name, &json)
}

/// Serves a call whose JSON is at hand.
pub fn call(desk: &mut Desk<'_>, name: &str, json: &str) -> Result<Reply, AppError> {
    let request = lowered(desk, named(name)?, json)?;
    Ok(Reply::Tool(Box::new(tools::serve(desk, request)?)))
}

/// The tools that exist; needs no repository.
pub fn list() -> Reply {
    Reply::Tools(tools::schemas())
}

fn named(name: &str) -> Result<Tool, AppError> {
    Tool::named(name).ok_or_else(|| {
        let names: Vec<&str> = Tool::ALL.iter().map(|tool| tool.name()).collect();
        lower::usage(format!("there is no tool '{name}'; there are {}", names.join(", ")), LIST)
    })
}

/// From bytes to a checked request; whatever is wrong with it, nothing was shown and nothing stored.
fn lowered(desk: &Desk<'_>, tool: Tool, json: &str) -> Result<Request, AppError> {
    if json.trim().is_empty() {
        return Err(lower::usage(
            format!("{} takes a JSON object on standard input, and there was none", tool.name()),
            format!("git grill tool {} < request.json; {LIST}", tool.name()),
        ));
    }
    let ask = |form| -> Result<Request, AppError> {
        let request = read(tool, json)?;
        let asking = Asking::check(form, &request, &mut |place| cite(desk, place))?;
        Ok(Request::Ask(Box::new(asking)))
    };
    match tool {
        Tool::AskQuestion => ask(Form::Select),
        Tool::AskMultiSelect => ask(Form::MultiSelect),
        Tool::ResumeStructured => Ok(tool::resume(&read(tool, json)?)?),
        Tool::SetAlternatives => {
            let request = read(tool, json)?;
            let asking = tool::set_alternatives(&request, &mut |place| cite(desk, place))?;
            Ok(Request::Ask(Box::new(asking)))
        }
        Tool::RecordAnswer => Ok(Request::Record(Box::new(tool::record_answer(&read(tool, json)?)?))),
        Tool::UpdateCheckpoint => Ok(Request::Update(Box::new(tool::update_checkpoint(&read(tool, json)?)?))),
        Tool::EnterSelection => Ok(Request::EnterSelection(Box::new(tool::enter_selection(&read(tool, json)?)?))),
        Tool::FinishSelection => {
            let (leaving, summary) = tool::finish_selection(&read(tool, json)?)?;
            Ok(Request::FinishSelection(leaving, summary))
        }
        Tool::EnterOutput => Ok(Request::EnterOutput(Box::new(tool::enter_output(&read(tool, json)?)?))),
        Tool::SubmitDraft => Ok(Request::SubmitDraft(Box::new(tool::submit_draft(read(tool, json)?)?))),
        Tool::FinishOutput => Ok(Request::FinishOutput(tool::finish_output(&read(tool, json)?)?)),
        Tool::Status => {
            let StatusRequest {} = read(tool, json)?;
            Ok(Request::Status)
        }
        Tool::Start => Ok(Request::Start(Box::new(tool::start(&read(tool, json)?)?))),
        Tool::Questionnaire => Ok(Request::Form(Box::new(Questionnaire::check(&read(tool, json)?)?))),
    }
}

fn read<T: serde::de::DeserializeOwned>(tool: Tool, json: &str) -> Result<T, AppError> {
    serde_json::from_str(json).map_err(|error| lower::usage(format!("{} was not called: {error}", tool.name()), LIST))
}

impl From<BadRequest> for AppError {
    fn from(error: BadRequest) -> Self {
        lower::usage(error.to_string(), LIST)
    }
}

/// Looks a place up.
fn cite(desk: &Desk<'_>, place: &EvidenceRequest) -> tool::Cited {
    let lines = match place.lines.as_deref() {
        None => None,
        Some([one]) => Some((*one, *one)),
        Some([first, last]) => Some((*first, *last)),
        Some([] | [_, _, _, ..]) => return Err("lines takes one number or two".to_owned()),
    };
    desk.citations.cite(&place.path, lines)
}
