//! The repository seam: opening, configuration, what the repository shows, the files that outputs are written to,
//! and the baseline that drift is measured by.
//!
//! Nobody else opens a repository or reads git's configuration. Never here: sessions (room `store`), prompts, clocks,
//! and the process environment, which comes in as [`open::RepoEnv`].

pub mod baseline;
pub mod cite;
pub mod commits;
pub mod config;
pub mod extent;
pub mod inferred;
pub mod open;
pub mod scout;
pub mod targets;
mod through_git;
