//! Shell commands: the corpora, and what must hold of every command.

mod around;
pub mod corpus;
mod properties;
mod traps;
mod verbs;
