//! What somebody wants of the output selection and of the output phase.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{Creation, Draft, Plan, Target, TargetPath, drafting, gate, issues, whole};
use crate::domain::actor::Actor;
use crate::domain::decide::{Decision, only_system};
use crate::domain::event::Event;
use crate::domain::from_inside::{BadWish, Outside};
use crate::domain::ids::ObjectId;
use crate::domain::outside::OutsideChange;
use crate::domain::question::Form;
use crate::domain::selection::{Findings, Gate, Request};
use crate::domain::session::Session;
use crate::domain::subsystem::Wanted;
use crate::domain::text::Line;

/// The skipped ones are recorded only by git grill itself; they are never read from what a caller sends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", rename_all_fields = "kebab-case", deny_unknown_fields)]
pub enum Command {
    /// Open the gate.
    OpenSelection(Box<Gate>),
    /// Leave the gate for more questions.
    ContinueInterview {
        summary: Option<Line>,
    },
    SelectOutputs(Plan),
    GrantRequest {
        /// The request that was shown; if another one waits by now, nothing happens.
        shown: Box<Request>,
    },
    /// Hand a draft in, in place of an earlier one for the same path.
    SubmitDraft(#[serde(with = "whole")] Box<Draft>),
    DropDraft {
        target: Target,
    },
    /// Approve a draft, byte for byte.
    ApproveDraft {
        target: Target,
        /// The bytes that were seen.
        blob: ObjectId,
    },
    /// Note that an approved draft was written.
    #[serde(skip)]
    RecordWritten {
        path: TargetPath,
        blob: ObjectId,
    },
    /// Note that an approved issue exists.
    #[serde(skip)]
    RecordCreated(Creation),
    /// Enter what somebody else made of planned files (G42); none when nothing is left of it.
    #[serde(skip)]
    RecordOutside(Vec<OutsideChange>),
    /// Note that what was written was committed on the user's branch.
    #[serde(skip)]
    RecordCommitted {
        commit: ObjectId,
        paths: Vec<TargetPath>,
    },
    /// Note that what an output phase wrote was taken back.
    #[serde(skip)]
    RecordUndone {
        /// The output phase.
        round: u64,
    },
    FinishProduction {
        summary: Option<Line>,
    },
}

impl Wanted for Command {
    // What is granted may be the end of the session.
    type Event = Event;

    fn deed(&self) -> &'static str {
        match self {
            Self::OpenSelection(_) => "opening the output selection",
            Self::ContinueInterview { .. } => "going on with the interview",
            Self::SelectOutputs(_) => "choosing outputs",
            Self::GrantRequest { .. } => "granting a request",
            Self::SubmitDraft(_) => "handing in a draft",
            Self::DropDraft { .. } => "leaving a draft out",
            Self::ApproveDraft { .. } => "approving a draft",
            Self::RecordWritten { .. } => "noting a written file",
            Self::RecordCreated(_) => "noting a created issue",
            Self::RecordOutside(_) => "recording what somebody else changed",
            Self::RecordCommitted { .. } => "noting a commit",
            Self::RecordUndone { .. } => "taking written files back",
            Self::FinishProduction { .. } => "finishing the output phase",
        }
    }

    fn decide(&self, session: &Session, actor: &Actor, _: Timestamp) -> Decision {
        let deed = self.deed();
        let events = match self {
            Self::OpenSelection(gate) => gate::open(session, actor, gate),
            Self::ContinueInterview { summary } => gate::leave(session, summary.as_ref()),
            Self::SelectOutputs(plan) => gate::select(session, actor, plan),
            Self::GrantRequest { shown } => return gate::grant(session, actor, shown),
            Self::SubmitDraft(draft) => drafting::submit(session, actor, draft),
            Self::DropDraft { target } => drafting::drop(session, actor, target),
            Self::ApproveDraft { target, blob } => drafting::approve(session, actor, target, blob),
            Self::RecordWritten { path, blob } => {
                only_system(actor, deed)?;
                drafting::record_written(session, path, blob)
            }
            Self::RecordCreated(created) => {
                only_system(actor, deed)?;
                issues::record_created(session, created)
            }
            Self::RecordOutside(changes) => {
                only_system(actor, deed)?;
                drafting::record_outside(session, changes)
            }
            Self::RecordCommitted { commit, paths } => {
                only_system(actor, deed)?;
                drafting::record_committed(session, commit, paths)
            }
            Self::RecordUndone { round } => {
                only_system(actor, deed)?;
                Ok(drafting::undone(session, *round))
            }
            Self::FinishProduction { summary } => drafting::finish(session, summary.as_ref()),
        };
        Ok(events?.into_iter().map(Event::from).collect())
    }

    fn settle(&mut self, outside: &Outside<'_>) -> Result<(), BadWish> {
        match self {
            Self::OpenSelection(gate) => settle_gate(gate),
            // Nobody types at a terminal through a broker.
            Self::SelectOutputs(plan) => {
                plan.permitted.clear();
                Ok(())
            }
            Self::SubmitDraft(draft) => settle_draft(draft, outside),
            // What was shown is compared with what waits, and recorded nowhere.
            Self::GrantRequest { .. }
            | Self::ContinueInterview { .. }
            | Self::DropDraft { .. }
            | Self::ApproveDraft { .. }
            | Self::FinishProduction { .. } => Ok(()),
            Self::RecordWritten { .. }
            | Self::RecordCreated(_)
            | Self::RecordOutside(_)
            | Self::RecordCommitted { .. }
            | Self::RecordUndone { .. } => Err(BadWish::ours(self.deed())),
        }
    }
}

/// What speaks against a gate is found by whoever records it, not by whoever asks.
fn settle_gate(gate: &mut Gate) -> Result<(), BadWish> {
    let offered = gate.alternatives.as_slice();
    if !Form::Grill.takes(offered.len()) || offered.iter().any(|one| one.discuss || one.evidence.is_some()) {
        let limit = Form::Grill.limit();
        return Err(BadWish(format!("an output selection takes {limit} plain alternatives")));
    }
    gate.findings = Findings::default();
    Ok(())
}

fn settle_draft(draft: &mut Draft, outside: &Outside<'_>) -> Result<(), BadWish> {
    draft.blob = (outside.blob)(&draft.content).ok_or_else(|| BadWish("the draft has no id".to_owned()))?;
    if draft.replaced.as_deref().is_some_and(|text| (outside.blob)(text) != draft.replaces) {
        return Err(BadWish("the file that the draft replaces is another one".to_owned()));
    }
    Ok(())
}
