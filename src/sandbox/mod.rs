//! The sandbox: a run in which the kernel, and nobody's good will, keeps the repository as it is.
//!
//! A run has three processes of ours. The keeper, `git grill` itself, stays outside, waits, and takes what may be recorded.
//! It starts the warden ([`divide`]), which stays outside as well and ends every process of the run. The third builds the
//! walls around itself ([`confine`]), which nothing below it can take down, and starts the command. A command without walls
//! can have a warden, too ([`divide_openly`]). Never here: sessions, prompts, and what a reply looks like.

mod abilities;
pub mod broker;
mod confinement;
mod division;
#[cfg(not(target_os = "linux"))]
mod elsewhere;
mod grants;
pub mod layers;
#[cfg(target_os = "linux")]
mod linux;
pub mod probe;
pub mod profile;
pub mod sockets;

#[cfg(not(target_os = "linux"))]
pub use elsewhere::{
    Inside, NoWalls, abilities, adopt_orphans, confine, divide, divide_openly, end_orphans, is_confined,
};
#[cfg(target_os = "linux")]
pub use linux::{Inside, NoWalls, abilities, adopt_orphans, confine, divide, divide_openly, end_orphans, is_confined};

use division::WITHOUT_WALLS;
pub use division::{Over, Part, Side};

pub use confinement::{BadConfinement, Confinement, Missing, Walls};
pub use grants::{Grants, grants};
pub use probe::probe;

pub use abilities::{Abilities, Built, Wall, Walled};
