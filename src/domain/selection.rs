//! The output-selection gate: why the interview is ready, and what could come out of it (G26 to G30).

use crate::domain::text::counted;
use serde::{Deserialize, Serialize};

use super::actor::Actor;
use super::concern::{Concern, ConcernKind};
use super::question::Alternatives;
use super::settings::{Destination, Strategy};
use super::text::{Line, Prose};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gate {
    /// Why the interview is ready to end, or what is missing.
    pub rationale: Prose,
    /// Recommended destinations; empty is "none".
    pub recommended_outputs: Vec<Destination>,
    /// Recommended strategy; a recommendation, never a default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recommended_strategy: Option<Strategy>,
    pub question: Prose,
    /// Replies that can be taken over.
    pub alternatives: Alternatives,
    /// What speaks against believing it too quickly; found by us, whoever opens the gate.
    #[serde(default, skip_serializing_if = "Findings::is_unset")]
    pub findings: Findings,
}

impl Gate {
    /// Why these outputs, and what speaks against them. An agent's rationale does not say who answered, and ours does.
    pub fn reasons(&self) -> (&str, Vec<String>) {
        let said = self.rationale.as_str();
        (said, self.findings.in_words().into_iter().filter(|line| !said.contains(line.as_str())).collect())
    }
}

/// What a reader of the gate should know about what it stands on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Findings {
    /// Answers that hold.
    pub answers: u32,
    /// Those of them that are "I don't know" (G10).
    #[serde(skip_serializing_if = "is_none")]
    pub unknown: u32,
    /// Those of them that a command without a terminal gave (G30).
    #[serde(skip_serializing_if = "is_none")]
    pub unattended: u32,
    /// Those of them that an agent reported.
    #[serde(skip_serializing_if = "is_none")]
    pub reported: u32,
    /// Those of them that are the recommendation, word for word.
    #[serde(skip_serializing_if = "is_none")]
    pub as_recommended: u32,
    /// Those of them that took the recommendation before anybody could have read it, in requests of an earlier version.
    /// Nothing counts them any more.
    pub unread: u32,
    /// Questions of an agent that recommended nothing (G8).
    #[serde(skip_serializing_if = "is_none")]
    pub unrecommended: u32,
    /// Questions of an agent with an alternative that gives no reason (G8).
    #[serde(skip_serializing_if = "is_none")]
    pub unreasoned: u32,
    /// Sentences of the checkpoint that no answer supports; the first few.
    pub unsupported: Vec<Line>,
    pub unsupported_more: u32,
    /// Answers that stand on a place which is not what it was; the first few.
    pub doubted: Vec<Doubted>,
    pub doubted_more: u32,
    /// The referee's concerns about an interview that an agent leads, those aside that a person waved through; the first
    /// [`Findings::MOST_CONCERNS`].
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub concerns: Vec<Concern>,
    #[serde(skip_serializing_if = "is_none")]
    pub concerns_more: u32,
    /// The numbers of the questions where a report of the agent replaced an answer that the person gave to git grill.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub replaced: Vec<u32>,
}

/// An answer that stands on a place which is not what it was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Doubted {
    /// The number of the question.
    pub question: u32,
    pub answer: Line,
    /// What became of the places that the question cited.
    pub since: Line,
}

impl Findings {
    /// The most concerns that are kept with a gate: they are stored with the session, whose file is bounded.
    pub const MOST_CONCERNS: usize = 20;

    /// Whether it reads back the same when it is not written at all; a number of answers alone does not.
    fn is_unset(&self) -> bool {
        *self == Self::default()
    }

    /// One sentence for each kind of finding: who answered, then what speaks against it.
    pub fn in_words(&self) -> Vec<String> {
        let mut lines = self.provenance();
        lines.extend(self.doubts());
        lines
    }

    /// The source of the answers that are not a person's own words (G30).
    pub fn provenance(&self) -> Vec<String> {
        [
            (self.unknown, "“I don't know”, which is still to be found out"),
            (self.unattended, "given unattended, with no person at a terminal"),
            (self.reported, "reported by an agent"),
            (self.as_recommended, "the recommendation, word for word"),
        ]
        .into_iter()
        .filter(|(some, _)| *some > 0)
        .map(|(some, what)| {
            let were = if some == 1 { "was" } else { "were" };
            format!("{} {were} {what}.", self.of_all(some))
        })
        .collect()
    }

    /// Some of the answers, in words.
    fn of_all(&self, some: u32) -> String {
        let answers = if self.answers == 1 { "answer" } else { "answers" };
        format!("{some} of {} {answers}", self.answers)
    }

    pub fn doubts(&self) -> Vec<String> {
        let mut lines = Vec::new();
        let questions = |count: u32| counted(count, "question");
        if self.unrecommended > 0 {
            lines.push(format!("The agent put {} without a recommendation.", questions(self.unrecommended)));
        }
        if self.unreasoned > 0 {
            lines.push(format!("The agent put {} with alternatives that give no reason.", questions(self.unreasoned)));
        }
        if !self.unsupported.is_empty() {
            let named: Vec<String> = self.unsupported.iter().map(|line| format!("“{line}”")).collect();
            let more = more(self.unsupported_more);
            lines.push(format!("No answer supports this in the checkpoint: {}{more}", named.join(", ")));
        }
        for Doubted { question, answer, since } in &self.doubted {
            lines.push(format!(
                "In doubt: question {question} (“{answer}”), since {since}; git grill back {question} asks it again."
            ));
        }
        if self.doubted_more > 0 {
            lines.push(format!("{} more answers stand on places that are not what they were.", self.doubted_more));
        }
        let numbers: Vec<String> = self.replaced.iter().map(ToString::to_string).collect();
        if !numbers.is_empty() {
            lines.push(format!("The agent's report replaced an answer of your own: question {}.", numbers.join(", ")));
        }
        lines.extend(self.seen());
        lines
    }

    /// The first concerns in words, those aside that are findings already.
    fn seen(&self) -> Vec<String> {
        const SHOWN: usize = 8;
        let told = |concern: &&Concern| match concern.kind {
            ConcernKind::Citation | ConcernKind::Unsaid | ConcernKind::Vague | ConcernKind::Area => false,
            ConcernKind::Contradiction
            | ConcernKind::Dropped
            | ConcernKind::Misstated
            | ConcernKind::Stale
            | ConcernKind::Unconfirmed
            | ConcernKind::Place
            | ConcernKind::Challenge
            | ConcernKind::Skipped
            | ConcernKind::Open
            | ConcernKind::Unasked => true,
        };
        let all: Vec<&Concern> = self.concerns.iter().filter(told).collect();
        let mut lines: Vec<String> =
            all.iter().take(SHOWN).map(|one| format!("The rules see ({}): {}.", one.name, one.says)).collect();
        let areas = self.concerns.iter().filter(|one| one.kind == ConcernKind::Area);
        let areas: Vec<&str> = areas.map(|one| one.name.as_str()).collect();
        if !areas.is_empty() {
            lines.push(format!("No question was about these yet: {}.", areas.join(", ")));
        }
        if all.len() > SHOWN || self.concerns_more > 0 {
            lines.push("The rules see more; git grill waive lists all of it.".to_owned());
        }
        lines
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
fn is_none(count: &u32) -> bool {
    *count == 0
}

fn more(number: u32) -> String {
    if number == 0 { ".".to_owned() } else { format!(", and {number} more.") }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Selection {
    pub gate: Gate,
    /// What somebody without the right to decide asked for; it waits for a person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request: Option<Request>,
    /// The output phase that was opened in another clone: its drafts are gone on with when its very plan is granted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kept: Option<Box<super::production::Production>>,
}

/// A decision that somebody asked for and only a person may take (G30, G40).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    pub wanted: Wanted,
    pub by: Actor,
}

/// What a pending request asks for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Wanted {
    /// To open the output phase with this plan.
    Outputs(super::production::Plan),
    Stop {
        /// What the asker said about the choice.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        summary: Option<Line>,
    },
}
