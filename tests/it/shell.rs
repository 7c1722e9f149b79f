//! Shell commands: the corpora, and what must hold of every command.

mod corpus;
mod properties;
