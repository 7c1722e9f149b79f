//! The one form: a use case that needs a person says what it asks, and whoever serves it asks in their own way: a prompt at
//! the terminal, a client's form in either era of MCP, a script's file, or nobody.

mod by_prompt;
mod scripted;

pub use by_prompt::ByPrompt;
pub use scripted::Scripted;

use super::prompt::Settled;
use crate::domain::ui::{Answered, Call};

/// What came of asking.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Met {
    /// This.
    Answered(Answered),
    /// Whoever is asked answers later, when the use case is called again.
    Later,
}

/// Asks what an extension, or a use case, wants to know.
pub trait Asker {
    /// Whether a person can be asked at all, and if not, why not.
    fn available(&self) -> Result<(), String>;

    /// Asks; ends without an answer as soon as `settled` says that nobody waits for it any more.
    fn ask(&mut self, call: &Call, settled: Settled) -> Met;
}
