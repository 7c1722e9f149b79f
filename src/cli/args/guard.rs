//! `git grill guard`

use clap::{ArgGroup, Args};

/// `git grill guard`
#[derive(Args, Debug)]
#[command(group(ArgGroup::new("asked").required(true).args(["agent", "explain"])))]
pub struct Guard {
    /// Judge the tool call that this agent's hook says on standard input: claude, codex, gemini, opencode, cursor, grok,
    /// pi, generic. Exit code 2 is a no
    #[arg(long = "for", id = "agent", value_name = "AGENT")]
    pub agent: Option<String>,
    /// Put shell commands into the sandbox instead of judging them, where agent and machine can do that
    #[arg(long, requires = "agent", conflicts_with = "hook_line")]
    pub rewrite: bool,
    /// Print what to install as this agent's hook: a line, or for opencode and pi a file
    #[arg(long, requires = "agent")]
    pub hook_line: bool,
    /// Say whether this shell command passes while nothing may change, and which part of it decides
    #[arg(long, value_name = "COMMAND", allow_hyphen_values = true)]
    pub explain: Option<String>,
}
