//! An agent as it is started: its preset, and the command.

use std::ffi::OsString;
use std::path::Path;

use crate::acp::failure::Failure;
use crate::agents::Preset;
use crate::agents::acp::{Lacks, Lent, Settings};
use crate::app::ports::{Hindrance, Within};
use crate::domain::agents::profile::Profile;
use crate::domain::harmless::harmless;
use crate::domain::text::Line;

#[derive(Clone)]
pub(super) struct Agent {
    /// The name that a person types.
    pub(super) name: String,
    pub(super) preset: Preset,
    pub(super) command: Vec<OsString>,
    /// How it is started for work that is lent to it, if that is what it is started for.
    pub(super) lent: Option<Lent>,
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
    /// Has it started in this folder for work that is lent to it under a profile. A command of the person's own keeps its
    /// words.
    pub(super) fn lend(&mut self, profile: Profile, cwd: &Path, within: Within) {
        let lent = (self.preset.lent)(profile.terms());
        if let Some(words) = lent.command
            && self.command.iter().eq(self.preset.command)
        {
            self.command = words.iter().map(|word| word.spelled(cwd, within == Within::Walls)).collect();
        }
        self.lent = Some(lent);
    }

    /// The variables that it is started with.
    pub(super) fn variables(&self, within: Within) -> impl Iterator<Item = (&'static str, &'static str)> {
        let more = match (self.lent, within) {
            (Some(lent), Within::Walls | Within::WhatThereIs) => lent.variables,
            (None, Within::WhatThereIs) => self.preset.bare_variables,
            (None, Within::Walls) => &[],
        };
        self.preset.variables.iter().chain(more).copied()
    }

    /// What is set right after its session began.
    pub(super) fn settings(&self) -> Settings {
        self.lent.map_or(self.preset.settings, |lent| lent.settings)
    }

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
        if self.preset.name() == self.name { self.preset.title().to_owned() } else { self.name.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::acp::Elicits;
    use crate::app::instructions::OWN_TOOLS;

    fn agent(name: &str, command: &[&str]) -> Agent {
        let command = command.iter().map(OsString::from).collect();
        Agent { name: name.to_owned(), preset: Preset::named(name).unwrap(), command, lent: None }
    }

    #[test]
    fn a3_a_command_of_the_persons_own_keeps_its_words_and_a_folder_is_one_word() {
        let cwd = Path::new("/a desk/--always-approve");
        let mut own = agent("grok", &["grok", "agent", "stdio"]);
        own.lend(Profile::WorktreeEdit, cwd, Within::Walls);
        assert_eq!(own.command, ["grok", "agent", "stdio"]);
        let mut grok = agent("grok", Preset::named("grok").unwrap().command);
        grok.lend(Profile::LocalReview, cwd, Within::Walls);
        assert_eq!(grok.command.len(), 10);
        assert_eq!(grok.command[3], cwd.as_os_str());
    }

    #[test]
    fn a4_lent_work_has_its_own_variables_and_settings_whatever_holds_it() {
        let of = |agent: &Agent, within| agent.variables(within).collect::<Vec<_>>();
        let mut opencode = agent("opencode", &["opencode", "acp"]);
        assert_eq!((of(&opencode, Within::Walls).len(), of(&opencode, Within::WhatThereIs).len()), (0, 1));
        opencode.lend(Profile::LocalReview, Path::new("/desk"), Within::Walls);
        assert_eq!(of(&opencode, Within::Walls), of(&opencode, Within::WhatThereIs));
        assert!(of(&opencode, Within::Walls)[0].1.contains(r#""edit":"deny""#));
        let mut codex = agent("codex", &["codex-acp"]);
        codex.lend(Profile::WorktreeEdit, Path::new("/desk"), Within::Walls);
        assert_eq!(codex.settings().bare.map(|setting| setting.value), Some("workspace-write"));
    }

    #[test]
    fn g59_who_is_told_to_leave_its_own_question_tool_has_one_that_elicits() {
        for (agent, tool) in OWN_TOOLS {
            assert_eq!(Preset::named(agent).map(|preset| preset.elicits), Some(Elicits::Yes), "{agent}: {tool}");
        }
    }
}
