//! What each event of the interview does to a session.

use super::{Answer, Discussed, Event, QuestionStatus, TranscriptEntry};
use crate::domain::actor::Actor;
use crate::domain::checkpoint::CheckpointSource;
use crate::domain::event::Recorded;
use crate::domain::ids::QuestionId;
use crate::domain::question::Question;
use crate::domain::session::{Floor, Phase, Session};
use crate::domain::text::Prose;

impl Event {
    /// Takes it into the session; one that does not fit changes nothing.
    pub(in crate::domain) fn evolve(&self, session: &mut Session, recorded: &Recorded) {
        match self {
            Self::EvidenceRecorded { facts } => session.evidence = (**facts).clone(),
            Self::QuestionAsked { question, unchanged } => {
                session.ask(question);
                if unchanged.is_some() {
                    session.checkpoint_due = false;
                }
            }
            Self::QuestionReopened { question } => {
                if let Some(asked) = session.transcript.get_mut(&question.id) {
                    asked.question = (**question).clone();
                }
                session.reopen(&question.id);
            }
            Self::AnswerTold { question } => {
                if let Some(asked) = session.transcript.get_mut(question) {
                    asked.told = true;
                }
            }
            Self::WentBack { to } => session.reopen(to),
            Self::QuestionAnswered { answer } => session.take_answer(answer),
            Self::QuestionDeferred { question } => session.leave_question(question, QuestionStatus::Deferred),
            Self::QuestionPushedBack { question, because } => {
                session.leave_question(question, QuestionStatus::PushedBack { because: because.clone() });
            }
            Self::DiscussionOpened { about } => {
                session.phase = Phase::Interview(Floor::Discussion { about: about.clone() });
            }
            Self::DiscussionEnded { summary } => session.end_discussion(summary, &recorded.by),
            Self::CheckpointUpdated { checkpoint, summary, source, merged: _ } => {
                session.checkpoint = checkpoint.clone();
                session.last_change = Some(summary.clone());
                // A hand edit says nothing about whether the interviewer took the last answer in.
                if matches!(source, CheckpointSource::Interviewer | CheckpointSource::Tool) {
                    session.checkpoint_due = false;
                }
            }
            Self::ConcernsWaived { concerns } => session.waived.extend(concerns.iter().cloned()),
            Self::CitationsChecked { changed } => session.citations.clone_from(changed),
        }
    }
}

impl Session {
    /// Puts a question for the first time.
    fn ask(&mut self, question: &Question) {
        let number = u32::try_from(self.transcript.asked.len()).unwrap_or(u32::MAX).saturating_add(1);
        self.transcript.asked.push(TranscriptEntry {
            question: question.clone(),
            number,
            standing: QuestionStatus::Open,
            in_doubt: false,
            told: false,
            answers: Vec::new(),
        });
        self.phase = Phase::Interview(Floor::Question { question: question.id.clone() });
    }

    /// Opens an earlier question and sets the open one aside.
    fn reopen(&mut self, question: &QuestionId) {
        self.set_open_aside();
        if let Some(asked) = self.transcript.get_mut(question) {
            asked.standing = QuestionStatus::Open;
            asked.told = false;
            // Drafts of another clone may wait at the gate that is left.
            self.park();
            self.phase = Phase::Interview(Floor::Question { question: question.clone() });
        }
    }

    fn take_answer(&mut self, answer: &Answer) {
        let Some(asked) = self.transcript.get_mut(&answer.question) else {
            return;
        };
        let changed = asked.holding().any(|earlier| !earlier.says_what(answer));
        asked.answers.push(answer.clone());
        asked.standing = QuestionStatus::Answered;
        asked.in_doubt = false;
        // What an agent passes on it knows.
        asked.told = matches!(answer.by, Actor::Agent(_));
        if changed {
            self.transcript.overtake(&answer.question);
        }
        // Whoever answers with the change in view answers for the place as it is now.
        for changed in &mut self.citations {
            if changed.questions.contains(&answer.question) && !changed.confirmed.contains(&answer.question) {
                changed.confirmed.push(answer.question.clone());
            }
        }
        self.phase = Phase::Interview(Floor::Free);
        self.checkpoint_due = true;
    }

    fn leave_question(&mut self, question: &QuestionId, standing: QuestionStatus) {
        if let Some(asked) = self.transcript.get_mut(question) {
            asked.standing = standing;
            asked.told = false;
        }
        self.phase = Phase::Interview(Floor::Free);
    }

    fn end_discussion(&mut self, summary: &Prose, by: &Actor) {
        let Phase::Interview(Floor::Discussion { about }) = &self.phase else {
            return;
        };
        let about = about.clone();
        self.discussions.push(Discussed { about: about.clone(), summary: summary.clone(), by: by.clone() });
        self.phase = Phase::Interview(match about {
            Some(question) => Floor::Question { question },
            None => Floor::Free,
        });
    }

    /// An open question is set aside when the conversation turns elsewhere, so that it is put again later.
    pub(in crate::domain) fn set_open_aside(&mut self) {
        for asked in &mut self.transcript.asked {
            if asked.standing == QuestionStatus::Open {
                asked.standing = QuestionStatus::SetAside;
            }
        }
    }
}
