//! Shell commands: which of them are known to change nothing.
//!
//! A command is read twice: by a reader of ours ([`reader`]), which knows quotes, words and redirections and refuses
//! whatever bash, zsh and plain shells would not read alike, and by tree-sitter's grammar of bash ([`tree`]). Both must
//! find the same commands at the same places, and every one of them, in lists, pipelines, loops, substitutions and
//! here-documents alike, must be known to be read-only with the options it has (`policy::commands`).
//!
//! What is judged is a script as an agent hands it to a shell with `-c`. A person's aliases, functions and exported
//! variables are that person's own; nothing here can set one. A read-only command may run in the background.

mod allowed;
mod builtins;
mod characters;
mod comparison;
mod compound;
mod condition;
mod expansion;
mod heredoc;
mod judge;
mod number;
mod place;
mod reader;
mod refused;
mod scope;
mod script;
mod simple;
mod spelling;
mod tree;
pub mod variables;
pub mod word;

pub use self::allowed::{Allowed, BadPrefix};
pub use self::characters::MAX_LENGTH;
pub use self::place::Places;
pub use self::refused::Refused;
use super::surroundings::Surroundings;

/// Whether the command is known to change nothing, and to run nothing that lies around it; otherwise the part that is
/// not, and why.
pub fn judge(command: &str, allowed: &Allowed, around: &dyn Surroundings) -> Result<(), Refused> {
    judge::Judge::new(allowed, around).text(command)
}
