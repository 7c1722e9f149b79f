//! The fence: git's own lock names, held as folders while a session is read-only, so that every client that respects
//! git's locks refuses to change index, HEAD, branch, stash and configuration, hooks or not.
//!
//! [`raise`] and [`lift`] own every lock folder of ours; [`lower`] takes one down for a while; [`tend`] makes the fences
//! of a repository follow their sessions, also after a crash. A lock that is a file belongs to a living git and is never
//! touched. What new refs, pushes and plain writes do is not seen here: hooks, sandbox and baseline are for those.

mod error;
mod locks;
mod note;
mod raise;
mod record;
mod tend;
mod trial;

pub use error::FenceError;
pub use locks::locks;
pub use raise::{PATIENCE, forget, lift, lower, raise, raise_within, ready, session, stands, state, strays};
pub use record::FenceState;
pub use tend::{SessionState, Tended, fences, tend};
pub use trial::{Layer, Trial, sweep, trial, trial_left};
