//! The registry of verbs that subsystems bring: a row each, and everything else in their own files.

use clap::Subcommand;

use crate::app::context::Context;
use crate::app::error::AppError;
use crate::app::reply::Reply;

#[cfg(test)]
use super::toy;
use super::{Manner, debate, plan};

/// Their verbs.
#[derive(Debug, Subcommand)]
pub enum Own {
    /// Plan before anything changes: on, off, set, take, review, show, execute; without a word it toggles
    Plan(plan::Plan),
    /// Show the plan's steps and how far each is; settle or check them
    Todos(plan::Todos),
    /// Debate a decision in rounds: a proposer, a devil's advocate and a synthesizer, with you heard in each
    Debate(debate::Debate),
    /// Ring the bell
    #[cfg(test)]
    Toy(toy::Toy),
}

pub(super) fn serve(context: &mut Context<'_>, verb: Own, manner: Manner) -> Result<Reply, AppError> {
    match verb {
        Own::Plan(args) => plan::plan(context, args),
        Own::Todos(args) => plan::todos(context, args),
        Own::Debate(args) => debate::debate(context, args, manner),
        #[cfg(test)]
        Own::Toy(args) => toy::toy(context, &args),
    }
}
