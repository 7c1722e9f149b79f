//! The settings of a session and their closed sets of values.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::text::Line;

/// A value that is none of the allowed ones; the message lists them (G1, G20, G44).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{given}' is no {what}; allowed: {}", allowed.join(", "))]
pub struct UnknownValue {
    pub what: &'static str,
    pub given: String,
    pub allowed: Vec<&'static str>,
}

macro_rules! closed_set {
    // `beside` are words that a command line takes in the place of a value, for the message alone.
    (
        $(#[$doc:meta])* $name:ident, $what:literal,
        { $($(#[doc = $about:tt])+ $(#[cfg($only:ident)])? $variant:ident = $text:literal),+ $(,)? }
        $(beside [$($beside:literal),+])?
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        pub enum $name { $($(#[doc = $about])+ $(#[cfg($only)])? #[serde(rename = $text)] $variant),+ }

        impl $name {
            /// Every value, in the order in which they are listed.
            pub const ALL: &'static [Self] = &[$($(#[cfg($only)])? Self::$variant),+];
            /// The names of every value, in the same order.
            pub const NAMES: &'static [&'static str] = &[$($(#[cfg($only)])? $text),+];

            /// The name as it is typed and stored.
            pub fn as_str(self) -> &'static str {
                match self { $($(#[cfg($only)])? Self::$variant => $text),+ }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl FromStr for $name {
            type Err = UnknownValue;

            fn from_str(text: &str) -> Result<Self, UnknownValue> {
                match text {
                    $($(#[cfg($only)])? $text => Ok(Self::$variant),)+
                    _ => Err(UnknownValue {
                        what: $what,
                        given: text.to_owned(),
                        allowed: [Self::NAMES, &[$($($beside),+)?]].concat(),
                    }),
                }
            }
        }
    };
}

pub(super) use closed_set;

closed_set! {
    /// What the interview is for; it changes which dimensions weigh (G13).
    Intent, "intent", {
        /// Inferred from topic and answers, and shown (G54).
        Auto = "auto",
        /// To build or change something.
        Plan = "plan",
        /// To learn something.
        Learn = "learn",
        /// To find something out.
        Research = "research",
        /// To write or publish something.
        Content = "content",
        /// To choose between ways.
        Decide = "decide",
    }
}

closed_set! {
    /// How hard the interviewer presses (G13).
    Intensity, "intensity", {
        /// Few questions, no challenge.
        Gentle = "gentle",
        /// The usual.
        Standard = "standard",
        /// Each decision is challenged once; vague words must become measurable.
        Hard = "hard",
        /// Also pre-mortem, inverse reasoning, "why not the opposite".
        Adversarial = "adversarial",
    }
}

closed_set! {
    /// Whether the repository is looked at (G15).
    Research, "research mode", {
        /// Nothing is inspected.
        Off = "off",
        /// Permission first.
        Ask = "ask",
        /// What is discoverable is found, not asked.
        Auto = "auto",
    }
}

closed_set! {
    /// Whose word an approval takes (G30). Anything but a person's is set by a person alone.
    Approval, "approval mode", {
        /// A person at a terminal.
        Person = "person",
        /// A script may approve; recorded as unattended.
        Script = "script",
        /// An agent's report of the person's word is taken; recorded as the agent's.
        Agent = "agent",
    }
}

macro_rules! catalogued {
    ($($(#[cfg($only:ident)])? $output:ident = $name:tt, $room:ident;)*) => {
        closed_set! {
            /// An output of the catalogue (G27, G44).
            Catalogued, "output", { $(#[doc = $name] $(#[cfg($only)])? $output = $name),* }
        }
    };
}

super::outputs::outputs!(catalogued);

closed_set! {
    /// A strategy of the catalogue (G28, G44).
    CataloguedStrategy, "strategy", {
        /// Thin slices through all layers.
        VerticalSlices = "vertical-slices",
        /// Chapters of a tutorial.
        TutorialChapters = "tutorial-chapters",
        /// Questions to investigate.
        ResearchInvestigations = "research-investigations",
        /// An outline or instalments.
        ContentOutline = "content-outline",
        /// Decisions that deserve a record each.
        AdrCandidates = "adr-candidates",
        /// Experiments with a milestone each.
        MilestoneExperiments = "milestone-experiments",
    }
}

impl Intent {
    /// How results are cut where nothing else says so (G28).
    pub fn strategy(self) -> CataloguedStrategy {
        match self {
            Self::Auto | Self::Plan => CataloguedStrategy::VerticalSlices,
            Self::Learn => CataloguedStrategy::TutorialChapters,
            Self::Research => CataloguedStrategy::ResearchInvestigations,
            Self::Content => CataloguedStrategy::ContentOutline,
            Self::Decide => CataloguedStrategy::AdrCandidates,
        }
    }
}

macro_rules! open_set {
    // `own` is how a value of the user's own is written.
    ($(#[$doc:meta])* $name:ident, $inner:ident, $what:literal, $own:expr) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(into = "String", try_from = "String")]
        pub enum $name {
            /// One of the catalogue.
            Known($inner),
            /// The user's own, in their words.
            Custom(Line),
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self {
                    Self::Known(known) => known.fmt(f),
                    Self::Custom(text) => write!(f, "custom:{text}"),
                }
            }
        }

        impl FromStr for $name {
            type Err = UnknownValue;

            fn from_str(text: &str) -> Result<Self, UnknownValue> {
                if let Some(own) = text.strip_prefix("custom:")
                    && let Ok(line) = Line::parse($what, own)
                {
                    return Ok(Self::Custom(line));
                }
                $inner::from_str(text).map(Self::Known).map_err(|mut unknown| {
                    unknown.allowed.push($own);
                    unknown
                })
            }
        }

        impl From<$name> for String {
            fn from(value: $name) -> Self {
                value.to_string()
            }
        }

        impl TryFrom<String> for $name {
            type Error = UnknownValue;

            fn try_from(text: String) -> Result<Self, UnknownValue> {
                text.parse()
            }
        }
    };
}

open_set! {
    /// Where a result goes.
    Destination, Catalogued, "output", Destination::OWN
}
open_set! {
    /// How a result is cut, independent of where it goes (G28).
    Strategy, CataloguedStrategy, "strategy", "custom:<text>"
}

impl Destination {
    /// An output of the person's own, as they type it: unless an agent leads, it is made from a template (G27, G44).
    pub const OWN: &str = "custom:<template file>";

    /// What a person types at the gate to have it; the name of one of their own may hold blanks, and stands alone.
    pub fn typed(&self) -> String {
        match self {
            Self::Known(known) => format!("select {known}"),
            Self::Custom(_) => self.to_string(),
        }
    }
}

/// Reads a comma-separated list of destinations, keeping order and dropping repetitions.
pub fn destinations(text: &str) -> Result<Vec<Destination>, UnknownValue> {
    let mut list = Vec::new();
    for piece in text.split(',').map(str::trim).filter(|piece| !piece.is_empty()) {
        let destination = piece.parse()?;
        if !list.contains(&destination) {
            list.push(destination);
        }
    }
    Ok(list)
}

/// The agent that is started to lead, where the interviewer is given as the bare name of one: no more than a name, which
/// cannot be taken for a path, an option or one of the other forms.
pub fn led_by(interviewer: &str) -> Option<&str> {
    const LONGEST: usize = 40;
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
    let is_name = interviewer.chars().all(plain) && interviewer.starts_with(|c: char| c.is_ascii_alphanumeric());
    (is_name && interviewer.len() <= LONGEST && interviewer != "built-in").then_some(interviewer)
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Interviewer {
    /// The one that needs nobody: offline, deterministic.
    BuiltIn,
    /// A coding agent that asks through the tools.
    Agent(String),
}

impl fmt::Display for Interviewer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BuiltIn => f.write_str("built-in"),
            Self::Agent(name) => write!(f, "agent:{name}"),
        }
    }
}

impl FromStr for Interviewer {
    type Err = UnknownValue;

    fn from_str(text: &str) -> Result<Self, UnknownValue> {
        match text.strip_prefix("agent:") {
            Some(name) if !name.trim().is_empty() => Ok(Self::Agent(name.to_owned())),
            None if text == "built-in" => Ok(Self::BuiltIn),
            Some(_) | None => Err(UnknownValue {
                what: "interviewer",
                given: text.to_owned(),
                allowed: vec!["built-in", "<an agent that is started>", "agent:<name>"],
            }),
        }
    }
}

impl From<Interviewer> for String {
    fn from(value: Interviewer) -> Self {
        value.to_string()
    }
}

impl TryFrom<String> for Interviewer {
    type Error = UnknownValue;

    fn try_from(text: String) -> Result<Self, UnknownValue> {
        text.parse()
    }
}

/// The settings of one session (G4).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings {
    pub intent: Intent,
    pub intensity: Intensity,
    pub research: Research,
    /// What the user would like to come out; never an approval and never a default (G21).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub output_preference: Vec<Destination>,
    pub interviewer: Interviewer,
    pub approval: Approval,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            intent: Intent::Auto,
            intensity: Intensity::Standard,
            research: Research::Auto,
            output_preference: Vec::new(),
            interviewer: Interviewer::BuiltIn,
            approval: Approval::Person,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Setting {
    Intent(Intent),
    Intensity(Intensity),
    Research(Research),
    /// The output preference; an empty list takes it back.
    OutputPreference(Vec<Destination>),
    Interviewer(Interviewer),
}

impl Settings {
    #[must_use]
    pub fn with(mut self, setting: &Setting) -> Self {
        match setting {
            Setting::Intent(intent) => self.intent = *intent,
            Setting::Intensity(intensity) => self.intensity = *intensity,
            Setting::Research(research) => self.research = *research,
            Setting::OutputPreference(list) => self.output_preference.clone_from(list),
            Setting::Interviewer(interviewer) => self.interviewer.clone_from(interviewer),
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn g1_an_unknown_value_lists_the_allowed_ones() {
        let error = "loud".parse::<Intensity>().unwrap_err();
        assert_eq!(error.to_string(), "'loud' is no intensity; allowed: gentle, standard, hard, adversarial");
        assert!("Gentle".parse::<Intensity>().is_err());
    }

    #[test]
    fn g44_outputs_are_eleven_and_custom() {
        let eleven = [
            "github-issues",
            "design-doc",
            "readme",
            "adr",
            "prd",
            "implementation-plan",
            "research-brief",
            "summary",
            "tutorial",
            "test-plan",
            "changelog",
        ];
        assert!(Catalogued::NAMES.starts_with(&eleven), "{:?}", Catalogued::NAMES);
        assert_eq!(destinations("adr, prd,adr").unwrap().len(), 2);
        assert_eq!(destinations("custom:a poster").unwrap()[0].to_string(), "custom:a poster");
        assert!(destinations("custom: ").unwrap_err().to_string().contains("custom:<template file>"));
        assert!("custom: ".parse::<Strategy>().unwrap_err().to_string().contains("custom:<text>"));
        assert!(destinations("pdf").unwrap_err().to_string().contains("github-issues"));
    }
}
