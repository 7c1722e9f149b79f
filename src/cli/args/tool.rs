//! `git grill tool`.

use clap::Args;

/// `git grill tool`
#[derive(Args, Debug)]
pub struct Tool {
    /// The tool; its request is read from standard input
    #[arg(required_unless_present = "list")]
    pub name: Option<String>,
    /// Print the tools that there are, with the JSON schema of what each takes
    #[arg(long, conflicts_with = "name")]
    pub list: bool,
}
