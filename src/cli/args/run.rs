//! The grammar of `git grill run`.

use std::ffi::OsString;

use clap::Args;

/// `git grill run`
#[derive(Args, Debug)]
pub struct Run {
    /// What the run starts: agent, command, or an agent's name, whose own directories then get private layers
    #[arg(long, value_name = "NAME", default_value = "agent")]
    pub profile: String,
    /// Run it also where the kernel cannot keep it from writing, and say what is missing
    #[arg(long)]
    pub best_effort: bool,
    /// The command with its arguments, after --
    #[arg(last = true, required = true, value_name = "COMMAND")]
    pub command: Vec<OsString>,
}
