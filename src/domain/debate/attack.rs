//! An attack: facet by facet, each with its objections or the word that none was found (D7, D22, D27).

use serde::{Deserialize, Serialize};

use super::document::{Document, Entry, behind};
use super::evidence::Evidence;
use super::objection::{Objection, Severity};

/// What a critique of the idea reports on, and then an attack on the proposal.
pub const IDEA: [&str; 4] = ["Problem framing", "Hidden assumptions", "Simpler alternatives", "Scope"];
pub const PROPOSAL: [&str; 5] =
    ["Architecture flaws", "Security gaps", "Violated constraints", "Regressions", "Scalability"];

/// A facet that has nothing says so.
const NONE: &str = "None found";

/// What the advocate says of the idea itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    Reject,
    Challenge,
    Sound,
}

impl Verdict {
    pub const ALL: [Self; 3] = [Self::Reject, Self::Challenge, Self::Sound];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Reject => "reject",
            Self::Challenge => "challenge",
            Self::Sound => "sound",
        }
    }

    fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|verdict| verdict.name().eq_ignore_ascii_case(word.trim_end_matches('.')))
    }
}

/// A critique of the idea, or an attack on a proposal: the objections of each facet, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attack {
    pub facets: Vec<(&'static str, Vec<Objection>)>,
}

impl Attack {
    pub fn objections(&self) -> impl Iterator<Item = &Objection> {
        self.facets.iter().flat_map(|(_, objections)| objections)
    }

    /// Reads an attack on a proposal; the error names everything that is missing.
    pub fn parse(text: &str) -> Result<Self, Vec<String>> {
        let mut missing = Vec::new();
        let attack = facets(&Document::of(text), &PROPOSAL, &mut missing);
        if missing.is_empty() { Ok(attack) } else { Err(missing) }
    }
}

/// The critique of an idea, written before the proposal is seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Critique {
    pub attack: Attack,
    pub verdict: Verdict,
}

impl Critique {
    /// Reads a critique; the error names everything that is missing.
    pub fn parse(text: &str) -> Result<Self, Vec<String>> {
        let document = Document::of(text);
        let mut missing = Vec::new();
        let attack = facets(&document, &IDEA, &mut missing);
        let verdict = document.field("Idea verdict").and_then(|word| Verdict::parse(&word));
        match (verdict, missing.is_empty()) {
            (Some(verdict), true) => Ok(Self { attack, verdict }),
            (verdict, _) => {
                if verdict.is_none() {
                    missing.push("the line “Idea verdict:” with reject, challenge or sound".to_owned());
                }
                Err(missing)
            }
        }
    }
}

fn facets(document: &Document, names: &[&'static str], missing: &mut Vec<String>) -> Attack {
    let mut facets = Vec::new();
    for name in names {
        let entries = document.entries(name).unwrap_or_default();
        let first = document.part(name).and_then(|part| part.lines().next().map(str::to_owned));
        let says_none =
            first.is_some_and(|line| line.trim_matches(['-', '*', ' ', '.', '_']).eq_ignore_ascii_case(NONE));
        let mut objections = Vec::new();
        if !says_none {
            if entries.is_empty() {
                missing.push(format!("a report on “{name}”: a list of objections, or “{NONE}”"));
            }
            for entry in &entries {
                match objection(entry) {
                    Ok(objection) => objections.push(objection),
                    Err(what) => missing.push(what),
                }
            }
        }
        facets.push((*name, objections));
    }
    Attack { facets }
}

/// `[high] claim`, and lines `Evidence: …` below it.
fn objection(entry: &Entry) -> Result<Objection, String> {
    let severity = entry.first.strip_prefix('[').and_then(|rest| rest.split_once(']'));
    let severity = severity.and_then(|(word, claim)| Some((Severity::parse(word.trim())?, claim.trim())));
    let Some((severity, claim)) = severity.filter(|(_, claim)| !claim.is_empty()) else {
        return Err(format!("the severity of “{}”: [critical], [high], [medium] or [low] in front of it", entry.first));
    };
    let (mut claim, mut evidence) = (claim.to_owned(), Vec::new());
    for line in &entry.rest {
        match behind(line, "Evidence") {
            Some(text) if !text.is_empty() => evidence.push(Evidence::parse(text)),
            Some(_) => {}
            // The claim goes on, as far as no evidence has begun.
            None if evidence.is_empty() => claim = format!("{claim} {line}"),
            None => evidence.push(Evidence::Words(line.clone())),
        }
    }
    Ok(Objection::new(&claim, severity, evidence))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(names: &[&str], first: &str) -> String {
        let part =
            |(place, name): (usize, &&str)| format!("## {name}\n{}\n", if place == 0 { first } else { "None found." });
        names.iter().enumerate().map(part).collect()
    }

    #[test]
    fn d7_d22_every_facet_reports_and_none_found_is_a_report() {
        let first = "- [High] The counter is not shared\n  between two servers.\n  Evidence: src/limit.rs:3-4 \"let count\"\n  \
                     Evidence: two servers run\n- [low] It is new";
        let attack = Attack::parse(&report(&PROPOSAL, first)).unwrap();
        let objections: Vec<&Objection> = attack.objections().collect();
        assert_eq!((objections.len(), objections[0].evidence.len(), objections[1].evidence.len()), (2, 2, 0));
        assert_eq!(
            (objections[0].claim.as_str(), objections[0].severity),
            ("The counter is not shared between two servers.", Severity::High)
        );
        assert_eq!(attack.facets.iter().map(|(name, _)| *name).collect::<Vec<_>>(), PROPOSAL);
        for (text, named) in [
            (report(&PROPOSAL[1..], "None found"), "a report on “Architecture flaws”"),
            (report(&PROPOSAL, ""), "a report on “Architecture flaws”"),
            (report(&PROPOSAL, "It is fine."), "a report on “Architecture flaws”"),
            (report(&PROPOSAL, "- It is bad"), "the severity of “It is bad”"),
            (report(&PROPOSAL, "- [grave] It is bad"), "the severity of"),
            (report(&PROPOSAL, "- [high] "), "the severity of"),
        ] {
            let missing = Attack::parse(&text).unwrap_err();
            assert!(missing.len() == 1 && missing[0].contains(named), "{missing:?}");
        }
        assert_eq!(Attack::parse("").unwrap_err().len(), 5);
    }

    #[test]
    fn d7_d27_a_critique_of_the_idea_ends_with_a_verdict() {
        for (verdict, expected) in
            [("challenge", Verdict::Challenge), ("**Sound.**", Verdict::Sound), ("Reject", Verdict::Reject)]
        {
            let text = format!("{}\nIdea Verdict: {verdict}\n", report(&IDEA, "None found"));
            assert_eq!(Critique::parse(&text).unwrap().verdict, expected);
        }
        for verdict in ["", "Idea Verdict: maybe", "Idea Verdict:"] {
            let missing = Critique::parse(&format!("{}\n{verdict}\n", report(&IDEA, "None found"))).unwrap_err();
            assert_eq!(missing, ["the line “Idea verdict:” with reject, challenge or sound"]);
        }
    }
}
