//! What `git grill agent install` writes into the files of coding agents: the entry for our MCP server, the hook that
//! asks the guard before each tool call, and the command `/grill`.
//!
//! Pure: the text of a file goes in, the edited text comes out. Reading and writing files, and knowing where they are, is
//! `world`'s. There is no record of what was installed: an entry of ours is known by what it starts, a hook by the guard
//! that it calls, a whole file by its seal, and taking out is the exact reverse of putting in.

mod gate;
pub mod json;
pub mod own_file;
pub mod part;
pub mod plan;
pub mod recipe;
mod server;
pub mod toml;
pub mod trouble;
