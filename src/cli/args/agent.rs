//! `git grill agent`

use clap::{Args, Subcommand};

/// `git grill agent`
#[derive(Args, Debug)]
pub struct Agent {
    /// What to do
    #[command(subcommand)]
    pub action: AgentAction,
}

/// What to do with a coding agent.
#[derive(Debug, Subcommand)]
pub enum AgentAction {
    /// Write what it needs into its settings: our MCP server, our hooks, the command /grill
    Install(Install),
    /// Take exactly that out again
    Uninstall(Uninstall),
    /// Say whether an agent can be started as the interviewer; its provider is not called
    #[cfg(feature = "acp")]
    Doctor(Doctor),
    /// Prove it: start it behind the walls, have it call one of our tools and try a write that must be refused; its provider
    /// is called, so you are asked first
    #[cfg(feature = "acp")]
    Preflight(Preflight),
}

/// `git grill agent install`
#[derive(Args, Debug)]
pub struct Install {
    /// The agent: claude, codex, gemini, opencode, grok, pi, cursor, vscode, zed
    #[arg(required_unless_present = "list")]
    pub name: Option<String>,
    /// Where and how
    #[command(flatten)]
    pub install_target: InstallTarget,
    /// Also let it call our tools without asking you each time (claude, grok)
    #[arg(long, conflicts_with = "list")]
    pub allow_tools: bool,
    /// List the agents: what is enforced in each, what is only asked of it, and what is installed
    #[arg(long, conflicts_with_all = ["name", "user", "project", "dry_run"])]
    pub list: bool,
}

/// `git grill agent uninstall`
#[derive(Args, Debug)]
pub struct Uninstall {
    /// The agent, as for `install`
    pub name: String,
    /// Where and how
    #[command(flatten)]
    pub install_target: InstallTarget,
}

/// `git grill agent doctor`
#[cfg(feature = "acp")]
#[derive(Args, Debug)]
pub struct Doctor {
    /// The agent: claude, codex, gemini, grok, opencode, or one of your own (grill.agent.<name>.command)
    pub name: String,
}

/// `git grill agent preflight`
#[cfg(feature = "acp")]
#[derive(Args, Debug)]
pub struct Preflight {
    /// The agent, as for `doctor`
    pub name: String,
}

/// Where and how an agent is set up.
#[derive(Args, Clone, Copy, Debug)]
pub struct InstallTarget {
    /// In your own settings, for every repository
    #[arg(long, conflicts_with = "project")]
    pub user: bool,
    /// In the settings of this repository, for everybody who works in it (the default)
    #[arg(long)]
    pub project: bool,
    /// Show what would be written, as a diff, and write nothing
    #[arg(long)]
    pub dry_run: bool,
}
