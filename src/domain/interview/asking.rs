//! Deciding on questions: whether one may be put now, and whether it is one that was put before.

use super::answering::Interviewing;
use super::{Event, QuestionStatus, Refusal as Own, TranscriptEntry};
use crate::domain::actor::Actor;
use crate::domain::decide::wrong_phase;
use crate::domain::ids::QuestionId;
use crate::domain::question::Question;
use crate::domain::refusal::Refusal;
use crate::domain::session::{Floor, Phase, Session};
use crate::domain::text::Line;

/// Questions come from the interviewer: the built-in one or an agent.
fn only_interviewers(actor: &Actor, deed: &'static str) -> Result<(), Refusal> {
    match actor {
        Actor::System | Actor::Agent(_) => Ok(()),
        Actor::Human | Actor::Unattended => Err(Refusal::NotYours { deed, by: actor.clone() }),
    }
}

/// Checks that the floor is free for a question.
fn free_floor(session: &Session, deed: &'static str) -> Result<(), Refusal> {
    match &session.phase {
        Phase::Interview(Floor::Free) => Ok(()),
        Phase::Interview(Floor::Question { question }) => Err(Own::QuestionOpen {
            question: question.clone(),
            number: session.transcript.get(question).map_or(0, |asked| asked.number),
        }
        .into()),
        Phase::Interview(Floor::Discussion { .. }) => Err(Own::InDiscussion { deed }.into()),
        Phase::Selection(_) | Phase::Production(_) | Phase::NoInterview { .. } | Phase::Closed { .. } => {
            Err(wrong_phase(session, deed))
        }
    }
}

/// What asking a question means that asks what an earlier one asked.
enum Again<'a> {
    /// It is open, or whoever asked has yet to be told what became of it: the same question, and nothing to do.
    Same,
    /// It was put off, set aside, or its ground moved: the same question, and it is put again.
    Reopened(&'a Question),
    /// Its answer is known to whoever asked, so the same words are meant anew.
    New,
}

fn again<'a>(session: &'a Session, question: &Question) -> Again<'a> {
    let Some(asked) = session.transcript.asking(question).filter(|_| question.is_from_a_tool()) else {
        return Again::New;
    };
    match (&asked.standing, asked.told) {
        (QuestionStatus::Open, _)
        | (QuestionStatus::Answered | QuestionStatus::Deferred | QuestionStatus::PushedBack { .. }, false) => {
            Again::Same
        }
        (QuestionStatus::Deferred | QuestionStatus::PushedBack { .. }, true)
        | (QuestionStatus::SetAside | QuestionStatus::Stale, _) => Again::Reopened(&asked.question),
        (QuestionStatus::Answered, true) => Again::New,
    }
}

/// One question at a time (Q13), and none before the checkpoint knows the last answer (G24).
pub(super) fn ask(session: &Session, actor: &Actor, question: &Question, unchanged: Option<&Line>) -> Interviewing {
    const DEED: &str = "asking a question";
    only_interviewers(actor, DEED)?;
    let again = again(session, question);
    if let (Again::Same, Phase::Interview(Floor::Free | Floor::Question { .. })) = (&again, &session.phase) {
        return Ok(vec![]);
    }
    free_floor(session, DEED)?;
    if session.transcript.get(&question.id).is_some() {
        return Err(Own::QuestionExists { question: question.id.clone() }.into());
    }
    if session.checkpoint_due && unchanged.is_none() && matches!(actor, Actor::Agent(_)) {
        return Err(Own::CheckpointDue.into());
    }
    // A question of ours builds on what it quoted; an agent may name anything.
    let mut named = question.builds_on.iter().filter(|_| question.is_from_a_tool());
    if let Some(unknown) = named.find(|id| session.transcript.get(id).is_none()) {
        return Err(Own::NoSuchQuestion { question: unknown.clone() }.into());
    }
    Ok(match again {
        Again::Same => vec![],
        Again::Reopened(earlier) => vec![Event::QuestionReopened { question: Box::new(earlier.clone()) }],
        Again::New => {
            vec![Event::QuestionAsked { question: Box::new(question.clone()), unchanged: unchanged.cloned() }]
        }
    })
}

/// Puts an earlier question again. Only a stale one may be worded anew: the answers of any other stand on its wording.
pub(super) fn reopen(session: &Session, actor: &Actor, question: &Question) -> Interviewing {
    const DEED: &str = "asking a question again";
    only_interviewers(actor, DEED)?;
    free_floor(session, DEED)?;
    let Some(asked) = session.transcript.get(&question.id) else {
        return Err(Own::NoSuchQuestion { question: question.id.clone() }.into());
    };
    let same_wording = asked.question == *question;
    if session.to_reopen() != Some(&question.id) || !(same_wording || asked.standing == QuestionStatus::Stale) {
        return Err(Own::NothingToReopen { question: question.id.clone() }.into());
    }
    Ok(vec![Event::QuestionReopened { question: Box::new(question.clone()) }])
}

/// Notes that whoever asked knows what became of it.
pub(super) fn tell(session: &Session, actor: &Actor, question: &QuestionId) -> Interviewing {
    only_interviewers(actor, "telling what became of a question")?;
    let asked = session.transcript.get(question).ok_or_else(|| Own::NoSuchQuestion { question: question.clone() })?;
    // A question that waits for its answer has nothing to tell, unless it is being talked about.
    let talked_about = session.discussed() == Some(question);
    let by_a_tool = asked.question.is_from_a_tool();
    Ok(if asked.told || !by_a_tool || !(talked_about || has_come_to_something(asked)) {
        vec![]
    } else {
        vec![Event::AnswerTold { question: question.clone() }]
    })
}

fn has_come_to_something(asked: &TranscriptEntry) -> bool {
    match asked.standing {
        QuestionStatus::Answered | QuestionStatus::Deferred | QuestionStatus::PushedBack { .. } => true,
        QuestionStatus::Open | QuestionStatus::SetAside | QuestionStatus::Stale => false,
    }
}
