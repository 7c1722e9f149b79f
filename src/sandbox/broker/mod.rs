//! The broker: the one thing that a read-only run may have done outside. What goes through is a typed wish about the
//! session, bounded and versioned; never a command line, never a place to write to, never who wishes.

pub mod client;
pub mod frame;
pub mod request;
pub mod server;
pub mod store;
