//! A synthesis: a whole solution, an assessment of every objection, and what comes next (D9, D24).

use serde::{Deserialize, Serialize};

use super::document::Document;
use super::objection::{Objection, ObjectionId};
use super::proposal::{DECISIONS, Reasoned, list};

const SOLUTION: &str = "Solution";
const ASSESSMENTS: &str = "Assessments";
const DEFENDED: &str = "Defended";

/// What the synthesizer holds of an objection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Assessment {
    Valid,
    PartiallyValid,
    Invalid,
}

impl Recommendation {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Continue => "continue",
            Self::Consensus => "consensus",
        }
    }
}

impl Assessment {
    pub const ALL: [Self; 3] = [Self::Valid, Self::PartiallyValid, Self::Invalid];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Valid => "valid",
            Self::PartiallyValid => "partially-valid",
            Self::Invalid => "invalid",
        }
    }

    /// Whether the objection stands, as a whole or in part.
    pub fn stands(self) -> bool {
        match self {
            Self::Valid | Self::PartiallyValid => true,
            Self::Invalid => false,
        }
    }
}

/// One objection, assessed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Assessed {
    pub objection: ObjectionId,
    pub assessment: Assessment,
    pub why: String,
    /// The objection of an earlier round that it repeats, as the synthesizer confirms.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeats: Option<ObjectionId>,
}

/// What the synthesizer would do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Recommendation {
    Continue,
    Consensus,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Synthesis {
    pub solution: String,
    /// What is decided in it, and why.
    pub decisions: Vec<Reasoned>,
    /// In the order of the objections.
    pub assessed: Vec<Assessed>,
    /// What stood the attack, by name.
    pub defended: Vec<String>,
    pub recommendation: Recommendation,
}

impl Synthesis {
    /// Reads a synthesis that has to assess these objections; the error names everything that is missing.
    pub fn parse(text: &str, objections: &[&Objection]) -> Result<Self, Vec<String>> {
        let document = Document::of(text);
        let mut missing = Vec::new();
        let solution = document.part(SOLUTION).unwrap_or_else(|| {
            missing.push(format!("the part “{SOLUTION}”"));
            String::new()
        });
        let decisions = list(&document, DECISIONS, "rationale", &mut missing);
        let entries = document.entries(ASSESSMENTS).unwrap_or_default();
        let told: Vec<Assessed> = entries.iter().filter_map(|entry| assessed(&entry.first)).collect();
        let mut all = Vec::new();
        for objection in objections {
            match told.iter().find(|one| one.objection == objection.id) {
                Some(one) => all.push(one.clone()),
                None => missing.push(format!(
                    "an assessment of {}: valid, partially-valid or invalid, and why (“{}”)",
                    objection.id, objection.claim
                )),
            }
        }
        let defended = document.entries(DEFENDED).unwrap_or_default().into_iter().map(|entry| entry.first).collect();
        let recommendation = document.field("Recommendation").and_then(|word| match &*word.to_lowercase() {
            "continue" => Some(Recommendation::Continue),
            "consensus" => Some(Recommendation::Consensus),
            _ => None,
        });
        if recommendation.is_none() {
            missing.push("the line “Recommendation:” with continue or consensus".to_owned());
        }
        match recommendation.filter(|_| missing.is_empty()) {
            Some(recommendation) => Ok(Self { solution, decisions, assessed: all, defended, recommendation }),
            None => Err(missing),
        }
    }
}

/// `o-1a2b3c4d: valid — why`, and `repeats o-…` where it does.
fn assessed(line: &str) -> Option<Assessed> {
    let (name, rest) = line.split_once(':')?;
    let objection = ObjectionId::parse(name.trim_matches(['`', '*', ' ']))?;
    let rest = rest.trim();
    let (word, why) = rest.split_once(|c: char| c.is_whitespace() || c == ',').unwrap_or((rest, ""));
    let assessment =
        Assessment::ALL.into_iter().find(|one| one.name().eq_ignore_ascii_case(word.trim_matches(['*', '.'])))?;
    let why = why.trim_start_matches(['—', '-', ' ']).trim().to_owned();
    let named = why.split(|c: char| c.is_whitespace() || ".,;()`".contains(c)).skip_while(|word| *word != "repeats");
    let repeats = named.skip(1).find_map(ObjectionId::parse);
    (!why.is_empty()).then_some(Assessed { objection, assessment, why, repeats })
}

#[cfg(test)]
mod tests {
    use super::super::objection::Severity;
    use super::*;

    #[test]
    fn d9_d24_every_objection_is_assessed_with_a_reason() {
        let objection = |claim: &str| Objection::new(claim, Severity::High, Vec::new());
        let (one, other) = (objection("the counter is not shared"), objection("two servers count apart"));
        let text = format!(
            "# Solution\nA shared counter.\n## Key technical decisions\n- One counter: servers share it\n# Assessments\n- `{}`: valid — it counts per process\n- {}: Invalid, it repeats {} of \
             round 1\n# Defended\n- Token bucket: bursts are legal\n\n**Recommendation:** consensus\n",
            one.id, other.id, one.id
        );
        let synthesis = Synthesis::parse(&text, &[&one, &other]).unwrap();
        assert_eq!(synthesis.recommendation, Recommendation::Consensus);
        assert_eq!(synthesis.defended, ["Token bucket: bursts are legal"]);
        let told: Vec<_> = synthesis.assessed.iter().map(|one| (one.assessment.stands(), one.repeats)).collect();
        assert_eq!(told, [(true, None), (false, Some(one.id))]);
        let third = objection("it is new");
        let missing = Synthesis::parse(&text, &[&one, &third]).unwrap_err();
        assert!(missing.len() == 1 && missing[0].contains(&third.id.to_string()), "{missing:?}");
        let silent = text.replace("valid — it counts per process", "valid");
        assert_eq!(Synthesis::parse(&silent, &[&one]).unwrap_err().len(), 1);
        assert_eq!(Synthesis::parse("", &[]).unwrap_err().len(), 3);
    }
}
