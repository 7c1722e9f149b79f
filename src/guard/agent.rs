//! The agents whose hooks are understood.

use std::fmt;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Agent {
    /// Claude Code: `PreToolUse`.
    Claude,
    /// Codex: `PreToolUse`, in Claude's shape.
    Codex,
    /// Gemini CLI: `BeforeTool`.
    Gemini,
    /// opencode: through our plugin.
    Opencode,
    /// Cursor: `preToolUse`, `beforeShellExecution`, `beforeMCPExecution`.
    Cursor,
    /// Grok Build: `PreToolUse`, with keys of its own.
    Grok,
    /// pi: through our extension.
    Pi,
    /// Any other: the plain form that our manual describes.
    Generic,
}

impl Agent {
    pub const ALL: &'static [Self] =
        &[Self::Claude, Self::Codex, Self::Gemini, Self::Opencode, Self::Cursor, Self::Grok, Self::Pi, Self::Generic];

    /// Its name, as it is typed.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Claude => "claude",
            Self::Codex => "codex",
            Self::Gemini => "gemini",
            Self::Opencode => "opencode",
            Self::Cursor => "cursor",
            Self::Grok => "grok",
            Self::Pi => "pi",
            Self::Generic => "generic",
        }
    }

    /// The agent of this name, exactly.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|agent| agent.name() == name)
    }
}

impl fmt::Display for Agent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_exact() {
        for agent in Agent::ALL {
            assert_eq!(Agent::named(agent.name()), Some(*agent));
        }
        for other in ["", "Claude", "claude ", "claude-code", "vscode"] {
            assert_eq!(Agent::named(other), None, "{other}");
        }
    }
}
