//! The rules, pure: what a session is, what may happen to it, and why something may not.
//!
//! Nothing here reads a clock, an environment, a file or a repository, and nothing is printed. Everything the rules
//! need to know comes in as an argument; everything they decide goes out as events or as a refusal.

pub mod actor;
pub mod agents;
pub mod authority;
pub mod checkpoint;
pub mod citations;
pub mod command;
pub mod committed;
pub mod concern;
pub mod danger;
pub mod debate;
pub mod decide;
pub mod drift;
pub mod event;
pub mod evolve;
pub mod extension;
pub mod facets;
pub mod facts;
pub mod fnv;
pub mod from_inside;
pub mod harmless;
pub mod holding;
pub mod ids;
pub mod interview;
pub mod issue;
pub mod meaning;
pub mod once;
pub mod outline;
pub(crate) mod outputs;
pub mod outside;
pub mod packet_limit;
pub mod plan;
pub mod posture;
pub mod production;
pub mod prompt_summary;
pub mod prose_places;
pub mod purpose;
pub mod question;
pub mod rebase;
pub mod refusal;
pub mod selection;
pub mod sentences;
pub mod server_form;
pub mod server_question;
pub mod session;
pub mod settings;
pub mod stem;
pub mod subsystem;
pub mod text;
pub mod told;
pub mod tool;
#[cfg(test)]
pub mod toy;
pub mod tracker;
pub mod ui;
pub mod undoing;
