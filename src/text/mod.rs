//! Text as it leaves us: how many columns it takes, where its lines are broken, how a shell reads it as one word.
//!
//! What a text means (its words, their stems, its headings) is the domain's, in `domain::text` and `domain::outline`.

pub mod columns;
pub mod command;
pub mod shell;
pub mod wrap;
