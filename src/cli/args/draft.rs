//! `git grill draft`

use clap::Args;

/// `git grill draft`
#[derive(Args, Debug)]
pub struct Draft {
    /// Drafts by path, issues as issue:3; all of them when left out
    pub targets: Vec<String>,
    /// Change a draft in your editor
    #[arg(long, group = "deed")]
    pub edit: bool,
    /// With --edit: take the text from this file, or with - from standard input
    #[arg(long, value_name = "FILE", requires = "edit")]
    pub from: Option<String>,
    /// Leave drafts out; --edit takes one up again
    #[arg(long, group = "deed", requires = "targets")]
    pub drop: bool,
}
