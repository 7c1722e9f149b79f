//! What the user says in a round: an answer to the question that is due, a reply to a role, or that the last one was wrong (D8,
//! D10).

use super::command::open;
use super::event::Event;
use super::refusal::Refusal as Own;
use super::round::{Asked, Due, Heard, Hearing, Round};
use super::shown::next_in_words;
use super::state::Debate;
use crate::domain::refusal::Refusal;
use crate::domain::session::Session;
use crate::domain::text::Prose;

const NOT_RECORDED: &str = "the answer was not recorded";

/// What the user said in a round so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answers {
    heard: Vec<Heard>,
    asked: Vec<Asked>,
}

impl Answers {
    /// Those of the round that goes on.
    pub fn of(debate: &Debate) -> Self {
        let of = |round: &Round| Self { heard: round.heard.clone(), asked: round.asked.clone() };
        debate.last().map(of).unwrap_or_default()
    }
}

pub(super) fn answered(
    session: &Session,
    round: u32,
    question: Hearing,
    yes: bool,
    words: Option<&Prose>,
) -> Result<Vec<Event>, Refusal> {
    let (_, debate) = open(session)?;
    if debate.course().round() != round || debate.due() != Some(Due::Hearing(question)) {
        return Err(Own::OutOfTurn { deed: NOT_RECORDED, next: next_in_words(debate) }.into());
    }
    if yes && question.needs_words() && words.is_none() {
        return Err(Own::WordsMissing { question }.into());
    }
    Ok(vec![Event::DebateAnswered { round, question, yes, words: words.cloned() }])
}

pub(super) fn replied(
    session: &Session,
    round: u32,
    number: u32,
    words: Option<&Prose>,
) -> Result<Vec<Event>, Refusal> {
    let (_, debate) = open(session)?;
    let is_due = matches!(debate.due(), Some(Due::Role(due, _)) if due == number);
    if debate.course().round() != round || !is_due {
        return Err(Own::OutOfTurn { deed: NOT_RECORDED, next: next_in_words(debate) }.into());
    }
    Ok(vec![Event::DebateReplied { round, number, words: words.cloned() }])
}

pub(super) fn taken_back(session: &Session, round: u32) -> Result<Vec<Event>, Refusal> {
    const DEED: &str = "no answer was taken back";
    let (_, debate) = open(session)?;
    if debate.course().round() != round || debate.last_answered().is_none() {
        let next = format!("no answer of yours waits for the synthesizer; {}", next_in_words(debate));
        return Err(Own::OutOfTurn { deed: DEED, next }.into());
    }
    Ok(vec![Event::DebateAnswerTakenBack { round }])
}
