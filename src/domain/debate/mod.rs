//! The debate: a proposer, a devil's advocate and a synthesizer go over a decision in rounds, and the user is heard in each.
//!
//! Here are its rules: what a role's text has to hold, what an objection is and whether it was raised before, and within
//! which limits a debate stands. Texts are parsed strictly, and what is missing in one is named, so that it can be asked
//! for.

mod answers;
pub mod attack;
mod command;
pub mod concluded;
pub mod conclusions;
pub mod course;
mod deciding;
mod document;
pub mod dossier;
pub mod due;
mod event;
pub mod evidence;
pub mod fate;
mod faults;
pub mod likeness;
pub mod marks;
mod naming;
mod not_chosen;
pub mod objection;
pub mod options;
pub mod part;
mod players;
pub mod position;
pub mod proposal;
mod proxied;
pub mod record;
mod refusal;
mod repeated;
pub mod role;
pub mod round;
pub mod rounds;
pub mod sentence;
pub mod shown;
pub mod standing;
mod state;
pub mod superseded;
pub mod synthesis;
mod texts;
mod tools;
mod waiting;
pub mod whole;
mod written;

pub use answers::Answers;
pub use command::{Command, NOT_TAKEN, Submission, Text, may_begin, open, raised_in};
pub use event::{Decision, Event, Opened, Taken};
pub use faults::Faults;
pub use refusal::{LARGEST_ATTACK, LARGEST_TEXT, Refusal};
pub use waiting::waiting;

pub use dossier::Dossier;
pub use players::Players;
pub use state::{Debate, State};
