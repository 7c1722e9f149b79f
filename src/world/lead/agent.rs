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

/// That a version is too old.
#[derive(Debug)]
pub(super) struct TooOld {
    /// Which version that is, which one is needed, and why.
    pub(super) why: String,
    /// What it means for an interview, and what to do.
    pub(super) hindrance: Hindrance,
}

impl Agent {
    /// What stands in the way, ready to be shown.
    pub(super) fn hindrance(&self, failure: &Failure) -> Hindrance {
        self.hindrance_or(failure, || failure.advice_without_remedy(&self.name))
    }

    /// The same with this advice where no remedy is known.
    pub(super) fn hindrance_or(&self, failure: &Failure, advice: impl FnOnce() -> String) -> Hindrance {
        let remedy = failure.remedy(self.preset, &self.name);
        let advice = if remedy.is_empty() { advice() } else { remedy };
        Hindrance { sentence: failure.sentence(&self.name), advice }
    }

    /// That this version of it is too old, where it is, and what installs a newer one. Whether it leads all the same is up
    /// to what the older one lacks.
    pub(super) fn too_old(&self, version: &str, speaks: bool) -> Option<TooOld> {
        let least = self.preset.asks_for_newer(version, speaks)?;
        let goes_on = match least.lacks {
            Lacks::Start => "was not started",
            Lacks::Part => "leads with less",
        };
        let version = Line::clipped(&harmless(version)).as_str().to_owned();
        let why = format!("{version} is too old, git grill needs {} or newer: {}", least.version, least.because);
        let sentence = format!("{} {goes_on}, since its version {why}", self.name);
        let advice = format!("{} installs one that fits", self.preset.install);
        Some(TooOld { why, hindrance: Hindrance { sentence, advice } })
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
