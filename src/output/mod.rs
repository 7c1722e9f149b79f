//! Outputs: the catalogue that is shown before the choice, and the generators that turn a session into drafts. Pure: a
//! draft is text, and somebody else shows it, has it approved and writes it.
//!
//! A session is read once (`material`), cut into pieces by the strategy (`cut`), and put into the holes of a template
//! (`templates/*.md`, `template`). A template's own words are headings, labels and connecting words; every sentence
//! comes from the session, made harmless on the way in (`inline`). At the end each document is tidied (`page`): what
//! nothing was said about is not there, not even its heading.

mod adr;
mod cannot;
mod catalogue;
mod changelog;
mod custom;
mod cut;
mod design_doc;
mod entry;
mod existing;
mod implementation_plan;
mod inline;
mod insert;
mod issues;
mod material;
mod page;
mod piece;
mod prd;
mod produce;
mod readme;
mod related;
mod research_brief;
mod slug;
mod summary;
mod template;
mod test_plan;
#[cfg(test)]
mod toy;
mod trailers;
mod tutorial;
mod view;
mod visible;

pub use cannot::Cannot;
pub use catalogue::{catalogue, is_tracked, strategy_for};
pub use entry::{Document, Entry};
pub use existing::{Existing, Wants};
pub use produce::{check_name, documents, issue_drafts, makes, paths, unrecorded, wants};
pub use template::TemplateError;
pub use trailers::{commit_subject, trailers, with_trailers};

#[cfg(test)]
mod tests;
