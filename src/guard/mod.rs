//! The guard for coding agents: what an agent's hook says about a tool call, and how the verdict is said back.
//!
//! Pure: bytes in, bytes out. [`payload`] reads what an agent sends, [`tools`] knows what its tools do, [`answer`] speaks
//! its dialect, [`rewrite`] puts a command into the sandbox instead; [`telling`] is about the hooks that hand our
//! instructions over. Finding out which session is active where, and asking the policy, is `world`'s.
//!
//! One refusal is understood by all of them: exit code 2, one line on standard error, nothing on standard output. Nearly
//! every other way to fail lets the call run somewhere, so nothing here is ever skipped over: what cannot be read is a
//! deed of its own, and it is refused.

pub mod advice;
pub mod answer;
pub mod explained;
mod field;
pub mod hook_line;
mod json;
mod patch;
pub mod payload;
pub mod rewrite;
pub mod telling;
pub mod tools;
