//! An agent as it is started: its preset, and the command.

use std::ffi::OsString;

use crate::acp::agents::{Lacks, Preset};
use crate::acp::failure::Failure;
use crate::app::ports::Hindrance;
use crate::domain::harmless::harmless;
use crate::domain::text::Line;

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

    /// That this version of it is too old, where it is, and what installs a newer one. Whether it leads all the same is up
    /// to what the older one lacks.
    pub(super) fn too_old(&self, version: &str, speaks: bool) -> Option<Hindrance> {
        let least = self.preset.asks_for_newer(version, speaks)?;
        let goes_on = match least.lacks {
            Lacks::Start => "was not started",
            Lacks::Part => "leads with less",
        };
        Some(Hindrance {
            sentence: format!(
                "{} {goes_on}, since its version {} is too old, it takes {}: {}",
                self.name,
                Line::clipped(&harmless(version)).as_str(),
                least.version,
                least.because
            ),
            advice: format!("{} installs one that fits", self.preset.install),
        })
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
