//! The decisions that a step serves. A step cites them in its text, as `(decision 3)` or `(decisions 3, q-7f3k2a)`, by the
//! number or the id of the question; what they say is looked up each time, so that nothing is said twice in a file.

use std::fmt;

use serde::Serialize;

use super::Step;
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
    let found = |key: &DecisionKey| {
        let asked = session.transcript.asked.iter().find(|asked| key.names(asked.number, &asked.question.id));
        asked.and_then(decided)
    };
    let look = |key: DecisionKey| {
        let (question, answer) = found(&key).unzip();
        Served { decision: key.to_string(), question, answer }
    };
    cited(step.text.as_str()).into_iter().map(look).collect()
}

/// What was asked and what was decided, in short; none where nothing is.
fn decided(asked: &Asked) -> Option<(Line, Line)> {
    let answer = asked.holding().last().filter(|answer| answer.kind != AnswerKind::Unknown)?;
    Some((Line::clipped(asked.question.text.as_str()), Line::clipped(answer.text.as_str())))
}
