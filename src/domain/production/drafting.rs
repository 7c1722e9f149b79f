//! Deciding in the output phase: drafts, approvals that bind to bytes, and what was written (G31 to G34).

use super::{Draft, Drafted, Event, Production, Refusal as Own, Stage, Target, TargetPath, issues};
use crate::domain::actor::Actor;
use crate::domain::decide::{may_approve, wrong_phase};
use crate::domain::ids::ObjectId;
use crate::domain::outside::OutsideChange;
use crate::domain::refusal::{APPROVE, Refusal};
use crate::domain::session::{Phase, Session};
use crate::domain::text::Line;

pub(super) type Drafting = Result<Vec<Event>, Refusal>;

pub(super) fn production<'a>(session: &'a Session, deed: &'static str) -> Result<&'a Production, Refusal> {
    match &session.phase {
        Phase::Production(production) => Ok(production),
        Phase::Interview(_) | Phase::Selection(_) | Phase::NoInterview { .. } | Phase::Closed { .. } => {
            Err(wrong_phase(session, deed))
        }
    }
}

/// The draft for `target`, if it still is the one that was seen.
pub(super) fn seen<'a>(production: &'a Production, target: &Target, blob: &ObjectId) -> Result<&'a Drafted, Refusal> {
    let drafted = production.draft(target).ok_or_else(|| Own::NoDraft { target: target.clone() })?;
    if drafted.draft.blob != *blob {
        let (target, seen, now) = (target.clone(), blob.clone(), drafted.draft.blob.clone());
        return Err(Own::DraftChanged { target, seen, now }.into());
    }
    Ok(drafted)
}

/// Refuses a file that makes programs run, unless a person permitted that very file when they chose it.
fn harmless(production: &Production, target: &Target) -> Result<(), Refusal> {
    let forbidden = target.path().and_then(|path| Some((path, production.forbids(path)?)));
    forbidden.map_or(Ok(()), |(path, danger)| Err(Own::MakesProgramsRun { path: path.clone(), danger }.into()))
}

/// Takes a draft in. One that changed, in its bytes or in what it would replace, needs a new approval (G31).
pub(super) fn submit(session: &Session, actor: &Actor, draft: &Draft) -> Drafting {
    let production = production(session, "handing in a draft")?;
    if !production.plan.names(&draft.target) {
        return Err(Own::NotPlanned { target: draft.target.clone() }.into());
    }
    harmless(production, &draft.target)?;
    issues::check(production, actor, draft)?;
    match production.draft(&draft.target) {
        Some(Drafted { draft: earlier, stage })
            if *stage != Stage::Dropped
                && (&earlier.blob, &earlier.replaces, earlier.origin)
                    == (&draft.blob, &draft.replaces, draft.origin) =>
        {
            Ok(vec![])
        }
        Some(_) | None => Ok(vec![Event::DraftSubmitted { draft: Box::new(draft.clone()) }]),
    }
}

/// Leaves a draft out; it is not drafted again unless somebody hands one in. What a person approved an agent does not
/// take away.
pub(super) fn drop(session: &Session, actor: &Actor, target: &Target) -> Drafting {
    let production = production(session, "leaving a draft out")?;
    let drafted = production.draft(target).ok_or_else(|| Own::NoDraft { target: target.clone() })?;
    match &drafted.stage {
        Stage::Dropped => Ok(vec![]),
        Stage::Written { .. } | Stage::Created { .. } => Err(Own::DoneAlready { target: target.clone() }.into()),
        Stage::Approved { .. } if matches!(actor, Actor::Agent(_)) => {
            Err(Refusal::NotYours { deed: "leaving out what is approved", by: actor.clone() })
        }
        Stage::Drafted | Stage::Approved { .. } => {
            issues::check_unneeded(production, target)?;
            Ok(vec![Event::DraftDropped { target: target.clone() }])
        }
    }
}

/// Approves exactly the bytes that were seen.
pub(super) fn approve(session: &Session, actor: &Actor, target: &Target, blob: &ObjectId) -> Drafting {
    const DEED: &str = "approving a draft";
    let production = production(session, DEED)?;
    let drafted = seen(production, target, blob)?;
    harmless(production, target)?;
    if !may_approve(session, actor) {
        return Err(Refusal::ApprovalRequired { deed: DEED, by: actor.clone(), command: APPROVE });
    }
    Ok(match drafted.stage {
        Stage::Drafted => {
            issues::check_dependencies(production, &drafted.draft)?;
            vec![Event::DraftApproved { target: target.clone(), blob: blob.clone() }]
        }
        Stage::Dropped => return Err(Own::NoDraft { target: target.clone() }.into()),
        Stage::Approved { .. } | Stage::Written { .. } | Stage::Created { .. } => vec![],
    })
}

/// Notes that an approved draft was written.
pub(super) fn record_written(session: &Session, path: &TargetPath, blob: &ObjectId) -> Drafting {
    let drafted = seen(production(session, "noting a written file")?, &path.clone().into(), blob)?;
    match drafted.stage {
        Stage::Drafted | Stage::Dropped | Stage::Created { .. } => {
            Err(Own::NotApproved { target: path.clone().into() }.into())
        }
        Stage::Approved { .. } => Ok(vec![Event::FileWritten { path: path.clone(), blob: blob.clone() }]),
        Stage::Written { .. } => Ok(vec![]),
    }
}

/// Enters what somebody else made of planned files; the same findings again are nothing new.
pub(super) fn record_outside(session: &Session, changes: &[OutsideChange]) -> Drafting {
    let round = production(session, "recording what somebody else changed")?.round;
    let known = session.found_outside(round);
    let same = known.len() == changes.len() && known.iter().zip(changes).all(|(known, found)| **known == *found);
    Ok(if same { vec![] } else { vec![Event::OutsideFound { changes: changes.to_vec() }] })
}

/// Notes a commit of written files; the same commit again is nothing new.
pub(super) fn record_committed(session: &Session, commit: &ObjectId, paths: &[TargetPath]) -> Drafting {
    production(session, "noting a commit")?;
    Ok(if session.knows_commit(commit) {
        vec![]
    } else {
        vec![Event::OutputsCommitted { commit: commit.clone(), paths: paths.to_vec() }]
    })
}

/// Closes the output phase; what is approved has to be written first, what is only drafted is dropped.
pub(super) fn finish(session: &Session, summary: Option<&Line>) -> Drafting {
    let count = production(session, "finishing the output phase")?.owing();
    if count > 0 {
        return Err(Own::StillOwed { count }.into());
    }
    Ok(vec![Event::ProductionFinished { summary: summary.cloned() }])
}

/// Notes that what an output phase wrote was taken back.
pub(super) fn undone(session: &Session, round: u64) -> Vec<Event> {
    let phase = session.written_phases().into_iter().find(|phase| phase.round == round);
    let event = phase
        .map(|phase| Event::ProductionUndone { round, paths: phase.files.into_iter().map(|file| file.path).collect() });
    event.into_iter().collect()
}
