//! What a role is told: a template as data, filled with what the orchestrator passes on, and with nothing else (D19, D31). No
//! template demands an objection (D34).

use std::fmt::Write as _;

use crate::domain::debate::course::Step;
use crate::domain::debate::part::{self, Part};
use crate::domain::debate::position::ways_in_words;
use crate::domain::debate::round::Round;
use crate::domain::debate::synthesis::Synthesis;
use crate::domain::debate::{Debate, Faults, State};
use crate::domain::harmless::on_one_line;
use crate::domain::text::Prose;

const fn template(part: Part) -> &'static str {
    match part {
        Part::Proposal => include_str!("prompts/proposal.md"),
        Part::Critique => include_str!("prompts/critique.md"),
        Part::Attack => include_str!("prompts/attack.md"),
        Part::Synthesis => include_str!("prompts/synthesis.md"),
        Part::Position => include_str!("prompts/position.md"),
        Part::Ruling => include_str!("prompts/ruling.md"),
    }
}

/// A place in a template that nothing fills.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the template of the {} has a place '{}' that nothing fills", part.name(), name)]
pub struct Unfilled {
    part: Part,
    name: String,
}

/// The prompt for the next text of a debate. `faults` are those of its last try.
pub fn prompt(state: &State, number: u32, debate: &Debate, part: Part, faults: &Faults) -> Result<String, Unfilled> {
    let round = debate.course().round();
    let text = |path: String| quoted(state.text(&path).unwrap_or_default());
    let proposal = || quoted(&solution(state.proposal(number).unwrap_or_default()));
    fill(part, |name| {
        Some(match name {
            "dossier" => text(part::dossier(number)),
            "constraints" => match &debate.constitution {
                Some(_) => text(part::constitution(number)),
                None => "Those of the dossier.".to_owned(),
            },
            "scope" => scope(debate),
            "round" => round.to_string(),
            "ways" => ways_in_words(debate.step(), debate.rounds()),
            "meanings" => meanings(debate),
            "proposal" => proposal(),
            "objections" => objections(debate.last()),
            "addressed" => addressed(debate),
            "answers" => answers(debate, part),
            "questions" => questions(debate.last()),
            "missing" => faults.told(),
            _ => return None,
        })
    })
}

/// What a proxy's decision means.
fn meanings(debate: &Debate) -> String {
    let rounds = debate.rounds();
    match debate.step() {
        Step::Settle => {
            "No round is left. Accept takes what there is, with its risks on record. Restart rejects it, and leaves the \
             checkpoint as it was. Table decides nothing: what is unresolved becomes open questions."
                .to_owned()
        }
        Step::Decide
        | Step::Propose
        | Step::Criticize
        | Step::Attack
        | Step::Hear
        | Step::Synthesize
        | Step::Over(_) => {
            let extend = if rounds.allows_a_proxy_to_extend() {
                format!("Extend goes on, up to round {}. ", rounds.most())
            } else {
                String::new()
            };
            format!("Accept takes what there is, with its risks on record. {extend}Kill ends the debate as rejected.")
        }
    }
}

/// How earlier rounds changed the scope of the idea: the advocate judges it by that besides the dossier (D5).
fn scope(debate: &Debate) -> String {
    let changed = debate.numbered().filter_map(|(round, played)| Some((round, played.scope_changed.as_ref()?)));
    let lines: Vec<String> = changed.map(|(round, what)| format!("- Round {round}: {what}\n")).collect();
    if lines.is_empty() {
        return String::new();
    }
    let said = answers(debate, Part::Critique);
    format!(
        "\n# How the scope of the idea changed since\n\n{}\n# What the user said so far\n\n{said}\n",
        lines.concat()
    )
}

/// Each line behind a mark: no heading in it is one of the prompt.
fn quoted(text: &str) -> String {
    text.trim().lines().map(|line| format!("> {line}").trim_end().to_owned()).collect::<Vec<_>>().join("\n")
}

/// The solution alone: what the synthesizer held of objections is nobody else's business (D31).
pub(super) fn solution(proposal: &str) -> String {
    match Synthesis::parse(proposal, &[], 0) {
        Ok(synthesis) => synthesis.solution,
        Err(_) => proposal.trim().to_owned(),
    }
}

fn objections(round: Option<&Round>) -> String {
    let mut text = String::new();
    for raised in round.into_iter().flat_map(|round| &round.raised) {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "- {} [{}] {}: {}", raised.id, raised.severity, raised.facet, raised.claim);
        for looked in &raised.evidence {
            let cited = on_one_line(&looked.evidence);
            let _ = writeln!(text, "  Evidence: {cited} ({})", looked.find.in_words());
        }
        if let Some(near) = raised.near {
            let _ = writeln!(text, "  It is worded much like {near} of an earlier round.");
        }
    }
    if text.is_empty() { "None was raised.".to_owned() } else { text.trim_end().to_owned() }
}

fn questions(round: Option<&Round>) -> String {
    let asked = round.into_iter().flat_map(|round| &round.asked).filter(|asked| asked.reply.is_none());
    let lines: Vec<String> =
        (1..).zip(asked).map(|(number, asked)| format!("{number}. {}", set_in(&asked.question))).collect();
    if lines.is_empty() { "None.".to_owned() } else { lines.join("\n") }
}

/// A question as an entry of a list: its further lines stand further in.
fn set_in(question: &Prose) -> String {
    question.as_str().replace('\n', "\n  ")
}

fn addressed(debate: &Debate) -> String {
    let lines: Vec<String> = debate
        .earlier()
        .iter()
        .map(|(round, objection)| format!("- {} (round {round}): {}", objection.id, objection.claim))
        .collect();
    if lines.is_empty() { "None.".to_owned() } else { lines.join("\n") }
}

/// The user's words: those of this round for the synthesizer, and those of earlier ones for the advocate.
fn answers(debate: &Debate, part: Part) -> String {
    let now = debate.numbered().last().map_or(0, |(round, _)| round);
    let mut text = String::new();
    for (round, played) in debate.numbered() {
        if (round == now) != (part == Part::Synthesis) {
            continue;
        }
        for heard in &played.heard {
            let said = if heard.yes { "yes" } else { "no" };
            let by = if heard.proxy.is_some() { ", by a proxy" } else { "" };
            // Writing to a String cannot fail.
            let _ = writeln!(text, "- Round {round}{by}. {} {said}", heard.question.question());
            for line in heard.words.iter().flat_map(|words| words.as_str().lines()) {
                let _ = writeln!(text, "  > {line}");
            }
        }
        for asked in &played.asked {
            let Some(reply) = &asked.reply else { continue };
            let _ = writeln!(text, "- Round {round}. The {} asked: {}", asked.part.role(), set_in(&asked.question));
            match &reply.words {
                Some(words) => words.as_str().lines().for_each(|line| {
                    let _ = writeln!(text, "  > {line}");
                }),
                None if reply.proxy.is_some() => text.push_str("  The proxy leaves it to you.\n"),
                None => text.push_str("  The user leaves it to you.\n"),
            }
        }
    }
    if text.is_empty() { "Nothing yet.".to_owned() } else { text.trim_end().to_owned() }
}

/// Fills each `{{name}}` once; what is put in is not looked at again.
fn fill(part: Part, value: impl Fn(&str) -> Option<String>) -> Result<String, Unfilled> {
    let mut rest = template(part);
    let mut text = String::new();
    while let Some((before, behind)) = rest.split_once("{{") {
        let (name, after) = behind.split_once("}}").unwrap_or((behind, ""));
        let value = value(name.trim()).ok_or_else(|| Unfilled { part, name: name.to_owned() })?;
        text.push_str(before);
        text.push_str(&value);
        rest = after;
    }
    text.push_str(rest);
    Ok(format!("{}\n", text.trim_end()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn d19_a_place_that_nothing_fills_is_an_error_and_what_is_put_in_is_not_filled_again() {
        for part in Part::ALL {
            let filled = fill(part, |_| Some("{{dossier}}".to_owned())).unwrap();
            assert!(filled.contains("{{dossier}}"));
            let names = template(part).matches("{{").count();
            assert_eq!(filled.matches("{{dossier}}").count(), names);
            assert_eq!(fill(part, |name| (name != "missing").then(String::new)).unwrap_err().name, "missing");
        }
    }

    #[test]
    fn d34_no_template_demands_an_objection() {
        for part in [Part::Critique, Part::Attack] {
            let text = template(part).to_lowercase();
            assert!(text.contains("\"none found\" is a full and honest report"));
            for demand in ["at least one", "must find", "must raise", "find an issue"] {
                assert!(!text.contains(demand), "{demand}");
            }
        }
        // The critique is written before the proposal is seen (D27).
        assert!(!template(Part::Critique).contains("{{proposal}}"));
    }
}
