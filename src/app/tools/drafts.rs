//! `grill_submit_draft`: a draft is taken in, and nothing is written or created. What a person approves byte for byte is
//! written or created by us (G42).

use crate::domain::production::{
    self, Draft, IssueSlot, MOST_ISSUES, Origin, PlannedOutput, Production, Target, TargetPath,
};
use crate::domain::refusal::Refusal;
use crate::domain::session::{Phase, Session};
use crate::domain::settings::Destination;
use crate::domain::tool::{HandedIn, Tool};

use super::super::context::{Context, no_working_tree};
use super::super::drafting;
use super::super::error::AppError;
use super::super::leaving_out;
use super::super::revising::Revised;
use super::recording::by_the_caller;
use super::{Kind, ToolReply, caller, done};

/// Takes a draft in, or leaves one out.
pub(super) fn submit(context: &mut Context<'_>, handed: HandedIn) -> Result<ToolReply, AppError> {
    let session = context.session()?;
    let Phase::Production(production) = &session.phase else {
        return Err(AppError::Refused(Refusal::WrongPhase {
            deed: "handing in a draft",
            phase: session.phase.name(),
            way_out: "grill_enter_output_selection_phase first, and the user chooses there",
        }));
    };
    let draft = match handed {
        HandedIn::File { destination, path, content: full_text } => {
            file(context, planned(production, destination.as_ref(), &path)?, path, full_text)?
        }
        HandedIn::Issue { slot, content: full_text } => {
            let Some((output, _)) = production.plan.tracked() else {
                let target = Target::Issue(slot.or(further(production)).unwrap_or(IssueSlot::FIRST));
                return Err(AppError::from(production::Refusal::NotPlanned { target }));
            };
            let slot = slot.or(further(production)).ok_or_else(too_many)?;
            issue(context, output, slot, full_text)?
        }
        HandedIn::LeftOut(target) => return leave_out(context, &session, &target),
    };
    let (target, blob) = (draft.target.clone(), draft.blob.clone());
    let outcome = by_the_caller(context, &session, production::Command::SubmitDraft(Box::new(draft)).into())?;
    let done_with_it = match &target {
        Target::File(_) => "written",
        Target::Issue(_) => "created",
    };
    let text = format!(
        "The draft of {target} is recorded ({}). It is not approved and not {done_with_it}: ask the user to look at it \
         with git grill approve. If they want changes, hand in a new one.",
        blob.short()
    );
    Ok(done(context, Tool::SubmitDraft, Kind::Drafted, text, outcome.after))
}

fn file(context: &Context<'_>, output: &PlannedOutput, path: TargetPath, full_text: String) -> Result<Draft, AppError> {
    let targets = context.targets.ok_or_else(no_working_tree)?;
    let store = context.dispatcher.store;
    let replaced = drafting::read(targets, &path)?;
    Ok(Draft {
        target: path.into(),
        destination: output.destination.clone(),
        blob: store.blob_id(full_text.as_bytes())?,
        replaces: replaced.as_ref().map(|text| store.blob_id(text.as_bytes())).transpose()?,
        replaced,
        origin: Origin::HandedIn,
        content: full_text,
    })
}

fn issue(context: &Context<'_>, output: &PlannedOutput, slot: IssueSlot, full_text: String) -> Result<Draft, AppError> {
    Ok(Draft {
        target: Target::Issue(slot),
        destination: output.destination.clone(),
        blob: context.dispatcher.store.blob_id(full_text.as_bytes())?,
        replaces: None,
        replaced: None,
        origin: Origin::HandedIn,
        content: full_text,
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
fn leave_out(context: &mut Context<'_>, session: &Session, target: &Target) -> Result<ToolReply, AppError> {
    let actor = caller(context, session);
    let Revised { outcome, changes } = leaving_out::leave_out(context, &actor, session, std::slice::from_ref(target))?;
    let freed: Vec<String> = changes.iter().map(|change| change.after.target.to_string()).collect();
    let freed =
        if freed.is_empty() { String::new() } else { format!(", and {} no longer depends on it", freed.join(", ")) };
    let text = format!("{target} is left out{freed}. Hand it in again if the user wants it after all.");
    Ok(done(context, Tool::SubmitDraft, Kind::Drafted, text, outcome.after))
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
