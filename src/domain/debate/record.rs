//! What is written of a debate beside the texts of its roles: the answers of each round, and the record with its front
//! matter, from which what was decided and why has to be plain (D14, D17, D18, D23, D35).

use std::fmt::Write as _;

use jiff::Timestamp;

use super::conclusions::Conclusions;
use super::course::{Ending, Settlement};
use super::part::{self, Part};
use super::round::{Heard, Round};
use super::shown::{ended_in_words, next_in_words, termination};
use super::state::{Debate, State};

/// The user's answers of a round.
pub(super) fn answers(round: &Round) -> String {
    let mut text = String::from("# Answers\n");
    for Heard { question, yes, words, by, .. } in &round.heard {
        let said = if *yes { "Yes" } else { "No" };
        // Writing to a String cannot fail.
        let _ = write!(text, "\n## {}\n\n{said}, by {}.\n", question.question(), by.in_words());
        if let Some(words) = words {
            let _ = write!(text, "\n{}\n", quoted_lines(words.as_str()));
        }
    }
    text
}

/// Each line as a quotation, so that no heading in it is taken for one of ours.
fn quoted_lines(text: &str) -> String {
    text.lines().map(|line| format!("> {line}").trim_end().to_owned()).collect::<Vec<_>>().join("\n")
}

/// The record as it stands.
pub(super) fn record(state: &State, number: u32, debate: &Debate, at: Timestamp) -> String {
    let ending = debate.ending();
    let mut text = front_matter(number, debate, ending, at);
    let _ = write!(text, "\n# Debate {number}: {}\n\n", debate.name);
    if let Some(again) = debate.again {
        let _ = writeln!(text, "It begins debate {again} again, which was killed.\n");
    }
    let _ = writeln!(text, "Roles: {}.", debate.players.in_words());
    if debate.players.proposer == debate.players.devils_advocate && debate.players.judge_themselves() {
        text.push_str("One player has all three roles, so that nobody else judged what was said.\n");
    } else if debate.players.judge_themselves() {
        text.push_str("The synthesizer has another role as well, so that it judged its own words.\n");
    }
    for (round, played) in (1..).zip(&debate.rounds) {
        text.push_str(&of_round(state, number, round, played));
    }
    match ending {
        Some(Ending::Killed) => text.push_str("\n## Ended\n\nKilled. Nothing of it is in the checkpoint.\n"),
        Some(ending) => {
            let _ = write!(
                text,
                "\n## Ended\n\nTermination: {}. {}.\n",
                termination(ending),
                capital(&ended_in_words(debate, ending))
            );
            text.push_str(&Conclusions::of(state, number, debate).in_full());
        }
        None => {
            let _ = write!(text, "\n## Not ended\n\n{}.\n", capital(&next_in_words(debate)));
        }
    }
    text
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

fn front_matter(number: u32, debate: &Debate, ending: Option<Ending>, at: Timestamp) -> String {
    let status = match ending {
        None => "in-progress",
        Some(Ending::Killed) => "killed",
        Some(Ending::Limit(Settlement::Restarted)) => "rejected",
        Some(Ending::Limit(Settlement::Tabled)) => "tabled",
        Some(Ending::Nash | Ending::Declared | Ending::Limit(Settlement::Accepted)) => "completed",
    };
    let (next, note) = match ending {
        None => ("git grill debate next".to_owned(), next_in_words(debate)),
        Some(Ending::Killed | Ending::Limit(Settlement::Restarted)) => {
            ("git grill debate start".to_owned(), ended_in_words(debate, Ending::Killed))
        }
        Some(ending) => ("git grill next".to_owned(), ended_in_words(debate, ending)),
    };
    let mut artifacts = vec![part::dossier(number)];
    for (round, played) in (1..).zip(&debate.rounds) {
        artifacts.extend(Part::ALL.into_iter().filter(|part| played.has(*part)).map(|part| part.path(number, round)));
        if !played.heard.is_empty() {
            artifacts.push(part::answers(number, round));
        }
    }
    let artifacts: Vec<String> = artifacts.iter().map(|path| format!("  - {path}\n")).collect();
    format!(
        "---\nheist: {}\nphase: the-grilling\nstatus: {status}\ntimestamp: {at}\nnext-action: {next}\nartifacts:\n{}note: {}\n---\n",
        scalar(debate.name.as_str()),
        artifacts.concat(),
        scalar(&note)
    )
}

/// A text as one YAML scalar, whatever stands in it.
fn scalar(text: &str) -> String {
    let escaped: String = text
        .chars()
        .flat_map(|c| match c {
            '"' | '\\' => vec!['\\', c],
            c if c.is_control() => vec![' '],
            c => vec![c],
        })
        .collect();
    format!("\"{escaped}\"")
}

fn of_round(state: &State, number: u32, round: u32, played: &Round) -> String {
    let mut text = format!("\n## Round {round}\n\n");
    for given in &played.given {
        let _ = writeln!(text, "- {}: {} ({})", capital(given.part.name()), given.by, given.part.path(number, round));
    }
    if let Some(verdict) = played.verdict {
        let _ = writeln!(text, "- Idea verdict: {}", verdict.name());
    }
    for failed in &played.failures {
        let _ = writeln!(text, "- No {} by {}: {}", failed.part.name(), failed.by, failed.why);
    }
    if state.is_weak(number, round) {
        text.push_str("- Attacks in this round lack specificity\n");
    }
    if played.raised.is_empty() && played.has(Part::Attack) {
        text.push_str("\nNo objection was raised.\n");
    }
    for raised in &played.raised {
        let _ = write!(text, "\n- {} [{}] {}: {}\n", raised.id, raised.severity, raised.facet, raised.claim);
        for looked in &raised.evidence {
            let _ = writeln!(text, "  - Evidence: {} ({})", looked.evidence, looked.find.in_words());
        }
        if raised.evidence.is_empty() {
            text.push_str("  - No evidence (unchecked)\n");
        }
        if let Some(assessed) = played.assessment(raised.id) {
            let _ = writeln!(text, "  - {}: {}", capital(assessed.assessment.name()), assessed.why);
            let debate = state.debate(number);
            let before = assessed.repeats.or(Some(raised.id)).and_then(|id| debate?.raised(id)).map(|(first, _)| first);
            if let Some(first) = before.filter(|first| *first < round) {
                let _ = writeln!(text, "  - This objection was addressed in Round {first}");
            }
        }
    }
    for heard in &played.heard {
        let said = if heard.yes { "yes" } else { "no" };
        let _ = write!(text, "\n{} {said}, by {}.", heard.question.question(), heard.by.in_words());
        if let Some(words) = &heard.words {
            let _ = write!(text, "\n\n{}\n", quoted_lines(words.as_str()));
        } else {
            text.push('\n');
        }
    }
    text
}
