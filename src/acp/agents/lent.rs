//! How an agent is started for work that is lent to it (A3, A4), where that is not as it is started for an interview. A
//! caller names a profile; of what a caller says no more than the profile and the folder of the work gets this far.

use std::ffi::OsString;
use std::path::Path;

use super::{NOTHING, Settings};

/// What an agent is started with and set to under a profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lent {
    /// The command, where it is another one.
    pub command: Option<&'static [Word]>,
    /// Variables besides those that it is always started with.
    pub variables: &'static [(&'static str, &'static str)],
    /// What is set right after the session began, in place of what is set in an interview.
    pub settings: Settings,
}

/// A word of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    Is(&'static str),
    /// The folder that it works in.
    Cwd,
    /// This word where our walls hold, and the other one where they do not.
    Walled(&'static str, &'static str),
}

impl Lent {
    /// Nothing that an interview has not: it asks for each thing, and is ruled on by what it may do.
    pub const PLAIN: Self = Self { command: None, variables: &[], settings: NOTHING };
}

impl Word {
    pub fn spelled(self, cwd: &Path, walled: bool) -> OsString {
        match self {
            Self::Is(word) => word.into(),
            Self::Walled(word, bare) => if walled { word } else { bare }.into(),
            Self::Cwd => cwd.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::acp::agents::{PRESETS, Setting, known};
    use crate::domain::agents::profile::{Profile, TERMS};

    fn spelled(words: &[Word], walled: bool) -> String {
        let words: Vec<OsString> = words.iter().map(|word| word.spelled(Path::new("/desk"), walled)).collect();
        words.join(std::ffi::OsStr::new(" ")).into_string().unwrap()
    }

    /// All that a preset says of a profile, in a line.
    fn row(agent: &str, profile: Profile) -> String {
        let Lent { command, variables, settings } = (known(agent).unwrap().lent)(profile.terms());
        let set = |setting: Option<Setting>| setting.map_or("-", |setting| setting.value).to_owned();
        let mut parts: Vec<String> =
            command.into_iter().flat_map(|words| [true, false].map(|walled| spelled(words, walled))).collect();
        parts.extend(variables.iter().map(|(name, value)| format!("{name}={value}")));
        parts.push(format!("{} {}", set(settings.walled), set(settings.bare)));
        parts.join(" | ")
    }

    /// What Grok is started with behind our walls, and without them in this sandbox of its own.
    fn grok(bare: &str) -> String {
        let line = |sandbox: &str| {
            format!("grok --no-auto-update --cwd /desk --sandbox {sandbox} --always-approve agent --no-leader stdio")
        };
        format!("{} | {} | - -", line("off"), line(bare))
    }

    #[test]
    fn a3_a4_what_each_agent_is_started_with_under_each_profile() {
        let opencode = |rules: &str| format!(r#"OPENCODE_CONFIG_CONTENT={{"permission":{{{rules}}}}} | - -"#);
        let no_web = r#""webfetch":"deny","websearch":"deny","codesearch":"deny""#;
        let looks = format!(r#""edit":"deny","bash":"ask",{no_web}"#);
        for (agent, rows) in [
            ("claude", ["default default"; 6].map(str::to_owned)),
            (
                "codex",
                [
                    "agent-full-access read-only",
                    "agent-full-access read-only",
                    "agent-full-access read-only",
                    "agent-full-access workspace-write",
                    "agent-full-access workspace-write",
                    "agent-full-access read-only",
                ]
                .map(str::to_owned),
            ),
            ("gemini", ["- -"; 6].map(str::to_owned)),
            ("grok", ["read-only", "read-only", "read-only", "workspace", "workspace", "read-only"].map(grok)),
            (
                "opencode",
                [
                    opencode(&looks),
                    opencode(r#""edit":"deny","bash":"ask""#),
                    opencode(r#""*":"deny","webfetch":"allow","websearch":"allow","codesearch":"allow""#),
                    opencode(&format!(r#""edit":"ask","bash":"ask",{no_web}"#)),
                    opencode(r#""edit":"ask","bash":"ask""#),
                    opencode(&looks),
                ],
            ),
            ("pi", ["- -"; 6].map(str::to_owned)),
        ] {
            for (terms, wanted) in TERMS.iter().zip(rows) {
                assert_eq!(row(agent, terms.profile), wanted, "{agent}, {}", terms.name);
            }
        }
        assert_eq!(PRESETS.len(), 6, "each agent has its rows");
    }

    #[test]
    fn a3_every_command_begins_with_the_program_of_its_preset_and_settings_are_whole() {
        for preset in PRESETS {
            for terms in &TERMS {
                let lent = (preset.lent)(terms);
                let program = lent.command.map(|words| words[0]);
                assert!(program.is_none_or(|word| word == Word::Is(preset.command[0])), "{}", preset.name);
                for (_, value) in lent.variables.iter().filter(|(name, _)| name.ends_with("_CONTENT")) {
                    assert!(serde_json::from_str::<serde_json::Value>(value).is_ok(), "{value}");
                }
            }
            // As interviewer none is started so.
            assert!(!preset.command.contains(&"--always-approve"), "{}", preset.name);
        }
    }
}
