//! One repository's objects and refs, whoever reads them: git's library, or the `git` program where the library does not
//! open the repository (reftable, SHA-256, extensions that it does not know).
//!
//! [`Repo`] is all that the other rooms see. Which of the two it is was decided when the repository was opened, and what
//! one of them cannot do is an error by name, never done by the other in silence. The library is never told to open what
//! it refuses: it would write refs where git does not look for them.
//!
//! Objects that go through the program are kept in memory until [`Repo::flush`] writes them all in one run; nothing may
//! name them before. Where the worktrees are, [`worktrees`] tells. Never here: sessions, the index, files of a working
//! tree.

pub mod asker;
pub mod command;
pub mod configured;
pub mod error;
pub mod filters;
pub mod forced;
pub mod holder;
pub mod left;
pub mod loose;
pub mod object;
mod pack;
pub mod paths;
pub mod program;
mod refs;
mod repo;
pub mod signing;
pub mod transaction;
pub mod tree;
pub mod unfinished;
mod unpacked;
mod walk;
pub mod worktrees;

pub use command::Git;
pub use error::Error;
pub use gix_hash::{Kind as Naming, ObjectId as Oid};
pub use object::{Commit, Kind, Object};
pub use program::{Program, Spawner};
pub use repo::{Backend, Because, Repo, Staged, library_id, our_id, read_by_library};
