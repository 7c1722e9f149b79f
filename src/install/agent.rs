//! The agents that can be set up, and what is to be known about each: data.

use std::fmt;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Agent {
    /// Claude Code.
    Claude,
    Codex,
    /// Gemini CLI.
    Gemini,
    Opencode,
    /// Grok Build.
    Grok,
    Pi,
    Cursor,
    /// VS Code with Copilot.
    Vscode,
    Zed,
}

/// What a person has to know about an agent.
#[derive(Clone, Copy, Debug)]
pub struct About {
    /// Its name as its makers write it.
    pub label: &'static str,
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

impl Agent {
    pub const ALL: [Self; 9] = [
        Self::Claude,
        Self::Codex,
        Self::Gemini,
        Self::Opencode,
        Self::Grok,
        Self::Pi,
        Self::Cursor,
        Self::Vscode,
        Self::Zed,
    ];

    /// Its name, as it is typed.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Claude => "claude",
            Self::Codex => "codex",
            Self::Gemini => "gemini",
            Self::Opencode => "opencode",
            Self::Grok => "grok",
            Self::Pi => "pi",
            Self::Cursor => "cursor",
            Self::Vscode => "vscode",
            Self::Zed => "zed",
        }
    }

    /// The agent of this name, exactly.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|agent| agent.name() == name)
    }

    /// Facts about it, as `agent install --list` shows them.
    #[expect(clippy::too_many_lines, reason = "one row of data for each agent")]
    pub const fn about(self) -> About {
        match self {
            Self::Claude => About {
                label: "Claude Code",
                seen: "2.1.330 led an interview from install to the approved file; refused by its hook: a write by tool and one by shell; a form was filled in by its Elicitation hook",
                gaps: "claude --bare skips hooks; before 2.1.295 a guard that fails lets the call run",
                elicitation: "yes, not with -p",
                instructions: "by its hooks, everything at the start of a conversation, and with each prompt what is new or a reminder",
                trust_project: "start claude here, trust the folder, and approve the MCP server `grill` when it asks",
                trust_user: "nothing; /hooks and /mcp show it",
                start: "claude",
                command: "/grill <topic>",
            },
            Self::Codex => About {
                label: "Codex",
                seen: "0.169.0 led an interview from install to the approved file; refused by its hook: a patch and a write in its shell",
                gaps: "input to a shell that is already running; a hook that is not trusted is skipped silently",
                elicitation: "yes, not with exec",
                instructions: "by its hooks, everything at the start of a conversation, and with each prompt what is new or a reminder",
                trust_project: "start codex here, trust the folder, then trust the hooks in /hooks: until then Codex skips them silently",
                trust_user: "start codex and trust the hooks in /hooks: until then Codex skips them silently",
                start: "codex",
                command: "$grill <topic>",
            },
            Self::Gemini => About {
                label: "Gemini CLI",
                seen: "0.61.0 led an interview from install to the approved file; refused by its hook: a write by tool and one by shell",
                gaps: "a guard that is killed or takes too long lets the call run",
                elicitation: "no",
                instructions: "by its hook with each prompt, what is new or a reminder; said at the start, it would keep /grill from being seen",
                trust_project: "trust the folder when gemini asks (/permissions): settings of other folders are skipped silently",
                trust_user: "nothing; /hooks and /mcp show it",
                start: "gemini",
                command: "/grill <topic>",
            },
            Self::Opencode => About {
                label: "opencode",
                seen: "1.18.33 led an interview from install to the approved file; refused by its hook: a write by tool and one by shell",
                gaps: "a plugin that cannot be loaded is skipped",
                elicitation: "no",
                instructions: "by the plugin, in its system prompt",
                trust_project: "nothing; opencode loads project plugins without asking",
                trust_user: "nothing",
                start: "opencode",
                command: "/grill <topic>",
            },
            Self::Grok => About {
                label: "Grok Build",
                seen: "1.0.41 led an interview from install to the approved file; refused by its hook: a write by tool and one by shell",
                gaps: "without folder trust server, hook and skill are skipped",
                elicitation: "by a method of its own",
                instructions: "by the MCP server alone: what hooks at the start or with a prompt say does not reach its model",
                trust_project: "start it with `grok --trust` once: without it server, hook and skill are skipped silently",
                trust_user: "nothing that we know of",
                start: "grok",
                command: "/grill <topic>",
            },
            Self::Pi => About {
                label: "pi",
                seen: "0.87.1 led an interview from install to the approved file; refused by its hook: a write by tool and one by shell; our extension calls the tools, since it has no MCP",
                gaps: "pi --no-extensions goes without it",
                elicitation: "yes, not with -p",
                instructions: "by the extension, in its system prompt, and a reminder with each prompt",
                trust_project: "start it with `pi --approve` once: project extensions need it",
                trust_user: "nothing",
                start: "pi",
                command: "/grill <topic>",
            },
            Self::Cursor => About {
                label: "Cursor",
                seen: "nothing",
                gaps: "what its makers say is all we know",
                elicitation: "not known",
                instructions: "by its hook at the start of a conversation; one with a prompt can add nothing",
                trust_project: "enable the server `grill` in its MCP settings, and look for the hook in its hook settings",
                trust_user: "enable the server `grill` in its MCP settings",
                start: "cursor-agent",
                command: "/grill <topic>",
            },
            Self::Vscode => About {
                label: "VS Code with Copilot",
                seen: "nothing",
                gaps: "we install no hook: use `git grill run` or watch what it asks",
                elicitation: "yes",
                instructions: "by the MCP server alone: we install no hook",
                trust_project: "trust the workspace, and start the server `grill` when it asks",
                trust_user: "start the server `grill` when it asks",
                start: "code .",
                command: "/grill <topic>",
            },
            Self::Zed => About {
                label: "Zed",
                seen: "nothing",
                gaps: "it has no hooks: use `git grill run` or watch what it asks",
                elicitation: "no",
                instructions: "by the MCP server alone: it has no hooks",
                trust_project: "trust the worktree when Zed asks: without it project settings start no server",
                trust_user: "nothing that we know of",
                start: "zed .",
                command: "/grill <topic>",
            },
        }
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
            assert_eq!(Agent::named(agent.name()), Some(agent));
        }
        for other in ["", "Claude", "claude ", "generic"] {
            assert_eq!(Agent::named(other), None, "{other}");
        }
    }
}
