//! What came of a debate (D14, D17, D35, D37): decisions with their rationale, alternatives with the reason why they were
//! not chosen, what stayed unresolved, and dissent in its own words. It is written into the checkpoint, where outputs find
//! it.

use std::fmt::Write as _;

use super::course::{Ending, Settlement};
use super::document::Document;
use super::dossier::Dossier;
use super::fate::Fate;
use super::not_chosen::listed;
use super::objection::ObjectionId;
use super::options::{considered, not_chosen};
use super::part::{self, Part};
use super::proposal::{Proposal, Reasoned};
use super::round::{Hearing, Raised};
use super::sentence::{in_own_words, is_sentence};
use super::state::{Debate, State};
use super::synthesis::{Assessed, Synthesis};
use crate::domain::outline::{Outline, is_nested};
use crate::domain::text::Prose;

/// An objection with what the synthesizer said of it, and in which round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Spoken {
    round: u32,
    raised: Raised,
    /// None where the round was ended before the synthesizer spoke.
    assessed: Option<Assessed>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own, and none of them leads to a state")]
pub struct Conclusions {
    pub(super) number: u32,
    pub(super) name: String,
    solution: String,
    /// Whether its rounds were used up.
    limited: bool,
    pub(super) decisions: Vec<Reasoned>,
    /// Options that were not chosen; all that were considered, where nothing was decided.
    pub(super) options: Vec<Reasoned>,
    /// What stood as not chosen in the checkpoint before it, and what was offered with a question.
    pub(super) stood: Vec<Reasoned>,
    /// The same below further decisions that it takes the place of.
    pub(super) handed_on: Vec<Reasoned>,
    /// Constraints of the file that was debated.
    pub(super) constraints: Vec<String>,
    resolved: Vec<Spoken>,
    pub(super) unresolved: Vec<Spoken>,
    /// What the synthesizer held to be invalid.
    dissent: Vec<Spoken>,
    /// What was raised before.
    repeated: Vec<Spoken>,
    /// What cites something that is not there, whatever was held of it.
    miscited: Vec<Spoken>,
    /// Concerns in the last round, each with whose it is.
    pub(super) concerns: Vec<String>,
    pub(super) tabled: bool,
    /// The decision of the checkpoint that was debated, by its first line.
    pub(super) debated: Option<String>,
    /// Further decisions for the same question that it takes the place of.
    pub(super) also: Vec<String>,
    /// Decisions that are options which it rejected, by their first lines.
    pub(super) given_way: Vec<String>,
    /// What somebody wrote below the decision that it takes the place of.
    pub(super) by_hand: Vec<String>,
    /// What answers are called, by their first lines in the checkpoint.
    called: Vec<(String, String)>,
    /// Whether its decisions are only those that took the place of some answer.
    pub(super) in_part: bool,
    /// Whether anything was decided: not where it was tabled or rejected.
    is_decided: bool,
}

impl Conclusions {
    pub fn of(state: &State, number: u32, debate: &Debate) -> Self {
        let text = state.proposal(number).unwrap_or_default();
        let solution = Synthesis::parse(text, &[], 0).map_or_else(|_| text.to_owned(), |synthesis| synthesis.solution);
        let decisions = decisions(text);
        let is_decided = !debate.is_rejected()
            && !matches!(
                debate.ending(),
                Some(Ending::Killed | Ending::Limit(Settlement::Tabled | Settlement::Restarted))
            );
        // Where nothing was decided, no option was rejected either.
        let options = if is_decided {
            not_chosen(state, number, debate)
        } else {
            considered(state, number).map(|proposal| proposal.options).unwrap_or_default()
        };
        let mut found = Self {
            number,
            name: debate.name.as_str().to_owned(),
            solution,
            limited: matches!(debate.ending(), Some(Ending::Limit(_))),
            decisions,
            options,
            stood: stood_in(state.text(&part::dossier(number)).unwrap_or_default()),
            constraints: match &debate.dossier {
                Dossier::File { .. } => constraints(state.text(&part::dossier(number)).unwrap_or_default()),
                // They stand in the checkpoint.
                Dossier::Checkpoint | Dossier::Question { .. } | Dossier::Decision { .. } => Vec::new(),
            },
            debated: match &debate.dossier {
                Dossier::Decision { decision } => Some(decision.as_str().to_owned()),
                Dossier::Checkpoint | Dossier::File { .. } | Dossier::Question { .. } => None,
            },
            tabled: debate.ending() == Some(Ending::Limit(Settlement::Tabled)),
            is_decided,
            ..Self::default()
        };
        for (round, played) in debate.numbered() {
            for raised in &played.raised {
                let assessed = played.assessment(raised.id).cloned();
                let among = match Fate::of(debate, round, played, raised) {
                    Fate::Repeated(..) => &mut found.repeated,
                    Fate::NotAssessed | Fate::Stands => &mut found.unresolved,
                    Fate::Miscited => &mut found.miscited,
                    Fate::TakenIn => &mut found.resolved,
                    Fate::Invalid => &mut found.dissent,
                };
                among.push(Spoken { round, raised: raised.clone(), assessed });
            }
        }
        // Also those of a round that nobody has answered.
        for heard in debate.last().into_iter().flat_map(|round| &round.heard).filter(|heard| heard.yes) {
            let said = match heard.question {
                Hearing::Agree => continue,
                Hearing::Missed => "Concern",
                Hearing::Override => "Override",
            };
            let whose = if heard.proxy.is_some() { " of the proxy" } else { "" };
            let words = heard.words.as_ref().map(Prose::as_str).unwrap_or_default();
            found.concerns.push(format!("{said}{whose}: {}", one_line(words)));
        }
        found
    }

    /// The same where these alternatives were offered: an answer may have listed them as not chosen.
    #[must_use]
    pub fn knowing(mut self, alternatives: impl IntoIterator<Item = String>) -> Self {
        self.stood.extend(alternatives.into_iter().map(|what| Reasoned { what, why: String::new() }));
        self
    }

    /// The same where answers are called so, by their first lines in the checkpoint: a role decides by the name.
    #[must_use]
    pub fn calling(mut self, answers: impl IntoIterator<Item = (String, String)>) -> Self {
        self.called = answers.into_iter().collect();
        self
    }

    /// What an answer is called, by its first line.
    pub(super) fn name_of(&self, first: &str) -> Option<&str> {
        self.called.iter().find(|(line, _)| line == first.trim()).map(|(_, name)| name.as_str())
    }

    /// What was decided; empty where nothing was.
    pub(super) fn key_decisions(&self) -> &[Reasoned] {
        if self.is_decided { &self.decisions } else { &[] }
    }

    /// The options that were rejected: none where nothing was decided.
    pub(super) fn rejected(&self) -> &[Reasoned] {
        if self.is_decided { &self.options } else { &[] }
    }

    /// The same by name.
    pub fn decided_in_words(&self) -> String {
        let names = self.key_decisions().iter().map(|decision| one_line(&decision.what));
        names.collect::<Vec<_>>().join("; ")
    }

    /// The latest proposal, below a heading of level three.
    pub(super) fn proposed(&self) -> String {
        nested(&self.solution)
    }

    /// For the record, each part under a heading.
    pub fn in_full(&self) -> String {
        let mut text = String::new();
        // Writing to a String cannot fail.
        let title = match (self.is_decided, self.limited) {
            (false, _) => "The last proposal",
            (true, true) => "Best Available Consensus",
            (true, false) => "Solution",
        };
        let _ = write!(text, "\n### {title}\n\n{}\n", self.proposed());
        let decided = if self.is_decided { "Key decisions" } else { "Proposed, and not decided" };
        section(&mut text, decided, self.decisions.iter().map(reasoned));
        let options = if self.is_decided { "Rejected alternatives" } else { "Options considered" };
        section(&mut text, options, self.options.iter().map(reasoned));
        section(
            &mut text,
            "Resolved points",
            self.resolved
                .iter()
                .map(|spoken| format!("- {}: {} — {}", spoken.raised.id, spoken.raised.claim, spoken.why())),
        );
        section(&mut text, "Unresolved objections", self.unresolved.iter().map(Spoken::unresolved).chain(self.user()));
        if !self.repeated.is_empty() {
            let said = self.repeated.iter().map(|spoken| {
                let Raised { id, claim, .. } = &spoken.raised;
                let other = spoken.assessed.as_ref().and_then(|assessed| assessed.repeats).filter(|other| other != id);
                let of = other.map_or_else(|| "raised before".to_owned(), |other| format!("repeats {other}"));
                format!("- {id}, round {}: {claim} — {of}", spoken.round)
            });
            section(&mut text, "Repeated objections, which do not count as new", said);
        }
        if !self.miscited.is_empty() {
            let said = self.miscited.iter().map(|spoken| format!("- {} {}", spoken.raised.id, spoken.raised.claim));
            section(&mut text, "Objections with false citations, which do not count", said);
        }
        section(
            &mut text,
            "Dissent",
            self.dissent.iter().map(|spoken| {
                let Raised { id, severity, claim, .. } = &spoken.raised;
                let (round, why) = (spoken.round, spoken.why());
                format!(
                    "- {id} [{severity}], round {round}, in the advocate's words: {claim}\n  - The synthesizer: {why}"
                )
            }),
        );
        text
    }

    pub(super) fn user(&self) -> impl Iterator<Item = String> {
        self.concerns.iter().map(|concern| format!("- {concern}"))
    }
}

impl Spoken {
    pub(super) const fn id(&self) -> ObjectionId {
        self.raised.id
    }

    pub(super) fn unresolved(&self) -> String {
        let severity = self.raised.severity;
        let risk = severity.risk().to_uppercase();
        // Three words say less than four severities.
        let risk = if severity.risk() == severity.name() { risk } else { format!("{risk} ({severity})") };
        let mitigation = self.assessed.as_ref().and_then(|assessed| assessed.mitigation.as_deref());
        let mitigation = ended(mitigation.unwrap_or("none is named"));
        let claim = ended(&self.raised.claim);
        format!("- {claim} Risk: {risk}. Mitigation: {mitigation} The synthesizer: {}", ended(self.why()))
    }

    fn why(&self) -> &str {
        self.assessed.as_ref().map_or("it said nothing to this", |assessed| &assessed.why)
    }
}

/// Key decisions of a synthesis, or of a first proposal.
pub(super) fn decisions(text: &str) -> Vec<Reasoned> {
    // Which objections it assessed is known already.
    in_own_words(match (Synthesis::parse(text, &[], 0), Proposal::parse(text)) {
        (Ok(synthesis), _) => synthesis.decisions,
        (Err(_), Ok(proposal)) => proposal.decisions,
        (Err(_), Err(_)) => Vec::new(),
    })
}

/// What stood as not chosen in the checkpoint that a dossier quotes.
fn stood_in(dossier: &str) -> Vec<Reasoned> {
    let quoted: Vec<&str> = dossier.lines().filter_map(|line| line.strip_prefix("> ")).collect();
    let outline = Outline::parse(&quoted.join("\n"));
    let body = outline.find("Decisions").map(|at| outline.sections[at].body.as_slice()).unwrap_or_default();
    let below: Vec<String> = body.iter().filter(|line| is_nested(line)).cloned().collect();
    listed(&below)
}

/// The constraints that a dossier lists, each on one line.
fn constraints(dossier: &str) -> Vec<String> {
    let entries = Document::of(dossier).entries("Constraints").unwrap_or_default();
    let lines = entries.iter().map(|entry| one_line(&format!("{} {}", entry.first, entry.rest.join(" "))));
    lines.filter(|line| !line.is_empty()).collect()
}

/// Key decisions of the proposal before that the synthesis of a round names no more.
pub(super) fn left_out(state: &State, number: u32, round: u32) -> Vec<String> {
    let Some(text) = state.text(&Part::Synthesis.path(number, round)) else { return Vec::new() };
    let now = decisions(text);
    let before = state.proposal_before(number, round).map(decisions).unwrap_or_default();
    let is_gone = |decision: &Reasoned| !now.iter().any(|one| is_sentence(&one.what, &decision.what));
    before.into_iter().filter(is_gone).map(|decision| one_line(&decision.what)).collect()
}

fn reasoned(one: &Reasoned) -> String {
    format!("- {}: {}", one_line(&one.what), one_line(&one.why))
}

pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// As a sentence.
pub(super) fn ended(text: &str) -> String {
    let line = one_line(text);
    if line.ends_with(['.', '!', '?']) { line } else { format!("{line}.") }
}

/// A document below a heading of level three: its own headings go deeper.
fn nested(text: &str) -> String {
    let mut outline = Outline::parse(text.trim());
    for section in &mut outline.sections {
        let level = section.level();
        if let Some(heading) = section.heading.as_mut().filter(|_| level > 0) {
            *heading =
                format!("{} {}", "#".repeat((level + 3).min(6)), heading.trim_start().trim_start_matches('#').trim());
        }
    }
    outline.render().trim_end().to_owned()
}

fn section(text: &mut String, title: &str, lines: impl Iterator<Item = String>) {
    let lines: Vec<String> = lines.collect();
    let all = if lines.is_empty() { "None.".to_owned() } else { lines.join("\n") };
    // Writing to a String cannot fail.
    let _ = write!(text, "\n### {title}\n\n{all}\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn d17_constraints_of_a_dossier_are_the_list_below_that_heading() {
        let dossier = "# It\n\n## Constraints\n\n- No new service,\n  ever\n- One box\n\n## Other\n\n- not this\n";
        assert_eq!(constraints(dossier), ["No new service, ever", "One box"]);
        assert!(constraints("# It\n").is_empty());
    }
}
