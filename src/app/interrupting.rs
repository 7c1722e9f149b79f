//! What a person is told who interrupts a request: what stays, and the command that goes on.

use std::borrow::Cow;

use super::context::Context;
use super::error::AppError;
use crate::domain::session::Phase;

/// The kind of request that a person interrupts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Matter {
    Interview,
    /// Agents that work is lent to, or that are tried.
    Agent,
    Debate,
}

/// The error of a request that ends here; one that was interrupted says how it goes on.
pub fn told(context: &Context<'_>, matter: Matter, error: AppError) -> AppError {
    if !matches!(error, AppError::Interrupted) {
        return error;
    }
    match (matter, context.pointed_to()) {
        (Matter::Debate, Ok(session)) if session.own.debate.unsettled().is_some() => {
            AppError::InterruptedWith("what was recorded stays; git grill debate goes on".into())
        }
        (Matter::Agent | Matter::Debate, _) => AppError::InterruptedWith(AGAIN.into()),
        (Matter::Interview, Ok(session)) => AppError::InterruptedWith(Cow::Borrowed(match session.phase {
            Phase::Interview(_) | Phase::Selection(_) | Phase::Production(_) => {
                "what was recorded stays; git grill next goes on"
            }
            Phase::NoInterview { .. } => "what was recorded stays; git grill status shows where the session is",
            Phase::Closed { .. } => NONE,
        })),
        (Matter::Interview, Err(AppError::NoSession)) => AppError::InterruptedWith(NONE.into()),
        // What else is wrong is not what was interrupted.
        (Matter::Interview, Err(_)) => error,
    }
}

const AGAIN: &str = "nothing was recorded; the same command asks again";
const NONE: &str = "no session is active here; git grill start \"<topic>\" begins one";
