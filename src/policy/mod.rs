//! Read-only policy: pure verdicts on what somebody attempts. No input, no output, no git.
//!
//! [`rules::judge`] is the one question; everything else is what it needs to know.

mod approved;
pub mod attempt;
pub mod commands;
mod committing;
mod fetched;
pub mod half_done;
mod push;
mod quote;
pub mod ref_line;
pub mod refs;
pub mod rules;
pub mod shell;
pub mod surroundings;
pub mod verdict;
