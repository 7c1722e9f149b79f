//! Evolving: what each event does to a session. Never fails; an event that does not fit changes nothing but the clock.

use super::actor::Actor;
use super::checkpoint::CheckpointSource;
use super::event::{Event, Recorded};
use super::ids::{ObjectId, QuestionId};
use super::interview::{Answer, Asked, Discussed, Standing};
use super::production::{Draft, Drafted, Produced, Production, Stage, TargetPath};
use super::selection::Selection;
use super::session::{Floor, Phase, Session};
use super::text::Prose;

impl Session {
    /// The session after one more event.
    #[must_use]
    pub fn evolve(mut self, recorded: &Recorded) -> Self {
        self.seq = self.seq.max(recorded.seq);
        self.updated_at = self.updated_at.max(recorded.at);
        match &recorded.event {
            Event::Started(_) => {}
            Event::EvidenceRecorded { facts } => self.evidence = (**facts).clone(),
            Event::QuestionAsked { question, unchanged } => {
                let number = u32::try_from(self.transcript.asked.len()).unwrap_or(u32::MAX).saturating_add(1);
                self.transcript.asked.push(Asked {
                    question: (**question).clone(),
                    number,
                    standing: Standing::Open,
                    in_doubt: false,
                    told: false,
                    answers: Vec::new(),
                });
                self.phase = Phase::Interview(Floor::Question { question: question.id.clone() });
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
            Event::CheckpointUpdated { checkpoint, summary, source } => {
                self.checkpoint = checkpoint.clone();
                self.last_change = Some(summary.clone());
                // A hand edit says nothing about whether the interviewer took the last answer in.
                if matches!(source, CheckpointSource::Interviewer | CheckpointSource::Tool) {
                    self.checkpoint_due = false;
                }
            }
            Event::SettingChanged { setting } => self.settings = self.settings.with(setting),
            Event::SelectionOpened { gate } => {
                self.set_open_aside();
                self.remember_production();
                self.phase = Phase::Selection(Box::new(Selection { gate: (**gate).clone(), request: None }));
            }
            Event::SelectionLeft { .. } | Event::ProductionFinished { .. } => {
                self.remember_production();
                self.phase = Phase::Interview(Floor::Free);
            }
            Event::ApprovalRequested { request } => {
                if let Phase::Selection(selection) = &mut self.phase {
                    selection.request = Some(request.clone());
                }
            }
            Event::OutputsSelected { plan } => {
                self.phase = Phase::Production(Box::new(Production {
                    plan: plan.clone(),
                    selected_by: recorded.by.clone(),
                    round: recorded.seq,
                    drafts: Vec::new(),
                }));
            }
            Event::DraftSubmitted { draft } => {
                self.remember(|written| written.path == draft.path);
                if let Phase::Production(production) = &mut self.phase {
                    production.drafts.retain(|drafted| drafted.draft.path != draft.path);
                    production.drafts.push(Drafted { draft: (**draft).clone(), stage: Stage::Drafted });
                }
            }
            Event::DraftApproved { path, blob } => {
                self.advance_draft(path, blob, &Stage::Approved { approval: recorded.by.clone() });
            }
            Event::FileWritten { path, blob } => {
                let approval = match self.draft_stage(path) {
                    Some(Stage::Approved { approval } | Stage::Written { approval }) => approval.clone(),
                    Some(Stage::Drafted) | None => recorded.by.clone(),
                };
                self.advance_draft(path, blob, &Stage::Written { approval });
            }
            Event::ProductionUndone { round, .. } => self.undo(*round),
            Event::Verified { verification } => self.verified = Some((**verification).clone()),
            Event::CitationsChecked { changed } => self.citations.clone_from(changed),
            Event::Closed { ending, .. } => {
                self.remember_production();
                self.phase = Phase::Closed { ending: *ending };
            }
        }
        self
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
        let changed = asked.holding().any(|earlier| earlier.text != answer.text || earlier.kind != answer.kind);
        asked.answers.push(answer.clone());
        asked.standing = Standing::Answered;
        asked.in_doubt = false;
        // What an agent passes on it knows.
        asked.told = matches!(answer.by, Actor::Agent(_));
        if changed {
            for stale in self.transcript.standing_on(&answer.question) {
                if let Some(later) = self.transcript.get_mut(&stale)
                    && later.standing == Standing::Answered
                {
                    later.standing = Standing::Stale;
                    later.in_doubt = true;
                }
            }
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
    fn set_open_aside(&mut self) {
        for asked in &mut self.transcript.asked {
            if asked.standing == Standing::Open {
                asked.standing = Standing::SetAside;
            }
        }
    }

    /// What was written in an output phase stands there no more; its drafts need a new approval.
    fn undo(&mut self, round: u64) {
        self.produced.retain(|one| one.round != round);
        if let Phase::Production(production) = &mut self.phase
            && production.round == round
        {
            for drafted in &mut production.drafts {
                if matches!(drafted.stage, Stage::Written { .. }) {
                    drafted.stage = Stage::Drafted;
                }
            }
        }
    }

    fn draft_stage(&self, path: &TargetPath) -> Option<&Stage> {
        match &self.phase {
            Phase::Production(production) => production.draft(path).map(|drafted| &drafted.stage),
            Phase::Interview(_) | Phase::Selection(_) | Phase::Closed { .. } => None,
        }
    }

    fn advance_draft(&mut self, path: &TargetPath, blob: &ObjectId, stage: &Stage) {
        let Phase::Production(production) = &mut self.phase else {
            return;
        };
        for drafted in &mut production.drafts {
            if drafted.draft.path == *path && drafted.draft.blob == *blob {
                drafted.stage = stage.clone();
            }
        }
    }

    /// Keeps the record of what an output phase wrote (G34).
    fn remember_production(&mut self) {
        self.remember(|_| true);
    }

    /// Keeps the record of written files whose drafts are about to go: what was written stays known, whatever comes
    /// after it.
    fn remember(&mut self, going: impl Fn(&Draft) -> bool) {
        let Phase::Production(production) = &self.phase else {
            return;
        };
        let written: Vec<Produced> = production
            .written()
            .filter(|draft| going(draft))
            .map(|draft| Produced::of(draft, production.round))
            .collect();
        self.produced.extend(written);
    }
}
