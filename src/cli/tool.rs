//! `git grill tool`: the question tools for whoever has a shell. JSON comes in on standard input, one JSON object goes
//! out; the prompt is drawn on the terminal itself.

use crate::app::context::Context;
use crate::app::error::AppError;
use crate::app::form::Scripted;
use crate::app::reply::Reply;
use crate::app::tools;
use crate::domain::facts::Evidence;
use crate::domain::ids::QuestionId;
use crate::domain::question::Form;
use crate::domain::subsystem;
use crate::domain::text::Line;
use crate::domain::tool::{self, Asking, BadRequest, EvidenceRequest, Questionnaire, Request, StatusRequest, Tool};

use super::{args, lower};

const LIST: &str = "git grill tool --list prints what each of them takes";

pub(super) fn serve(context: &mut Context<'_>, args: &args::Tool) -> Result<Reply, AppError> {
    let Some(name) = &args.name else {
        return Ok(list());
    };
    named(name)?;
    let json = (context.input)()?;
    call(context, name, &json)
}

/// Serves a call whose JSON is at hand.
pub fn call(context: &mut Context<'_>, name: &str, json: &str) -> Result<Reply, AppError> {
    let request = lowered(named(name)?, json, &mut |place| cite(context, place))?;
    tools::serve(context, request)
}

/// Serves a questionnaire with a file of answers (P5).
pub(super) fn fill(context: &mut Context<'_>, scripted: &mut Scripted) -> Result<Reply, AppError> {
    let json = (context.input)()?;
    let form = Questionnaire::check(read(Tool::Questionnaire, &json)?)?;
    Ok(Reply::Tool(Box::new(tools::fill(context, &form, Some(scripted))?)))
}

/// Serves a call once more that waited at this question: what became of it, or the question again. `None` where it is
/// not a question of this call. What it cites is not looked up again, so that a file that is gone meanwhile takes no
/// answer with it.
pub fn call_again(
    context: &mut Context<'_>,
    name: &str,
    json: &str,
    question: &str,
) -> Result<Option<Reply>, AppError> {
    let Ok(question) = QuestionId::parse(question) else { return Ok(None) };
    let mut unseen =
        |place: &EvidenceRequest| Ok(Evidence { path: place.path.clone(), lines: span(place)?, blob: None });
    let request = lowered(named(name)?, json, &mut unseen)?;
    let reply = tools::serve_again(context, &request, &question)?;
    Ok(reply.map(|reply| Reply::Tool(Box::new(reply))))
}

/// The tools that exist; needs no repository.
pub fn list() -> Reply {
    Reply::Tools(tool::rows().collect())
}

fn named(name: &str) -> Result<Tool, AppError> {
    Tool::named(name).ok_or_else(|| no_tool(name))
}

fn no_tool(name: &str) -> AppError {
    let names: Vec<&str> = tool::rows().map(|row| row.name).collect();
    lower::usage(format!("there is no tool '{name}'; there are {}", names.join(", ")), LIST)
}

/// From bytes to a checked request; whatever is wrong with it, nothing was shown and nothing stored.
fn lowered(tool: Tool, json: &str, cite: &mut dyn FnMut(&EvidenceRequest) -> tool::Cited) -> Result<Request, AppError> {
    if json.trim().is_empty() {
        return Err(lower::usage(
            format!("{} takes a JSON object on standard input, and there was none", tool.name()),
            format!("git grill tool {} < request.json; {LIST}", tool.name()),
        ));
    }
    let mut ask = |form| -> Result<Request, AppError> {
        let request = read(tool, json)?;
        let asking = Asking::check(form, &request, cite)?;
        Ok(Request::Ask(Box::new(asking)))
    };
    match tool {
        Tool::AskQuestion => ask(Form::Select),
        Tool::AskMultiSelect => ask(Form::MultiSelect),
        Tool::ResumeStructured => Ok(tool::resume(&read(tool, json)?)?),
        Tool::SetAlternatives => {
            let request = read(tool, json)?;
            let asking = tool::set_alternatives(&request, cite)?;
            Ok(Request::Ask(Box::new(asking)))
        }
        Tool::RecordAnswer => Ok(Request::Record(Box::new(tool::record_answer(&read(tool, json)?)?))),
        Tool::ReviseAnswer => Ok(Request::Revise(Box::new(tool::revise_answer(&read(tool, json)?)?))),
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
            // Every process tells them once, and this request says so to a server that serves many calls.
            let StatusRequest { instructions: _ } = read(tool, json)?;
            Ok(Request::Status)
        }
        Tool::Start => Ok(Request::Start(Box::new(tool::start(&read(tool, json)?)?))),
        Tool::Agent => Ok(Request::Agent(Box::new(tool::agent(&read(tool, json)?)?))),
        Tool::Questionnaire => Ok(Request::Form(Box::new(Questionnaire::check(read(tool, json)?)?))),
        Tool::Own(name) => {
            let command = subsystem::Command::of_call(name, &Typed { tool, json })?;
            Ok(Request::Own(tool, Box::new(command.ok_or_else(|| no_tool(name))?)))
        }
    }
}

/// A call of a subsystem's tool.
struct Typed<'c> {
    tool: Tool,
    json: &'c str,
}

impl subsystem::Call for Typed<'_> {
    type Error = AppError;

    fn read<T: serde::de::DeserializeOwned>(&self) -> Result<T, AppError> {
        read(self.tool, self.json)
    }
}

fn read<T: serde::de::DeserializeOwned>(tool: Tool, json: &str) -> Result<T, AppError> {
    let not_called = |why: &dyn std::fmt::Display| lower::usage(format!("{} was not called: {why}", tool.name()), LIST);
    // A list would be taken for the fields in their order.
    if !json.trim_start().starts_with('{') {
        return Err(not_called(&"it takes a JSON object"));
    }
    let mut reader = serde_json::Deserializer::from_str(json);
    let request = serde_path_to_error::deserialize(&mut reader).map_err(|error| {
        let why = error.inner().to_string();
        // The column of a value that its name tells.
        let why = if error.inner().is_data() { why.split(" at line ").next().unwrap_or(&why) } else { &why };
        match error.path().to_string().as_str() {
            "." => not_called(&why),
            path => not_called(&format!("{}: {why}", Line::clipped(path))),
        }
    })?;
    reader.end().map_err(|error| not_called(&error))?;
    Ok(request)
}

impl From<BadRequest> for AppError {
    fn from(error: BadRequest) -> Self {
        lower::usage(error.to_string(), LIST)
    }
}

/// Looks a place up.
fn cite(context: &Context<'_>, place: &EvidenceRequest) -> tool::Cited {
    context.citations.cite(&place.path, span(place)?)
}

/// First and last line, where any are named.
fn span(place: &EvidenceRequest) -> Result<Option<(u32, u32)>, String> {
    match place.lines.as_deref() {
        None => Ok(None),
        Some([one]) => Ok(Some((*one, *one))),
        Some([first, last]) => Ok(Some((*first, *last))),
        Some([] | [_, _, _, ..]) => Err("lines takes one number or two".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lower(tool: Tool, json: &str) -> Result<Request, AppError> {
        let mut unseen = |place: &EvidenceRequest| Ok(Evidence { path: place.path.clone(), lines: None, blob: None });
        lowered(tool, json, &mut unseen)
    }

    #[test]
    fn every_example_is_taken() {
        for row in tool::rows() {
            let taken = lower(row.tool, row.example);
            assert!(taken.is_ok(), "{}: {taken:?}", row.name);
            assert!(!row.example.contains('\n'));
        }
    }

    #[test]
    fn the_field_that_is_wrong_is_named() {
        for (json, expected) in [
            (
                r#"{"question":"Which?","options":[{"label":"a"},{"label":"b","evidence":{"lines":[1]}}]}"#,
                "options[1].evidence: missing field `path`",
            ),
            (
                r#"{"question":"Which?","options":"a, b"}"#,
                "options: invalid type: string \"a, b\", expected a sequence",
            ),
            (r#"{"question":"Which?","options":[{"label":7}]}"#, "options[0].label: invalid type: integer `7`"),
            (r#"{"question":"Which?","optoins":[]}"#, "optoins: unknown field `optoins`"),
            (r#"{"question":"Which?"} {}"#, "trailing characters"),
            (r#"["Which?"]"#, "it takes a JSON object"),
        ] {
            let error = lower(Tool::AskQuestion, json).unwrap_err().to_string();
            assert!(error.starts_with("ask_question was not called: "), "{error}");
            assert!(error.contains(expected), "{json}\n{error}");
        }
    }
}
