//! Deciding on answers and on the other moves that a question allows (G10).

use jiff::Timestamp;

use super::{Answer, AnswerKind, Event, Refusal as Own, TranscriptEntry};
use crate::domain::actor::Actor;
use crate::domain::command::Reply;
use crate::domain::decide::wrong_phase;
use crate::domain::ids::{AnswerId, QuestionId};
use crate::domain::meaning::{ParsedReply, meant};
use crate::domain::refusal::Refusal;
use crate::domain::session::{Floor, Phase, Session};
use crate::domain::text::{Line, Prose};

pub(super) type Interviewing = Result<Vec<Event>, Refusal>;

pub(super) struct Given<'a> {
    pub question: &'a QuestionId,
    pub id: &'a AnswerId,
    pub reply: &'a Reply,
    pub note: Option<&'a Prose>,
}

/// Answers and moves come from whoever speaks for the person, never from us.
fn only_respondents(actor: &Actor, deed: &'static str) -> Result<(), Refusal> {
    match actor {
        Actor::Human | Actor::Unattended | Actor::Agent(_) => Ok(()),
        Actor::System => Err(Refusal::NotYours { deed, by: actor.clone() }),
    }
}

/// Checks that `shown` is the open question, and returns it.
fn open<'a>(session: &'a Session, shown: &QuestionId, deed: &'static str) -> Result<&'a TranscriptEntry, Refusal> {
    match &session.phase {
        Phase::Interview(Floor::Question { question }) if question == shown => {
            session.transcript.get(question).ok_or_else(|| Own::NoSuchQuestion { question: question.clone() }.into())
        }
        Phase::Interview(Floor::Question { question }) => gone(session, shown, Some(question)),
        Phase::Interview(Floor::Free) => gone(session, shown, None),
        Phase::Interview(Floor::Discussion { .. }) => Err(Own::InDiscussion { deed }.into()),
        Phase::Selection(_) | Phase::Production(_) | Phase::NoInterview { .. } | Phase::Closed { .. } => {
            Err(wrong_phase(session, deed))
        }
    }
}

fn gone<'a>(session: &Session, shown: &QuestionId, open: Option<&QuestionId>) -> Result<&'a TranscriptEntry, Refusal> {
    if session.transcript.get(shown).is_none() {
        return Err(Own::NoSuchQuestion { question: shown.clone() }.into());
    }
    Err(Own::QuestionGone { shown: shown.clone(), open: open.cloned() }.into())
}

/// Records a reply; every answer that held before is superseded, none is lost.
pub(super) fn answer(session: &Session, actor: &Actor, at: Timestamp, given: &Given<'_>) -> Interviewing {
    const DEED: &str = "answering";
    only_respondents(actor, DEED)?;
    let asked = open(session, given.question, DEED)?;
    unused(session, given.id)?;
    let (text, kind, chosen) = match meant(&asked.question, given.reply)? {
        ParsedReply::Talk => return Ok(vec![Event::DiscussionOpened { about: Some(given.question.clone()) }]),
        ParsedReply::Answer { text, kind, chosen } => (text, kind, chosen),
    };
    // What an agent passes on is its report of what the person said, whatever it looks like (G24).
    let kind = match (actor, kind) {
        (
            Actor::Agent(_),
            AnswerKind::Alternative | AnswerKind::Own | AnswerKind::Reported | AnswerKind::Summarised,
        ) => AnswerKind::Reported,
        (Actor::Agent(_), AnswerKind::Unknown) | (Actor::Human | Actor::Unattended | Actor::System, _) => kind,
    };
    let answer = Answer { note: given.note.cloned(), chosen, ..replacing(asked, given.id, kind, text, (actor, at)) };
    Ok(vec![Event::QuestionAnswered { answer: Box::new(answer) }])
}

/// Closes the open question without an answer.
pub(super) fn close_question(
    session: &Session,
    actor: &Actor,
    question: &QuestionId,
    deed: &'static str,
    event: Event,
) -> Interviewing {
    only_respondents(actor, deed)?;
    open(session, question, deed)?;
    Ok(vec![event])
}

/// Opens a conversation; an open question stays open behind it (Q12).
pub(super) fn discuss(session: &Session, actor: &Actor) -> Interviewing {
    const DEED: &str = "opening a discussion";
    only_respondents(actor, DEED)?;
    match &session.phase {
        Phase::Interview(Floor::Free) => Ok(vec![Event::DiscussionOpened { about: None }]),
        Phase::Interview(Floor::Question { question }) => {
            Ok(vec![Event::DiscussionOpened { about: Some(question.clone()) }])
        }
        Phase::Interview(Floor::Discussion { .. }) => Ok(vec![]),
        Phase::Selection(_) | Phase::Production(_) | Phase::NoInterview { .. } | Phase::Closed { .. } => {
            Err(wrong_phase(session, DEED))
        }
    }
}

/// Comes back from the conversation. A question of the interview is still open then; one of a question tool is answered
/// by what it came to, since whoever asked goes on from there with questions of its own (Q12).
pub(super) fn end_discussion(
    session: &Session,
    actor: &Actor,
    at: Timestamp,
    summary: &Prose,
    answer: &AnswerId,
) -> Interviewing {
    const DEED: &str = "ending a discussion";
    only_respondents(actor, DEED)?;
    let about = match &session.phase {
        Phase::Interview(Floor::Discussion { about }) => about.as_ref(),
        Phase::Interview(Floor::Free | Floor::Question { .. }) => return Err(Own::NoDiscussion.into()),
        Phase::Selection(_) | Phase::Production(_) | Phase::NoInterview { .. } | Phase::Closed { .. } => {
            return Err(wrong_phase(session, DEED));
        }
    };
    let mut events = vec![Event::DiscussionEnded { summary: summary.clone() }];
    let asked = about.and_then(|question| session.transcript.get(question));
    if let Some(asked) = asked.filter(|asked| asked.question.is_from_a_tool()) {
        unused(session, answer)?;
        let kind = match actor {
            // The agent's own sentence; it passes none of the user's words on.
            Actor::Agent(_) => AnswerKind::Summarised,
            Actor::Human | Actor::Unattended | Actor::System => AnswerKind::Own,
        };
        let answer = replacing(asked, answer, kind, summary.clone(), (actor, at));
        events.push(Event::QuestionAnswered { answer: Box::new(answer) });
    }
    Ok(events)
}

/// What an update of the checkpoint says about the open question of an agent's: the user answered it in conversation, and
/// nobody passed their words on. The change summary is the agent's report of it, and marked so (G24).
pub(super) fn told_by_an_update(
    session: &Session,
    actor: &Actor,
    at: Timestamp,
    id: &AnswerId,
    summary: &Line,
) -> Interviewing {
    let Some(asked) = session.open_question().filter(|asked| asked.question.is_from_a_tool()) else {
        return Ok(vec![]);
    };
    unused(session, id)?;
    let text = Prose::parse("the change summary", summary.as_str()).map_err(|_| Own::ChoiceTooLong)?;
    let answer = replacing(asked, id, AnswerKind::Summarised, text, (actor, at));
    Ok(vec![Event::QuestionAnswered { answer: Box::new(answer) }])
}

/// An answer to a question, by somebody at some time; whatever held before is superseded.
fn replacing(
    asked: &TranscriptEntry,
    id: &AnswerId,
    kind: AnswerKind,
    text: Prose,
    (by, at): (&Actor, Timestamp),
) -> Answer {
    Answer {
        id: id.clone(),
        question: asked.question.id.clone(),
        kind,
        text,
        note: None,
        by: by.clone(),
        at,
        read_ms: None,
        chosen: vec![],
        supersedes: asked.holding().map(|earlier| earlier.id.clone()).collect(),
    }
}

/// An answer that took the id of an earlier one would hide it.
fn unused(session: &Session, id: &AnswerId) -> Result<(), Refusal> {
    if session.transcript.asked.iter().flat_map(|one| &one.answers).any(|answer| answer.id == *id) {
        return Err(Own::AnswerExists { answer: id.clone() }.into());
    }
    Ok(())
}

/// Returns to an earlier question, from the interview or from the gate (G46); answers are kept (G52). A conversation is
/// left so with nothing recorded of it, though not by an agent: it has to say what it came to (Q12).
pub(super) fn back(session: &Session, actor: &Actor, to: &QuestionId) -> Interviewing {
    const DEED: &str = "going back";
    only_respondents(actor, DEED)?;
    match &session.phase {
        Phase::Interview(Floor::Question { question }) if question == to => return Ok(vec![]),
        Phase::Interview(Floor::Free | Floor::Question { .. }) | Phase::Selection(_) => {}
        Phase::Interview(Floor::Discussion { .. }) => match actor {
            Actor::Human | Actor::Unattended => {}
            Actor::Agent(_) | Actor::System => return Err(Own::InDiscussion { deed: DEED }.into()),
        },
        Phase::Production(_) | Phase::NoInterview { .. } | Phase::Closed { .. } => {
            return Err(wrong_phase(session, DEED));
        }
    }
    if session.transcript.get(to).is_none() {
        return Err(Own::NoSuchQuestion { question: to.clone() }.into());
    }
    Ok(vec![Event::WentBack { to: to.clone() }])
}
