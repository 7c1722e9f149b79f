//! One way to ask: a use case that needs a person says what it asks, and an asker asks it: by a prompt at the terminal,
//! by a client's form in either era of MCP, or from a script's file.

mod by_prompt;
mod scripted;

pub use by_prompt::ByPrompt;
pub use scripted::{SUCH_A_FILE, Scripted};

use super::prompt::{Prompter, Settled};
use crate::domain::ui::{Answered, Call};

/// The outcome of asking.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Met {
    /// An answer, or the reason why there is none.
    Answered(Answered),
    /// The answer comes later, when the use case is called again.
    Later,
}

/// Asks for an extension or a use case.
pub trait Asker {
    /// Whether a person can be asked at all, and if not, why not.
    fn available(&self) -> Result<(), String>;

    /// Asks. Ends without an answer as soon as `settled` says that the answer is no longer needed.
    fn ask(&mut self, call: &Call, settled: Settled) -> Met;
}

/// Whether these prompts have an answer: a person can be asked now or with a later call, or has been asked before.
pub fn can_ask(prompter: &dyn Prompter) -> Result<(), String> {
    if prompter.later() || prompter.at_hand() { Ok(()) } else { prompter.available().map_err(str::to_owned) }
}
