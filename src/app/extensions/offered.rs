//! The tools that agents get: those of enabled extensions, each under a unique name.

use serde_json::Value;

use crate::app::error::AppError;
use crate::app::ports::extensions::{Enabled, Extensions, Found, Listed, OfferedTool};
use crate::domain::harmless::harmless;
use crate::domain::tool::Tool;
use crate::domain::ui::Name;

/// The largest schema of a tool, in bytes.
const LARGEST_SCHEMA: usize = 64 * 1024;
/// The longest description of a tool, in characters; agents read all of them at the beginning.
const LONGEST_DESCRIPTION: usize = 2_000;

#[derive(Clone, Debug, PartialEq)]
pub struct AgentTool {
    pub called: String,
    pub extension: Name,
    /// Its name within the extension.
    pub tool: Name,
    /// Its description, with the extension's name before it.
    pub description: String,
    pub schema: Value,
}

/// The tools of the enabled extensions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Offered {
    /// Those that agents can call.
    pub tools: Vec<AgentTool>,
    /// Why the others are left out, one sentence each.
    pub left_out: Vec<String>,
}

impl Offered {
    pub fn named(&self, called: &str) -> Option<&AgentTool> {
        self.tools.iter().find(|tool| tool.called == called)
    }
}

/// The tools of the enabled extensions; none is started. The tools of a shipped extension are git grill's own.
pub fn offered(extensions: &dyn Extensions) -> Result<Offered, AppError> {
    let mut offered = Offered::default();
    for Listed { name, enabled, tools, found, .. } in extensions.list()? {
        match (enabled, found) {
            (Enabled::Yes, Found::Settings | Found::Path) => {}
            (Enabled::Changed { why }, Found::Settings | Found::Path) => {
                let why = format!(
                    "the extension was enabled, but {}; git grill extensions enable {name} asks the user again",
                    harmless(&why)
                );
                offered.left_out.push(format!("the tools of {name} are left out: {why}"));
                continue;
            }
            (Enabled::No, _) | (Enabled::Yes | Enabled::Changed { .. }, Found::Shipped) => continue,
        }
        for tool in tools {
            match of(&name, tool) {
                Ok(tool) => offered.tools.push(tool),
                Err(why) => offered.left_out.push(why),
            }
        }
    }
    without_doubles(&mut offered);
    Ok(offered)
}

/// The tool that agents call by this name. Its extension is checked for changes when it is run, not here.
pub fn tool_called(extensions: &dyn Extensions, called: &str) -> Result<Option<AgentTool>, AppError> {
    Ok(extensions.tool(called)?.and_then(|(extension, tool)| of(&extension, tool).ok()))
}

/// A tool as agents call it, or why they cannot.
fn of(extension: &Name, tool: OfferedTool) -> Result<AgentTool, String> {
    let OfferedTool { name, description, schema } = tool;
    let called = extension.tool(&name);
    let left_out = |why: &str| Err(format!("the tool {called} of the extension {extension} is left out: {why}"));
    if Tool::named(&called).is_some() {
        return left_out("a tool of git grill has that name");
    }
    if schema.get("type").and_then(Value::as_str) != Some("object") {
        return left_out("its inputSchema is not of type object");
    }
    if schema.to_string().len() > LARGEST_SCHEMA {
        return left_out("its inputSchema has more than 64 KiB");
    }
    let described = harmless(&description).chars().take(LONGEST_DESCRIPTION).collect::<String>();
    let description = format!("{extension} (an extension of git grill): {described}");
    Ok(AgentTool { called, extension: extension.clone(), tool: name, description, schema })
}

/// Leaves out all tools that share a name: a call would not say which is meant.
fn without_doubles(offered: &mut Offered) {
    let names: Vec<String> = offered.tools.iter().map(|tool| tool.called.clone()).collect();
    let is_double = |called: &str| names.iter().filter(|name| *name == called).count() > 1;
    let (doubles, tools): (Vec<_>, Vec<_>) =
        std::mem::take(&mut offered.tools).into_iter().partition(|tool| is_double(&tool.called));
    offered.tools = tools;
    offered.left_out.extend(doubles.iter().map(|tool| {
        format!("the tool {} of the extension {} is left out: another tool has that name", tool.called, tool.extension)
    }));
}
