//! The decisions that a step serves. A step cites them in its text, as `(decision 3)` or `(decisions 3, q-7f3k2a)`, by the
//! number or the id of the question; what they say is looked up each time, so that nothing is said twice in a file. A plan that was taken over brings what they said.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Step, Steps};
use crate::domain::harmless::harmless;
use crate::domain::ids::QuestionId;
use crate::domain::interview::{AnswerKind, Asked};
use crate::domain::session::Session;
use crate::domain::text::Line;

/// The name by which a step cites a decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DecisionKey {
    /// The display number of its question.
    Number(u32),
    /// The id of its question.
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

/// The decisions that a text cites, each once, in the order of the text.
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

/// The names in a pair of brackets; none where anything else stands there too.
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

/// The citation of decisions by their numbers, as a step has it; empty without any.
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
    /// Its name, as it is cited.
    pub decision: String,
    /// The question in short; none where no decision is known by that name.
    pub question: Option<Line>,
    /// The answer in short; none where no decision is known by that name.
    pub answer: Option<Line>,
}

impl Served {
    /// The line below a step.
    pub fn line(&self) -> String {
        match &self.answer {
            Some(answer) => format!("serves decision {}: {}", self.decision, harmless(answer.as_str())),
            None => format!("cites decision {}, which is not known here", self.decision),
        }
    }
}

/// The decisions that a step of the session's plan cites, in the order of its text.
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
    /// The id of its question.
    pub id: QuestionId,
    /// What was asked.
    pub question: Line,
    /// What was decided.
    pub answer: Line,
}

impl KeptDecision {
    /// What was decided on a question; none where nothing is.
    fn of(asked: &Asked) -> Option<Self> {
        let answer = asked.holding().last().filter(|answer| answer.kind != AnswerKind::Unknown)?;
        Some(Self {
            number: asked.number,
            id: asked.question.id.clone(),
            question: Line::clipped(asked.question.text.as_str()),
            answer: Line::clipped(answer.text.as_str()),
        })
    }
}

/// The decisions that a plan cites, as far as they are found and fit.
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

/// A decision of the session's own interview.
pub fn of_interview(session: &Session, key: &DecisionKey) -> Option<KeptDecision> {
    let asked = session.transcript.asked.iter().find(|asked| key.names(asked.number, &asked.question.id))?;
    KeptDecision::of(asked)
}

/// A decision that the session's plan cites: of the session that the plan was taken from, else of its own interview.
pub fn of_plan(session: &Session, key: &DecisionKey) -> Option<KeptDecision> {
    match session.own.plan.taken_from() {
        Some((id, kept)) if *id != session.id => kept.iter().find(|one| key.names(one.number, &one.id)).cloned(),
        Some(_) | None => of_interview(session, key),
    }
}
