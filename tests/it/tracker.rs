//! Issues through `gh` (G32): the adapter against a stand-in that fails where a test wants it, and against the real
//! `gh` with a host of our own behind it.

mod faults;
mod founding;
mod here;
mod host;
mod real;
mod real_story;
mod spawned;
pub mod stand_in;
mod thin;
