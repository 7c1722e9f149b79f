//! What holds for every session, whoever wants what in whatever order: properties of the rules, of the dispatcher over
//! stores that fail, of whole interviews, of two writers, of the read-only policy and of the stored form.

mod agents;
mod board;
mod creating;
mod doubles;
mod drifted;
mod faults;
mod gates;
mod interviews;
mod lapsing;
mod laws;
mod refs;
mod rules;
mod settling;
mod stored;
mod texts;
mod wishes;
mod writers;
