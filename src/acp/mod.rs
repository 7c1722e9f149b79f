//! ACP, the client's side: a coding agent spoken to over its standard streams, one line of JSON a message.
//!
//! The room speaks and listens; it starts nothing. `world` starts the agent behind the sandbox's walls and hands the
//! streams in. What the agent asks for is ruled on here: by the kind of an option, never by its label, and doubt means
//! no. Nothing that an agent sends can fail a message that is not understood: unknown updates, stop reasons, kinds and
//! statuses are kept as they came.
//!
//! What the protocol calls its methods and fields stands in the file of its version, and nowhere else (A34).
//!
//! The wire is read without the protocol's own crates. The full one runs on an async runtime of its own; the one with
//! only the types switches `serde_json` to insertion order for this whole program, which would change the bytes of
//! every reply and record, and drops silently what it does not know. The recorded samples of six agents hold this room
//! to the protocol instead, and so does an agent made of those crates, outside of this program (`tests/peer`).

pub mod activity;
pub mod client;
pub mod elicit;
mod exchange;
pub mod failure;
mod heard;
pub mod limits;
pub mod permission;
pub mod rawlog;
pub mod resource;
mod secret_words;
mod secrets;
pub mod sign;
mod stream;
pub mod update;
pub mod usage;
pub mod v1;
pub mod wire;
