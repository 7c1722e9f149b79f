//! The git hooks against real git: what is refused while they are armed, and that nothing is left afterwards.

#![allow(clippy::unwrap_used, reason = "in a test a panic is the report")]

pub mod bench;
mod crash;
mod edited;
mod enforce;
mod half_done;
mod lost;
mod pointer;
mod refspecs;
mod restore;
mod shims;
mod told;
