//! Read-only policy: pure verdicts on what somebody attempts. No input, no output, no git.

pub mod commands;
pub mod push;
pub mod ref_line;
pub mod refs;
pub mod shell;
