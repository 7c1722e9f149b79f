//! Objections: a claim, how grave it is, and what it stands on (D7, D15, D16).

use std::fmt;

use serde::{Deserialize, Serialize};

use super::evidence::Evidence;
use crate::domain::fnv::fnv1a;
use crate::domain::text::words;

/// How grave an objection is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Severity {
    Low,
    Medium,
    High,
    Critical,
}

impl Severity {
    pub const ALL: [Self; 4] = [Self::Critical, Self::High, Self::Medium, Self::Low];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
            Self::Critical => "critical",
        }
    }

    /// The risk that it makes of an objection, in one of three words (D23).
    pub const fn risk(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High | Self::Critical => "high",
        }
    }

    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|severity| severity.name().eq_ignore_ascii_case(word))
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The name of an objection, by what it claims: the same claim has the same name in every round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct ObjectionId(u32);

/// A claim as it is compared: letter case, white space and a last full stop are nothing of it, and any other sign is.
pub fn normalised(claim: &str) -> String {
    let flat = claim.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    flat.trim_end_matches(['.', '!']).trim_end().to_owned()
}

impl ObjectionId {
    pub fn of(claim: &str) -> Self {
        let hash = fnv1a(normalised(claim).bytes());
        // Both halves count.
        let folded = (hash >> 32) ^ (hash & u64::from(u32::MAX));
        Self(u32::try_from(folded).unwrap_or_default())
    }

    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.strip_prefix("o-")?;
        let is_plain = digits.len() == 8 && digits.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        is_plain.then(|| u32::from_str_radix(digits, 16).ok().map(Self)).flatten()
    }
}

impl From<ObjectionId> for String {
    fn from(id: ObjectionId) -> Self {
        id.to_string()
    }
}

impl TryFrom<String> for ObjectionId {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        Self::parse(&text).ok_or_else(|| format!("'{text}' names no objection"))
    }
}

impl fmt::Display for ObjectionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "o-{:08x}", self.0)
    }
}

/// An objection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Objection {
    pub id: ObjectionId,
    pub claim: String,
    pub severity: Severity,
    /// What it stands on; without any it is kept, and marked unchecked.
    pub evidence: Vec<Evidence>,
}

impl Objection {
    pub fn new(claim: &str, severity: Severity, evidence: Vec<Evidence>) -> Self {
        Self { id: ObjectionId::of(claim), claim: claim.to_owned(), severity, evidence }
    }

    /// Whether it says something that can be looked at: it has evidence, or names a part of the proposal.
    pub fn is_specific(&self, parts: &[String]) -> bool {
        let claim = words(&self.claim).join(" ");
        let names = |part: &String| {
            let part = words(part).join(" ");
            !part.is_empty() && format!(" {claim} ").contains(&format!(" {part} "))
        };
        !self.evidence.is_empty() || parts.iter().any(names)
    }
}

/// Whether a round is weak: it has objections, and none of them is specific.
pub fn is_weak(objections: &[Objection], parts: &[String]) -> bool {
    !objections.is_empty() && !objections.iter().any(|objection| objection.is_specific(parts))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn d15_an_objection_has_one_name_however_it_is_spelled() {
        let id = ObjectionId::of("The cache is never emptied.");
        for claim in ["the cache is never emptied", "  The CACHE\nis never emptied!"] {
            assert_eq!(ObjectionId::of(claim), id, "{claim}");
        }
        for other in ["the cache is emptied", "the cache - is never emptied", "the cache is never emptied?"] {
            assert_ne!(ObjectionId::of(other), id, "{other}");
        }
        assert_ne!(ObjectionId::of("reads <= writes"), ObjectionId::of("reads >= writes"));
        assert_eq!(ObjectionId::parse(&id.to_string()), Some(id));
        for text in ["", "o-", "o-1234567", "o-1234567G", "1a2b3c4d", "o-ABCDEF01"] {
            assert_eq!(ObjectionId::parse(text), None, "{text}");
        }
    }

    #[test]
    fn d16_a_round_is_weak_whose_objections_name_nothing() {
        let vague = |claim: &str| Objection::new(claim, Severity::Low, Vec::new());
        let parts = ["Token bucket".to_owned(), "src/limit.rs".to_owned()];
        assert!(is_weak(&[vague("It is too complex"), vague("buckets leak")], &parts));
        assert!(!is_weak(&[vague("It is too complex"), vague("The token bucket starts full")], &parts));
        let cited = Objection::new("It is slow", Severity::High, vec![Evidence::parse("src/a.rs:3")]);
        assert!(!is_weak(&[cited], &parts));
        assert!(!is_weak(&[], &parts), "a round without an objection is no weak one");
    }
}
