//! The file system, for every room that keeps files: lock files that die with their process, files that take their place
//! whole, regular files that are read without waiting, folders that are walked without following a symlink, and the
//! patience with others who are at a file.

pub mod folders;
pub mod fresh;
pub mod in_vain;
pub mod lock;
pub mod patience;
pub mod regular;
