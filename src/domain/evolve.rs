//! Evolving: what each event does to a session. Never fails; an event that does not fit changes nothing but the clock.

use super::actor::Actor;
use super::checkpoint::CheckpointSource;
use super::event::{Event, Recorded};
use super::ids::QuestionId;
use super::interview::{Answer, Asked, Discussed, Standing};
use super::question::Question;
use super::session::{Floor, Phase, Session};
use super::text::Prose;

impl Session {
    /// The session after one more event.
    #[must_use]
    pub fn evolve(mut self, recorded: &Recorded) -> Self {
        self.seq = self.seq.max(recorded.seq);
        self.updated_at = self.updated_at.max(recorded.at);
        match &recorded.event {
            // Another server's question is no part of the interview's state.
            Event::Started(_) | Event::ServerAsked { .. } => {}
            Event::EvidenceRecorded { facts } => self.evidence = (**facts).clone(),
            Event::QuestionAsked { question, unchanged } => {
                self.ask(question);
                if unchanged.is_some() {
                    self.checkpoint_due = false;
                }
            }
            Event::QuestionReopened { question } => {
                if let Some(asked) = self.transcript.get_mut(&question.id) {
                    asked.question = (**question).clone();
                }
                self.reopen(&question.id);
            }
            Event::AnswerTold { question } => {
                if let Some(asked) = self.transcript.get_mut(question) {
                    asked.told = true;
                }
            }
            Event::WentBack { to } => self.reopen(to),
            Event::QuestionAnswered { answer } => self.take_answer(answer),
            Event::QuestionDeferred { question } => self.leave_question(question, Standing::Deferred),
            Event::QuestionPushedBack { question, because } => {
                self.leave_question(question, Standing::PushedBack { because: because.clone() });
            }
            Event::DiscussionOpened { about } => {
                self.phase = Phase::Interview(Floor::Discussion { about: about.clone() });
            }
            Event::DiscussionEnded { summary } => self.end_discussion(summary, &recorded.by),
            Event::CheckpointUpdated { checkpoint, summary, source, merged: _ } => {
                self.checkpoint = checkpoint.clone();
                self.last_change = Some(summary.clone());
                // A hand edit says nothing about whether the interviewer took the last answer in.
                if matches!(source, CheckpointSource::Interviewer | CheckpointSource::Tool) {
                    self.checkpoint_due = false;
                }
            }
            Event::ConcernsWaived { concerns } => self.waived.extend(concerns.iter().cloned()),
            Event::SettingChanged { setting } => self.settings = self.settings.with(setting),
            Event::Verified { verification } => self.verified = Some((**verification).clone()),
            Event::CitationsChecked { changed } => self.citations.clone_from(changed),
            Event::AuthorityLapsed { lapse } => self.take_lapse(lapse),
            Event::Of(event) => event.evolve(&mut self, recorded),
            Event::Closed { ending, .. } => {
                self.remember_production();
                self.phase = Phase::Closed { ending: *ending };
            }
        }
        self
    }

    /// Puts a question for the first time.
    fn ask(&mut self, question: &Question) {
        let number = u32::try_from(self.transcript.asked.len()).unwrap_or(u32::MAX).saturating_add(1);
        self.transcript.asked.push(Asked {
            question: question.clone(),
            number,
            standing: Standing::Open,
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
            asked.standing = Standing::Open;
            asked.told = false;
            self.phase = Phase::Interview(Floor::Question { question: question.clone() });
        }
    }

    fn take_answer(&mut self, answer: &Answer) {
        let Some(asked) = self.transcript.get_mut(&answer.question) else {
            return;
        };
        let changed = asked.holding().any(|earlier| !earlier.says_what(answer));
        asked.answers.push(answer.clone());
        asked.standing = Standing::Answered;
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

    fn leave_question(&mut self, question: &QuestionId, standing: Standing) {
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
    pub(super) fn set_open_aside(&mut self) {
        for asked in &mut self.transcript.asked {
            if asked.standing == Standing::Open {
                asked.standing = Standing::SetAside;
            }
        }
    }
}
