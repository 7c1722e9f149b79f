//! An attack: facet by facet, each with its objections or the word that none was found (D7, D22, D27).

use serde::{Deserialize, Serialize};

use super::document::{Below, Document, Entry, QUESTIONS, behind};
use super::evidence::Evidence;
use super::faults::Faults;
use super::marks::{is_quoting, open_mark};
use super::objection::{Objection, Severity};
use crate::domain::outline::{behind_mark, heading};
use crate::domain::text::within;

/// What a critique of the idea reports on, and then an attack on the proposal.
pub const IDEA: [&str; 4] = ["Problem framing", "Hidden assumptions", "Simpler alternatives", "Scope"];
pub const PROPOSAL: [&str; 5] =
    ["Architecture flaws", "Security gaps", "Violated constraints", "Regressions", "Scalability"];

/// The line that says what the advocate holds of the idea.
pub(super) const VERDICT: &str = "Idea verdict";

/// A facet that has nothing says so.
const NONE: &str = "None found";
/// The marks of emphasis.
const EMPHASIS: [char; 2] = ['*', '_'];
/// So many lines below its first one a quotation may have.
const LONGEST_QUOTATION: usize = 40;
/// So many objections are kept of one text.
const MOST_OBJECTIONS: usize = 40;

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
    pub fn parse(text: &str) -> Result<Self, Faults> {
        let mut missing = Faults::default();
        let document = Document::of(&quotations_held(text, &PROPOSAL));
        let attack = facets(&document, &PROPOSAL, &mut missing);
        nothing_beside(&document, &attack, &mut missing);
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
    pub fn parse(text: &str) -> Result<Self, Faults> {
        let document = Document::of(&quotations_held(text, &IDEA));
        let mut missing = Faults::default();
        let attack = facets(&document, &IDEA, &mut missing);
        nothing_beside(&document, &attack, &mut missing);
        let verdict = document.field(VERDICT).and_then(|word| Verdict::parse(&word));
        match (verdict, missing.is_empty()) {
            (Some(verdict), true) => Ok(Self { attack, verdict }),
            (verdict, _) => {
                if verdict.is_none() {
                    missing.lacks("the line “Idea verdict:” with reject, challenge or sound".to_owned());
                }
                Err(missing)
            }
        }
    }
}

/// Stands before a line that is no Markdown of ours; no text has it.
const HELD: char = '\u{fdd0}';

/// The text in which the further lines of a quotation are set in and held: `#`, a list or a fence that begins one is none
/// of ours. So is a heading right below a line of an entry that is none of the facets.
fn quotations_held(text: &str, facets: &[&str]) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let (mut found, mut quoted_to, mut is_below) = (String::new(), 0, false);
    for (at, line) in lines.iter().enumerate() {
        if at < quoted_to {
            found.extend(["    ", HELD.to_string().as_str()]);
        } else {
            quoted_to = at + 1 + quotation_below(line, &lines[at + 1..], facets);
            if is_below && heading(line).is_some() && !is_facet(line, facets) {
                found.push_str("    ");
            }
        }
        is_below = !line.trim().is_empty() && (is_below || has_severity(line)) && !is_facet(line, facets);
        found.push_str(line);
        found.push('\n');
    }
    found
}

/// Whether a line is the heading of a facet, or of what a role asks.
fn is_facet(line: &str, facets: &[&str]) -> bool {
    let title = heading(line).map(|(_, title)| title.to_lowercase()).unwrap_or_default();
    facets.iter().chain(&[QUESTIONS, VERDICT]).any(|facet| title.contains(&facet.to_lowercase()))
}

/// How many of the next lines belong to a quotation that this line of evidence leaves open: up to the one that closes it.
fn quotation_below(line: &str, next: &[&str], facets: &[&str]) -> usize {
    let line = behind_mark(line.trim_start()).unwrap_or(line).trim();
    let text = behind_evidence(line).unwrap_or(line);
    // Only a place is quoted over several lines.
    let has_place = || {
        text.match_indices(':')
            .any(|(at, _)| text[at + 1..].trim_start_matches('L').starts_with(|c: char| c.is_ascii_digit()))
    };
    let Some(close) = open_mark(text).filter(|_| has_place()) else { return 0 };
    let is_end = |line: &str| {
        let closes = |(at, mark): (usize, &str)| !line[at + mark.len()..].starts_with(char::is_alphanumeric);
        line.match_indices(close).any(closes)
    };
    for (taken, line) in (1..=LONGEST_QUOTATION).zip(next) {
        if is_facet(line, facets) || behind_evidence(line.trim()).is_some() {
            return 0;
        }
        if is_end(line) {
            return taken;
        }
    }
    0
}

/// Every entry with a severity has to be one of a facet: what stands elsewhere, or beside “None found”, is not passed over.
fn nothing_beside(document: &Document, attack: &Attack, missing: &mut Faults) {
    let taken = attack.objections().count();
    let written: Vec<&str> = document.plain_lines().into_iter().filter(|line| has_severity(line)).collect();
    if written.len() > taken && missing.is_empty() {
        let first = written.iter().find(|line| {
            let claim = line.split_once(']').map_or("", |(_, claim)| claim).trim();
            !attack.objections().any(|objection| objection.claim.starts_with(claim))
        });
        let line = within(first.unwrap_or(&"an objection").trim(), 80);
        missing.lacks(format!(
            "a facet above “{line}”: an objection stands below one of the headings, and not beside “{NONE}”"
        ));
    }
    if taken > MOST_OBJECTIONS {
        missing.does(format!("has {taken} objections, and the limit is {MOST_OBJECTIONS}; omit the smallest"));
    }
}

/// Whether a line is an entry of a list that begins with a severity.
fn has_severity(line: &str) -> bool {
    let entry = behind_mark(line.trim_start()).map(str::trim_start).and_then(|entry| entry.strip_prefix('['));
    entry.and_then(|entry| entry.split_once(']')).is_some_and(|(word, _)| Severity::parse(word.trim()).is_some())
}

fn facets(document: &Document, names: &[&'static str], missing: &mut Faults) -> Attack {
    let mut facets = Vec::new();
    for name in names {
        let entries = document.entries(name).unwrap_or_default();
        let first = document.part(name).and_then(|part| part.lines().next().map(str::to_owned));
        let says_none =
            first.is_some_and(|line| line.trim_matches(['-', '*', ' ', '.', '_']).eq_ignore_ascii_case(NONE));
        let mut objections = Vec::new();
        if !says_none {
            if entries.is_empty() {
                missing.lacks(format!("a report on “{name}”: a list of objections, or “{NONE}”"));
            }
            for entry in &entries {
                match objection(entry) {
                    Ok(objection) => objections.push(objection),
                    Err(what) => missing.lacks(what),
                }
            }
        }
        facets.push((*name, objections));
    }
    Attack { facets }
}

/// `[high] claim`, and lines `Evidence: …` below it, or a list below `Evidence:`.
fn objection(entry: &Entry) -> Result<Objection, String> {
    let severity = entry.first.strip_prefix('[').and_then(|rest| rest.split_once(']'));
    let severity = severity.and_then(|(word, claim)| Some((Severity::parse(word.trim())?, claim.trim())));
    let Some((severity, claim)) = severity.filter(|(_, claim)| !claim.is_empty()) else {
        return Err(format!(
            "the severity of “{}” ([critical], [high], [medium] or [low]) in front of it",
            entry.first
        ));
    };
    let (mut claim, mut evidence) = (claim.to_owned(), Vec::new());
    let mut rest = entry.below.iter();
    let mut has_begun = false;
    while let Some(below) = rest.next() {
        let Some(line) = below.plain.as_ref().map(|line| line.trim_start_matches(HELD)) else { continue };
        let text = behind_evidence(line);
        has_begun |= text.is_some();
        // The claim goes on, as far as no evidence has begun; then come lines of a list below it.
        if !has_begun {
            claim = format!("{claim} {line}");
            continue;
        }
        let text = text.unwrap_or(line);
        if !text.is_empty() {
            let (found, taken) = cited(text, rest.as_slice());
            evidence.extend(found);
            rest = rest.as_slice()[taken..].iter();
        }
    }
    Ok(Objection::new(&claim, severity, evidence))
}

/// The text behind `Evidence:`. Marks of emphasis around the word or around all of the text are none of it; any other is: a
/// path and a line of code may begin or end with some.
fn behind_evidence(line: &str) -> Option<&str> {
    behind(line, "Evidence")?;
    let line = line.trim();
    let (name, rest) = line.split_once(':')?;
    let opens = name.len() - name.trim_start_matches(EMPHASIS).len();
    let is_closed = opens == 0 || name.trim_end().ends_with(EMPHASIS);
    // `**Evidence:** …`, or all of the line in emphasis.
    let text = match (is_closed, rest.strip_prefix(&name[..opens])) {
        (true, _) => rest,
        (false, Some(behind)) => behind,
        (false, None) => rest.strip_suffix(&name[..opens]).unwrap_or(rest),
    };
    let text = text.trim();
    let marks = &text[..text.len() - text.trim_start_matches(EMPHASIS).len()];
    let inner = text.strip_prefix(marks).and_then(|inner| inner.strip_suffix(marks));
    Some(inner.map_or(text, str::trim))
}

/// The evidence that begins with this text, and how many of the lines below belong to it: a quotation may go over some.
fn cited(text: &str, below: &[Below]) -> (Vec<Evidence>, usize) {
    let is_quoting = |text: &str| text.contains(is_quoting);
    let is_checkable = |found: &[Evidence]| found.iter().all(Evidence::is_checkable);
    let alone = Evidence::all(text);
    if is_checkable(&alone) || !is_quoting(text) {
        return (alone, 0);
    }
    let mut whole = text.to_owned();
    for (taken, line) in (1..=LONGEST_QUOTATION).zip(below) {
        let begins = |line: &String| {
            is_quoting(line) && Evidence::all(line).iter().any(Evidence::is_checkable)
                || behind_evidence(line).is_some()
        };
        let held = line.text.strip_prefix(HELD);
        if held.is_none() && line.plain.as_ref().is_some_and(begins) {
            break;
        }
        let line = held.map_or(line.text.as_str(), str::trim);
        if line.is_empty() {
            continue;
        }
        whole = format!("{whole}\n{line}");
        let found = Evidence::all(&whole);
        if is_checkable(&found) {
            return (found, taken);
        }
    }
    (alone, 0)
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
        // A quotation over several lines ends where it is closed; one that never is takes nothing in.
        let several =
            "- [high] It\n  Evidence: src/a.rs:3-5 \"let a;\n    let b;\n\n  let c;\"\n  Evidence: open \"x\n  y";
        let attack = Attack::parse(&report(&PROPOSAL, several)).unwrap();
        let told: Vec<String> = attack.objections().flat_map(|one| &one.evidence).map(ToString::to_string).collect();
        assert_eq!(told, ["src/a.rs:3-5 \"let a;\nlet b;\nlet c;\"", "open \"x", "y"]);
        // What a file holds there is no mark of ours, at the beginning and at the end of a line.
        let marked = "- [high] It\n  **Evidence:** a.c:1-3 \"/**\n  * Text\n   */\"\n  Evidence: _a.yml:1-2 \"- one\n  - two\"\n  \
                      *Evidence: b.c:1*\n  Evidence: __init__.py:1 \"\tx\u{200b}\"\n  Evidence: **c.c:1**";
        let attack = Attack::parse(&report(&PROPOSAL, marked)).unwrap();
        let told: Vec<String> = attack.objections().flat_map(|one| &one.evidence).map(ToString::to_string).collect();
        let expected = [
            "a.c:1-3 \"/**\n* Text\n*/\"",
            "_a.yml:1-2 \"- one\n- two\"",
            "b.c:1",
            "__init__.py:1 \"\tx\u{200b}\"",
            "c.c:1",
        ];
        assert_eq!(told, expected);
        // A list below it is evidence as well, each entry by itself.
        let nested = "- [high] It\n  goes on\n  Evidence:\n  - src/a.rs:3 \"x\" says so\n  - src/b.rs:4 \"y\", src/c.rs:5\n  - words";
        let attack = Attack::parse(&report(&PROPOSAL, nested)).unwrap();
        let told: Vec<String> = attack.objections().flat_map(|one| &one.evidence).map(ToString::to_string).collect();
        assert_eq!(told, ["src/a.rs:3 \"x\" says so", "src/b.rs:4 \"y\"", "src/c.rs:5", "words"]);
        assert!(attack.objections().all(|one| one.claim == "It goes on"));
        for (text, named) in [
            (report(&PROPOSAL[1..], "None found"), "a report on “Architecture flaws”"),
            (report(&PROPOSAL, ""), "a report on “Architecture flaws”"),
            (report(&PROPOSAL, "It is fine."), "a report on “Architecture flaws”"),
            (report(&PROPOSAL, "- It is bad"), "the severity of “It is bad”"),
            (report(&PROPOSAL, "- [grave] It is bad"), "the severity of"),
            (report(&PROPOSAL, "- [high] "), "the severity of"),
        ] {
            let missing = Attack::parse(&text).unwrap_err().items();
            assert!(missing.len() == 1 && missing[0].contains(named), "{missing:?}");
        }
        assert_eq!(Attack::parse("").unwrap_err().items().len(), 5);
    }

    /// Whatever is raised is taken, or the text is refused.
    #[test]
    fn d7_d12_no_objection_is_passed_over() {
        for hidden in [
            "None found\n\n### Details\n\n- [critical] All data is lost",
            "None found\n- [critical] All data is lost",
            "- None found\n- [critical] All data is lost",
            "None found.\n\n  * [HIGH] All data is lost",
            "- [low] It is new\n\n# Other\n1. [critical] All data is lost",
        ] {
            let missing = Attack::parse(&report(&PROPOSAL, hidden)).unwrap_err().items();
            assert!(missing.len() == 1 && missing[0].contains("All data is lost"), "{hidden}: {missing:?}");
        }
        let twice = report(&PROPOSAL, "None found") + "## Scalability\n- [critical] All data is lost\n";
        assert!(Attack::parse(&twice).is_err());
        let code = report(&PROPOSAL, "- [low] It is new\n\n```\n- [critical] an example\n```");
        assert_eq!(Attack::parse(&code).unwrap().objections().count(), 1);
        let lazy = report(&PROPOSAL, "- [high] The counter is not\nshared at all\nEvidence: src/a.rs:3");
        let attack = Attack::parse(&lazy).unwrap();
        let only = attack.objections().next().unwrap();
        assert_eq!((only.claim.as_str(), only.evidence.len()), ("The counter is not shared at all", 1));
        let many = "- [low] one more\n".repeat(41);
        assert!(Attack::parse(&report(&PROPOSAL, &many)).unwrap_err().items()[0].contains("the limit is 40"));
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
            let missing =
                Critique::parse(&format!("{}\n{verdict}\n", report(&IDEA, "None found"))).unwrap_err().items();
            assert_eq!(missing, ["the line “Idea verdict:” with reject, challenge or sound"]);
        }
    }
}
