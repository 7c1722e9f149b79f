//! The parts of an installation: which file, and what goes into it.

use super::json::Entry;

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

#[derive(Clone, Debug)]
pub struct Part {
    pub purpose: Purpose,
    pub place: Place,
    pub content: Content,
    pub evidence: Evidence,
}

#[derive(Clone, Debug)]
pub enum Content {
    Json(Vec<Entry>),
    /// Our server as a table of a TOML file.
    TomlServer,
    /// Our rule in the list of calls of a TOML file that are made without asking.
    TomlRule,
    /// The whole file, with a place for its seal.
    Own(String),
    /// Nothing more: what another part makes of the file serves this, too.
    Within,
    /// No file any more: one that an earlier version wrote goes, unless somebody edited it.
    Former,
}
