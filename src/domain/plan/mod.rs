//! Plan mode: a session is read-only while a plan is made, a person approves the plan by executing it, and the agent marks
//! its steps. A mark is a claim: a person's word settles a step, and so does what backs the claim in the working tree.
//!
//! Plan mode stands beside the phase. In a session without an interview it decides how tightly the worktree is held; in
//! any other it lifts nothing.

pub mod brief;
pub mod cited;
mod code;
mod command;
pub mod derived;
pub mod document;
pub mod dropped;
mod event;
mod grants;
pub mod heard;
pub mod marks;
pub mod named;
pub mod notes;
pub mod parse;
pub mod progress;
mod refusal;
mod shown;
mod state;
mod steps;
#[cfg(test)]
mod tests;
mod tools;

pub use command::{Command, Settlement};
pub use event::Event;
pub use refusal::Refusal;
pub use state::{Execution, Mode, PlanSource, Source, State, Step, StepStatus};
pub use steps::{LARGEST_PLAN, LONGEST_NOTE, LONGEST_STEP, MOST_STEPS, Steps};
