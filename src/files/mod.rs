//! The file system, for every room that keeps files: lock files that die with their process, and files that take their
//! place whole.

pub mod fresh;
pub mod lock;
