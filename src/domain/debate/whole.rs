//! A debate round by round, as programs read it. The page sets out the same objections, so that the two say the same.

use jiff::Timestamp;
use serde::Serialize;

use super::attack::Verdict;
use super::conclusions::{Conclusions, Spoken, decisions, left_out};
use super::fate::Fate;
use super::objection::{ObjectionId, Severity};
use super::part::Part;
use super::proposal::Reasoned;
use super::role::Player;
use super::round::{Cost, Failed, Looked, Raised, Round, answered_by};
use super::shown::{decision, ended_in_words, termination};
use super::state::{Debate, State};
use super::synthesis::{Assessed, Recommendation};
use crate::domain::text::{Line, Prose};

/// The rounds of a debate, and how it ended, if it did.
#[derive(Serialize)]
pub struct Whole<'d> {
    pub rounds: Vec<Played<'d>>,
    pub ending: Option<Ended>,
}

/// An objection, how it was judged, and what became of it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Objected<'d> {
    pub id: ObjectionId,
    pub round: u32,
    pub facet: &'d str,
    pub claim: &'d str,
    pub severity: Severity,
    pub evidence: Vec<Checked<'d>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub assessed: Option<&'d Assessed>,
    pub outcome: String,
}

/// A piece of evidence with the result of its check, also in words.
#[derive(Serialize)]
pub struct Checked<'d> {
    #[serde(flatten)]
    pub looked: &'d Looked,
    pub check: String,
}

/// One round.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Played<'d> {
    round: u32,
    texts: Vec<Written<'d>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    verdict: Option<Verdict>,
    /// Those of the proposal as it stands after the round.
    decisions: Vec<Reasoned>,
    /// Decisions of the proposal before that the synthesis names no more.
    omitted: Vec<String>,
    lacks_specificity: bool,
    objections: Vec<Objected<'d>>,
    answers: Vec<Answer<'d>>,
    /// The synthesizer's answers to the user's concerns.
    synthesizer_answers: &'d [Prose],
    #[serde(skip_serializing_if = "Option::is_none")]
    recommends: Option<Recommendation>,
    #[serde(skip_serializing_if = "Option::is_none")]
    scope_changed: Option<&'d Line>,
    failures: &'d [Failed],
}

/// A text of a role.
#[derive(Serialize)]
struct Written<'d> {
    part: Part,
    by: &'d Player,
    at: Timestamp,
    /// Where it lies in a commit of the session.
    path: String,
    cost: &'d Cost,
}

/// A question to the user, and what came of it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Answer<'d> {
    question: &'d str,
    /// The role that asks it; none of them asks the three questions of every round.
    #[serde(skip_serializing_if = "Option::is_none")]
    asked_by: Option<&'static str>,
    /// None where a role asks; then there are words, or the question is left to the role.
    #[serde(skip_serializing_if = "Option::is_none")]
    yes: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    words: Option<&'d Prose>,
    left_to_the_role: bool,
    /// None where it is not answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    by: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<Timestamp>,
}

/// How a debate ended, and with what.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Ended {
    termination: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    decision: Option<&'static str>,
    in_words: String,
    /// Each decision about the debate, the oldest first.
    decisions: Vec<DecidedBy>,
    decided: Vec<Reasoned>,
    rejected: Vec<Reasoned>,
    unresolved: Vec<ObjectionId>,
    /// Concerns and overrides that the user, or the proxy, had in the last round.
    concerns: Vec<String>,
}

/// A decision about a debate.
#[derive(Serialize)]
struct DecidedBy {
    at: Timestamp,
    decision: &'static str,
    by: String,
}

impl<'d> Objected<'d> {
    /// The objection as it was raised in a round.
    pub fn of(debate: &Debate, round: u32, played: &'d Round, raised: &'d Raised) -> Self {
        let checked = |looked: &'d Looked| Checked { looked, check: looked.find.in_words() };
        Self {
            id: raised.id,
            round,
            facet: &raised.facet,
            claim: &raised.claim,
            severity: raised.severity,
            evidence: raised.evidence.iter().map(checked).collect(),
            assessed: played.assessment(raised.id),
            outcome: Fate::of(debate, round, played, raised).in_words(),
        }
    }

    /// Each time that it was raised, the first one first.
    pub fn each(debate: &'d Debate, id: ObjectionId) -> Vec<Self> {
        let of_round = |(round, played): (u32, &'d Round)| {
            let raised = played.raised.iter().find(|raised| raised.id == id)?;
            Some(Self::of(debate, round, played, raised))
        };
        debate.numbered().filter_map(of_round).collect()
    }
}

impl<'d> Whole<'d> {
    pub fn of(state: &State, number: u32, debate: &'d Debate) -> Self {
        let rounds = debate.numbered();
        Self {
            rounds: rounds.map(|(round, played)| Played::of(state, (number, debate), round, played)).collect(),
            ending: Ended::of(state, number, debate),
        }
    }
}

impl<'d> Played<'d> {
    fn of(state: &State, (number, debate): (u32, &'d Debate), round: u32, played: &'d Round) -> Self {
        let texts = played.given.iter().map(|given| Written {
            part: given.part,
            by: &given.by,
            at: given.at,
            path: format!(".grill/debate/{}", given.part.path(number, round)),
            cost: &given.cost,
        });
        let text = |part: Part| state.text(&part.path(number, round));
        let proposal = text(Part::Synthesis).or_else(|| text(Part::Proposal));
        Self {
            round,
            texts: texts.collect(),
            verdict: played.verdict,
            decisions: proposal.map(decisions).unwrap_or_default(),
            omitted: left_out(state, number, round),
            lacks_specificity: state.is_weak(number, round),
            objections: played.raised.iter().map(|raised| Objected::of(debate, round, played, raised)).collect(),
            answers: answers(played),
            synthesizer_answers: &played.answered,
            recommends: played.recommends,
            scope_changed: played.scope_changed.as_ref(),
            failures: &played.failures,
        }
    }
}

/// What the user was asked in a round.
fn answers(played: &Round) -> Vec<Answer<'_>> {
    let heard = played.heard.iter().map(|heard| Answer {
        question: heard.question.question(),
        asked_by: None,
        yes: Some(heard.yes),
        words: heard.words.as_ref(),
        left_to_the_role: false,
        by: Some(answered_by(&heard.by, heard.proxy.as_ref())),
        at: Some(heard.at),
    });
    let asked = played.asked.iter().map(|asked| {
        let reply = asked.reply.as_ref();
        Answer {
            question: asked.question.as_str(),
            asked_by: Some(asked.part.role().name()),
            yes: None,
            words: reply.and_then(|reply| reply.words.as_ref()),
            left_to_the_role: reply.is_some_and(|reply| reply.words.is_none()),
            by: reply.map(|reply| answered_by(&reply.by, reply.proxy.as_ref())),
            at: reply.map(|reply| reply.at),
        }
    });
    heard.chain(asked).collect()
}

impl Ended {
    fn of(state: &State, number: u32, debate: &Debate) -> Option<Self> {
        let ending = debate.ending()?;
        let came_to = Conclusions::of(state, number, debate);
        let decisions = debate.decided.iter().map(|decided| DecidedBy {
            at: decided.at,
            decision: decided.decision.in_words(),
            by: answered_by(&decided.by, decided.proxy.as_ref()),
        });
        Some(Self {
            termination: termination(ending),
            decision: decision(debate),
            in_words: ended_in_words(debate, ending),
            decisions: decisions.collect(),
            decided: came_to.key_decisions().to_vec(),
            unresolved: came_to.unresolved.iter().map(Spoken::id).collect(),
            rejected: came_to.rejected().to_vec(),
            concerns: came_to.concerns,
        })
    }
}
