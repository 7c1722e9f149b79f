//! The fence with real git: what it refuses, what it leaves readable, and that no crash leaves a lock behind.

mod crash;
mod moved;
mod phases;
mod reading;
mod rows;

mod worktrees;
mod world;
