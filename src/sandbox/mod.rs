//! The sandbox: a run in which the kernel, and nobody's good will, keeps the repository as it is.
//!
//! A run has two processes of ours. One stays outside, waits, and takes what may be recorded ; the other
//! builds the walls around itself ([`confine`]), which nothing below it can take down, and becomes the command. Never
//! here: sessions, prompts, spawning, and what a reply looks like.

mod abilities;
pub mod broker;
mod confinement;
pub mod doors;
#[cfg(not(target_os = "linux"))]
mod elsewhere;
mod grants;
#[cfg(target_os = "linux")]
mod linux;
pub mod probe;
pub mod profile;

#[cfg(not(target_os = "linux"))]
pub use elsewhere::{NoWalls, abilities, confine, is_confined};
#[cfg(target_os = "linux")]
pub use linux::{NoWalls, abilities, confine, is_confined};

pub use confinement::{BadConfinement, Confinement, Missing, Walls};
pub use grants::{Grants, grants};
pub use probe::probe;

pub use abilities::{Abilities, Built, Wall, Walled};
