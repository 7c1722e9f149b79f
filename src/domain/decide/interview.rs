//! Deciding on questions and answers.

use jiff::Timestamp;

use crate::domain::actor::Actor;
use crate::domain::command::Reply;
use crate::domain::event::Event;
use crate::domain::ids::{AnswerId, QuestionId};
use crate::domain::interview::{Answer, AnswerKind, Asked, Standing, says_unknown};
use crate::domain::question::Question;
use crate::domain::refusal::Refusal;
use crate::domain::session::{Floor, Phase, Session};
use crate::domain::text::{Line, Prose};

use super::{Decision, wrong_phase};

/// A reply as it was given.
pub(super) struct Given<'a> {
    pub question: &'a QuestionId,
    pub id: &'a AnswerId,
    pub reply: &'a Reply,
    pub note: Option<&'a Prose>,
    pub read_ms: Option<u64>,
}

/// Questions come from the interviewer: the built-in one or an agent.
fn only_interviewers(actor: &Actor, deed: &'static str) -> Result<(), Refusal> {
    match actor {
        Actor::System | Actor::Agent(_) => Ok(()),
        Actor::Human | Actor::Unattended => Err(Refusal::NotYours { deed, by: actor.clone() }),
    }
}

/// Answers and moves come from whoever speaks for the person, never from us.
fn only_respondents(actor: &Actor, deed: &'static str) -> Result<(), Refusal> {
    match actor {
        Actor::Human | Actor::Unattended | Actor::Agent(_) => Ok(()),
        Actor::System => Err(Refusal::NotYours { deed, by: actor.clone() }),
    }
}

/// Checks that the floor is free for a question.
fn free_floor(session: &Session, deed: &'static str) -> Result<(), Refusal> {
    match &session.phase {
        Phase::Interview(Floor::Free) => Ok(()),
        Phase::Interview(Floor::Question { question }) => Err(Refusal::QuestionOpen {
            question: question.clone(),
            number: session.transcript.get(question).map_or(0, |asked| asked.number),
        }),
        Phase::Interview(Floor::Discussion { .. }) => Err(Refusal::InDiscussion { deed }),
        Phase::Selection(_) | Phase::Production(_) | Phase::Closed { .. } => Err(wrong_phase(session, deed)),
    }
}

/// Checks that `shown` is the open question, and returns it.
fn open<'a>(session: &'a Session, shown: &QuestionId, deed: &'static str) -> Result<&'a Asked, Refusal> {
    match &session.phase {
        Phase::Interview(Floor::Question { question }) if question == shown => {
            session.transcript.get(question).ok_or_else(|| Refusal::NoSuchQuestion { question: question.clone() })
        }
        Phase::Interview(Floor::Question { question }) => gone(session, shown, Some(question)),
        Phase::Interview(Floor::Free) => gone(session, shown, None),
        Phase::Interview(Floor::Discussion { .. }) => Err(Refusal::InDiscussion { deed }),
        Phase::Selection(_) | Phase::Production(_) | Phase::Closed { .. } => Err(wrong_phase(session, deed)),
    }
}

fn gone<'a>(session: &Session, shown: &QuestionId, open: Option<&QuestionId>) -> Result<&'a Asked, Refusal> {
    if session.transcript.get(shown).is_none() {
        return Err(Refusal::NoSuchQuestion { question: shown.clone() });
    }
    Err(Refusal::QuestionGone { shown: shown.clone(), open: open.cloned() })
}

/// One question at a time (Q13), and none before the checkpoint knows the last answer (G24).
pub(super) fn ask(session: &Session, actor: &Actor, question: &Question, unchanged: Option<&Line>) -> Decision {
    const DEED: &str = "asking a question";
    only_interviewers(actor, DEED)?;
    free_floor(session, DEED)?;
    if session.transcript.get(&question.id).is_some() {
        return Err(Refusal::QuestionExists { question: question.id.clone() });
    }
    if session.checkpoint_due && unchanged.is_none() && matches!(actor, Actor::Agent(_)) {
        return Err(Refusal::CheckpointDue);
    }
    Ok(vec![Event::QuestionAsked { question: Box::new(question.clone()), unchanged: unchanged.cloned() }])
}

/// Puts an earlier question again. Only a stale one may be worded anew: the answers of any other stand on its wording.
pub(super) fn reopen(session: &Session, actor: &Actor, question: &Question) -> Decision {
    const DEED: &str = "asking a question again";
    only_interviewers(actor, DEED)?;
    free_floor(session, DEED)?;
    let Some(asked) = session.transcript.get(&question.id) else {
        return Err(Refusal::NoSuchQuestion { question: question.id.clone() });
    };
    let same_wording = asked.question == *question;
    if session.to_reopen() != Some(&question.id) || !(same_wording || asked.standing == Standing::Stale) {
        return Err(Refusal::NothingToReopen { question: question.id.clone() });
    }
    Ok(vec![Event::QuestionReopened { question: Box::new(question.clone()) }])
}

/// Records a reply; every answer that held before is superseded, none is lost.
pub(super) fn answer(session: &Session, actor: &Actor, at: Timestamp, given: &Given<'_>) -> Decision {
    const DEED: &str = "answering";
    only_respondents(actor, DEED)?;
    let asked = open(session, given.question, DEED)?;
    if session.transcript.asked.iter().flat_map(|one| &one.answers).any(|answer| answer.id == *given.id) {
        return Err(Refusal::AnswerExists { answer: given.id.clone() });
    }
    let (text, kind) = match given.reply {
        Reply::Unknown => (unknown(), AnswerKind::Unknown),
        Reply::Text(text) => (text.clone(), kind_of(asked, text)),
    };
    // What an agent passes on is its report of what the person said, whatever it looks like (G24).
    let kind = match (actor, kind) {
        (Actor::Agent(_), AnswerKind::Alternative | AnswerKind::Own | AnswerKind::Reported) => AnswerKind::Reported,
        (Actor::Agent(_), AnswerKind::Unknown) | (Actor::Human | Actor::Unattended | Actor::System, _) => kind,
    };
    Ok(vec![Event::QuestionAnswered {
        answer: Box::new(Answer {
            id: given.id.clone(),
            question: given.question.clone(),
            kind,
            text,
            note: given.note.cloned(),
            by: actor.clone(),
            at,
            // What an agent or a script passes on was read by nobody whom we watched.
            read_ms: given.read_ms.filter(|_| *actor == Actor::Human),
            supersedes: asked.holding().map(|earlier| earlier.id.clone()).collect(),
        }),
    }])
}

fn kind_of(asked: &Asked, text: &Prose) -> AnswerKind {
    if asked.question.alternatives.as_slice().iter().any(|one| one.value == *text) {
        AnswerKind::Alternative
    } else if says_unknown(text.as_str()) {
        AnswerKind::Unknown
    } else {
        AnswerKind::Own
    }
}

fn unknown() -> Prose {
    Prose::parse("the reply", "I don't know").expect("a constant that is not blank")
}

/// Closes the open question without an answer.
pub(super) fn close_question(
    session: &Session,
    actor: &Actor,
    question: &QuestionId,
    deed: &'static str,
    event: Event,
) -> Decision {
    only_respondents(actor, deed)?;
    open(session, question, deed)?;
    Ok(vec![event])
}

/// Opens a conversation; an open question stays open behind it (Q12).
pub(super) fn discuss(session: &Session, actor: &Actor) -> Decision {
    const DEED: &str = "opening a discussion";
    only_respondents(actor, DEED)?;
    match &session.phase {
        Phase::Interview(Floor::Free) => Ok(vec![Event::DiscussionOpened { about: None }]),
        Phase::Interview(Floor::Question { question }) => {
            Ok(vec![Event::DiscussionOpened { about: Some(question.clone()) }])
        }
        Phase::Interview(Floor::Discussion { .. }) => Ok(vec![]),
        Phase::Selection(_) | Phase::Production(_) | Phase::Closed { .. } => Err(wrong_phase(session, DEED)),
    }
}

/// Comes back from the conversation.
pub(super) fn end_discussion(session: &Session, actor: &Actor, summary: &Prose) -> Decision {
    const DEED: &str = "ending a discussion";
    only_respondents(actor, DEED)?;
    match &session.phase {
        Phase::Interview(Floor::Discussion { .. }) => Ok(vec![Event::DiscussionEnded { summary: summary.clone() }]),
        Phase::Interview(Floor::Free | Floor::Question { .. }) => Err(Refusal::NoDiscussion),
        Phase::Selection(_) | Phase::Production(_) | Phase::Closed { .. } => Err(wrong_phase(session, DEED)),
    }
}

/// Returns to an earlier question, from the interview or from the gate (G46); answers are kept (G52).
pub(super) fn back(session: &Session, actor: &Actor, to: &QuestionId) -> Decision {
    const DEED: &str = "going back";
    only_respondents(actor, DEED)?;
    match &session.phase {
        Phase::Interview(Floor::Question { question }) if question == to => return Ok(vec![]),
        Phase::Interview(Floor::Free | Floor::Question { .. }) | Phase::Selection(_) => {}
        Phase::Interview(Floor::Discussion { .. }) => {
            return Err(Refusal::InDiscussion { deed: DEED });
        }
        Phase::Production(_) | Phase::Closed { .. } => return Err(wrong_phase(session, DEED)),
    }
    if session.transcript.get(to).is_none() {
        return Err(Refusal::NoSuchQuestion { question: to.clone() });
    }
    Ok(vec![Event::WentBack { to: to.clone() }])
}
