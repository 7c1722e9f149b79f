//! The debate: a proposer, a devil's advocate and a synthesizer go over a decision in rounds, and the user is heard in each.
//!
//! Here are its rules: what a role's text has to hold, what an objection is and whether it was raised before, and within
//! which limits a debate stands. Texts are parsed strictly, and what is missing in one is named, so that it can be asked
//! for.

pub mod attack;
pub mod course;
mod document;
pub mod evidence;
pub mod likeness;
pub mod objection;
pub mod proposal;
pub mod role;
pub mod rounds;
pub mod synthesis;
