//! The steps of a plan, checked once: how many there are, how long each is, and how large all of them are together.

use serde::{Deserialize, Serialize};

use super::Refusal;
use crate::domain::harmless::acts_on_a_terminal;
use crate::domain::text::{Prose, TextError};

pub const MOST_STEPS: usize = 100;
/// The longest step, in characters.
pub const LONGEST_STEP: usize = 2_000;
/// The largest plan, in bytes of its texts as they are stored: with a note and a name for every step the file stays below
/// 64 KiB.
pub const LARGEST_PLAN: usize = 32 * 1024;
/// The longest note of a claim, in bytes.
pub const LONGEST_NOTE: usize = 200;

/// The texts of a plan's steps: at least one, within the limits above.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<Prose>", into = "Vec<Prose>")]
pub struct Steps(Vec<Prose>);

impl TryFrom<Vec<Prose>> for Steps {
    type Error = Refusal;

    fn try_from(texts: Vec<Prose>) -> Result<Self, Refusal> {
        Self::of(texts)
    }
}

impl From<Steps> for Vec<Prose> {
    fn from(steps: Steps) -> Self {
        steps.0
    }
}

impl Steps {
    /// Checks the texts of a plan.
    pub fn parse<T: AsRef<str>>(texts: &[T]) -> Result<Self, Refusal> {
        let mut steps = Vec::with_capacity(texts.len());
        for (step, text) in (1..).zip(texts) {
            let text = text.as_ref();
            let refused = |error| match error {
                TextError::Blank { .. } => Refusal::BlankStep { step },
                TextError::TooLong { .. } => Refusal::StepTooLong { step, characters: text.trim().chars().count() },
            };
            steps.push(Prose::parse("the step", text).map_err(refused)?);
        }
        Self::of(steps)
    }

    /// Checks texts that are known to be neither blank nor longer than any text.
    pub fn of(texts: Vec<Prose>) -> Result<Self, Refusal> {
        if texts.is_empty() {
            return Err(Refusal::NoSteps);
        }
        if texts.len() > MOST_STEPS {
            return Err(Refusal::TooManySteps { count: texts.len() });
        }
        for (step, text) in (1..).zip(&texts) {
            let characters = text.as_str().chars().count();
            if characters > LONGEST_STEP {
                return Err(Refusal::StepTooLong { step, characters });
            }
        }
        let bytes: usize = texts.iter().map(|text| weight(text.as_str())).sum();
        if bytes > LARGEST_PLAN { Err(Refusal::PlanTooLarge { bytes }) } else { Ok(Self(texts)) }
    }

    pub fn texts(&self) -> &[Prose] {
        &self.0
    }

    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// The texts of a plan that was checked before.
    pub(super) fn known(texts: Vec<Prose>) -> Option<Self> {
        (!texts.is_empty()).then_some(Self(texts))
    }
}

/// The bytes of a text as it is stored: line ends with the indentation behind them, and what is escaped.
pub(super) fn weight(text: &str) -> usize {
    let weigh = |character: char| match character {
        '\n' => 8,
        '"' | '\\' => 2,
        hidden if acts_on_a_terminal(hidden) => 10,
        other => other.len_utf8(),
    };
    text.chars().map(weigh).sum()
}
