//! The file system, for every room that keeps files: lock files that die with their process.

pub mod lock;
