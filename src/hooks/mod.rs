//! Git hooks, the first layer of read-only: installed when a session starts, gone to the byte when the last one stops.
//!
//! [`arm`] and [`disarm`] own every file and setting of ours in a repository; [`run_hook`] is what the installed
//! hooks ask. The rules themselves are in `policy`. Nothing here prints, and only the process port spawns.

mod bytes_text;
mod cli_facts;
mod config;
mod error;
mod facts;
mod git;
mod install;
mod lock;
mod moved;
mod packed;
mod place;
mod plan;
mod query;
mod record;
mod refspecs;
mod report;
mod shim;
mod stand;
mod stray;
mod under_way;
mod worktrees;

pub use cli_facts::CliFacts;
pub use error::HookError;
pub use facts::GitFacts;
pub use install::{Disarmed, Guarded, HookStatus, arm, disarm, forget_gone, renew, status, was_gone};
pub(crate) use lock::Lock;
pub(crate) use moved::{found, is_inside, noted};
pub(crate) use place::FENCE_NOTE;
pub use place::Place;
pub use query::{HookOutcome, is_told_only, run_hook};
pub use record::Rule;
pub(crate) use record::{Bytes, fresh_record, read_if_there, remove_if_there, replace};
pub use report::report;
pub use shim::{GUARDED, RETIRED};
pub use stand::{Stand, is_program, stand};
pub use worktrees::worktree_is_there;
