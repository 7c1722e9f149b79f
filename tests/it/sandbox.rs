//! Read-only runs, on the kernel that runs the tests.

mod broker;
mod command;
mod extent;
mod footprint;
mod kept;
mod lacking;
pub mod leftovers;
mod odd;
mod output;
mod planted;
mod private;
#[cfg(feature = "mcp")]
mod real_agents;
mod streams;
mod terminal;
mod walls;
