//! What stands in a role's text twice is refused, whatever the text is: of two that differ, neither would be the role's word
//! (D6, D7, D9, D20, D22). It is looked for when a text comes in, and never in one that was taken already.

use super::attack::{IDEA, PROPOSAL, VERDICT};
use super::document::{Document, QUESTIONS};
use super::faults::Faults;
use super::part::Part;
use super::position::{DECISION, REPLIES, title};
use super::proposal;
use super::round::Hearing;
use super::sentence::{is_sentence, without_origin};
use super::synthesis;

/// The headings that a text is read by.
fn headings(part: Part) -> Vec<&'static str> {
    let own: &[&str] = match part {
        Part::Proposal => &proposal::HEADINGS,
        Part::Critique => &IDEA,
        Part::Attack => &PROPOSAL,
        Part::Synthesis => &synthesis::HEADINGS,
        Part::Position => &[REPLIES],
        Part::Ruling => &[],
    };
    [own, &[QUESTIONS]].concat()
}

/// The names of the lines that a text is read by.
fn lines(part: Part) -> Vec<&'static str> {
    match part {
        Part::Proposal | Part::Attack => Vec::new(),
        Part::Critique => vec![VERDICT],
        Part::Synthesis => synthesis::LINES.to_vec(),
        Part::Position => Hearing::ALL.map(title).to_vec(),
        Part::Ruling => vec![DECISION],
    }
}

/// The lists whose entries have names.
fn lists(part: Part) -> &'static [&'static str] {
    match part {
        Part::Proposal => &proposal::LISTS,
        Part::Synthesis => &[proposal::DECISIONS],
        Part::Critique | Part::Attack | Part::Position | Part::Ruling => &[],
    }
}

/// The names that stand more than once in a list, each once.
fn names_again(names: &[String]) -> Vec<&str> {
    let mut again: Vec<&str> = Vec::new();
    for (at, name) in names.iter().enumerate() {
        let is_it = |other: &str| is_sentence(other, without_origin(name));
        if names[..at].iter().any(|other| is_it(other)) && !again.iter().any(|other| is_it(other)) {
            again.push(name);
        }
    }
    again
}

/// Names every heading, every line and every entry of a list that stands in this text more than once.
pub(super) fn repeated(part: Part, text: &str) -> Faults {
    let document = Document::of(text);
    let mut faults = Faults::default();
    for heading in headings(part).into_iter().filter(|heading| document.parts(heading) > 1) {
        faults.does(format!("has several parts “{heading}”; keep one"));
    }
    for name in lines(part).into_iter().filter(|name| document.fields(name) > 1) {
        faults.does(format!("has several lines “{name}:”; keep one"));
    }
    for list in lists(part) {
        for name in names_again(&proposal::names(&document, list)) {
            faults.does(format!("has “{name}” several times below “{list}”; keep one"));
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn d6_d7_d9_d20_d22_whatever_stands_twice_in_a_text_is_named() {
        for part in Part::ALL {
            let heading = |heading: &&str| format!("## {heading}\n- It: so\n");
            let line = |name: &&str| format!("{name}: yes\n");
            let (headings, lines) = (headings(part), lines(part));
            let whole: String = headings.iter().map(heading).chain(lines.iter().map(line)).collect();
            assert!(repeated(part, &whole).is_empty(), "{part:?}");
            for name in &headings {
                let found = repeated(part, &format!("{whole}#### 1. {}:\nand so\n", name.to_uppercase())).items();
                assert_eq!(found, [format!("has several parts “{name}”; keep one")]);
            }
            for name in &lines {
                let found = repeated(part, &format!("{whole}**{name}:** no\n")).items();
                assert_eq!(found, [format!("has several lines “{name}:”; keep one")]);
            }
            // An example in code is no part.
            let example: String = headings.iter().map(heading).chain(lines.iter().map(line)).collect();
            assert!(repeated(part, &format!("{whole}\n```\n{example}```\n")).is_empty(), "{part:?}");
        }
    }

    #[test]
    fn d6_d9_d17_a_decision_or_an_option_that_stands_twice_is_named() {
        let text = "## Key technical decisions\n- **Memory**: a\n- Tape: b\n- memory. (debate 1: It): c\n- Memory: d\n\
                    ## Options considered\n- Memory: chosen\n- Disk: one\n- Disk: two\n";
        let decisions = "has “memory. (debate 1: It)” several times below “Key technical decisions”; keep one";
        let options = "has “Disk” several times below “Options considered”; keep one";
        assert_eq!(repeated(Part::Proposal, text).items(), [decisions, options]);
        assert_eq!(repeated(Part::Synthesis, text).items(), [decisions]);
        assert!(repeated(Part::Attack, text).is_empty());
        let apart =
            ["C", "C#", "C++", "Retry > 3", "Retry < 3", "Retry 3", "-f", "f", "TTL -1 s", "TTL 1 s", "\u{2705}"];
        let list = apart.map(|name| format!("- {name}: so\n")).concat();
        let text = format!("## Key technical decisions\n{list}## Options considered\n{list}");
        assert!(repeated(Part::Proposal, &text).is_empty(), "{:?}", repeated(Part::Proposal, &text).items());
    }

    #[test]
    fn d9_a_text_that_was_taken_before_is_still_read() {
        let old = "## Solution\na\n### Key technical decisions\n- b: c\n## Assessments\n## Solution\nd\nRecommendation: continue\n";
        assert_eq!(repeated(Part::Synthesis, old).items(), ["has several parts “Solution”; keep one"]);
        let read = synthesis::Synthesis::parse(old, &[], 0).unwrap();
        assert_eq!(read.solution, "a\n### Key technical decisions\n- b: c");
    }
}
