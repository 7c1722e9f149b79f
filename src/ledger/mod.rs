//! Ledgers of agent sessions (A6): a folder for each session, named by its handle, with an append-only file of events
//! that has one writer, and the texts of its turns.
//!
//! Nothing here decides what may happen to a session: the domain's gate does, for records that are written and for
//! records that are read. No file is opened through a symlink, and no symlink is followed to a folder below the private
//! one.

pub mod codec;
pub mod error;
pub mod limits;
pub mod media;
mod own;
pub mod place;
pub mod reader;
pub mod session_folder;
#[cfg(test)]
mod tests;
pub mod texts;
pub mod writer;

pub use self::error::LedgerError;
pub use self::place::Ledgers;
pub use self::reader::Ledger;
pub use self::session_folder::SessionFolder;
pub use self::writer::Writer;
