//! Agent sessions: sessions of coding agents that git grill supervises, their turns and their limits; pure.
//!
//! Whether a process is there, what time it is and what is in a file comes in as an argument. `ledger` keeps the
//! events, and `world` runs the supervisor.

pub mod acceptance;
mod apply;
pub mod ask;
pub mod beyond;
pub mod changed;
pub mod command;
pub mod decide;
pub mod doing;
pub mod event;
pub mod failure;
pub mod handle;
pub mod limits;
pub mod media;
pub mod overlap;
pub mod parent_watch;
pub mod preview;
pub mod process;
pub mod profile;
pub mod receipt;
pub mod reconcile;
pub mod refusal;
pub mod request;
pub mod session;
pub mod state;
#[cfg(test)]
pub(crate) mod tests;
pub mod turn;
pub mod usage;
pub mod waiting;

pub use self::command::Command;
pub use self::decide::decide;
pub use self::event::{Event, Record};
pub use self::handle::{AgentHandle, TurnHandle};
pub use self::refusal::Refusal;
pub use self::session::AgentSession;
