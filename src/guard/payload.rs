//! What an agent says about the call that it is about to make. Whatever is wrong with it becomes a deed that cannot be
//! read, and the rest of what was understood stays: the folder still tells which session is meant.

use serde_json::{Map, Value};

use super::field;
use super::json;
use super::patch::{self, Change};
use super::tools;
use crate::agents::Hooked;
use crate::agents::hooks::{Does, Event, Naming, Rewrites};

/// The most bytes that are read from an agent.
pub const MAX_INPUT: usize = 5 * 1024 * 1024;

#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// The folders that it names as where it works, the most exact one first; as they were written.
    pub places: Vec<String>,
    /// What it would do; never empty.
    pub deeds: Vec<ToolAction>,
    /// The tool's input, if it could be given back with another command.
    pub shell: Option<ShellInput>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ToolAction {
    Shell(String),
    /// Writes a file; `None` where the input does not say which.
    Write(Option<String>),
    /// Removes a file; `None` where the input does not say which.
    Delete(Option<String>),
    /// Reads, searches, or keeps notes: the tool's name.
    Read(String),
    Ours(&'static str),
    /// Calls a tool of our server that is not one of ours: the tool's name, and the names that the server could use for
    /// it. It is allowed if it belongs to an extension that a person enabled.
    Served(String, Vec<String>),
    Unknown(String),
    /// It could not be understood: why.
    Unreadable(String),
}

#[derive(Clone, Debug, PartialEq)]
pub struct ShellInput {
    pub input: Map<String, Value>,
    pub command: String,
}

/// Reads what `agent` sent. `also` are tools whose calls a person lets pass (`grill.guard.allowTool`).
pub fn read(agent: Hooked, bytes: &[u8]) -> Call {
    if bytes.len() > MAX_INPUT {
        return unreadable(Vec::new(), format!("it is longer than {} MiB", MAX_INPUT / 1024 / 1024));
    }
    let object = match json::parse(bytes) {
        Ok(Value::Object(object)) => object,
        Ok(_) => return unreadable(Vec::new(), "it is not a JSON object".to_owned()),
        Err(error) => return unreadable(Vec::new(), format!("it is not JSON as it should be: {error}")),
    };
    let (places, odd) = places(&object);
    if let Some(key) = odd {
        return unreadable(places, format!("`{key}` is not text"));
    }
    let agent = speaker(agent, &object);
    match Named::of(agent, &object) {
        Err(why) => unreadable(places, why),
        Ok(named) => call(agent, named, places),
    }
}

fn unreadable(places: Vec<String>, why: String) -> Call {
    Call { places, deeds: vec![ToolAction::Unreadable(why)], shell: None }
}

/// The agent that really speaks: one may read the hook files of another as well, and is told from that by a field.
fn speaker(agent: Hooked, object: &Map<String, Value>) -> Hooked {
    let reads_it = |other: &Hooked| {
        other.reads_files_of.is_some_and(|(of, field)| of.contains(&agent.name()) && object.contains_key(field))
    };
    Hooked::all().find(reads_it).unwrap_or(agent)
}

/// Where the agent says that it works, and the key whose value is not what it should be.
pub(super) fn places(object: &Map<String, Value>) -> (Vec<String>, Option<&'static str>) {
    let mut places = Vec::new();
    let mut odd = None;
    for key in ["cwd", "workspaceRoot", "workspace_root", "workspace_roots", "workspaceRoots"] {
        match object.get(key) {
            None | Some(Value::Null) => {}
            Some(Value::String(path)) if path.is_empty() => {}
            Some(Value::String(path)) => places.push(path.clone()),
            Some(Value::Array(paths)) if matches!(key, "workspace_roots" | "workspaceRoots") => {
                for path in paths {
                    match path.as_str() {
                        Some(path) => places.push(path.to_owned()),
                        None => odd = Some(key),
                    }
                }
            }
            Some(Value::Array(_) | Value::Bool(_) | Value::Number(_) | Value::Object(_)) => odd = Some(key),
        }
    }
    (places, odd)
}

/// The tool of a payload and its input.
struct Named {
    tool: String,
    does: Does,
    input: Map<String, Value>,
}

impl Named {
    fn of(agent: Hooked, object: &Map<String, Value>) -> Result<Self, String> {
        let event = event(agent, object)?;
        // It stands there only where it is the line itself, or how a server is started.
        let alone = matches!(event, Some(Event::ShellLine | Event::ServerCall));
        if object.contains_key("command") && !alone {
            return Err("`command` is next to the tool, where no agent puts it".to_owned());
        }
        if event == Some(Event::ShellLine) {
            return Ok(Self { tool: "Shell".to_owned(), does: Does::Shell, input: object.clone() });
        }
        if event == Some(Event::FileRead) {
            return Ok(Self { tool: "Read".to_owned(), does: Does::Read, input: Map::new() });
        }
        if !matches!(field::INPUT_TRUNCATED.read(object)?, None | Some((_, Value::Bool(false)))) {
            return Err("only the beginning of the tool's input was passed on".to_owned());
        }
        let Some(tool) = field::TOOL.text(object)? else {
            return Err(format!("it names no tool (`{}`)", field::TOOL.0[0]));
        };
        let mut tool = tool.to_owned();
        if let (Some(Event::ServerCall), Naming::Marked(mark)) = (event, agent.naming) {
            tool.insert_str(0, mark);
        }
        let does = tools::does(agent, &tool);
        let input = match field::INPUT.read(object)? {
            Some((_, Value::Object(input))) => input.clone(),
            None => Map::new(),
            // What an unknown tool or ours is given does not matter here; Cursor writes it as text.
            Some(_) if matches!(does, Does::Ours | Does::Unknown | Does::Read) => Map::new(),
            Some((key, _)) => return Err(format!("`{key}` is not an object")),
        };
        Ok(Self { tool, does, input })
    }
}

/// What the payload is about, if it says so and if it is something that this agent asks about.
fn event(agent: Hooked, object: &Map<String, Value>) -> Result<Option<Event>, String> {
    let known = |event: &Value| {
        let name = event.as_str()?;
        agent.events.iter().find(|(own, _)| *own == name).map(|(_, event)| *event)
    };
    for (key, event) in field::EVENT.sent(object) {
        if known(event).is_none() {
            return Err(format!("`{key}` is {event}, which this hook does not answer"));
        }
    }
    let plain = |event: &Value| event.as_str().map(|event| event.replace('_', "").to_lowercase());
    Ok(field::EVENT.read_as(object, plain)?.and_then(|(_, event)| known(event)))
}

fn call(agent: Hooked, named: Named, mut places: Vec<String>) -> Call {
    let Named { tool, does, input } = named;
    let mut shell = None;
    let deeds = match does {
        Does::Shell => match input.get("command") {
            Some(Value::String(command)) => {
                match field::FOLDER.text(&input) {
                    Ok(Some(folder)) => {
                        let beside = places.first().map_or_else(|| folder.to_owned(), |place| join(place, folder));
                        places.insert(0, beside);
                    }
                    Ok(None) => {}
                    Err(why) => return unreadable(places, format!("the command's directory is not clear: {why}")),
                }
                let command = command.clone();
                if agent.rewrites != Rewrites::No {
                    shell = Some(ShellInput { command: command.clone(), input });
                }
                vec![ToolAction::Shell(command)]
            }
            Some(_) => vec![ToolAction::Unreadable("`command` is not text".to_owned())],
            None => vec![ToolAction::Unreadable(format!("`{tool}` comes without a `command`"))],
        },
        Does::Write => files(&input, ToolAction::Write),
        Does::Delete => files(&input, ToolAction::Delete),
        Does::Patch => patched(&tool, &input),
        Does::Read => vec![ToolAction::Read(tool)],
        Does::Delegate => match input.get("isolation") {
            None | Some(Value::Null) => vec![ToolAction::Read(tool)],
            Some(isolation) => vec![ToolAction::Unknown(format!("{tool} in {isolation}"))],
        },
        Does::Skill => match field::SKILL.text(&input) {
            Ok(Some(name)) if name.trim_start_matches('/') == "grill" => vec![ToolAction::Read(tool)],
            Ok(Some(name)) => vec![ToolAction::Unknown(format!("{tool} {}", name.trim_start_matches('/')))],
            Ok(None) => vec![ToolAction::Unknown(tool)],
            Err(why) => vec![ToolAction::Unreadable(why)],
        },
        Does::Ours => tools::our_tool(agent, &tool).map_or_else(Vec::new, |name| vec![ToolAction::Ours(name)]),
        Does::Unknown => {
            let served: Vec<String> = tools::served(agent, &tool).into_iter().map(str::to_owned).collect();
            vec![if served.is_empty() { ToolAction::Unknown(tool) } else { ToolAction::Served(tool, served) }]
        }
    };
    Call { places, deeds, shell }
}

/// Where tools that write name their files. A file counts wherever it is named, also deep inside.
const FILES: &[&str] = &[
    "file_path",
    "filePath",
    "path",
    "notebook_path",
    "notebookPath",
    "target_file",
    "target_notebook",
    "absolute_path",
];

fn join(place: &str, folder: &str) -> String {
    if folder.starts_with('/') { folder.to_owned() } else { format!("{}/{folder}", place.trim_end_matches('/')) }
}

fn files(input: &Map<String, Value>, deed: fn(Option<String>) -> ToolAction) -> Vec<ToolAction> {
    let mut deeds = Vec::new();
    named_files(input, deed, &mut deeds);
    if deeds.is_empty() {
        deeds.push(deed(None));
    }
    deeds
}

fn named_files(object: &Map<String, Value>, deed: fn(Option<String>) -> ToolAction, deeds: &mut Vec<ToolAction>) {
    for (key, value) in object {
        match value {
            Value::Object(inner) => named_files(inner, deed, deeds),
            Value::Array(items) => {
                for item in items.iter().filter_map(Value::as_object) {
                    named_files(item, deed, deeds);
                }
                if FILES.contains(&key.as_str()) {
                    deeds.push(ToolAction::Unreadable(format!("`{key}` is a list")));
                }
            }
            Value::String(path) if FILES.contains(&key.as_str()) => deeds.push(deed(Some(path.clone()))),
            Value::Bool(_) | Value::Number(_) if FILES.contains(&key.as_str()) => {
                deeds.push(ToolAction::Unreadable(format!("`{key}` is not text")));
            }
            Value::Null | Value::String(_) | Value::Bool(_) | Value::Number(_) => {}
        }
    }
}

/// The patch is the one text of its input that holds one, whatever the key is called.
fn patched(tool: &str, input: &Map<String, Value>) -> Vec<ToolAction> {
    let texts: Vec<&str> = input.values().filter_map(Value::as_str).filter(|text| text.contains("***")).collect();
    let [text] = texts.as_slice() else {
        return vec![ToolAction::Unreadable(format!("`{tool}` comes without one patch"))];
    };
    match patch::changes(text) {
        None => {
            vec![ToolAction::Unreadable(format!(
                "the patch of `{tool}` does not say for certain which files it changes"
            ))]
        }
        Some(changes) => changes
            .into_iter()
            .map(|change| match change {
                Change::Write(path) => ToolAction::Write(Some(path)),
                Change::Delete(path) => ToolAction::Delete(Some(path)),
            })
            .collect(),
    }
}

#[cfg(test)]
mod tests;
