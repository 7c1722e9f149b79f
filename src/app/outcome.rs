//! What a request changed, and what follows from it for whoever is told.

use crate::domain::event::Recorded;
use crate::domain::interview::{self, TranscriptEntry};
use crate::domain::plan::dropped::{DroppedMark, dropped};
use crate::domain::session::Session;
use crate::interviewer;

/// What changed: the events and the session before and after them.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The session before; `None` when it was created.
    pub before: Option<Session>,
    /// What happened; empty when there was nothing to do.
    pub events: Vec<Recorded>,
    pub after: Session,
}

impl Outcome {
    /// The same outcome with what happened next.
    #[must_use]
    pub fn then(mut self, next: Self) -> Self {
        self.events.extend(next.events);
        self.after = next.after;
        self
    }

    pub fn nothing(session: Session) -> Self {
        Self { before: Some(session.clone()), events: Vec::new(), after: session }
    }

    /// Questions whose ground moved: an answer that they stand on changed (G52).
    pub fn staled(&self) -> Vec<&TranscriptEntry> {
        let Some(before) = &self.before else {
            return Vec::new();
        };
        let was = |asked: &TranscriptEntry| before.transcript.get(&asked.question.id).is_some_and(|was| !was.in_doubt);
        self.after.transcript.asked.iter().filter(|asked| asked.in_doubt && was(asked)).collect()
    }

    /// Decisions that were changed by hand and stand next to what was decided now for their question (D17).
    pub fn kept_by_hand(&self) -> Vec<String> {
        self.before.as_ref().map(|before| interviewer::kept_by_hand(before, &self.after)).unwrap_or_default()
    }

    /// The question that an event put off, and the debate of which a decision for it stays: it is not open (D17).
    pub fn put_off_as_decided(&self, recorded: &Recorded) -> Option<(&TranscriptEntry, u32)> {
        let Some(interview::Event::QuestionDeferred { question }) = recorded.event.interview() else { return None };
        let asked = self.after.transcript.get(question)?;
        Some((asked, interviewer::decided_by(&self.after, asked)?))
    }

    /// Marks of a plan that another one replaced.
    pub fn dropped_marks(&self) -> Vec<DroppedMark<'_>> {
        self.before.as_ref().map(|before| dropped(&before.own.plan, &self.after.own.plan)).unwrap_or_default()
    }

    /// Answered questions that stand on the one somebody went back to: if its answer changes, they are asked again.
    pub fn standing_on_where_it_went_back(&self) -> Vec<&TranscriptEntry> {
        let to = self.events.iter().find_map(|recorded| match recorded.event.interview() {
            Some(interview::Event::WentBack { to }) => Some(to),
            _ => None,
        });
        let on_it = to.map(|to| self.after.transcript.standing_on(to)).unwrap_or_default();
        let asked = &self.after.transcript.asked;
        asked.iter().filter(|asked| on_it.contains(&asked.question.id) && asked.answer().is_some()).collect()
    }
}
