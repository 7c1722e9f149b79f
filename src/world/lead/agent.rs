//! An agent as it is started: its preset, and the command.

use std::ffi::OsString;

use crate::acp::agents::Preset;
use crate::acp::failure::Failure;
use crate::app::ports::Hindrance;

#[derive(Clone)]
pub(super) struct Agent {
    /// The name that a person types.
    pub(super) name: String,
    pub(super) preset: &'static Preset,
    pub(super) command: Vec<OsString>,
}

impl Agent {
    /// What stands in the way, ready to be shown.
    pub(super) fn hindrance(&self, failure: &Failure) -> Hindrance {
        Hindrance { sentence: failure.sentence(&self.name), advice: failure.advice(self.preset, &self.name) }
    }

    /// The name of the product; of one that is not known, the name that the person gave it.
    pub(super) fn title(&self) -> String {
        if self.preset.name == self.name { self.preset.title.to_owned() } else { self.name.clone() }
    }
}

#[cfg(test)]
mod tests {
    use crate::acp::agents::{Elicits, known};
    use crate::app::instructions::OWN_TOOLS;

    #[test]
    fn g59_who_is_told_to_leave_its_own_question_tool_has_one_that_elicits() {
        for (agent, tool) in OWN_TOOLS {
            assert_eq!(known(agent).map(|preset| preset.elicits), Some(Elicits::Yes), "{agent}: {tool}");
        }
    }
}
