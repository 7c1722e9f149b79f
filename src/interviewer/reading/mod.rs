//! Reading: what can be seen in a text by rules alone – what is said in it that can be measured or checked, which words
//! sound like an answer and are none, and where two amounts cannot both hold. Pure functions over text.
//!
//! The rules see words and their neighbours, not meaning. They know English only, no irony, no pronoun's referent and no
//! sentence that denies another one as a whole; where they are not sure they say nothing, since a question that is not
//! asked costs less than one that shows that nobody listened.

mod concrete;
mod content;
mod contradiction;
mod dates;
mod figures;
mod names;
mod quantity;
mod tokens;
mod told;
mod vague;

pub(super) use concrete::Kind;
pub(super) use content::{contents, last_sentence, shared};
pub(super) use contradiction::{Clash, Statement, clash};
pub(super) use figures::Figures;
pub(super) use names::Names;
pub(super) use told::Told;
pub(super) use vague::{Cues, Wording};
