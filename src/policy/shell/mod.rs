//! Shell commands: which of them are known to change nothing.

mod refused;
pub mod word;

pub use self::refused::Refused;
