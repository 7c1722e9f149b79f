//! What the user says in a round: an answer to the question that is due, a reply to a role, or that the last one was wrong (D8,
//! D10).

use super::command::shown;
use super::due::{DebateRound, Due};
use super::event::Event;
use super::refusal::Refusal as Own;
use super::round::{Asked, Heard, Hearing, Round};
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
    turn: DebateRound,
    question: Hearing,
    yes: bool,
    words: Option<&Prose>,
) -> Result<Vec<Event>, Refusal> {
    let debate = shown(session, turn.debate, NOT_RECORDED)?;
    let round = turn.round;
    if debate.course().round() != round || debate.due() != Some(Due::Hearing(question)) {
        return Err(overtaken(debate, round).into());
    }
    if yes && question.needs_words() && words.is_none() {
        return Err(Own::WordsMissing { question }.into());
    }
    Ok(vec![Event::DebateAnswered { round, question, yes, words: words.cloned() }])
}

pub(super) fn replied(
    session: &Session,
    turn: DebateRound,
    number: u32,
    words: Option<&Prose>,
) -> Result<Vec<Event>, Refusal> {
    let debate = shown(session, turn.debate, NOT_RECORDED)?;
    let round = turn.round;
    let is_due = matches!(debate.due(), Some(Due::Role(due, _)) if due == number);
    if debate.course().round() != round || !is_due {
        return Err(overtaken(debate, round).into());
    }
    Ok(vec![Event::DebateReplied { round, number, words: words.cloned() }])
}

/// That another process was faster: what it did, and what is due now.
fn overtaken(debate: &Debate, round: u32) -> Own {
    let now = debate.course().round();
    let what = if now != round {
        format!("round {round} was answered elsewhere, and the debate is in round {now}")
    } else if debate.due().is_none() {
        format!("round {round} was answered elsewhere")
    } else {
        format!("the answers of round {round} changed elsewhere")
    };
    Own::OutOfTurn { deed: NOT_RECORDED, next: format!("{what}; {}", next_in_words(debate)) }
}

pub(super) fn taken_back(session: &Session, turn: DebateRound) -> Result<Vec<Event>, Refusal> {
    const DEED: &str = "no answer was taken back";
    let debate = shown(session, turn.debate, DEED)?;
    let round = turn.round;
    if debate.course().round() != round || debate.last_answered().is_none() {
        let next = format!("no answer of yours waits for the synthesizer; {}", next_in_words(debate));
        return Err(Own::OutOfTurn { deed: DEED, next }.into());
    }
    Ok(vec![Event::DebateAnswerTakenBack { round }])
}
