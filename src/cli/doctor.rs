//! The verbs that tell the truth about the protection: doctor, and hooks status.

use clap::{Args, Subcommand};

use crate::app::desk::{Desk, Trying};
use crate::app::error::AppError;
use crate::app::ports::Mending;
use crate::app::reply::Reply;

/// `git grill doctor`
#[derive(Args, Debug)]
pub struct Doctor {
    /// Mend what can be mended without asking: leftovers of sessions that are over, hooks and locks that are missing
    #[arg(long)]
    pub fix: bool,
}

/// `git grill hooks`
#[derive(Args, Debug)]
pub struct Hooks {
    /// What to do with them
    #[command(subcommand)]
    pub action: HooksAction,
}

/// What to do with the hooks.
#[derive(Debug, Subcommand)]
pub enum HooksAction {
    /// Show which hooks are installed, whether git runs them, and what becomes of yours
    Status {
        /// Have git try what must be refused; nothing changes even if it is not
        #[arg(long)]
        trial: bool,
    },
}

/// `git grill doctor`
pub(super) fn doctor(desk: &Desk<'_>, args: &Doctor) -> Result<Reply, AppError> {
    let mending = if args.fix { Mending::Fix } else { Mending::Look };
    Ok(Reply::Examined(Box::new(desk.physician.examine(mending)?)))
}

/// `git grill hooks status`
pub(super) fn hooks(desk: &Desk<'_>, args: &Hooks) -> Result<Reply, AppError> {
    let HooksAction::Status { trial } = args.action;
    let (report, more) = desk.physician.hooks(if trial { Trying::Try } else { Trying::Look })?;
    Ok(Reply::Hooks(Box::new(report), more))
}
