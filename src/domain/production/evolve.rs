//! What each event of the output selection and of the output phase does to a session.

use super::{CreatedIssue, Draft, Drafted, Event, IssueSlot, Plan, Produced, Production, Stage, Target};
use crate::domain::event::Recorded;
use crate::domain::ids::ObjectId;
use crate::domain::selection::Selection;
use crate::domain::session::{Floor, Phase, Session};

impl Event {
    /// Takes it into the session; one that does not fit changes nothing.
    pub(in crate::domain) fn evolve(&self, session: &mut Session, recorded: &Recorded) {
        match self {
            Self::SelectionOpened { gate } => {
                session.set_open_aside();
                session.remember_production();
                // What waits to be granted here goes on waiting.
                if matches!(session.phase, Phase::Production(_)) {
                    session.park();
                }
                let kept = session.take_kept();
                session.phase = Phase::Selection(Box::new(Selection { gate: (**gate).clone(), request: None, kept }));
            }
            Self::SelectionLeft { .. } | Self::ProductionFinished { .. } => {
                session.remember_production();
                session.park();
                session.phase = Phase::Interview(Floor::Free);
            }
            Self::ApprovalRequested { request } => {
                if let Phase::Selection(selection) = &mut session.phase {
                    selection.request = Some(request.clone());
                }
            }
            Self::OutputsSelected { plan } => session.open_production(plan, recorded),
            Self::DraftSubmitted { draft } => {
                session.remember(|written| written.target == draft.target);
                session.unpark(draft);
                if let Phase::Production(production) = &mut session.phase {
                    production.note_stood(draft);
                    take_draft(production, draft);
                }
            }
            Self::DraftDropped { target } => session.advance(target, None, |_| Some(Stage::Dropped)),
            Self::IssuesOrdered { order } => {
                if let Phase::Production(production) = &mut session.phase {
                    put_in_order(production, order);
                }
            }
            Self::DraftApproved { target, blob } => {
                session.advance(target, Some(blob), |_| Some(Stage::Approved { approval: recorded.by.clone() }));
            }
            Self::FileWritten { path, blob } => {
                session.advance(&path.clone().into(), Some(blob), |stage| Some(stage.written(&recorded.by)));
            }
            Self::IssueCreated(creation) => {
                let target = Target::Issue(creation.slot);
                session.advance(&target, Some(&creation.blob), |stage| Some(stage.created(&recorded.by, creation)));
            }
            Self::IssueLinked { slot } => session.advance(&Target::Issue(*slot), None, Stage::linked),
            Self::OutsideFound { changes } => session.take_outside(changes),
            Self::OutputsCommitted { commit, paths } => session.take_commit(commit, paths),
            Self::ProductionUndone { round, .. } => session.undo(*round),
        }
    }
}

impl Session {
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
        let open = if let Some(kept) = self.take_kept_for(plan) {
            gone_on_with(fresh, *kept)
        } else {
            self.park();
            fresh
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

    /// The same, if it is that of this plan.
    fn take_kept_for(&mut self, plan: &Plan) -> Option<Box<Production>> {
        match &mut self.phase {
            Phase::Selection(selection) => selection.kept.take_if(|kept| kept.plan == *plan),
            Phase::Interview(_) | Phase::Production(_) | Phase::NoInterview { .. } | Phase::Closed { .. } => None,
        }
    }

    /// Keeps the record of what an output phase wrote (G34).
    pub(in crate::domain) fn remember_production(&mut self) {
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
