//! Deciding about issues: texts that can be read, dependencies that lead somewhere, and what was created (G32).

use super::drafting::{Drafting, production, seen};
use super::{Creation, Draft, Drafted, Event, IssueSlot, Production, Refusal as Own, Stage, Target};
use crate::domain::actor::Actor;
use crate::domain::issue;
use crate::domain::refusal::Refusal;
use crate::domain::session::Session;

/// Whether the draft of an issue can be taken in; that of a file always can.
pub(super) fn check(production: &Production, actor: &Actor, draft: &Draft) -> Result<(), Refusal> {
    let Target::Issue(slot) = draft.target else {
        return Ok(());
    };
    let why = |why: String| Own::BadIssue { slot, why };
    issue::parse(&draft.content).map_err(|error| why(error.to_string()))?;
    match production.draft(&draft.target).map(|drafted| &drafted.stage) {
        Some(Stage::Created { .. }) => Err(Own::DoneAlready { target: draft.target.clone() }.into()),
        // It may be on its way to the tracker just now.
        Some(Stage::Approved { .. }) if matches!(actor, Actor::Agent(_)) => {
            Err(Refusal::NotYours { deed: "changing an approved issue", by: actor.clone() })
        }
        Some(Stage::Drafted | Stage::Dropped | Stage::Approved { .. } | Stage::Written { .. }) | None => Ok(()),
    }
}

/// Whether nothing that is still to come depends on the issue.
pub(super) fn check_unneeded(production: &Production, target: &Target) -> Result<(), Refusal> {
    let Target::Issue(slot) = *target else {
        return Ok(());
    };
    let needs = |(_, one): &(IssueSlot, &Drafted)| {
        one.stage != Stage::Dropped && one.draft.target != *target && one.draft.depends_on().contains(&slot)
    };
    match production.issues().find(needs) {
        Some((by, _)) => Err(Own::Needed { slot, by }.into()),
        None => Ok(()),
    }
}

/// Whether all that an issue depends on is there, and none of it depends on the issue. The error names the issue at
/// fault, which may be another one.
pub(super) fn check_dependencies(production: &Production, draft: &Draft) -> Result<(), Refusal> {
    let Target::Issue(slot) = draft.target else {
        return Ok(());
    };
    match production.astray(slot, &draft.depends_on()).first() {
        Some(astray) => Err(Own::BadIssue { slot: astray.by(), why: astray.to_string() }.into()),
        None => Ok(()),
    }
}

/// Notes that an approved issue exists.
pub(super) fn record_created(session: &Session, created: &Creation) -> Drafting {
    let target = Target::Issue(created.slot);
    let drafted = seen(production(session, "noting a created issue")?, &target, &created.blob)?;
    match drafted.stage {
        Stage::Drafted | Stage::Dropped | Stage::Written { .. } => Err(Own::NotApproved { target }.into()),
        Stage::Approved { .. } => Ok(vec![Event::IssueCreated(created.clone())]),
        Stage::Created { .. } => Ok(vec![]),
    }
}
