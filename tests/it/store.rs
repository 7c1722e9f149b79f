//! Sessions in real repositories: what git itself says about them, races, crashes, broken objects, foreign formats.

pub mod bench;
mod faults;
mod holder;
mod limits;
pub mod matrix;
mod plain_git;
mod races;
mod recorded;
mod replay;
mod suite;
mod view;
