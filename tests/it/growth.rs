//! What becomes of sessions that grow, and of many of them: git's own maintenance is asked to look, and no command
//! walks a whole history or reads all sessions unless it is asked to.

mod maintenance;
mod measured;
mod named;
mod stage;
