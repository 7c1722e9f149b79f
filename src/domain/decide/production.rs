//! Deciding in the output phase: drafts, approvals that bind to bytes, and what was written (G31 to G34).

use crate::domain::actor::Actor;
use crate::domain::event::Event;
use crate::domain::ids::ObjectId;
use crate::domain::production::{Draft, Drafted, Production, Stage, TargetPath};
use crate::domain::refusal::Refusal;
use crate::domain::session::{Phase, Session};
use crate::domain::text::Line;

use super::{Decision, may_approve, wrong_phase};

fn production<'a>(session: &'a Session, deed: &'static str) -> Result<&'a Production, Refusal> {
    match &session.phase {
        Phase::Production(production) => Ok(production),
        Phase::Interview(_) | Phase::Selection(_) | Phase::Closed { .. } => Err(wrong_phase(session, deed)),
    }
}

/// The draft for `path`, if it still is the one that was seen.
fn seen<'a>(production: &'a Production, path: &TargetPath, blob: &ObjectId) -> Result<&'a Drafted, Refusal> {
    let drafted = production.draft(path).ok_or_else(|| Refusal::NoDraft { path: path.clone() })?;
    if drafted.draft.blob != *blob {
        return Err(Refusal::DraftChanged { path: path.clone(), seen: blob.clone(), now: drafted.draft.blob.clone() });
    }
    Ok(drafted)
}

/// Takes a draft in. One that changed, in its bytes or in what it would replace, needs a new approval (G31).
pub(super) fn submit(session: &Session, draft: &Draft) -> Decision {
    let production = production(session, "handing in a draft")?;
    if !production.plan.names(&draft.path) {
        return Err(Refusal::PathNotPlanned { path: draft.path.clone() });
    }
    match production.draft(&draft.path) {
        Some(Drafted { draft: earlier, .. })
            if (&earlier.blob, &earlier.replaces, earlier.origin) == (&draft.blob, &draft.replaces, draft.origin) =>
        {
            Ok(vec![])
        }
        Some(_) | None => Ok(vec![Event::DraftSubmitted { draft: Box::new(draft.clone()) }]),
    }
}

/// Approves exactly the bytes that were seen.
pub(super) fn approve(session: &Session, actor: &Actor, path: &TargetPath, blob: &ObjectId) -> Decision {
    const DEED: &str = "approving a draft";
    let drafted = seen(production(session, DEED)?, path, blob)?;
    if !may_approve(session, actor) {
        return Err(Refusal::ApprovalRequired { deed: DEED, by: actor.clone() });
    }
    Ok(match drafted.stage {
        Stage::Drafted => vec![Event::DraftApproved { path: path.clone(), blob: blob.clone() }],
        Stage::Approved { .. } | Stage::Written { .. } => vec![],
    })
}

/// Notes that an approved draft was written.
pub(super) fn record_written(session: &Session, path: &TargetPath, blob: &ObjectId) -> Decision {
    let drafted = seen(production(session, "noting a written file")?, path, blob)?;
    match drafted.stage {
        Stage::Drafted => Err(Refusal::NotApproved { path: path.clone() }),
        Stage::Approved { .. } => Ok(vec![Event::FileWritten { path: path.clone(), blob: blob.clone() }]),
        Stage::Written { .. } => Ok(vec![]),
    }
}

/// Closes the output phase; what is approved has to be written first, what is only drafted is dropped.
pub(super) fn finish(session: &Session, summary: Option<&Line>) -> Decision {
    let count = production(session, "finishing the output phase")?.owed().count();
    if count > 0 {
        return Err(Refusal::FilesOwed { count });
    }
    Ok(vec![Event::ProductionFinished { summary: summary.cloned() }])
}

/// Notes that what the newest output phase wrote was taken back.
pub(super) fn undone(session: &Session, round: u64) -> Vec<Event> {
    match session.undoable() {
        Some((newest, files)) if newest == round => {
            vec![Event::ProductionUndone { round, paths: files.into_iter().map(|file| file.path).collect() }]
        }
        Some(_) | None => vec![],
    }
}
