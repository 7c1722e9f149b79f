//! Sessions in real repositories: what git itself says about them, races, crashes, broken objects, foreign formats.

mod bench;
mod faults;
mod limits;
mod plain_git;
mod races;
mod replay;
mod suite;
mod view;
