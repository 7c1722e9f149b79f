//! Use cases: a request comes in, the rules decide, the store keeps what happened, a reply goes out.
//!
//! `handle` decides and records and touches nothing but the store; `settle` pays what the recorded state owes the world
//! and is called by a person's surface only. Nothing here prints, prompts, or reads a clock or an environment: all of
//! that comes in through the ports.

pub mod agents;
pub mod beginning;
pub mod committing;
pub mod consent;
pub mod context;
mod creating;
pub mod debate;
pub mod dispatcher;
pub mod drafting;
pub mod ending;
pub mod error;
pub mod extending;
pub mod extensions;
pub mod form;
mod founding;
pub mod gate;
pub mod instructions;
pub mod interrupting;
pub mod interview_summary;
mod kept_edits;
pub mod leading;
pub mod leaving_out;
pub mod needing;
pub mod outcome;
pub mod outside;
mod placing;
pub mod plan;
pub mod ports;
pub mod preflight;
pub mod prompt;
pub mod putting;
pub mod rebasing;
pub mod repeating;
pub mod reply;
pub mod research;
pub mod revising;
pub mod servers;
pub mod settling;
mod standing;
pub mod supervising;
pub mod toolbox;
pub mod tools;
mod topics;
pub mod tracking;
pub mod undoing;
pub mod waiving;
mod watch;
pub mod watched;
