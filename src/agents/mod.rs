//! All that is known of the coding agents, a file each (A33): how one is recognised, started and spoken to, what its own
//! tools are called, which files it keeps, and what is installed for it. Data: each room reads the part that it needs, and
//! one more agent is one more file, with a row in [`ALL`].

pub mod acp;
pub mod files;
pub mod hooks;
pub mod install;
pub mod traces;

mod claude;
mod codex;
mod cursor;
mod gemini;
mod grok;
mod opencode;
mod other;
mod pi;
mod version;
mod vscode;
mod zed;

use std::fmt;
use std::ops::Deref;

pub use acp::Acp;
pub use files::Folder;
pub use hooks::Hooks;
pub use install::Install;
pub use other::OTHER;
pub use traces::Traces;
pub use version::printed;

/// All that is known of one agent.
#[derive(Debug)]
pub struct Agent {
    /// The name that a person types, and that is recorded.
    pub name: &'static str,
    /// The name as its makers write it.
    pub title: &'static str,
    pub traces: Traces,
    /// Programs that are this agent, besides one of its name: adapters that speak a protocol for it.
    pub programs: &'static [&'static str],
    /// The folders that it keeps its own files in.
    pub folders: &'static [Folder],
    /// How it is spoken to over ACP, if it is.
    pub acp: Option<Acp>,
    /// What its hooks say, and how they are answered, if it has any.
    pub hooks: Option<Hooks>,
    /// How it is set up, if it is.
    pub install: Option<Install>,
}

/// Every agent, in the order in which they are listed. The last one stands for any that has our plain form of a hook.
pub static ALL: &[Agent] = &[
    claude::CLAUDE,
    codex::CODEX,
    gemini::GEMINI,
    opencode::OPENCODE,
    grok::GROK,
    pi::PI,
    cursor::CURSOR,
    vscode::VSCODE,
    zed::ZED,
    other::GENERIC,
];

/// A part of what is known of an agent, with the agent; it reads as that part.
#[derive(Debug)]
pub struct Known<T: 'static> {
    agent: &'static Agent,
    part: &'static T,
}

/// A part of what is known of an agent, which not every agent has.
pub trait Part: Sized {
    fn of(agent: &Agent) -> Option<&Self>;
}

impl Part for Acp {
    fn of(agent: &Agent) -> Option<&Self> {
        agent.acp.as_ref()
    }
}

impl Part for Hooks {
    fn of(agent: &Agent) -> Option<&Self> {
        agent.hooks.as_ref()
    }
}

impl Part for Install {
    fn of(agent: &Agent) -> Option<&Self> {
        agent.install.as_ref()
    }
}

impl<T: Part> Known<T> {
    fn of(agent: &'static Agent) -> Option<Self> {
        Some(Self { agent, part: T::of(agent)? })
    }

    /// Every agent that has this part.
    pub fn all() -> impl Iterator<Item = Self> {
        ALL.iter().filter_map(Self::of)
    }

    /// The one of this name, exactly.
    pub fn named(name: &str) -> Option<Self> {
        Self::all().find(|agent| agent.name() == name)
    }

    /// The name that a person types.
    pub fn name(&self) -> &'static str {
        self.agent.name
    }

    /// The name as its makers write it.
    pub fn title(&self) -> &'static str {
        self.agent.title
    }
}

/// An agent that speaks ACP.
pub type Preset = Known<Acp>;
/// An agent whose hooks are understood.
pub type Hooked = Known<Hooks>;
/// An agent that can be set up.
pub type Installable = Known<Install>;

impl<T> Clone for Known<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Known<T> {}

impl<T> PartialEq for Known<T> {
    fn eq(&self, other: &Self) -> bool {
        self.agent.name == other.agent.name
    }
}

impl<T> Eq for Known<T> {}

impl<T> Deref for Known<T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.part
    }
}

impl<T> fmt::Display for Known<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.agent.name)
    }
}

impl Preset {
    /// What holds for an agent whose command is the person's own.
    pub fn other() -> Self {
        Self::of(&OTHER).expect("it speaks ACP, or it is none")
    }

    /// Names of the agents that can lead an interview or be lent work, in a list.
    pub fn names() -> String {
        let led = Self::all().filter(|preset| preset.leads == acp::Leads::OverAcp);
        led.map(|preset| preset.name()).collect::<Vec<_>>().join(", ")
    }
}

/// The agent of this name, or whose program this is, among those that keep files of their own.
pub fn of_program(name: &str) -> Option<&'static Agent> {
    with_folders().find(|agent| agent.name == name || agent.programs.contains(&name))
}

/// The agents that keep files of their own.
pub fn with_folders() -> impl Iterator<Item = &'static Agent> + Clone {
    ALL.iter().filter(|agent| !agent.folders.is_empty())
}

/// The agent of this name, whose hooks are understood.
#[cfg(test)]
pub fn hooked(name: &str) -> Hooked {
    Hooked::named(name).expect("it has hooks")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a33_names_are_exact_and_each_is_one_agents() {
        for (place, agent) in ALL.iter().enumerate() {
            assert!(ALL[..place].iter().all(|before| before.name != agent.name), "{}", agent.name);
            assert!(agent.acp.is_some() || agent.hooks.is_some() || agent.install.is_some(), "{}", agent.name);
        }
        for other in ["", "Claude", "claude ", "claude-code", "sh"] {
            let found = [
                Preset::named(other).map(|one| one.name()),
                Hooked::named(other).map(|one| one.name()),
                Installable::named(other).map(|one| one.name()),
            ];
            assert_eq!(found, [None; 3], "{other}");
        }
        assert_eq!(Hooked::named("vscode"), None);
        assert_eq!(Installable::named("generic"), None);
        assert_eq!(Preset::named("cursor").map(|one| one.name()), None);
        assert_eq!(Preset::names(), "claude, codex, gemini, opencode, grok");
    }

    #[test]
    fn agents_are_known_by_their_programs_and_their_adapters() {
        for agent in with_folders() {
            for name in agent.programs.iter().chain([&agent.name]) {
                assert_eq!(of_program(name).map(|known| known.name), Some(agent.name), "{name}");
            }
        }
        assert!(of_program("sh").is_none() && of_program("").is_none() && of_program("zed").is_none());
    }
}
