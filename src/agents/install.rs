//! What is installed for an agent, and where; and what a person has to know about it.

use super::hooks::Moment;

/// How one agent is set up.
#[derive(Clone, Copy, Debug)]
pub struct Install {
    pub about: About,
    /// In the order in which they are written.
    pub parts: &'static [Part],
}

/// What a person has to know about an agent.
#[derive(Clone, Copy, Debug)]
pub struct About {
    /// Test result with the real agent, and its version.
    pub seen: &'static str,
    /// What comes through although the hook is installed, or instead of one.
    pub gaps: &'static str,
    /// Whether it shows our questions in a form of its own.
    pub elicitation: &'static str,
    /// How our instructions reach its model.
    pub instructions: &'static str,
    /// What the person does before an installation in a repository is read.
    pub trust_project: &'static str,
    /// The same for their own settings.
    pub trust_user: &'static str,
    pub start: &'static str,
    /// How the interview begins in it.
    pub command: &'static str,
}

/// Where paths begin. `world` knows the folders.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Root {
    /// The top of the working tree.
    Worktree,
    Home,
    /// Where programs keep their settings: `$XDG_CONFIG_HOME` or `~/.config`.
    Config,
    /// Claude Code's folder: `$CLAUDE_CONFIG_DIR` or `~/.claude`.
    Claude,
    /// Where Claude Code keeps the user's MCP servers: `$CLAUDE_CONFIG_DIR` or the home folder.
    ClaudeState,
    /// Codex's folder: `$CODEX_HOME` or `~/.codex`.
    Codex,
    /// VS Code's folder for the user.
    Code,
}

/// A file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Where its path begins.
    pub root: Root,
    /// Its path from there.
    pub path: &'static str,
    /// Another name that the agent reads as well; taken if that is the one that is there.
    pub or: Option<&'static str>,
}

/// The file of a repository, and that of the user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Places {
    pub project: Place,
    pub user: Place,
}

impl Places {
    /// A path in the repository, and one of the user's.
    pub const fn of(project: &'static str, root: Root, user: &'static str) -> Self {
        Self { project: at(Root::Worktree, project), user: at(root, user) }
    }

    /// The same path in the repository and in the home folder.
    pub const fn home(path: &'static str) -> Self {
        Self::of(path, Root::Home, path)
    }
}

const fn at(root: Root, path: &'static str) -> Place {
    Place { root, path, or: None }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// The MCP server.
    Server,
    /// Our tools, where there is no MCP.
    Tools,
    /// The hook that asks the guard.
    Gate,
    /// The hooks that hand our instructions over.
    Telling,
    /// The command that begins an interview.
    Command,
    /// That our tools are called without a question each time.
    Permission,
}

impl Purpose {
    pub const fn word(self) -> &'static str {
        match self {
            Self::Server => "MCP server",
            Self::Tools => "tools",
            Self::Gate => "gate hook",
            Self::Telling => "instructions hook",
            Self::Command => "command",
            Self::Permission => "permission to call our tools",
        }
    }
}

/// Whether we saw an agent read what we write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evidence {
    Tried,
    Told,
}

/// One part of an installation.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    pub purpose: Purpose,
    pub places: Places,
    pub content: Content,
    pub evidence: Evidence,
}

/// A part that we saw the agent read.
pub const fn tried(purpose: Purpose, places: Places, content: Content) -> Part {
    Part { purpose, places, content, evidence: Evidence::Tried }
}

/// A part that its makers tell of.
pub const fn told(purpose: Purpose, places: Places, content: Content) -> Part {
    Part { purpose, places, content, evidence: Evidence::Told }
}

/// What goes into the file.
#[derive(Clone, Copy, Debug)]
pub enum Content {
    /// Entries of a JSON file.
    Json(&'static [Entry]),
    /// Our server as a table of a TOML file.
    TomlServer,
    /// Our rule in the list of calls of a TOML file that are made without asking.
    TomlRule,
    /// The file that asks the guard, as [`AskedBy`](super::hooks::AskedBy) has it.
    Plugin,
    /// The whole file.
    Own(Text),
    /// Nothing more: what another part makes of the file serves this, too.
    Within,
    /// No file any more: one that an earlier version wrote goes, unless somebody edited it.
    Former,
}

/// What the command `/grill` is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Text {
    Skill,
    Command,
    /// VS Code's form of it.
    Prompt,
}

/// An entry of ours in a JSON file; `path` leads to the object or list that it stands in.
#[derive(Clone, Copy, Debug)]
pub enum Entry {
    /// Our server, as this value.
    Server { path: &'static [&'static str], value: &'static str },
    /// A member that the file needs beside ours, and that goes with ours where nothing else is left.
    Companion { name: &'static str, value: &'static str },
    /// A group of hooks that asks the guard, in the shape that Claude Code brought up: a matcher and commands, with more
    /// members of the command.
    GateGroup { path: &'static [&'static str], matcher: &'static str, more: &'static str },
    /// One hook that asks the guard, in Cursor's shape.
    GatePlain { path: &'static [&'static str] },
    /// A group of hooks that hands our instructions over.
    TellingGroup { path: &'static [&'static str], moment: Moment, more: &'static str },
    /// One hook that does, in Cursor's shape.
    TellingPlain { path: &'static [&'static str], moment: Moment },
    /// Our rule in a list of calls that are made without asking.
    Rule { path: &'static [&'static str] },
}

/// Our server as a command with arguments.
pub const SERVER: &str = r#"{"command": "git", "args": ["grill", "mcp"]}"#;
/// Where hooks before a call stand in Claude's shape.
pub const PRE_TOOL_USE: &[&str] = &["hooks", "PreToolUse"];

/// Both groups that hand our instructions over, in Claude's shape: at the start of a conversation, and with each prompt by
/// an event of this name.
pub const fn telling(prompt: &'static [&'static str], more: &'static str) -> [Entry; 2] {
    let start = Entry::TellingGroup { path: &["hooks", "SessionStart"], moment: Moment::SessionStart, more };
    [start, Entry::TellingGroup { path: prompt, moment: Moment::Prompt, more }]
}

/// How long a hook that only tells something may keep a prompt waiting, in seconds; we give ourselves less.
pub const SOON: &str = ", \"timeout\": 5";
