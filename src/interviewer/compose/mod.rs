//! Composing the checkpoint: what a change in the session means for the document, laid onto the text that stands there
//! now, so that a hand edit survives every later answer.

mod about;
mod answers;
mod by_hand;
mod debated;
mod document;
mod patch;
mod prose;
mod shown;
mod texts;

use std::collections::BTreeSet;

use crate::domain::checkpoint::Checkpoint;
use crate::domain::ids::QuestionId;
use crate::domain::interview::{AnswerKind, QuestionStatus, TranscriptEntry, gist};
use crate::domain::session::Session;
use crate::domain::text::Line;

#[cfg(test)]
pub(super) use document::SECTIONS;

pub use about::{debate_about, decided_by, is_overruled};
pub use by_hand::{edited_for, kept_by_hand};
pub use debated::concluded;

use super::session_reading::SessionReading;
use debated::Superseding;
use document::{document, document_without};
use texts::lead;

/// The checkpoint after something changed, with a summary of the change in one line; `None` when the change means
/// nothing for the document, when everything already stands there, or when the document would outgrow
/// [`Checkpoint::LIMIT`], which takes half a megabyte of hand-written text.
///
/// Lines that the session does not say any more are deleted where they still stand word for word; new lines are added
/// to their section. Whatever the person wrote, changed or deleted stays as they left it.
pub fn compose(before: &Session, after: &Session) -> Option<(Checkpoint, Line)> {
    let overruled = overruled(before, after);
    let (old, new) = (document_without(before, &overruled), document_without(after, &overruled));
    let debated = Superseding::of(before, after);
    if old == new && debated.is_none() {
        return None;
    }
    let text = debated.as_ref().map_or(after.checkpoint.as_str(), Superseding::text);
    let text = patch::patch(text, &old, &new);
    let text = debated.iter().fold(text, |text, debated| debated.confirming(text));
    let checkpoint = Checkpoint::parse(&text).ok()?;
    if checkpoint == after.checkpoint || text == after.checkpoint.as_str() {
        return None;
    }
    Some((checkpoint, summary(before, after)))
}

/// Questions for which the decision of a debate stands, and to which nothing was said in between. What follow-ups make of
/// their answers changes nothing then.
fn overruled(before: &Session, after: &Session) -> BTreeSet<QuestionId> {
    let is_as_before = |asked: &&TranscriptEntry| {
        let earlier = before.transcript.get(&asked.question.id);
        earlier.is_some_and(|one| one.standing == asked.standing && one.answers.len() == asked.answers.len())
    };
    let is_overruled = |asked: &&TranscriptEntry| is_overruled(before, asked) && decided_by(before, asked).is_some();
    let all = after.transcript.asked.iter().filter(is_as_before).filter(is_overruled);
    all.map(|asked| asked.question.id.clone()).collect()
}

/// Every line that the session yields by itself.
pub(super) fn yielded(session: &Session) -> BTreeSet<String> {
    document(session).all().map(|line| line.trim().to_owned()).collect()
}

/// What changed, in one line (G25).
fn summary(before: &Session, after: &Session) -> Line {
    let earlier = |asked: &TranscriptEntry| before.transcript.get(&asked.question.id);
    let newest =
        |is_it: &dyn Fn(&TranscriptEntry) -> bool| after.transcript.asked.iter().rev().find(|asked| is_it(asked));
    // An answer to an earlier question also makes later ones stale; the answer is the change.
    let answered = newest(&|asked| asked.answers.len() != earlier(asked).map_or(0, |earlier| earlier.answers.len()));
    let changed =
        answered.or_else(|| newest(&|asked| earlier(asked).is_none_or(|earlier| earlier.standing != asked.standing)));
    let text = if before.evidence != after.evidence {
        format!("What the repository shows: {} tracked files", after.evidence.files)
    } else if let Some(talk) = after.discussions.get(before.discussions.len()) {
        format!("Talked over: {}", talk.summary.first_line())
    } else if let Some(asked) = changed {
        change(after, asked)
    } else {
        "Understanding brought up to date".to_owned()
    };
    Line::clipped(&text)
}

fn change(session: &Session, asked: &TranscriptEntry) -> String {
    let lead = lead(&SessionReading::of(session), asked);
    match (&asked.standing, asked.answer()) {
        (QuestionStatus::Answered, Some(answer)) if answer.kind == AnswerKind::Unknown => {
            format!("Not known yet: {lead}")
        }
        (QuestionStatus::Answered, Some(answer)) => format!("{lead}: {}", gist(answer)),
        (QuestionStatus::Deferred, _) => format!("Put off: {lead}"),
        (QuestionStatus::PushedBack { .. }, _) => format!("Premise refused: {lead}"),
        (QuestionStatus::Stale, _) => format!("To be confirmed: {lead}"),
        (QuestionStatus::Answered | QuestionStatus::Open | QuestionStatus::SetAside, _) => {
            format!("Opened again: {lead}")
        }
    }
}
