//! A synthesis: a whole solution, an assessment of every objection, and what comes next (D9, D24).

use serde::{Deserialize, Serialize};

use super::document::{Document, Entry, QUESTIONS};
use super::faults::Faults;
use super::objection::{Objection, ObjectionId};
use super::proposal::{DECISIONS, FILES, Reasoned, list};
use crate::domain::text::within;

/// Characters of a reason that are kept beside the text.
pub(super) const LONGEST_REASON: usize = 600;
const SOLUTION: &str = "Solution";
const ASSESSMENTS: &str = "Assessments";
const DEFENDED: &str = "Defended";
const PLAIN: [char; 4] = ['.', '`', ' ', '*'];
const REPLIES: &str = "Answers to the user";
/// The line that says what of the idea changed.
const SCOPE: &str = "Scope changed";
const RECOMMENDATION: &str = "Recommendation";

/// Its headings and its lines with a name, each of which stands in it once.
pub(super) const HEADINGS: [&str; 6] = [SOLUTION, DECISIONS, FILES, ASSESSMENTS, REPLIES, DEFENDED];
pub(super) const LINES: [&str; 2] = [SCOPE, RECOMMENDATION];

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
    /// What keeps the risk small, where the synthesizer names something.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mitigation: Option<String>,
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
    /// What it answers to each concern of the user's, in their order.
    pub replies: Vec<String>,
    /// What stood the attack, by name.
    pub defended: Vec<String>,
    pub recommendation: Recommendation,
    /// What of the idea is another one now, where it says so.
    pub scope_changed: Option<String>,
}

impl Synthesis {
    /// Reads a synthesis that has to assess these objections; the error names everything that is missing.
    pub fn parse(text: &str, objections: &[&Objection], concerns: usize) -> Result<Self, Faults> {
        let document = Document::of(text);
        let mut missing = Faults::default();
        let ends = [ASSESSMENTS, REPLIES, DEFENDED, QUESTIONS];
        let solution = document.until(SOLUTION, &ends).unwrap_or_else(|| {
            missing.lacks(format!("the part “{SOLUTION}”"));
            String::new()
        });
        let decisions = list(&document, DECISIONS, "rationale", &mut missing);
        let entries = document.entries(ASSESSMENTS).unwrap_or_default();
        let whole =
            |entry: &Entry| std::iter::once(&entry.first).chain(&entry.rest).cloned().collect::<Vec<_>>().join(" ");
        let told: Vec<Assessed> = entries.iter().filter_map(|entry| assessed(&whole(entry))).collect();
        for one in &told {
            let id = one.objection;
            if !objections.is_empty() && !objections.iter().any(|objection| objection.id == id) {
                missing.does(format!("assesses {id}, which is not an objection of this round; remove that assessment"));
            }
            if told.iter().filter(|other| other.objection == id).count() > 1 {
                missing.does(format!("has several assessments of {id}; keep one"));
            }
        }
        let scope_changed = document.field(SCOPE).filter(|what| !is_no(what));
        let mut all = Vec::new();
        for objection in objections {
            match told.iter().find(|one| one.objection == objection.id) {
                Some(one) => all.push(one.clone()),
                None => missing.lacks(format!(
                    "an assessment of {} (valid, partially-valid or invalid) with the reason (“{}”)",
                    objection.id, objection.claim
                )),
            }
        }
        let replies = document.entries(REPLIES).unwrap_or_default();
        let replies: Vec<String> = replies.into_iter().map(|entry| entry.first).collect();
        if replies.len() < concerns {
            missing.lacks(format!(
                "an answer to each concern and each override of this round ({concerns}), as a list below “{REPLIES}”"
            ));
        }
        let defended = document.entries(DEFENDED).unwrap_or_default().into_iter().map(|entry| entry.first).collect();
        let recommendation = document.field(RECOMMENDATION).and_then(|word| match &*word.to_lowercase() {
            "continue" => Some(Recommendation::Continue),
            "consensus" => Some(Recommendation::Consensus),
            _ => None,
        });
        if recommendation.is_none() {
            missing.lacks("the line “Recommendation:” with continue or consensus".to_owned());
        }
        match recommendation.filter(|_| missing.is_empty()) {
            Some(recommendation) => {
                Ok(Self { solution, decisions, assessed: all, replies, defended, recommendation, scope_changed })
            }
            None => Err(missing),
        }
    }
}

/// Whether what stands behind a name says that there is nothing.
fn is_no(what: &str) -> bool {
    let word = what.trim_matches(PLAIN).to_lowercase();
    // A place in the prompt that was not filled.
    word.is_empty() || word.starts_with('<') || ["no", "none", "nothing", "unchanged"].contains(&word.as_str())
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
    // A clause of its own: “in no way repeats o-…” repeats nothing.
    let clause =
        |clause: &str| clause.trim().strip_prefix("repeats ").and_then(|id| ObjectionId::parse(id.trim_matches(PLAIN)));
    let repeats = why.split(';').find_map(clause);
    let why = within(&why, LONGEST_REASON);
    let (why, mitigation) =
        why.split_once("mitigation:").map_or((&*why, ""), |(why, mitigation)| (why, mitigation.trim()));
    let why = why.trim_end_matches([' ', ';', ',']).to_owned();
    let mitigation = (!mitigation.is_empty()).then(|| mitigation.to_owned());
    (!why.is_empty()).then_some(Assessed { objection, assessment, why, mitigation, repeats })
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
            "# Solution\nA shared counter.\n## Key technical decisions\n- One counter: servers share it\n# Assessments\n- `{}`: valid — it counts per process\n- {}: Invalid, as before; repeats {}\n# Defended\n- Token bucket: bursts are legal\n\n**Recommendation:** consensus\n",
            one.id, other.id, one.id
        );
        let synthesis = Synthesis::parse(&text, &[&one, &other], 0).unwrap();
        assert_eq!(synthesis.recommendation, Recommendation::Consensus);
        assert_eq!(synthesis.defended, ["Token bucket: bursts are legal"]);
        let told: Vec<_> = synthesis.assessed.iter().map(|one| (one.assessment.stands(), one.repeats)).collect();
        assert_eq!(told, [(true, None), (false, Some(one.id))]);
        let negated = text.replace("as before; repeats", "it in no way repeats");
        assert_eq!(Synthesis::parse(&negated, &[&one, &other], 0).unwrap().assessed[1].repeats, None);
        let third = objection("it is new");
        let missing = Synthesis::parse(&text, &[&one, &third], 0).unwrap_err();
        let foreign = format!("it assesses {}, which is not an objection of this round; remove", other.id);
        assert!(missing.in_words("it").contains(&foreign), "{missing:?}");
        let missing = missing.items();
        assert!(missing.len() == 2 && missing[0].contains(&third.id.to_string()), "{missing:?}");
        let unheard = Synthesis::parse(&text, &[&one, &other], 1).unwrap_err().items();
        assert!(unheard.len() == 1 && unheard[0].contains("Answers to the user"), "{unheard:?}");
        let silent = text.replace("valid — it counts per process", "valid");
        assert_eq!(Synthesis::parse(&silent, &[&one, &other], 0).unwrap_err().items().len(), 1);
        assert_eq!(Synthesis::parse("", &[], 0).unwrap_err().items().len(), 3);
    }
}
