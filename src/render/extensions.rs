//! Extensions: the list of them, and what one offers. All of their texts are foreign.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Value, json};

use crate::app::reply::{Enabled, Extending, Found, Greeted, Hello, Known, OfferedTool};
use crate::domain::harmless::on_one_line;
use crate::domain::text::cut;
use crate::domain::ui::Name;

use super::palette::Look;

/// The most characters of a description that a line shows.
const DESCRIPTION: usize = 200;

pub(super) fn text(extending: &Extending, look: &Look) -> String {
    match extending {
        Extending::Listed(all) => all.iter().map(|one| listed(one, look)).collect::<String>() + HINT,
        Extending::Enabled(one) => {
            let tools = tools_in_words(&one.name, &one.tools);
            format!("{} agents can call {tools}\n{}", look.good("✓"), listed(one, look))
        }
        Extending::Greeted(greeted) => self::greeted(greeted, look),
        Extending::Commands { name, hello } => commands(name, hello, look),
    }
}

const HINT: &str =
    "\ngit grill <name> lists an extension's commands; git grill extensions enable <name> lets agents call its tools\n";

fn listed(one: &Known, look: &Look) -> String {
    let state = match &one.enabled {
        Enabled::Yes if one.found == Found::Shipped => "shipped with git grill".to_owned(),
        Enabled::Yes => "enabled".to_owned(),
        Enabled::No => "not enabled".to_owned(),
        Enabled::Changed { why } => format!("not enabled any more: {}", on_one_line(why)),
    };
    let mut text = format!("{}  {state}\n", look.strong(&one.name));
    let mut line = |key: &str, value: &str| {
        let _ = writeln!(text, "  {key:<8} {}", on_one_line(value));
    };
    if one.found != Found::Shipped && !one.command.is_empty() {
        line("command", &one.command.join(" "));
    }
    if !one.tools.is_empty() {
        line("tools", &tools_in_words(&one.name, &one.tools));
    }
    if one.found != Found::Shipped && !one.walls {
        line("sandbox", "none: it can write to the repository");
    }
    text
}

/// The tools by the names under which agents call them.
fn tools_in_words(name: &Name, tools: &[OfferedTool]) -> String {
    let names: Vec<String> = tools.iter().map(|tool| name.tool(&tool.name)).collect();
    if names.is_empty() { "no tool, since it has none".to_owned() } else { names.join(", ") }
}

/// The beginning of a description, on one line.
fn described(text: &str) -> String {
    cut(&on_one_line(text.trim()), DESCRIPTION)
}

fn greeted(greeted: &Greeted, look: &Look) -> String {
    let Greeted { name, program, files, hello, waits } = greeted;
    let version = hello.version.as_deref().map(|version| format!(" {}", on_one_line(version))).unwrap_or_default();
    let mut text = format!("{}{version}\n", look.strong(name));
    let _ = writeln!(text, "  program  {}", shown(program));
    for (file, blob) in files {
        let _ = writeln!(text, "  file     {} {}", shown(file), look.muted(blob));
    }
    let _ = writeln!(text, "  written  for version {} of the UI API", hello.ui_api_version);
    if let Some((greeting, computing)) = waits {
        let (greeting, computing) = (seconds(*greeting), seconds(*computing));
        let _ = writeln!(
            text,
            "  limits   {greeting} to start, {computing} to run; the time for your answers does not count"
        );
    }
    rows(&mut text, "tools", hello.tools.iter().map(|tool| (name.tool(&tool.name), &tool.description)));
    let typed = hello.commands.iter().map(|one| (format!("git grill {name} {}", one.name), &one.description));
    rows(&mut text, "commands", typed);
    text
}

fn seconds(time: Duration) -> String {
    format!("{} s", time.as_secs())
}

fn shown(path: &Path) -> String {
    on_one_line(&path.to_string_lossy())
}

fn rows<'r>(text: &mut String, heading: &str, rows: impl Iterator<Item = (String, &'r String)>) {
    let mut rows = rows.peekable();
    if rows.peek().is_some() {
        let _ = writeln!(text, "  {heading}");
    }
    for (name, description) in rows {
        let _ = writeln!(text, "    {name}  {}", described(description));
    }
}

fn commands(name: &Name, hello: &Hello, look: &Look) -> String {
    if hello.commands.is_empty() {
        return format!("{} has no commands\n", look.strong(name));
    }
    let mut text = String::new();
    for one in &hello.commands {
        let _ = writeln!(text, "git grill {name} {}  {}", one.name, look.muted(described(&one.description)));
    }
    text
}

pub(super) fn json(schema: u32, extending: &Extending) -> Value {
    match extending {
        Extending::Listed(all) => {
            json!({"schema": schema, "extensions": all.iter().map(listed_json).collect::<Vec<_>>()})
        }
        Extending::Enabled(one) => json!({"schema": schema, "enabled": true, "extension": listed_json(one)}),
        Extending::Greeted(greeted) => {
            let files = |(path, blob): &(PathBuf, String)| json!({"path": path.to_string_lossy(), "blob": blob});
            json!({
                "schema": schema,
                "extension": hello_json(&greeted.name, &greeted.hello),
                "program": greeted.program.to_string_lossy(),
                "files": greeted.files.iter().map(files).collect::<Vec<_>>(),
                "seconds": greeted.waits.map(|(greeting, computing)| {
                    json!({"greeting": greeting.as_secs(), "computing": computing.as_secs()})
                }),
            })
        }
        Extending::Commands { name, hello } => json!({"schema": schema, "extension": hello_json(name, hello)}),
    }
}

fn listed_json(one: &Known) -> Value {
    let found = match one.found {
        Found::Shipped => "shipped",
        Found::Settings => "settings",
        Found::Path => "path",
    };
    let why = if let Enabled::Changed { why } = &one.enabled { Some(why) } else { None };
    json!({
        "name": one.name, "command": one.command, "found": found, "enabled": one.enabled == Enabled::Yes, "changed": why,
        "sandbox": one.walls, "tools": tools_json(&one.name, &one.tools),
    })
}

fn tools_json(name: &Name, tools: &[OfferedTool]) -> Vec<Value> {
    let tool = |tool: &OfferedTool| {
        json!({
            "name": tool.name, "tool": name.tool(&tool.name), "description": tool.description, "inputSchema": tool.schema,
        })
    };
    tools.iter().map(tool).collect()
}

fn hello_json(name: &Name, hello: &Hello) -> Value {
    let commands = hello.commands.iter().map(|one| json!({"name": one.name, "description": one.description}));
    json!({
        "name": name, "version": hello.version, "uiApiVersion": hello.ui_api_version,
        "tools": tools_json(name, &hello.tools), "commands": commands.collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::{Asked, Links};

    const PLAIN: Look = Look { colours: false, terminal: true, asked: Asked::InText, links: Links::Spelled };

    #[test]
    fn p6_what_an_extension_says_is_harmless_and_bounded() {
        let name = |raw| Name::parse("a tool", raw).unwrap();
        let evil = format!("\u{1b}[2J\n{}", "x".repeat(1000));
        let tool = OfferedTool { name: name("ask"), description: evil.clone(), schema: json!({}) };
        let hello = Hello { version: Some(evil.clone()), ui_api_version: 1, tools: vec![tool], commands: Vec::new() };
        let greeted = Greeted {
            name: name("intake"),
            program: PathBuf::from("/opt/\u{1b}git-grill-intake"),
            files: vec![(PathBuf::from("/opt/git-grill-intake"), "abc".to_owned())],
            hello,
            waits: Some((Duration::from_secs(5), Duration::from_mins(1))),
        };
        let shown = text(&Extending::Greeted(Box::new(greeted)), &PLAIN);
        assert!(!shown.contains('\u{1b}'), "{shown}");
        let line = shown.lines().find(|line| line.contains("intake_ask")).unwrap();
        assert!(line.chars().count() < DESCRIPTION + 40, "{line}");
        assert!(shown.contains("5 s to start, 60 s to run"), "{shown}");
    }
}
