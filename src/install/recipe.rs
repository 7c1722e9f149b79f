//! What is written for each agent, and where.

use super::gate;
use super::json::{Entry, Slot};
use super::part::{Content, Part};
use super::server;
use super::toml::rule::RULE;
use crate::agents::Installable;
use crate::agents::hooks::Moment;
use crate::agents::install::{self, Purpose, Text};
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

pub fn can_permit(agent: Installable) -> bool {
    agent.parts.iter().any(|part| part.purpose == Purpose::Permission)
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

/// The parts of an installation, in the order in which they are written.
pub fn parts(agent: Installable, scope: Scope, given: &Given) -> Vec<Part> {
    let permitted =
        |part: &&install::Part| part.purpose != Purpose::Permission || given.permission == Permission::Wanted;
    let made = |part: &install::Part| Part {
        purpose: part.purpose,
        place: match scope {
            Scope::Project => part.places.project,
            Scope::User => part.places.user,
        },
        content: content(part.content, given),
        evidence: part.evidence,
    };
    agent.parts.iter().filter(permitted).map(made).collect()
}

fn content(content: install::Content, given: &Given) -> Content {
    match content {
        install::Content::Json(entries) => {
            Content::Json(entries.iter().filter_map(|entry| entry_of(entry, given)).collect())
        }
        install::Content::TomlServer => Content::TomlServer,
        install::Content::TomlRule => Content::TomlRule,
        install::Content::Plugin => Content::Own(match &given.gate {
            Gate::Plugin(text) => with_seal(text),
            Gate::Line(_) | Gate::None => String::new(),
        }),
        install::Content::Own(text) => Content::Own(
            match text {
                Text::Skill => SKILL,
                Text::Command => COMMAND,
                Text::Prompt => VSCODE_PROMPT,
            }
            .to_owned(),
        ),
        install::Content::Within => Content::Within,
        install::Content::Former => Content::Former,
    }
}

/// An entry with what the guard gives; none where it gives nothing for it.
fn entry_of(entry: &install::Entry, given: &Given) -> Option<Entry> {
    let asks = if let Gate::Line(line) = &given.gate { line.as_str() } else { "" };
    let tells = |moment| match moment {
        Moment::SessionStart => given.at_start.as_deref(),
        Moment::Prompt => given.with_prompt.as_deref(),
    };
    Some(match *entry {
        install::Entry::Server { path, value } => {
            let value = value.to_owned();
            Entry { path, slot: Slot::Member { name: server::NAME, value, ours: server::is_ours } }
        }
        install::Entry::Companion { name, value } => Entry { path: &[], slot: Slot::Companion { name, value } },
        install::Entry::GateGroup { path, matcher, more } => gate::group(path, matcher, asks, more),
        install::Entry::GatePlain { path } => gate::plain(path, asks),
        install::Entry::TellingGroup { path, moment, more } => gate::telling_group(path, tells(moment)?, more),
        install::Entry::TellingPlain { path, moment } => gate::telling_plain(path, tells(moment)?),
        install::Entry::Rule { path } => {
            Entry { path, slot: Slot::Element { value: format!("\"{RULE}\""), ours: |rule| rule == RULE } }
        }
    })
}

/// A plugin of the guard's with a place for the seal.
fn with_seal(plugin: &str) -> String {
    format!("{plugin}// git grill seal {{seal}}\n")
}
