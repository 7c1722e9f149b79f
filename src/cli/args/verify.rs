//! The arguments of `git grill verify`.

use clap::Args;

/// `git grill verify`
#[derive(Args, Debug)]
pub struct Verify {
    /// The session's id, or the beginning of one; the active one when left out
    pub session: Option<String>,
    /// Bring back what drifted, after showing the difference and asking; what is replaced is kept
    #[arg(long)]
    pub restore: bool,
    /// Do not ask: for scripts; an agent cannot say it
    #[arg(long, requires = "restore")]
    pub yes: bool,
    /// Only these, after --: files, folders and refs by their full names, also of what is left otherwise
    #[arg(last = true, requires = "restore", value_name = "NAME")]
    pub names: Vec<String>,
}
