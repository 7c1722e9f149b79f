//! The verbs that tell what is wrong: doctor, fsck, and hooks status.

use clap::{Args, Subcommand};

use crate::app::context::{Context, Trying};
use crate::app::ending::leave_what_ended;
use crate::app::error::AppError;
use crate::app::ports::{Histories, Mending, StoreError};
use crate::app::reply::Reply;
use crate::domain::ids::SessionId;

/// `git grill doctor`
#[derive(Args, Debug)]
pub struct Doctor {
    /// Mend what can be mended without asking: sessions that cannot be read, leftovers of those that are over, hooks and
    /// locks that are missing
    #[arg(long)]
    pub fix: bool,
}

/// `git grill fsck`
#[derive(Args, Debug)]
pub struct Fsck {
    /// A session; all of them when left out
    pub session: Option<String>,
    /// Bring sessions that cannot be read back to the newest commit that can be
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

pub(super) fn doctor(context: &mut Context<'_>, args: &Doctor) -> Result<Reply, AppError> {
    let mending = mending(args.fix);
    let left = match mending {
        Mending::Fix => leave_what_ended(context),
        Mending::Look => None,
    };
    let mut examination = context.physician.examine(mending)?;
    examination.mended.extend(left);
    Ok(Reply::Examined(Box::new(examination)))
}

pub(super) fn fsck(context: &Context<'_>, args: &Fsck) -> Result<Reply, AppError> {
    let id = args.session.as_deref().map(SessionId::parse).transpose();
    let id = id.map_err(|_| StoreError::NoSuchSession(args.session.clone().unwrap_or_default()))?;
    let histories = id.as_ref().map_or(Histories::All, Histories::Of);
    Ok(Reply::Examined(Box::new(context.physician.walk(histories, mending(args.fix))?)))
}

fn mending(fix: bool) -> Mending {
    if fix { Mending::Fix } else { Mending::Look }
}

/// `git grill hooks status`
pub(super) fn hooks(context: &Context<'_>, args: &Hooks) -> Result<Reply, AppError> {
    let HooksAction::Status { trial } = args.action;
    let (report, more) = context.physician.hooks(if trial { Trying::Try } else { Trying::Look })?;
    Ok(Reply::Hooks(Box::new(report), more))
}
