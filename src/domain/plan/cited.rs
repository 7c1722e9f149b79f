//! The decisions that a step serves. A step cites them in its text, as `(decision 3)` or `(decisions 3, q-7f3k2a)`, by
//! the number or the id of the question. The answer is looked up each time, so that no file repeats it; a plan that was
//! taken over brings the answers with it.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Step, Steps};
use crate::domain::harmless::harmless;
use crate::domain::ids::QuestionId;
use crate::domain::interview::{AnswerKind, TranscriptEntry};
use crate::domain::session::Session;
use crate::domain::text::Line;

/// The name by which a step cites a decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DecisionKey {
    /// The display number of its question.
    Number(u32),
    Id(QuestionId),
}

impl DecisionKey {
    fn parse(name: &str) -> Option<Self> {
        if let Ok(id) = QuestionId::parse(name) {
            return Some(Self::Id(id));
        }
        let is_number = name.bytes().all(|byte| byte.is_ascii_digit());
        name.parse::<u32>().ok().filter(|number| is_number && *number > 0).map(Self::Number)
    }

    fn names(&self, number: u32, id: &QuestionId) -> bool {
        match self {
            Self::Number(own) => *own == number,
            Self::Id(own) => own == id,
        }
    }
}

impl fmt::Display for DecisionKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Id(id) => write!(f, "{id}"),
        }
    }
}

/// The decisions that a text cites, each once, in text order.
pub fn cited(text: &str) -> Vec<DecisionKey> {
    let mut found: Vec<DecisionKey> = Vec::new();
    for opened in text.split('(').skip(1) {
        let inside = opened.split_once(')').map_or("", |(inside, _)| inside);
        for key in keys(inside) {
            if !found.contains(&key) {
                found.push(key);
            }
        }
    }
    found
}

/// The names in a pair of brackets; none where the brackets contain anything else.
fn keys(inside: &str) -> Vec<DecisionKey> {
    let Some((word, names)) = inside.trim().split_once(char::is_whitespace) else {
        return Vec::new();
    };
    if !["decision", "decisions"].iter().any(|known| word.eq_ignore_ascii_case(known)) {
        return Vec::new();
    }
    let names = names.replace(" and ", ",");
    names.split(',').map(|name| DecisionKey::parse(name.trim())).collect::<Option<Vec<_>>>().unwrap_or_default()
}

/// The text that cites these decisions in a step; empty without any.
pub fn citation(numbers: &[u32]) -> String {
    let listed: Vec<String> = numbers.iter().map(u32::to_string).collect();
    match listed.as_slice() {
        [] => String::new(),
        [one] => format!("(decision {one})"),
        several => format!("(decisions {})", several.join(", ")),
    }
}

/// A decision that a step cites.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Served {
    /// The number or id by which the step cites it.
    pub decision: String,
    /// The question in short; none where there is no such decision.
    pub question: Option<Line>,
    /// The answer in short; none where there is no such decision.
    pub answer: Option<Line>,
}

impl Served {
    /// The line that is shown below the step.
    pub fn line(&self) -> String {
        match &self.answer {
            Some(answer) => format!("serves decision {}: {}", self.decision, harmless(answer.as_str())),
            None => format!("cites decision {}, which is not known here", self.decision),
        }
    }
}

/// The decisions that a step of the session's plan cites, in text order.
pub fn served(session: &Session, step: &Step) -> Vec<Served> {
    let look = |key: DecisionKey| {
        let (question, answer) = of_plan(session, &key).map(|found| (found.question, found.answer)).unzip();
        Served { decision: key.to_string(), question, answer }
    };
    cited(step.text.as_str()).into_iter().map(look).collect()
}

/// The most decisions that are kept with a plan that was taken over.
pub const MOST_KEPT: usize = 50;

/// A decision of another session, in short: kept with the plan that cites it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptDecision {
    /// The display number of its question there.
    pub number: u32,
    pub id: QuestionId,
    pub question: Line,
    pub answer: Line,
}

impl KeptDecision {
    /// The decision on a question; none where it is not decided.
    fn of(asked: &TranscriptEntry) -> Option<Self> {
        let answer = asked.holding().last().filter(|answer| answer.kind != AnswerKind::Unknown)?;
        Some(Self {
            number: asked.number,
            id: asked.question.id.clone(),
            question: Line::clipped(asked.question.text.as_str()),
            answer: Line::clipped(answer.text.as_str()),
        })
    }
}

/// The decisions that a plan cites, as far as `find` knows them, at most [`MOST_KEPT`].
pub fn keep(steps: &Steps, find: impl Fn(&DecisionKey) -> Option<KeptDecision>) -> Vec<KeptDecision> {
    let mut kept: Vec<KeptDecision> = Vec::new();
    for text in steps.texts() {
        for found in cited(text.as_str()).iter().filter_map(&find) {
            if kept.len() < MOST_KEPT && !kept.iter().any(|one| one.id == found.id) {
                kept.push(found);
            }
        }
    }
    kept
}

pub fn of_interview(session: &Session, key: &DecisionKey) -> Option<KeptDecision> {
    let asked = session.transcript.asked.iter().find(|asked| key.names(asked.number, &asked.question.id))?;
    KeptDecision::of(asked)
}

/// A decision that the session's plan cites. It is looked up in the session that the plan was taken from, else in the
/// session's own interview.
pub fn of_plan(session: &Session, key: &DecisionKey) -> Option<KeptDecision> {
    match session.own.plan.taken_from() {
        Some((id, kept)) if *id != session.id => kept.iter().find(|one| key.names(one.number, &one.id)).cloned(),
        Some(_) | None => of_interview(session, key),
    }
}
