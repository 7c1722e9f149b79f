//! What is written of a debate beside the texts of its roles: the answers of each round, and the record with its front
//! matter, from which what was decided and why has to be plain (D14, D17, D18, D23, D35).

use std::fmt::Write as _;

use jiff::Timestamp;

use super::conclusions::{Conclusions, left_out};
use super::course::{Ending, Settlement};
use super::fate::addressed;
use super::part::{self, Part};
use super::round::{Heard, Round, answered_by};
use super::shown::{ended_in_words, next_in_words, termination};
use super::state::{Debate, State};
use super::whole::Objected;
use crate::domain::harmless::{harmless, on_one_line};

/// The user's answers of a round.
pub(super) fn answers(debate: &Debate, round: &Round) -> String {
    let mut text = String::from("# Answers\n");
    for Heard { question, yes, words, by, proxy, .. } in &round.heard {
        let (said, by) = (if *yes { "Yes" } else { "No" }, answered_by(by, proxy.as_ref()));
        // Writing to a String cannot fail.
        let _ = write!(text, "\n## {}\n\n{said}, by {by}.\n", question.question());
        if let Some(words) = words {
            let _ = write!(text, "\n{}\n", quoted_lines(words.as_str()));
        }
    }
    text.push_str(&replies(debate, round, "## "));
    harmless(&text).into_owned()
}

/// What roles asked the user, and what came of it.
fn replies(debate: &Debate, round: &Round, mark: &str) -> String {
    let mut text = String::new();
    for asked in &round.asked {
        let (first, rest) = asked.question.as_str().split_once('\n').unwrap_or((asked.question.as_str(), ""));
        // Writing to a String cannot fail.
        let _ = writeln!(text, "\n{mark}The {} asks: {first}", asked.part.role().in_words());
        if !rest.is_empty() {
            let _ = write!(text, "\n{}\n", quoted_lines(rest));
        }
        match &asked.reply {
            Some(reply) => {
                let by = answered_by(&reply.by, reply.proxy.as_ref());
                let _ = match &reply.words {
                    Some(words) => write!(text, "\nBy {by}:\n\n{}\n", quoted_lines(words.as_str())),
                    None => write!(text, "\nLeft to the role, by {by}.\n"),
                };
            }
            None if debate.ending().is_none() => text.push_str("\nNot answered yet.\n"),
            None => text.push_str("\nNot answered.\n"),
        }
    }
    text
}

/// Each line as a quotation, so that no heading in it is taken for one of ours.
fn quoted_lines(text: &str) -> String {
    text.lines().map(|line| format!("> {line}").trim_end().to_owned()).collect::<Vec<_>>().join("\n")
}

/// How the objections of a round are set out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Objections {
    /// One below the other, for whoever reads the text as it is.
    Listed,
    /// As a table, for a page.
    Tabled,
}

/// The record as it stands.
pub(super) fn record(state: &State, number: u32, debate: &Debate, at: Timestamp) -> String {
    let front = front_matter(number, debate, debate.ending(), at);
    harmless(&format!("{front}\n{}", body(state, number, debate, Objections::Listed))).into_owned()
}

/// The same as a page, round by round, with the objections as tables.
pub fn page(state: &State, number: u32, debate: &Debate) -> String {
    harmless(&body(state, number, debate, Objections::Tabled)).into_owned()
}

fn body(state: &State, number: u32, debate: &Debate, objections: Objections) -> String {
    let ending = debate.ending();
    let mut text = format!("# Debate {number}: {}\n\n", debate.name);
    if let Some(again) = debate.again {
        let was_killed = |debate: &Debate| debate.ending() == Some(Ending::Killed) && !debate.is_rejected();
        let was = if state.debate(again).is_some_and(was_killed) { "killed" } else { "rejected" };
        let _ = writeln!(text, "Debate {again} had the same dossier, and was {was}.\n");
    }
    let _ = writeln!(text, "The dossier is in {}.", placed(&part::dossier(number)));
    if let Some(file) = &debate.constitution {
        let _ = writeln!(text, "Its constraints come from {file} ({}).", placed(&part::constitution(number)));
    }
    let _ = writeln!(text, "Roles: {}.", on_one_line(&debate.players.in_words()));
    if debate.players.proposer == debate.players.devils_advocate && debate.players.judge_themselves() {
        text.push_str("One player has all three roles: nobody else judges the arguments.\n");
    } else if debate.players.judge_themselves() {
        text.push_str("The synthesizer has another role, too: it judges its own text.\n");
    }
    for (round, played) in debate.numbered() {
        text.push_str(&of_round(state, (number, debate), round, played, objections));
    }
    if debate.is_provisional() {
        text.push_str(
            "\nA proxy answered for the user. All of this is provisional until the user confirms or rejects it.\n",
        );
    } else if debate.is_rejected() {
        text.push_str("\nA proxy answered for the user, who rejected it. Nothing of it is in the checkpoint.\n");
    } else if debate.is_confirmed() {
        text.push_str("\nA proxy answered for the user, who confirmed it.\n");
    }
    match ending {
        Some(Ending::Killed) => {
            let ended = capital(&ended_in_words(debate, Ending::Killed));
            let _ = write!(text, "\n## Ended\n\n{ended}. Nothing of it is in the checkpoint.\n");
        }
        Some(ending) => {
            let _ = write!(
                text,
                "\n## Ended\n\n{1}.\n\nTermination: {0}.\n",
                termination(ending),
                capital(&ended_in_words(debate, ending))
            );
            text.push_str(&Conclusions::of(state, number, debate).in_full());
        }
        None => {
            let _ = write!(text, "\n## Not ended\n\n{}.\n", capital(&next_in_words(debate)));
            if objections == Objections::Tabled && state.proposal(number).is_some() {
                let proposed = Conclusions::of(state, number, debate).proposed();
                let _ = write!(text, "\n### The proposal as it stands\n\n{proposed}\n");
            }
        }
    }
    text
}

/// A path as git has it in a commit of the session.
fn placed(path: &str) -> String {
    format!(".grill/debate/{path}")
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

fn front_matter(number: u32, debate: &Debate, ending: Option<Ending>, at: Timestamp) -> String {
    let status = match ending {
        None => "in-progress",
        Some(_) if debate.is_provisional() => "provisional",
        Some(_) if debate.is_rejected() => "rejected",
        Some(Ending::Killed) => "killed",
        Some(Ending::Limit(Settlement::Restarted)) => "rejected",
        Some(Ending::Limit(Settlement::Tabled)) => "tabled",
        Some(Ending::Nash | Ending::Declared | Ending::Limit(Settlement::Accepted)) => "completed",
    };
    let (next, note) = match ending {
        None => ("git grill debate next".to_owned(), next_in_words(debate)),
        Some(_) if debate.is_provisional() => ("git grill debate confirm".to_owned(), next_in_words(debate)),
        Some(ending) if debate.is_to_be_begun_again() => {
            ("git grill debate start".to_owned(), ended_in_words(debate, ending))
        }
        Some(ending) => ("git grill next".to_owned(), ended_in_words(debate, ending)),
    };
    let mut artifacts = vec![part::dossier(number)];
    artifacts.extend(debate.constitution.as_ref().map(|_| part::constitution(number)));
    for (round, played) in debate.numbered() {
        artifacts.extend(Part::ALL.into_iter().filter(|part| played.has(*part)).map(|part| part.path(number, round)));
        if !played.heard.is_empty() {
            artifacts.push(part::answers(number, round));
        }
    }
    let artifacts: Vec<String> = artifacts.iter().map(|path| format!("  - {}\n", placed(path))).collect();
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

fn of_round(
    state: &State,
    (number, debate): (u32, &Debate),
    round: u32,
    played: &Round,
    objections: Objections,
) -> String {
    let mut text = format!("\n## Round {round}\n\n");
    for given in &played.given {
        let (part, path, cost) =
            (capital(given.part.in_words()), placed(&given.part.path(number, round)), given.cost.in_words());
        let cost = if cost.is_empty() { cost } else { format!("; {cost}") };
        let _ = writeln!(text, "- {part}: {} ({path}{cost})", on_one_line(&given.by.to_string()));
    }
    if let Some(verdict) = played.verdict {
        let _ = writeln!(text, "- Idea verdict: {}", verdict.name());
    }
    if let Some(what) = &played.scope_changed {
        let _ = writeln!(text, "- The synthesis changes the scope of the idea: {what}");
    }
    // The log still has what failed before a text came.
    for failed in played.failures.iter().filter(|failed| !played.has(failed.part)) {
        let by = on_one_line(&failed.by.to_string());
        let _ = writeln!(text, "- No {} by {by}: {}", failed.part.in_words(), failed.why);
    }
    for decision in left_out(state, number, round) {
        let _ = writeln!(text, "- The synthesis omits a decision: {decision}");
    }
    if state.is_weak(number, round) {
        text.push_str("- Attacks in this round lack specificity\n");
    }
    if played.raised.is_empty() && played.has(Part::Attack) {
        text.push_str("\nNo objection was raised.\n");
    }
    text.push_str(&match objections {
        Objections::Listed => listed(debate, round, played),
        Objections::Tabled => tabled(debate, round, played),
    });
    for heard in &played.heard {
        let said = if heard.yes { "yes" } else { "no" };
        let by = answered_by(&heard.by, heard.proxy.as_ref());
        let _ = write!(text, "\n{} {said}, by {by}.", heard.question.question());
        if let Some(words) = &heard.words {
            let _ = write!(text, "\n\n{}\n", quoted_lines(words.as_str()));
        } else {
            text.push('\n');
        }
    }
    text.push_str(&replies(debate, played, ""));
    if !played.answered.is_empty() {
        text.push_str("\nThe synthesizer answers:\n\n");
        played.answered.iter().for_each(|answer| {
            let _ = writeln!(text, "- {answer}");
        });
    }
    text
}

/// The objections of a round, one below the other.
fn listed(debate: &Debate, round: u32, played: &Round) -> String {
    let mut text = String::new();
    for raised in &played.raised {
        let _ = write!(text, "\n- {} [{}] {}: {}\n", raised.id, raised.severity, raised.facet, raised.claim);
        for looked in &raised.evidence {
            let _ = writeln!(text, "  - Evidence: {} ({})", on_one_line(&looked.evidence), looked.find.in_words());
        }
        if raised.evidence.is_empty() {
            text.push_str("  - No evidence (unchecked)\n");
        }
        if let Some(assessed) = played.assessment(raised.id) {
            let _ = writeln!(text, "  - {}: {}", capital(assessed.assessment.name()), assessed.why);
            let before = debate.raised(assessed.repeats.unwrap_or(raised.id)).map(|(first, _)| first);
            if let Some(first) = before.filter(|first| *first < round) {
                let _ = writeln!(text, "  - {}", addressed(debate, first, assessed.repeats.unwrap_or(raised.id)));
            }
        }
    }
    text
}

/// The objections of a round as a table: claim, severity, evidence with its check, assessment, what became of it.
fn tabled(debate: &Debate, round: u32, played: &Round) -> String {
    if played.raised.is_empty() {
        return String::new();
    }
    let mut text = "\n| objection | severity | evidence | assessment | outcome |\n|---|---|---|---|---|\n".to_owned();
    for raised in &played.raised {
        let Objected { id, facet, claim, severity, evidence, assessed, outcome, .. } =
            Objected::of(debate, round, played, raised);
        let evidence: Vec<String> =
            evidence.iter().map(|one| format!("{} ({})", on_one_line(&one.looked.evidence), one.check)).collect();
        let evidence = if evidence.is_empty() { "none (unchecked)".to_owned() } else { evidence.join("; ") };
        let assessed = assessed.map(|one| format!("{}: {}", one.assessment.name(), one.why)).unwrap_or_default();
        let claim = format!("{id} {facet}: {claim}");
        let cells = [claim, severity.to_string(), evidence, assessed, outcome].map(|cell| cell_of(&cell));
        let _ = writeln!(text, "| {} |", cells.join(" | "));
    }
    text
}

/// A text as one cell of a table, with every sign that Markdown would read as itself.
fn cell_of(text: &str) -> String {
    let mut cell = String::new();
    for c in on_one_line(text).chars() {
        if "\\`*_[]<>|&~".contains(c) {
            cell.push('\\');
        }
        cell.push(c);
    }
    cell
}
