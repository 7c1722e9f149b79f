//! Evolving: what each event does to a session. Never fails; an event that does not fit changes nothing but the clock.

use super::actor::Actor;
use super::checkpoint::CheckpointSource;
use super::event::{Event, Recorded};
use super::ids::{ObjectId, QuestionId};
use super::interview::{Answer, Asked, Discussed, Standing};
use super::production::{CreatedIssue, Draft, Drafted, IssueSlot, Plan, Produced, Production, Stage, Target};
use super::question::Question;
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
            Event::SelectionOpened { gate } => {
                self.set_open_aside();
                self.remember_production();
                let kept = self.take_kept();
                self.phase = Phase::Selection(Box::new(Selection { gate: (**gate).clone(), request: None, kept }));
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
            Event::OutputsSelected { plan } => self.open_production(plan, recorded),
            Event::DraftSubmitted { draft } => {
                self.remember(|written| written.target == draft.target);
                if let Phase::Production(production) = &mut self.phase {
                    production.note_stood(draft);
                    take_draft(production, draft);
                }
            }
            Event::DraftDropped { target } => self.advance(target, None, |_| Some(Stage::Dropped)),
            Event::IssuesOrdered { order } => {
                if let Phase::Production(production) = &mut self.phase {
                    put_in_order(production, order);
                }
            }
            Event::DraftApproved { target, blob } => {
                self.advance(target, Some(blob), |_| Some(Stage::Approved { approval: recorded.by.clone() }));
            }
            Event::FileWritten { path, blob } => {
                self.advance(&path.clone().into(), Some(blob), |stage| Some(stage.written(&recorded.by)));
            }
            Event::IssueCreated(creation) => {
                let target = Target::Issue(creation.slot);
                self.advance(&target, Some(&creation.blob), |stage| Some(stage.created(&recorded.by, creation)));
            }
            Event::IssueLinked { slot } => self.advance(&Target::Issue(*slot), None, Stage::linked),
            Event::OutsideFound { changes } => self.take_outside(changes),
            Event::OutputsCommitted { commit, paths } => self.take_commit(commit, paths),
            Event::ProductionUndone { round, .. } => self.undo(*round),
            Event::Verified { verification } => self.verified = Some((**verification).clone()),
            Event::CitationsChecked { changed } => self.citations.clone_from(changed),
            Event::AuthorityLapsed { lapse } => self.take_lapse(lapse),
            Event::Of(event) => {
                self.own.evolve(&recorded.by, recorded.at, event);
                self.regrip();
            }
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
    fn set_open_aside(&mut self) {
        for asked in &mut self.transcript.asked {
            if asked.standing == Standing::Open {
                asked.standing = Standing::SetAside;
            }
        }
    }

    /// What was written in an output phase stands there no more; its drafts need a new approval, and so do those whose
    /// file was still owed: nobody takes half of them back to have the rest written.
    fn undo(&mut self, round: u64) {
        self.produced.retain(|one| one.round != round);
        if let Phase::Production(production) = &mut self.phase
            && production.round == round
        {
            for drafted in production.drafts.iter_mut().filter(|drafted| drafted.draft.path().is_some()) {
                if matches!(drafted.stage, Stage::Written { .. } | Stage::Approved { .. }) {
                    drafted.stage = Stage::Drafted;
                }
            }
        }
    }

    /// Takes the draft for `target` to the stage that `next` names, if it still has the bytes of `blob`.
    fn advance(&mut self, target: &Target, blob: Option<&ObjectId>, next: impl Fn(&Stage) -> Option<Stage>) {
        let Phase::Production(production) = &mut self.phase else {
            return;
        };
        for drafted in &mut production.drafts {
            if drafted.draft.target == *target
                && blob.is_none_or(|blob| drafted.draft.blob == *blob)
                && let Some(stage) = next(&drafted.stage)
            {
                drafted.stage = stage;
            }
        }
    }

    /// Opens the output phase with a plan; one that waited at the gate to be granted here goes on where it stood.
    fn open_production(&mut self, plan: &Plan, recorded: &Recorded) {
        let fresh = Production {
            plan: plan.clone(),
            selected_by: recorded.by.clone(),
            round: recorded.seq,
            drafts: Vec::new(),
            stood: Vec::new(),
        };
        let open = match self.take_kept().filter(|kept| kept.plan == *plan) {
            Some(kept) => gone_on_with(fresh, *kept),
            None => fresh,
        };
        self.phase = Phase::Production(Box::new(open));
    }

    /// The output phase that waits at the gate to be granted here.
    fn take_kept(&mut self) -> Option<Box<Production>> {
        match &mut self.phase {
            Phase::Selection(selection) => selection.kept.take(),
            Phase::Interview(_) | Phase::Production(_) | Phase::NoInterview { .. } | Phase::Closed { .. } => None,
        }
    }

    /// Keeps the record of what an output phase wrote (G34).
    fn remember_production(&mut self) {
        self.remember(|_| true);
        if let Phase::Production(production) = &self.phase {
            let created = production.created().filter(|one| !self.created.contains(one));
            let created: Vec<CreatedIssue> = created.collect();
            self.created.extend(created);
        }
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
            .filter_map(|draft| Produced::of(draft, production.round))
            .collect();
        self.produced.extend(written);
    }
}

/// An output phase that goes on where it stood when its plan stopped counting: with its number, by which what it made is
/// found again, and with its drafts, none of which is approved.
fn gone_on_with(fresh: Production, kept: Production) -> Production {
    let round = kept.round.min(fresh.round);
    let mut drafts = kept.drafts;
    for one in drafts.iter_mut().filter(|one| one.stage != Stage::Dropped) {
        one.stage = Stage::Drafted;
    }
    Production { round, drafts, stood: kept.stood, ..fresh }
}

/// A new draft goes to the end; that of an issue keeps the place of the one before it.
fn take_draft(production: &mut Production, draft: &Draft) {
    let new = Drafted { draft: draft.clone(), stage: Stage::Drafted };
    let known = production.drafts.iter().position(|drafted| drafted.draft.target == draft.target);
    match (known, &draft.target) {
        (Some(place), Target::Issue(_)) => production.drafts[place] = new,
        (Some(place), Target::File(_)) => {
            production.drafts.remove(place);
            production.drafts.push(new);
        }
        (None, Target::File(_) | Target::Issue(_)) => production.drafts.push(new),
    }
}

/// Issues in this order; files stay where they stand, before them.
fn put_in_order(production: &mut Production, order: &[IssueSlot]) {
    let place = |drafted: &Drafted| {
        let slot = drafted.draft.target.slot();
        slot.map(|slot| order.iter().position(|one| *one == slot).unwrap_or(order.len()))
    };
    production.drafts.sort_by_key(place);
}
