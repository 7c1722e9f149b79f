//! Shell commands: the corpora, and what must hold of every command.

pub mod corpus;
mod properties;
