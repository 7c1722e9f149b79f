//! `git grill waive`: its arguments and its service.

use clap::Args;

use crate::app::context::Context;
use crate::app::error::AppError;
use crate::app::reply::Reply;
use crate::app::waiving;

/// `git grill waive`
#[derive(Args, Debug)]
pub struct Waive {
    /// Names of concerns, such as challenge:3 or area:risks; without one they are listed
    #[arg(value_name = "CONCERN")]
    pub concerns: Vec<String>,
}

pub(super) fn waive(context: &mut Context<'_>, args: &Waive) -> Result<Reply, AppError> {
    waiving::waive(context, &args.concerns)
}
