//! The arguments of `git grill approve`, `produce` and `finish`.

use clap::Args;

/// `git grill approve`
#[derive(Args, Debug)]
pub struct Approve {
    /// Drafts by path, issues as issue:3; everything that waits when left out
    pub paths: Vec<String>,
    /// Approve only if the draft has this blob id (or beginning of one)
    #[arg(long, value_name = "ID", requires = "paths")]
    pub blob: Option<String>,
    /// Whether what was written is committed.
    #[command(flatten)]
    pub commit: Commit,
}

/// `git grill produce`
#[derive(Args, Debug)]
pub struct Produce {
    /// Take back what the newest output phase wrote; once more does nothing, and names an older phase that wrote something
    #[arg(long, conflicts_with_all = ["commit", "message"])]
    pub undo: bool,
    /// With --undo, take back what the output phase of this number wrote
    #[arg(long, value_name = "NUMBER", requires = "undo")]
    pub round: Option<u64>,
    /// Whether what was written is committed.
    #[command(flatten)]
    pub commit: Commit,
}

/// Whether what was written is committed as well.
#[derive(Args, Clone, Debug, Default)]
pub struct Commit {
    /// Make one commit of exactly the written files, on the current branch, with trailers that name the session and its
    /// decisions; what else is staged stays staged
    #[arg(long)]
    pub commit: bool,
    /// The commit's message, a paragraph each time; `docs: <topic> (<outputs>)` when left out
    #[arg(short, long, value_name = "TEXT", requires = "commit")]
    pub message: Vec<String>,
}

/// `git grill finish`
#[derive(Args, Debug)]
pub struct Finish {
    /// What came out of it, in one line
    pub summary: Vec<String>,
}
