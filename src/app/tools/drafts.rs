//! `grill_submit_draft`: a draft is taken in, and nothing is written or created. What a person approves byte for byte is
//! written or created by us (G42).

use crate::domain::production::{
    self, Draft, IssueSlot, MOST_ISSUES, Origin, PlannedOutput, Production, Target, TargetPath,
};
use crate::domain::refusal::Refusal;
use crate::domain::session::{Phase, Session};
use crate::domain::settings::Destination;
use crate::domain::tool::{HandedIn, Tool};

use super::super::desk::{Desk, no_working_tree};
use super::super::drafting;
use super::super::error::AppError;
use super::super::leaving_out;
use super::super::revising::Revised;
use super::recording::by_the_caller;
use super::{Kind, ToolReply, caller, done};

/// Takes a draft in, or leaves one out.
pub(super) fn submit(desk: &mut Desk<'_>, handed: HandedIn) -> Result<ToolReply, AppError> {
    let session = desk.session()?;
    let Phase::Production(production) = &session.phase else {
        return Err(AppError::Refused(Refusal::WrongPhase {
            deed: "handing in a draft",
            phase: session.phase.name(),
            way_out: "grill_enter_output_selection_phase first, and the user chooses there",
        }));
    };
    let draft = match handed {
        HandedIn::File { destination, path, content } => {
            file(desk, planned(production, destination.as_ref(), &path)?, path, content)?
        }
        HandedIn::Issue { slot, content } => {
            let Some((output, _)) = production.plan.tracked() else {
                let target = Target::Issue(slot.or(further(production)).unwrap_or(IssueSlot::FIRST));
                return Err(AppError::from(production::Refusal::NotPlanned { target }));
            };
            let slot = slot.or(further(production)).ok_or_else(too_many)?;
            issue(desk, output, slot, content)?
        }
        HandedIn::LeftOut(target) => return leave_out(desk, &session, &target),
    };
    let (target, blob) = (draft.target.clone(), draft.blob.clone());
    let outcome = by_the_caller(desk, &session, production::Command::SubmitDraft(Box::new(draft)).into())?;
    let done_with_it = match &target {
        Target::File(_) => "written",
        Target::Issue(_) => "created",
    };
    let text = format!(
        "The draft of {target} is recorded ({}). It is not approved and not {done_with_it}: ask the user to look at it \
         with git grill approve. If they want changes, hand in a new one.",
        blob.short()
    );
    Ok(done(desk, Tool::SubmitDraft, Kind::Drafted, text, outcome.after))
}

fn file(desk: &Desk<'_>, output: &PlannedOutput, path: TargetPath, content: String) -> Result<Draft, AppError> {
    let targets = desk.targets.ok_or_else(no_working_tree)?;
    let store = desk.dispatcher.store;
    let replaced = drafting::read(targets, &path)?;
    Ok(Draft {
        target: path.into(),
        destination: output.destination.clone(),
        blob: store.blob_id(content.as_bytes())?,
        replaces: replaced.as_ref().map(|text| store.blob_id(text.as_bytes())).transpose()?,
        replaced,
        origin: Origin::HandedIn,
        content,
    })
}

fn issue(desk: &Desk<'_>, output: &PlannedOutput, slot: IssueSlot, content: String) -> Result<Draft, AppError> {
    Ok(Draft {
        target: Target::Issue(slot),
        destination: output.destination.clone(),
        blob: desk.dispatcher.store.blob_id(content.as_bytes())?,
        replaces: None,
        replaced: None,
        origin: Origin::HandedIn,
        content,
    })
}

/// The number behind all that there are; none when there are too many.
fn further(production: &Production) -> Option<IssueSlot> {
    match production.issues().map(|(slot, _)| slot).max() {
        Some(last) => IssueSlot::new(last.number() + 1),
        None => Some(IssueSlot::FIRST),
    }
}

fn too_many() -> AppError {
    AppError::Usage {
        message: format!("a plan has {MOST_ISSUES} issues at most, and there is no further number"),
        hint: "hand it in with the number of one that it replaces".to_owned(),
    }
}

/// Leaves a draft out. One that a person approved is theirs, and so is one that would change by it.
fn leave_out(desk: &mut Desk<'_>, session: &Session, target: &Target) -> Result<ToolReply, AppError> {
    let actor = caller(desk, session);
    let Revised { outcome, changes } = leaving_out::leave_out(desk, &actor, session, std::slice::from_ref(target))?;
    let freed: Vec<String> = changes.iter().map(|change| change.after.target.to_string()).collect();
    let freed =
        if freed.is_empty() { String::new() } else { format!(", and {} no longer depends on it", freed.join(", ")) };
    let text = format!("{target} is left out{freed}. Hand it in again if the user wants it after all.");
    Ok(done(desk, Tool::SubmitDraft, Kind::Drafted, text, outcome.after))
}

/// The output of the plan that a file belongs to.
fn planned<'a>(
    production: &'a Production,
    destination: Option<&Destination>,
    path: &TargetPath,
) -> Result<&'a PlannedOutput, AppError> {
    let fits = |output: &&PlannedOutput| {
        output.paths.contains(path) && destination.is_none_or(|destination| *destination == output.destination)
    };
    let not_planned = || AppError::from(production::Refusal::NotPlanned { target: path.clone().into() });
    production.plan.outputs.iter().find(fits).ok_or_else(not_planned)
}
