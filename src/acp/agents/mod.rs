//! The agents that can lead an interview or be lent work, a file each: all that is known of how one is started and spoken
//! to (A33).

mod claude;
mod codex;
mod gemini;
mod grok;
mod lent;
mod opencode;
mod other;
mod pi;
mod version;

use super::update::CallUpdate;
use crate::domain::agents::profile::{Asks, Terms};

pub use lent::{Lent, Word};
pub use other::OTHER;
use version::is_older;
pub use version::printed;

/// All that is known of one agent.
#[derive(Debug)]
pub struct Preset {
    /// The name that a person types.
    pub name: &'static str,
    /// The name of the product.
    pub title: &'static str,
    /// The command that speaks ACP.
    pub command: &'static [&'static str],
    /// Variables that it is started with.
    pub variables: &'static [(&'static str, &'static str)],
    /// Those that make it ask before it writes, where no walls hold.
    pub bare_variables: &'static [(&'static str, &'static str)],
    /// What the agent is told with the request for a session, in its own words: JSON, for `_meta`.
    pub opening: Option<&'static str>,
    /// What is set right after the session began, behind our walls and without them; the first one that the agent
    /// offers.
    pub settings: Settings,
    /// How it is started for work that is lent to it, under a profile with these terms (A4).
    pub lent: fn(&Terms) -> Lent,
    /// Whether a tool of its own is used for lent work only after git grill has ruled on it.
    pub asks: Asks,
    /// The name of our tool that a call is of, recognised exactly.
    pub ours: fn(&CallUpdate, &str) -> Option<String>,
    /// Whether a refusal ends its turn, which then has to go on with another prompt.
    pub refusal: Refusal,
    pub leads: Leads,
    /// The agent's own program, where the command is an adapter that speaks ACP for it.
    pub adapts: Option<&'static str>,
    /// The version of the command that led an interview here, with a scripted model.
    pub tried: Option<&'static str>,
    /// The oldest version of the command that will do.
    pub least: Option<Least>,
    pub elicits: Elicits,
    /// The variables that can hold its key.
    pub keys: &'static [&'static str],
    /// The command that installs it.
    pub install: &'static str,
    pub log_in: &'static str,
}

/// What is set right after the session began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Behind walls that hold.
    pub walled: Option<Setting>,
    /// Without them.
    pub bare: Option<Setting>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    pub option: &'static str,
    pub value: &'static str,
}

/// What a refusal does to a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    GoesOn,
    EndsTheTurn,
}

/// A version, and why an older one will not do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Least {
    pub version: &'static str,
    /// In words that follow a colon.
    pub because: &'static str,
    pub lacks: Lacks,
}

/// What an older version goes without.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lacks {
    /// It does not know the command, so it leads nothing. One that speaks all the same lacks nothing.
    Start,
    /// It leads, and cannot do all that a newer one does.
    Part,
}

/// Whether a tool of its own that asks the user, or another server, has a form shown at our terminal (A18, A36).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Elicits {
    Yes,
    /// Only where this variable is set. In an interview git grill does not set it: the agent has our tools to ask with.
    WithVariable(&'static str),
    No,
    Unknown,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leads {
    OverAcp,
    /// It leads only from inside, for this reason.
    FromInside(&'static str),
}

impl Preset {
    /// The least version, where this one is older and lacks what that is about. `speaks` is whether it was started, and
    /// answered.
    pub fn asks_for_newer(&self, version: &str, speaks: bool) -> Option<Least> {
        let least = self.least.filter(|least| is_older(version, least.version) == Some(true))?;
        match least.lacks {
            Lacks::Start if speaks => None,
            Lacks::Start | Lacks::Part => Some(least),
        }
    }
}

const NOTHING: Settings = Settings { walled: None, bare: None };

pub const PRESETS: &[Preset] = &[claude::CLAUDE, codex::CODEX, gemini::GEMINI, grok::GROK, opencode::OPENCODE, pi::PI];

pub fn known(name: &str) -> Option<&'static Preset> {
    PRESETS.iter().find(|preset| preset.name == name)
}

/// The rest of a name behind this prefix; nothing else may stand around it.
fn behind(name: Option<&str>, prefix: &str) -> Option<String> {
    name?.strip_prefix(prefix).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_preset_is_whole() {
        for preset in PRESETS {
            assert!(!preset.command.is_empty() && !preset.install.is_empty() && !preset.log_in.is_empty());
            assert!(preset.opening.is_none_or(|said| serde_json::from_str::<serde_json::Value>(said).is_ok()));
            assert_eq!(known(preset.name).map(|known| known.name), Some(preset.name));
            // Not one of them is started in a mode that asks nobody, or without a protocol (A3).
            let words = preset.command.join(" ");
            for never in ["--always-approve", "--yolo", "-p", "--print", "exec", "dangerously"] {
                assert!(!preset.command.contains(&never) && !words.contains("dangerously"), "{words}");
            }
        }
        assert!(known("sh").is_none() && known("").is_none());
    }

    #[test]
    fn the_version_that_was_tried_is_not_older_than_the_least() {
        for preset in PRESETS {
            if let (Some(tried), Some(least)) = (preset.tried, preset.least) {
                assert_eq!(is_older(tried, least.version), Some(false), "{}", preset.name);
            }
            // A version is compared only where it is known how a newer one is got.
            assert!(preset.least.is_none() || !preset.install.is_empty(), "{}", preset.name);
        }
    }

    #[test]
    fn g56_one_that_starts_all_the_same_does_not_lack_its_start() {
        for (name, version, speaks, too_old) in [
            ("claude", "0.43.9", true, true),
            ("claude", "0.44.0", true, false),
            ("gemini", "0.32.0", false, true),
            ("gemini", "0.32.0", true, false),
            ("gemini", "0.33.0", false, false),
            ("codex", "0.0.1", true, false),
            ("claude", "next", true, false),
        ] {
            let asked = known(name).unwrap().asks_for_newer(version, speaks);
            assert_eq!(asked.is_some(), too_old, "{name} {version}");
        }
    }

    /// As facts on the wire say it: forms come from two adapters and from Grok, by a method of its own.
    #[test]
    fn a36_each_agent_says_whether_it_elicits() {
        let told: Vec<_> = PRESETS.iter().map(|preset| (preset.name, preset.elicits)).collect();
        assert_eq!(
            told,
            [
                ("claude", Elicits::Yes),
                ("codex", Elicits::Yes),
                ("gemini", Elicits::No),
                ("grok", Elicits::Yes),
                ("opencode", Elicits::WithVariable("OPENCODE_ENABLE_QUESTION_TOOL")),
                ("pi", Elicits::No),
            ]
        );
        assert_eq!(OTHER.elicits, Elicits::Unknown);
    }

    /// `.ci/agents` installs exactly the versions that a preset says were tried.
    #[test]
    fn the_versions_that_were_tried_are_those_that_are_installed() {
        let script = include_str!("../../../.ci/agents");
        for preset in PRESETS {
            let package = preset.install.strip_prefix("npm install -g ").unwrap();
            let tried = preset.tried.map(|version| format!("    {package}@{version}"));
            assert!(tried.is_none_or(|line| script.lines().any(|is| is == line)), "{package}");
            assert_eq!(preset.tried.is_some(), preset.leads == Leads::OverAcp, "{package}");
        }
    }
}
