//! The registry of verbs that subsystems bring: a row each, and everything else in their own files.

use clap::Subcommand;

use crate::app::desk::Desk;
use crate::app::error::AppError;
use crate::app::reply::Reply;

#[cfg(test)]
use super::toy;

/// Their verbs.
#[derive(Debug, Subcommand)]
pub enum Own {
    /// Ring the bell
    #[cfg(test)]
    Toy(toy::Toy),
}

/// Serves one.
pub(super) fn serve(desk: &mut Desk<'_>, verb: Own) -> Result<Reply, AppError> {
    match verb {
        #[cfg(test)]
        Own::Toy(args) => toy::toy(desk, &args),
    }
}
