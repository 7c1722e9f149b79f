//! The grammar of the command line: one definition for parsing, help, and the man page.

pub mod agent;
mod draft;
pub mod guard;
mod produce;
mod run;
mod tool;
mod verify;

use clap::{Args, Parser, Subcommand, ValueEnum};

pub use draft::Draft;
pub use produce::{Approve, Commit, Finish, Produce};
pub use run::Run;
pub use tool::Tool;
pub use verify::Verify;

/// Be interviewed before a file changes.
///
/// git grill asks one question at a time, with alternatives and a recommendation, and grows one Markdown checkpoint of
/// shared understanding. Every version is a commit on a side ref (refs/grill/sessions/…) that plain git log, git blame
/// and git diff read. Meanwhile git refuses commits and branch changes. At the end you choose what comes out of it: it
/// is drafted, shown, approved byte for byte, and then written.
#[derive(Debug, Parser)]
#[command(
    name = "git-grill",
    bin_name = "git grill",
    version,
    max_term_width = 100,
    disable_help_subcommand = true,
    subcommand_required = false,
    after_help = "Examples:\n  git grill start \"add rate limiting\"    begin, and be asked\n  git grill answer --choose 2            answer the open question\n  git grill stop --without-output        end it, nothing produced\n\nSee git-grill(1) for everything, and `git grill <verb> -h` for one verb."
)]
pub struct Cli {
    /// Print exactly one JSON object, for errors too
    #[arg(long, global = true)]
    pub json: bool,
    /// When to use colours
    #[arg(long, global = true, value_name = "WHEN", value_enum)]
    pub color: Option<ColorWhen>,
    /// Show long output at once, in no pager
    #[arg(long, global = true)]
    pub no_pager: bool,
    /// Answer an extension's questions from this JSON file instead of at a prompt; a question that it does not cover
    /// gets no answer
    #[arg(long, global = true, value_name = "FILE")]
    pub answers: Option<String>,
    /// What to do; without a verb: go on with the active session, or begin one
    #[command(subcommand)]
    pub verb: Option<Verb>,
}

/// When colours are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ColorWhen {
    /// On a terminal that can show them
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// The verbs.
#[derive(Debug, Subcommand)]
pub enum Verb {
    /// Begin an interview about a topic, or go on with an unfinished one
    Start(Start),
    /// End the session
    Stop(Stop),
    /// Show the checkpoint, edit it, compare its versions
    Checkpoint(Checkpoint),
    /// Show where the session is
    Status(Status),
    /// Print or set how hard the interviewer presses: gentle, standard, hard, adversarial
    Intensity(SettingValue),
    /// Print or set what the interview is for: auto, plan, learn, research, content, decide
    Intent(SettingValue),
    /// Print or set what you would like to come out of it, comma-separated; never an approval
    Output(OutputPreference),
    /// Print or set whether the repository is looked at: off, ask, auto
    Research(Research),
    /// Print or change who asks: built-in, an agent that is started here (claude, codex, gemini, grok, opencode), or
    /// agent:<name>, which asks from outside
    Interviewer(SettingValue),
    /// Answer the open question
    Answer(Answer),
    /// Show the open question, or have the next one asked; without a terminal, none that was put off is reopened
    Next,
    /// Put the open question off, or push back on it
    Skip(Skip),
    /// Say that you do not know; it becomes an unknown of the checkpoint
    Unknown(Unknown),
    /// Say why the open question matters; it stays open
    Why,
    /// Leave the questions for a conversation, or sum it up and return; back returns with nothing recorded
    Discuss(Discuss),
    /// Return to an earlier question; its answer is superseded, not deleted
    Back(Back),
    /// List what the rules see in an agent's interview, or wave some of it through by name
    Waive(super::waive::Waive),
    /// Open the output selection, or choose what is produced
    Select(Select),
    /// Approve what waits: a request, or drafts byte for byte
    Approve(Approve),
    /// Draft the chosen outputs and show what they would change
    Draft(Draft),
    /// Draft what is chosen, have it approved, write it
    Produce(Produce),
    /// Close the output phase and return to the interview
    Finish(Finish),
    /// Compare HEAD, refs, stash, index and files with the start of the session; bring back what drifted
    Verify(Verify),
    /// List the sessions of this repository
    Sessions,
    /// Make an unfinished session the active one of this worktree
    Resume(Resume),
    /// Run a command, such as a coding agent, that cannot write to the repository
    Run(Run),
    /// Judge tool calls of coding agents and shell commands: may this happen now?
    Guard(guard::Guard),
    /// Put a question to the person: the question tools, JSON in, JSON out
    Tool(Tool),
    /// Serve the question tools to an agent over MCP, on standard input and output
    #[cfg(feature = "mcp")]
    Mcp,
    /// Print what an agent is told in this phase; nothing without a session
    Instructions(Instructions),
    /// Install git grill in a coding agent, check an agent, or give one work
    Agent(agent::Agent),
    /// List the extensions, try one, or let agents call its tools
    Extensions(super::extensions::Extensions),
    /// Play a whole interview in a throw-away repository
    Demo(Demo),
    /// Tell the truth about the git hooks and the fence
    Hooks(super::doctor::Hooks),
    /// Examine the repository and this machine; mend what is left over or broken
    Doctor(super::doctor::Doctor),
    /// Replay the histories of sessions, commit by commit, and compare them with what is stored
    Fsck(super::doctor::Fsck),
    /// A subsystem's
    #[command(flatten)]
    Own(super::own::Own),
    /// List the verbs, or explain one
    Help(Help),
    /// A command of an extension; any other words start nothing
    #[command(external_subcommand)]
    Other(Vec<String>),
}

/// `git grill start`
#[derive(Args, Debug)]
pub struct Start {
    /// What it is about, in a few words; inferred and shown for confirming when left out
    pub topic: Vec<String>,
    /// What it is for: auto, plan, learn, research, content, decide
    #[arg(long)]
    pub intent: Option<String>,
    /// How hard to press: gentle, standard, hard, adversarial
    #[arg(long)]
    pub intensity: Option<String>,
    /// Whether to look at the repository: off, ask, auto
    #[arg(long)]
    pub research: Option<String>,
    /// With research ask: what may be looked at without asking, comma-separated: layout, contents, writings, history,
    /// sessions, all
    #[arg(long, value_name = "KINDS", value_delimiter = ',')]
    pub allow: Vec<String>,
    /// What you would like to come out of it, comma-separated; never an approval
    #[arg(long, value_delimiter = ',')]
    pub output: Vec<String>,
    /// Who asks: built-in; an agent that is started here, such as claude, codex, gemini, grok or opencode; or
    /// agent:<name>, which asks from outside
    #[arg(long)]
    pub interviewer: Option<String>,
    /// Who may approve: person, script, agent; a person has to confirm the other two
    #[arg(long)]
    pub approval: Option<String>,
    /// Hold git's own locks as well while nothing may change, so that git add and clients without hooks are refused
    #[arg(long, value_name = "WHEN", value_enum, num_args = 0..=1, default_missing_value = "on", require_equals = true)]
    pub fence: Option<FenceWhen>,
}

/// Whether a session gets a fence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FenceWhen {
    /// It does
    On,
    /// It does not
    Off,
}

/// `git grill stop`
#[derive(Args, Debug)]
pub struct Stop {
    /// Say that nothing is to be produced
    #[arg(long)]
    pub without_output: bool,
}

/// `git grill checkpoint`
#[derive(Args, Debug)]
pub struct Checkpoint {
    /// What to do with it
    #[command(subcommand)]
    pub action: Option<CheckpointAction>,
}

/// What to do with the checkpoint.
#[derive(Debug, Subcommand)]
pub enum CheckpointAction {
    /// Print it
    Show {
        /// A commit of the session, ~N back, or @N, its Nth text; the newest when left out
        version: Option<String>,
    },
    /// Edit it in your editor
    Edit,
    /// Compare two versions word by word; the newest with the one before it when left out
    Diff {
        /// The earlier version
        from: Option<String>,
        /// The later version
        to: Option<String>,
    },
    /// List the commits of the session
    Log {
        /// How many, the newest first
        #[arg(short = 'n', long, default_value_t = 30)]
        limit: usize,
    },
    /// Bring an earlier version back, as a new one
    Restore {
        /// The version, as for `show`
        version: String,
    },
}

/// `git grill status`
#[derive(Args, Debug, Default)]
pub struct Status {
    /// Lines for scripts: key, tab, value; stable
    #[arg(long, conflicts_with = "short")]
    pub porcelain: bool,
    /// One line for a shell prompt; nothing when no session is active
    #[arg(long)]
    pub short: bool,
    /// How many columns that line may take
    #[arg(long, value_name = "COLUMNS", requires = "short")]
    pub width: Option<usize>,
    /// List the questions and what became of them
    #[arg(long, conflicts_with_all = ["porcelain", "short"])]
    pub questions: bool,
}

/// `git grill research`
#[derive(Args, Debug)]
pub struct Research {
    /// The new value; printed when left out
    pub value: Option<String>,
    /// With ask: what may be looked at without asking, comma-separated: layout, contents, writings, history, sessions, all
    #[arg(long, value_name = "KINDS", value_delimiter = ',', requires = "value")]
    pub allow: Vec<String>,
}

/// `git grill intensity`, `intent`
#[derive(Args, Debug)]
pub struct SettingValue {
    /// The new value; printed when left out
    pub value: Option<String>,
}

/// `git grill output`
#[derive(Args, Debug)]
pub struct OutputPreference {
    /// Outputs, comma-separated or repeated; `none` takes the preference back
    #[arg(value_delimiter = ',')]
    pub outputs: Vec<String>,
}

/// `git grill answer`
#[derive(Args, Debug)]
pub struct Answer {
    /// The reply in your words; `-` reads it from standard input
    #[arg(conflicts_with = "choose")]
    pub text: Vec<String>,
    /// Take the alternative with this number; several, comma-separated, where a question takes several
    #[arg(long, short = 'c', value_name = "N", value_delimiter = ',')]
    pub choose: Vec<usize>,
    /// The question it answers; refused when another is open by now
    #[arg(long, value_name = "ID")]
    pub question: Option<String>,
    /// What you want to add to it
    #[arg(long)]
    pub note: Option<String>,
}

/// `git grill skip`
#[derive(Args, Debug)]
pub struct Skip {
    /// The question that is meant
    #[arg(long, value_name = "ID")]
    pub question: Option<String>,
    /// Push back instead: what is wrong with the question
    #[arg(long, value_name = "TEXT")]
    pub because: Option<String>,
}

/// `git grill unknown`
#[derive(Args, Debug)]
pub struct Unknown {
    /// The question that is meant
    #[arg(long, value_name = "ID")]
    pub question: Option<String>,
    /// What you want to add to it
    #[arg(long)]
    pub note: Option<String>,
}

/// `git grill discuss`
#[derive(Args, Debug)]
pub struct Discuss {
    /// Sum the conversation up and return to the questions
    #[arg(long, value_name = "SUMMARY")]
    pub done: Option<String>,
}

/// `git grill back`
#[derive(Args, Debug)]
pub struct Back {
    /// The question's number or id; the one before when left out, in a discussion the one that it is about
    pub to: Option<String>,
    /// Keep its answer: something that it stands on changed, and it is still right
    #[arg(long, requires = "to")]
    pub still_right: bool,
}

/// `git grill select`
#[derive(Args, Debug)]
pub struct Select {
    /// Outputs, comma-separated or repeated; without any, the output selection is shown
    #[arg(value_delimiter = ',')]
    pub outputs: Vec<String>,
    /// How it is cut: vertical-slices, tutorial-chapters, research-investigations, content-outline, adr-candidates,
    /// milestone-experiments, or custom:<text>
    #[arg(long)]
    pub strategy: Option<String>,
    /// Where the file goes, when one output is chosen; for github-issues the folder of its files
    #[arg(long)]
    pub path: Option<String>,
    /// The repository for issues, as owner/name or host/owner/name; by default the one that gh names
    #[arg(long, value_name = "REPOSITORY")]
    pub repo: Option<String>,
}

/// `git grill resume`
#[derive(Args, Debug)]
pub struct Resume {
    /// The session's id, or the beginning of one; when left out, the newest unfinished one, this clone's own first
    pub session: Option<String>,
    /// Hold git's own locks as well while nothing may change
    #[arg(long, value_name = "WHEN", value_enum, num_args = 0..=1, default_missing_value = "on", require_equals = true)]
    pub fence: Option<FenceWhen>,
}

/// `git grill instructions`
#[derive(Args, Debug)]
pub struct Instructions {
    /// Say also how the tools are called in this agent
    #[arg(long = "for", id = "agent", value_name = "AGENT")]
    pub agent: Option<String>,
    /// Hand them over in the form of this agent's hook, whose JSON is read from standard input: everything at
    /// session-start, a reminder with each prompt. Whatever goes wrong, nothing is said and the exit code is 0
    #[arg(long, value_name = "MOMENT", requires = "agent")]
    pub hook: Option<String>,
}

/// `git grill demo`
#[derive(Args, Debug)]
pub struct Demo {
    /// Leave the repository in this folder, which must not exist yet
    #[arg(long, value_name = "DIR")]
    pub keep: Option<std::path::PathBuf>,
    /// Play plan mode instead: a plan is set, reviewed, executed and carried out
    #[arg(long)]
    pub plan: bool,
    /// Play a debate instead: three scripts in its roles, from the dossier to what comes of it
    #[arg(long, conflicts_with = "plan")]
    pub debate: bool,
}

/// `git grill help`
#[derive(Args, Debug)]
pub struct Help {
    /// The verb
    pub verb: Option<String>,
}
