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
    /// Write git grill into an agent's settings: its MCP server, its hooks, the command /grill
    Install(Install),
    /// Remove what install wrote
    Uninstall(Uninstall),
    /// Say whether an agent can be started as the interviewer; its provider is not called
    #[cfg(feature = "acp")]
    Doctor(Doctor),
    /// Test an agent in the sandbox: it has to call one of git grill's tools, and its write has to be refused; its provider
    /// is called, so you are asked first
    #[cfg(feature = "acp")]
    Preflight(Preflight),
    /// Agent sessions
    #[command(flatten)]
    Lending(Lending),
}

/// What to do with the agents that work is lent to.
#[derive(Debug, Subcommand)]
pub enum Lending {
    /// Start an agent on a prompt, in a session of its own. Its provider is called, so you are asked first
    Start(LendStart),
    /// Send another prompt to a session; the prompt is queued if a turn is still running
    Send(LendSend),
    /// List the sessions, or show one: what it is doing, and its turns; what waits for you comes first
    Status(LendStatus),
    /// Show what an agent said in a turn, or in the latest completed one
    Result(LendResult),
    /// List what an agent changed in its copy, mark what you accepted, and write the difference to a patch file
    Changes(LendSession),
    /// Write an agent's changes into your working tree, after showing them and asking. Only you can, unless
    /// grill.agent.accept is host
    Accept(LendAccept),
    /// Cancel a turn, or a session with all of its turns
    Cancel(LendTurn),
    /// Remove a session's copy, replies and sent pictures; its work is kept on a ref, and its log stays
    Cleanup(LendCleanup),
    /// Answer what a session's agent asks, or decide on the changes made while it ran without a sandbox. Only you can
    Answer(LendSession),
    /// Show everything that happened in a session, a line each
    Log(LendSession),
}

/// `git grill agent start`
#[derive(Args, Debug)]
pub struct LendStart {
    /// The agent: claude, codex, gemini, grok, opencode, or one of your own; when left out, grill.agent.default, else the
    /// one that leads new interviews
    #[arg(long, value_name = "NAME")]
    pub agent: Option<String>,
    /// What it may do: local-review (the default) reads the repository, grounded-review also the web, deep-research the
    /// web alone; worktree-edit changes a copy of the repository, grounded-edit does so with tools for the web; media reads
    /// the repository and makes pictures (--media needs no such profile)
    #[arg(long)]
    pub profile: Option<String>,
    /// A picture to send with the prompt: a .png, .jpg, .jpeg or .webp file in this repository; repeat it for up to eight
    #[arg(long, value_name = "FILE")]
    pub media: Vec<String>,
    /// Without a terminal: confirm that the agent may call its provider. Works only after you chose "Start it, and do not
    /// ask again" for this agent in this clone
    #[arg(long)]
    pub confirm_provider_use: bool,
    /// Wait up to this many seconds (0 to 60) for the result; exit code 7 if the time runs out, 3 if you are needed first
    #[arg(long, value_name = "SECONDS")]
    pub wait: Option<u64>,
    /// What it is to do; `-` reads it from standard input
    #[arg(required = true)]
    pub prompt: Vec<String>,
}

/// `git grill agent send`
#[derive(Args, Debug)]
pub struct LendSend {
    /// The session, such as g1
    pub session: String,
    /// A picture to send with the prompt: a .png, .jpg, .jpeg or .webp file in this repository; repeat it for up to eight
    #[arg(long, value_name = "FILE")]
    pub media: Vec<String>,
    /// Without a terminal: confirm that the agent may call its provider
    #[arg(long)]
    pub confirm_provider_use: bool,
    /// Wait up to this many seconds (0 to 60) for the result; exit code 7 if the time runs out, 3 if you are needed first
    #[arg(long, value_name = "SECONDS")]
    pub wait: Option<u64>,
    /// What it is to do; `-` reads it from standard input
    #[arg(required = true)]
    pub prompt: Vec<String>,
}

/// `git grill agent status`
#[derive(Args, Debug)]
pub struct LendStatus {
    /// The session, such as g1; all of them when left out
    pub session: Option<String>,
    /// Wait up to this many seconds (0 to 60) until no turn is running or you are needed; exit code 7 if the time runs out;
    /// needs a session
    #[arg(long, value_name = "SECONDS", requires = "session")]
    pub wait: Option<u64>,
}

/// `git grill agent result`
#[derive(Args, Debug)]
pub struct LendResult {
    /// The session, such as g1
    pub session: String,
    /// The turn, such as t1; the latest completed one when left out
    pub turn: Option<String>,
    /// Wait up to this many seconds (0 to 60) for the result; exit code 7 if the time runs out, 3 if you are needed first
    #[arg(long, value_name = "SECONDS")]
    pub wait: Option<u64>,
}

/// `git grill agent changes`, `answer`, `log`
#[derive(Args, Debug)]
pub struct LendSession {
    /// The session, such as g1
    pub session: String,
}

/// `git grill agent accept`
#[derive(Args, Debug)]
pub struct LendAccept {
    /// The session, such as g1
    pub session: String,
    /// Files or directories to accept, relative to your directory or else to the top of the repository. Without one, you
    /// are asked about all of them
    pub paths: Vec<String>,
    /// Restore the files as they were before the newest accept of this session
    #[arg(long)]
    pub undo: bool,
    /// Commit exactly the accepted files on the current branch, with a trailer that names the agent. Refused if this would
    /// include or remove changes of yours, or if git would run one of the files in the commit
    #[arg(long)]
    pub commit: bool,
    /// The commit's message, a paragraph each time
    #[arg(short, long, value_name = "TEXT", requires = "commit")]
    pub message: Vec<String>,
}

/// `git grill agent cancel`
#[derive(Args, Debug)]
pub struct LendTurn {
    /// The session, such as g1
    pub session: String,
    /// The turn, such as t1; all of the session when left out
    pub turn: Option<String>,
}

/// `git grill agent cleanup`
#[derive(Args, Debug)]
pub struct LendCleanup {
    /// The session, such as g1
    pub session: String,
    /// List what would be removed, and remove nothing
    #[arg(long)]
    pub dry_run: bool,
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
    /// Without a terminal: confirm that the agent may call its provider. Works only after you chose "Start it, and do not
    /// ask again" for this agent in this clone
    #[arg(long)]
    pub confirm_provider_use: bool,
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
