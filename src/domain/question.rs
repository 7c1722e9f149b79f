//! A question: its wording, its alternatives with a recommendation, and what it is about.

use serde::{Deserialize, Serialize};

use super::facts::Evidence;
use super::ids::QuestionId;
use super::text::{Line, Prose, TextError};

/// Fewest alternatives of a grill question (G8).
pub const FEWEST: usize = 2;
/// Most alternatives of a grill question (G8).
pub const MOST: usize = 5;

/// Why alternatives were not taken.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadAlternatives {
    /// Too few or too many after dropping the empty ones.
    #[error("a question takes {FEWEST} to {MOST} alternatives, and {0} were left after dropping empty ones")]
    Count(usize),
    /// More than one is marked as recommended.
    #[error("one alternative can be recommended, and {0} are marked")]
    Recommended(usize),
    /// A text is too long.
    #[error(transparent)]
    Text(#[from] TextError),
}

/// One reply that is offered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Alternative {
    /// Exactly what is sent when it is taken.
    pub value: Prose,
    /// The short visible name.
    pub label: Line,
    /// The reason to take it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<Line>,
    /// Whether it is the interviewer's recommendation.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub recommended: bool,
}

/// An alternative as it arrives, unchecked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RawAlternative {
    /// What is sent; empty takes the label.
    pub value: String,
    /// The short name; empty takes the value.
    pub label: String,
    /// The reason.
    pub description: String,
    /// Whether it is recommended.
    pub recommended: bool,
}

/// Two to five alternatives, at most one of them recommended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Alternatives(Vec<Alternative>);

impl Alternatives {
    /// Checks a list as it arrives: entries with neither value nor label are dropped first.
    pub fn parse(raw: &[RawAlternative]) -> Result<Self, BadAlternatives> {
        let kept: Vec<&RawAlternative> =
            raw.iter().filter(|one| !(one.value.trim().is_empty() && one.label.trim().is_empty())).collect();
        if !(FEWEST..=MOST).contains(&kept.len()) {
            return Err(BadAlternatives::Count(kept.len()));
        }
        let recommended = kept.iter().filter(|one| one.recommended).count();
        if recommended > 1 {
            return Err(BadAlternatives::Recommended(recommended));
        }
        let parsed: Result<Vec<Alternative>, TextError> = kept
            .into_iter()
            .map(|one| {
                let value = if one.value.trim().is_empty() { &one.label } else { &one.value };
                let label = if one.label.trim().is_empty() { &one.value } else { &one.label };
                Ok(Alternative {
                    value: Prose::parse("an alternative", value)?,
                    label: Line::parse("an alternative's label", label)?,
                    description: match one.description.trim() {
                        "" => None,
                        text => Some(Line::parse("an alternative's description", text)?),
                    },
                    recommended: one.recommended,
                })
            })
            .collect();
        Ok(Self(parsed?))
    }

    /// The alternatives in the order in which they are numbered.
    pub fn as_slice(&self) -> &[Alternative] {
        &self.0
    }

    /// The recommended one.
    pub fn recommended(&self) -> Option<&Alternative> {
        self.0.iter().find(|one| one.recommended)
    }

    /// The alternative with this number, counted from 1.
    pub fn numbered(&self, number: usize) -> Option<&Alternative> {
        number.checked_sub(1).and_then(|index| self.0.get(index))
    }
}

/// A question of the interview.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// Its id.
    pub id: QuestionId,
    /// The wording; may have several lines.
    pub text: Prose,
    /// What it is about, such as `scope`; the interviewer's own word.
    pub dimension: Line,
    /// Which entry of the interviewer's catalogue it came from; none for an agent's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub probe: Option<String>,
    /// Why it matters (G10).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<Prose>,
    /// What can be taken over as a reply.
    pub alternatives: Alternatives,
    /// What the repository shows about it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<Evidence>,
    /// Earlier questions whose answers it stands on; if one changes, this one is stale.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub builds_on: Vec<QuestionId>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(value: &str) -> RawAlternative {
        RawAlternative { value: value.to_owned(), ..RawAlternative::default() }
    }

    #[test]
    fn g8_two_to_five_after_dropping_empty_ones() {
        for (given, taken) in [(0, false), (1, false), (2, true), (5, true), (6, false)] {
            let list: Vec<RawAlternative> = (0..given).map(|n| raw(&format!("reply {n}"))).collect();
            assert_eq!(Alternatives::parse(&list).is_ok(), taken, "{given}");
        }
        let error = Alternatives::parse(&[raw("one"), raw("  ")]).unwrap_err();
        assert_eq!(error, BadAlternatives::Count(1));
        assert!(error.to_string().contains("2 to 5"));
    }

    #[test]
    fn g8_one_recommendation() {
        let mark = |value| RawAlternative { recommended: true, ..raw(value) };
        assert_eq!(Alternatives::parse(&[mark("a"), mark("b")]), Err(BadAlternatives::Recommended(2)));
        let taken = Alternatives::parse(&[raw("a"), mark("b")]).unwrap();
        assert_eq!(taken.recommended().unwrap().value.as_str(), "b");
        assert_eq!(taken.numbered(2), taken.recommended());
        assert_eq!((taken.numbered(0), taken.numbered(3)), (None, None));
    }

    #[test]
    fn a_missing_label_or_value_takes_the_other() {
        let label_only = RawAlternative { label: "short".to_owned(), ..RawAlternative::default() };
        let taken = Alternatives::parse(&[label_only, raw("value")]).unwrap();
        assert_eq!(taken.as_slice()[0].value.as_str(), "short");
        assert_eq!(taken.as_slice()[1].label.as_str(), "value");
    }
}
