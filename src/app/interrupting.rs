//! What a person is told who interrupts a request: what stays, and the command that goes on.

use super::context::Context;
use super::error::AppError;
use crate::domain::session::Phase;

/// The error of a request that ends here; one that was interrupted says how it goes on.
pub fn told(context: &Context<'_>, error: AppError) -> AppError {
    if !matches!(error, AppError::Interrupted) {
        return error;
    }
    match context.pointed_to() {
        Ok(session) => AppError::InterruptedWith(match session.phase {
            Phase::Interview(_) | Phase::Selection(_) | Phase::Production(_) => {
                "what was recorded stays; git grill next goes on"
            }
            Phase::NoInterview { .. } => "what was recorded stays; git grill status shows where the session is",
            Phase::Closed { .. } => NONE,
        }),
        Err(AppError::NoSession) => AppError::InterruptedWith(NONE),
        // What else is wrong is not what was interrupted.
        Err(_) => error,
    }
}

const NONE: &str = "no session is active here; git grill start \"<topic>\" begins one";
