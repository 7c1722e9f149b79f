//! What is written for each agent, and where.

use super::agent::Agent;
use super::gate;
use super::json::{Entry, Slot};
use super::part::{Content, Evidence, Part, Place, Purpose, Root};
use super::server;
use super::toml::rule::RULE;
use crate::app::agents::Scope;

/// What the guard gives an agent to call us by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Given {
    /// To ask it before each tool call.
    pub gate: Gate,
    /// The line of the hook that is told everything when a conversation begins.
    pub at_start: Option<String>,
    /// The line of the hook that is reminded with each prompt.
    pub with_prompt: Option<String>,
    /// Permission to call our tools without asking each time.
    pub permission: Permission,
}

/// Choice to install the permission to call our tools, or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Permission {
    /// It does: the user asked for it, or it is taken back.
    Wanted,
    /// What stands there about it is left as it is.
    Left,
}

pub fn can_permit(agent: Agent) -> bool {
    match agent {
        Agent::Claude | Agent::Grok => true,
        Agent::Codex | Agent::Gemini | Agent::Opencode | Agent::Pi | Agent::Cursor | Agent::Vscode | Agent::Zed => {
            false
        }
    }
}

/// What the guard gives an agent to ask it by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Gate {
    /// A line that its hook runs.
    Line(String),
    /// A file that it loads.
    Plugin(String),
    /// Nothing: it has no hook that we know.
    None,
}

/// What the command `/grill` says, in every agent.
pub const GRILL: &str = include_str!("texts/body.md");

const SKILL: &str = concat!(include_str!("texts/skill-head.md"), include_str!("texts/body.md"));
const COMMAND: &str = concat!(include_str!("texts/command-head.md"), include_str!("texts/body.md"));
const VSCODE_PROMPT: &str = concat!(include_str!("texts/vscode-head.md"), include_str!("texts/body.md"));

/// A server with a command and arguments.
const SERVER: &str = r#"{"command": "git", "args": ["grill", "mcp"]}"#;

const PRE_TOOL_USE: &[&str] = &["hooks", "PreToolUse"];
const SESSION_START: &[&str] = &["hooks", "SessionStart"];
const USER_PROMPT_SUBMIT: &[&str] = &["hooks", "UserPromptSubmit"];
/// How long a hook that only tells something may keep a prompt waiting, in seconds; we give ourselves less.
const SOON: &str = ", \"timeout\": 5";

/// The parts of an installation, in the order in which they are written.
#[expect(clippy::too_many_lines, reason = "one table, an agent after the other")]
pub fn parts(agent: Agent, scope: Scope, given: &Given) -> Vec<Part> {
    use Evidence::{Told, Tried};
    use Purpose::{Command, Gate as Hook, Server, Telling, Tools};
    // A settings folder in the repository, or the one of the user.
    let of = |project: &'static str, root: Root, user: &'static str| match scope {
        Scope::Project => at(Root::Worktree, project),
        Scope::User => at(root, user),
    };
    let home = |path: &'static str| of(path, Root::Home, path);
    let line = if let Gate::Line(line) = &given.gate { line.as_str() } else { "" };
    let plugin = if let Gate::Plugin(text) = &given.gate { with_seal(text) } else { String::new() };
    // In Claude's shape, where what is told with a prompt has another event in each agent.
    let telling = |prompt: &'static [&'static str], more: &str| {
        let both = [(SESSION_START, &given.at_start), (prompt, &given.with_prompt)];
        let entry = |(path, line): (_, &Option<String>)| Some(gate::telling_group(path, line.as_deref()?, more));
        Content::Json(both.into_iter().filter_map(entry).collect())
    };
    let part = |purpose, place, content, evidence| Part { purpose, place, content, evidence };
    let permission = |content: Content, place: Place| {
        (given.permission == Permission::Wanted).then(|| part(Purpose::Permission, place, content, Tried))
    };
    let extension = of(".pi/extensions/git-grill.ts", Root::Home, ".pi/agent/extensions/git-grill.ts");
    match agent {
        Agent::Claude => [
            part(Server, of(".mcp.json", Root::ClaudeState, ".claude.json"), server(&["mcpServers"], SERVER), Tried),
            part(
                Hook,
                of(".claude/settings.json", Root::Claude, "settings.json"),
                Content::Json(vec![gate::group(PRE_TOOL_USE, "*", line, ", \"onFailure\": \"block\"")]),
                Tried,
            ),
            part(
                Telling,
                of(".claude/settings.json", Root::Claude, "settings.json"),
                telling(USER_PROMPT_SUBMIT, SOON),
                Tried,
            ),
            part(
                Command,
                of(".claude/skills/grill/SKILL.md", Root::Claude, "skills/grill/SKILL.md"),
                own(SKILL),
                Tried,
            ),
        ]
        .into_iter()
        .chain(permission(
            Content::Json(vec![Entry {
                path: &["permissions", "allow"],
                slot: Slot::Element { value: format!("\"{RULE}\""), ours: |rule| rule == RULE },
            }]),
            of(".claude/settings.json", Root::Claude, "settings.json"),
        ))
        .collect(),
        Agent::Codex => vec![
            part(Server, of(".codex/config.toml", Root::Codex, "config.toml"), Content::TomlServer, Tried),
            part(
                Hook,
                of(".codex/hooks.json", Root::Codex, "hooks.json"),
                Content::Json(vec![gate::group(PRE_TOOL_USE, "Bash|apply_patch|mcp__.*", line, "")]),
                Tried,
            ),
            part(Telling, of(".codex/hooks.json", Root::Codex, "hooks.json"), telling(USER_PROMPT_SUBMIT, SOON), Tried),
            part(Command, home(".agents/skills/grill/SKILL.md"), own(SKILL), Tried),
        ],
        Agent::Gemini => vec![
            part(
                Server,
                home(".gemini/settings.json"),
                server(&["mcpServers"], r#"{"command": "git", "args": ["grill", "mcp"], "trust": true}"#),
                Tried,
            ),
            part(
                Hook,
                home(".gemini/settings.json"),
                Content::Json(vec![gate::group(&["hooks", "BeforeTool"], ".*", line, ", \"timeout\": 10000")]),
                Tried,
            ),
            part(
                Telling,
                home(".gemini/settings.json"),
                telling(&["hooks", "BeforeAgent"], ", \"timeout\": 5000"),
                Tried,
            ),
            // Our server's prompt is `/grill` there; beside a file of this name both would be called something else.
            part(Command, home(".gemini/commands/grill.toml"), Content::Former, Tried),
        ],
        Agent::Opencode => vec![
            part(
                Server,
                Place {
                    or: Some(match scope {
                        Scope::Project => "opencode.jsonc",
                        Scope::User => "opencode/opencode.jsonc",
                    }),
                    ..of("opencode.json", Root::Config, "opencode/opencode.json")
                },
                Content::Json(vec![
                    entry(&["mcp"], r#"{"type": "local", "command": ["git", "grill", "mcp"], "enabled": true}"#),
                    // It puts this into the file by itself where it is missing, and then the file is not ours alone.
                    companion("$schema", "\"https://opencode.ai/config.json\""),
                ]),
                Tried,
            ),
            part(
                Hook,
                of(".opencode/plugins/git-grill.js", Root::Config, "opencode/plugins/git-grill.js"),
                Content::Own(plugin),
                Tried,
            ),
            part(
                Telling,
                of(".opencode/plugins/git-grill.js", Root::Config, "opencode/plugins/git-grill.js"),
                Content::Within,
                Tried,
            ),
            part(
                Command,
                of(".opencode/commands/grill.md", Root::Config, "opencode/commands/grill.md"),
                own(COMMAND),
                Tried,
            ),
        ],
        Agent::Grok => [
            part(Server, home(".grok/config.toml"), Content::TomlServer, Tried),
            part(
                Hook,
                home(".grok/hooks/grill.json"),
                Content::Json(vec![gate::group(PRE_TOOL_USE, "*", line, "")]),
                Tried,
            ),
            part(Command, home(".grok/skills/grill/SKILL.md"), own(SKILL), Told),
        ]
        .into_iter()
        .chain(permission(Content::TomlRule, home(".grok/config.toml")))
        .collect(),
        Agent::Pi => vec![
            // One extension is everything: it registers our tools and the command, asks the guard, and tells.
            part(Tools, extension, Content::Own(plugin), Tried),
            part(Hook, extension, Content::Within, Tried),
            part(Telling, extension, Content::Within, Tried),
            part(Command, extension, Content::Within, Tried),
            part(Command, of(".pi/prompts/grill.md", Root::Home, ".pi/agent/prompts/grill.md"), Content::Former, Tried),
        ],
        Agent::Cursor => vec![
            part(Server, home(".cursor/mcp.json"), server(&["mcpServers"], SERVER), Told),
            part(
                Hook,
                home(".cursor/hooks.json"),
                Content::Json(vec![
                    gate::plain(&["hooks", "preToolUse"], line),
                    gate::plain(&["hooks", "beforeShellExecution"], line),
                    gate::plain(&["hooks", "beforeMCPExecution"], line),
                    companion("version", "1"),
                ]),
                Told,
            ),
            part(
                Telling,
                home(".cursor/hooks.json"),
                Content::Json(
                    given.at_start.iter().map(|line| gate::telling_plain(&["hooks", "sessionStart"], line)).collect(),
                ),
                Told,
            ),
            part(Command, home(".cursor/skills/grill/SKILL.md"), own(SKILL), Told),
        ],
        Agent::Vscode => vec![
            part(
                Server,
                of(".vscode/mcp.json", Root::Code, "mcp.json"),
                server(&["servers"], r#"{"type": "stdio", "command": "git", "args": ["grill", "mcp"]}"#),
                Told,
            ),
            part(
                Command,
                of(".github/prompts/grill.prompt.md", Root::Code, "prompts/grill.prompt.md"),
                own(VSCODE_PROMPT),
                Told,
            ),
        ],
        Agent::Zed => vec![part(
            Server,
            of(".zed/settings.json", Root::Config, "zed/settings.json"),
            server(&["context_servers"], SERVER),
            Told,
        )],
    }
}

fn at(root: Root, path: &'static str) -> Place {
    Place { root, path, or: None }
}

fn server(path: &'static [&'static str], value: &str) -> Content {
    Content::Json(vec![entry(path, value)])
}

fn entry(path: &'static [&'static str], value: &str) -> Entry {
    Entry { path, slot: Slot::Member { name: server::NAME, value: value.to_owned(), ours: server::is_ours } }
}

fn companion(name: &'static str, value: &'static str) -> Entry {
    Entry { path: &[], slot: Slot::Companion { name, value } }
}

fn own(text: &str) -> Content {
    Content::Own(text.to_owned())
}

/// A plugin of the guard's with a place for the seal.
fn with_seal(plugin: &str) -> String {
    format!("{plugin}// git grill seal {{seal}}\n")
}
