//! Checks an extension's answer to `initialize` (P4, P6). Unknown keys are ignored: a later version may use them.

use serde_json::{Map, Value};

use super::Ended;
use super::ended::shown;
use crate::app::ports::extensions::{Hello, OfferedCommand, OfferedTool};
use crate::domain::text::Line;
use crate::domain::ui::{API_VERSION, FLAGS, Name};

/// The most tools, and the most commands, of one extension.
const MOST_OFFERED: usize = 50;
/// The longest version of an extension, in bytes.
const LONGEST_VERSION: usize = 100;
/// The most bytes of a tool's schema.
const LONGEST_SCHEMA: usize = 64 * 1024;

pub(super) fn check(name: &Name, said: &Value) -> Result<Hello, Ended> {
    let Value::Object(said) = said else { return bad("it is not an object") };
    match said.get("name").and_then(Value::as_str) {
        Some(own) if own == name.as_str() => {}
        Some(other) => return Err(Ended::WrongName { said: shown(other) }),
        None => return bad("it has no name"),
    }
    match said.get("ui_api_version") {
        Some(version) if version.as_u64() == Some(u64::from(API_VERSION)) => {}
        Some(other) => return Err(Ended::WrongVersion { said: shown(&other.to_string()) }),
        None => return bad("it has no ui_api_version"),
    }
    for flag in list(said, "flags")? {
        match flag.as_str() {
            Some(flag) if FLAGS.contains(&flag) => {}
            Some(flag) => return Err(Ended::UnknownFlag { flag: shown(flag) }),
            None => return bad("a flag is not a string"),
        }
    }
    let tools = list(said, "tools")?.iter().map(|one| offered("tool", one).and_then(tool));
    let commands = list(said, "commands")?.iter().map(|one| offered("command", one));
    let hello = Hello {
        version: own_version(said)?,
        ui_api_version: API_VERSION,
        tools: tools.collect::<Result<_, _>>()?,
        commands: commands
            .map(|one| one.map(|one| OfferedCommand { name: one.name, description: one.description }))
            .collect::<Result<_, _>>()?,
    };
    once("tool", hello.tools.iter().map(|one| &one.name))?;
    once("command", hello.commands.iter().map(|one| &one.name))?;
    Ok(hello)
}

fn bad<T>(why: impl Into<String>) -> Result<T, Ended> {
    Err(Ended::BadHello { why: why.into() })
}

fn own_version(said: &Map<String, Value>) -> Result<Option<String>, Ended> {
    match said.get("version") {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(version)) if version.len() <= LONGEST_VERSION => Ok(Some(version.clone())),
        Some(_) => bad(format!("version is not a string of at most {LONGEST_VERSION} bytes")),
    }
}

/// A list that may be left out.
fn list<'v>(said: &'v Map<String, Value>, key: &str) -> Result<&'v [Value], Ended> {
    match said.get(key) {
        None | Some(Value::Null) => Ok(&[]),
        Some(Value::Array(list)) if list.len() <= MOST_OFFERED => Ok(list),
        Some(_) => bad(format!("{key} is not an array of at most {MOST_OFFERED}")),
    }
}

/// What tools and commands have in common.
struct Offered<'v> {
    name: Name,
    description: String,
    rest: &'v Map<String, Value>,
}

fn offered<'v>(what: &'static str, one: &'v Value) -> Result<Offered<'v>, Ended> {
    let Value::Object(rest) = one else { return bad(format!("a {what} is not an object")) };
    let Some(name) = rest.get("name").and_then(Value::as_str) else { return bad(format!("a {what} has no name")) };
    let name = match Name::parse(&format!("a {what}"), name) {
        Ok(name) => name,
        Err(error) => return bad(format!("{error}, but got {}", shown(name))),
    };
    let description = rest.get("description").and_then(Value::as_str).map(str::trim).unwrap_or_default();
    if description.is_empty() || description.len() > Line::LIMIT {
        return bad(format!("the {what} {name} has no description of at most {} bytes", Line::LIMIT));
    }
    Ok(Offered { name, description: description.to_owned(), rest })
}

fn tool(one: Offered<'_>) -> Result<OfferedTool, Ended> {
    let Offered { name, description, rest } = one;
    let schema = rest.get("inputSchema").filter(|schema| schema.get("type").and_then(Value::as_str) == Some("object"));
    match schema {
        Some(schema) if schema.to_string().len() <= LONGEST_SCHEMA => {
            Ok(OfferedTool { name, description, schema: schema.clone() })
        }
        Some(_) => bad(format!("the inputSchema of the tool {name} has more than {LONGEST_SCHEMA} bytes")),
        None => bad(format!("the tool {name} has no inputSchema of type object")),
    }
}

/// Refuses a name that occurs twice.
fn once<'n>(what: &'static str, names: impl Iterator<Item = &'n Name>) -> Result<(), Ended> {
    let mut seen = std::collections::BTreeSet::new();
    for name in names {
        if !seen.insert(name) {
            return Err(Ended::TwiceNamed { what, name: name.clone() });
        }
    }
    Ok(())
}
