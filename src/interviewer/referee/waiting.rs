//! Questions that wait: overtaken by another answer, summed up without the user's words, skipped, or set aside and never
//! put again.

use crate::domain::actor::Actor;
use crate::domain::concern::{Concern, ConcernKind};
use crate::domain::interview::{Answer, AnswerKind, QuestionStatus, TranscriptEntry};
use crate::domain::session::Session;

use super::super::scene::quoted;
use super::{concern, key_of};

/// The longest quotation of a question.
const QUOTED: usize = 140;

/// Questions whose answers were overtaken, until they are answered again or their answer is called right still.
pub(super) fn overtaken(session: &Session) -> Vec<Concern> {
    let stale = session.transcript.asked.iter().filter(|asked| asked.standing == QuestionStatus::Stale);
    stale
        .map(|asked| {
            let says =
                format!("an answer that question {} builds on changed since: “{}”", asked.number, question(asked));
            concern(ConcernKind::Stale, &asked.number.to_string(), &key_of(asked), &says)
        })
        .collect()
}

/// Questions that only a summary of the agent's answers, until the user's own words stand there, or in the answer to a
/// question that builds on it.
pub(super) fn unconfirmed(session: &Session) -> Vec<Concern> {
    let is_summary = |answer: &Answer| answer.kind == AnswerKind::Summarised && matches!(answer.by, Actor::Agent(_));
    let confirms = |other: &TranscriptEntry, asked: &TranscriptEntry| {
        other.question.builds_on.contains(&asked.question.id)
            && other.answer().is_some_and(|answer| answer.kind != AnswerKind::Unknown && !is_summary(answer))
    };
    let summed_up = session.transcript.answered().filter(|(asked, answer)| {
        is_summary(answer) && !session.transcript.asked.iter().any(|other| confirms(other, asked))
    });
    summed_up
        .map(|(asked, answer)| {
            let said = quoted(answer.text.as_str(), QUOTED);
            let says = format!("the user has not confirmed the agent's summary at question {}: “{said}”", asked.number);
            concern(ConcernKind::Unconfirmed, &asked.number.to_string(), answer.id.as_str(), &says)
        })
        .collect()
}

/// Questions without an answer that are not open now. One that the person objected to is none of them: it has its reply.
pub(super) fn skipped(session: &Session) -> Vec<Concern> {
    let mut found = Vec::new();
    for asked in &session.transcript.asked {
        let became = match asked.standing {
            QuestionStatus::Deferred => "was skipped",
            QuestionStatus::SetAside => "was set aside and has no answer",
            QuestionStatus::Open
            | QuestionStatus::Answered
            | QuestionStatus::PushedBack { .. }
            | QuestionStatus::Stale => continue,
        };
        let says = format!("question {} {became}: “{}”", asked.number, question(asked));
        found.push(concern(ConcernKind::Skipped, &asked.number.to_string(), asked.question.id.as_str(), &says));
    }
    found
}

fn question(asked: &TranscriptEntry) -> String {
    quoted(asked.question.text.as_str(), QUOTED)
}
