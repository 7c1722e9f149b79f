//! The gate: opened, left with a choice of outputs, and what waits there for a person granted (G26 to G30).

use crate::domain::actor::Actor;
use crate::domain::decide::{may_approve, openable};
use crate::domain::production::{self, Draft, Plan};
use crate::domain::refusal::{APPROVE, Refusal, SELECT};
use crate::domain::selection::{Request, Wanted};
use crate::domain::session::{Phase, Session};
use crate::text::shell::pathname;

use super::context::{Context, no_working_tree};
use super::drafting;
use super::ending;
use super::error::{AppError, not_answered, waits_for_a_person};
use super::kept_edits::kept_behind;
use super::outside;
use super::reply::{Outcome, Reply};
use super::watched::unless_moved;

/// The most drafts that a question names one by one.
const MOST_NAMED: usize = 12;

/// Opens the gate, unless it is open.
pub fn open_gate(context: &mut Context<'_>, session: &Session) -> Result<Outcome, AppError> {
    let session = about_to_open(context, session)?;
    open(context, &session)
}

/// Refuses where the gate cannot be opened, and has a person look at what somebody else made of planned files: a new plan
/// takes the place of the old one, whose files nobody would look at any more. Nothing is left by it yet.
///
/// An open output phase is what a person chose, and may hold drafts that they edited. A wish for other outputs leaves no
/// trace in it: only who may approve leaves the phase.
fn about_to_open(context: &mut Context<'_>, session: &Session) -> Result<Session, AppError> {
    const DEED: &str = "choosing other outputs";
    openable(session)?;
    let session = outside::accept(context, session, SELECT)?;
    if matches!(session.phase, Phase::Production(_)) {
        may_say_yes(context, &session, DEED, SELECT)?;
    }
    Ok(session)
}

fn open(context: &mut Context<'_>, session: &Session) -> Result<Outcome, AppError> {
    if matches!(session.phase, Phase::Selection(_)) {
        return Ok(Outcome::nothing(session.clone()));
    }
    let checked = context.recheck(session)?;
    let gate = Box::new(drafting::gate(&checked.after));
    Ok(checked.then(context.handle(&session.id, production::Command::OpenSelection(gate).into())?))
}

/// Refuses a plan with files that git ignores: nobody would see that they are there, and no commit would take them.
pub fn none_ignored(context: &Context<'_>, plan: &Plan) -> Result<(), AppError> {
    let Some(commits) = context.commits else {
        return Ok(());
    };
    for output in &plan.outputs {
        let ignored = commits.ignored(&output.paths).map_err(|error| AppError::Environment {
            code: "git",
            message: "nothing was chosen: git did not say which files it ignores".to_owned(),
            causes: vec![error.to_string()],
            hint: Some("git check-ignore -v <file>".to_owned()),
        })?;
        if let Some(path) = ignored.first() {
            return Err(AppError::from(production::Refusal::CannotProduce {
                destination: output.destination.clone(),
                why: format!("{path} is ignored by git"),
                way_out: format!(
                    "git check-ignore -v -- {} says why; --path <another file> names another one",
                    pathname(path.as_str())
                ),
            }));
        }
    }
    Ok(())
}

/// Chooses what is produced and drafts it right away. A person confirms what they typed; anybody else's choice waits
/// for one (G30), unless an output phase is open. The gate opens with the choice: without the yes, the plan and the
/// drafts before it stay (G31).
pub fn choose(context: &mut Context<'_>, session: &Session, plan: Plan) -> Result<Outcome, AppError> {
    if context.targets.is_none() {
        return Err(no_working_tree());
    }
    let session = about_to_open(context, session)?;
    if context.actor == Actor::Human {
        let question = format!("Produce {}{}?", in_words(&plan), and_leave(&session, &plan));
        confirm_unmoved(context, &session, &question, "choosing outputs")?;
    }
    let opened = open(context, &session)?;
    let outcome = opened.then(context.handle(&session.id, production::Command::SelectOutputs(plan).into())?);
    if !matches!(outcome.after.phase, Phase::Production(_)) {
        return Err(waits_for_a_person(&context.actor, "choosing outputs"));
    }
    draft(context, outcome)
}

/// Drafts what was chosen, and says which edited drafts of it did not come back.
fn draft(context: &mut Context<'_>, outcome: Outcome) -> Result<Outcome, AppError> {
    let drafted = drafting::draft_all(context, &outcome.after)?.warned(context);
    if let Some(kept) = kept_behind(&drafted.after) {
        context.voice.warn(&kept);
    }
    Ok(outcome.then(drafted))
}

pub fn in_words(plan: &Plan) -> String {
    let outputs: Vec<String> = plan
        .outputs
        .iter()
        .map(|output| format!("{} ({}) as {}", output.destination, output.strategy, output.place()))
        .collect();
    outputs.join(" and ")
}

/// What becomes of the drafts that wait when these outputs are chosen, in words that follow what is produced; empty where
/// there are none. An edited one is kept.
fn and_leave(session: &Session, plan: &Plan) -> String {
    let left = session.dropped_by(plan);
    let (made, edited): (Vec<&Draft>, Vec<&Draft>) = left.into_iter().partition(|draft| draft.origin.is_generated());
    let chosen_again = if edited.len() == 1 { "its output is chosen again" } else { "their outputs are chosen again" };
    let dropped = drafts_of(&made).map(|drafts| format!("drop the {drafts}"));
    let kept = drafts_of(&edited).map(|drafts| format!("keep the edited {drafts} for when {chosen_again}"));
    match (dropped, kept) {
        (None, None) => String::new(),
        (Some(one), None) | (None, Some(one)) => format!(", and {one}"),
        (Some(dropped), Some(kept)) => format!(", {dropped}, and {kept}"),
    }
}

/// Drafts by name; of many only the first ones.
fn drafts_of(drafts: &[&Draft]) -> Option<String> {
    let mut names: Vec<String> = drafts.iter().take(MOST_NAMED).map(|draft| draft.target.to_string()).collect();
    if let Some(more) = drafts.len().checked_sub(MOST_NAMED).filter(|more| *more > 0) {
        names.push(format!("{more} more"));
    }
    match names.as_slice() {
        [] => None,
        [only] => Some(format!("draft of {only}")),
        several => Some(format!("drafts of {}", several.join(", "))),
    }
}

/// The question whether the request that waits at the gate is granted.
pub fn granting(session: &Session, request: &Request) -> String {
    let wanted = match &request.wanted {
        Wanted::Outputs(plan) => format!("produce {}{}", in_words(plan), and_leave(session, plan)),
        Wanted::Stop { .. } => "end the session without output".to_owned(),
    };
    format!("{} asks to {wanted}. Grant it?", request.by.in_words())
}

/// Grants what waits at the gate, as it is shown here; what takes its place meanwhile is not granted.
pub fn grant(context: &mut Context<'_>, session: &Session) -> Result<Reply, AppError> {
    let Some(request) = session.request() else {
        return Err(AppError::from(production::Refusal::NothingRequested));
    };
    may_say_yes(context, session, "granting a request", APPROVE)?;
    let shown = Box::new(request.clone());
    let session = &name_drift(context, session)?;
    if context.actor == Actor::Human {
        confirm_unmoved(context, session, &granting(session, &shown), "granting the request")?;
    }
    let outcome = context.handle(&session.id, production::Command::GrantRequest { shown }.into())?;
    if outcome.after.is_closed() {
        return ending::leave(context, outcome);
    }
    Ok(Reply::Happened(Box::new(draft(context, outcome)?)))
}

/// Refuses before anything is asked or recorded when this actor's word is no approval; a person types `command`.
pub fn may_say_yes(
    context: &Context<'_>,
    session: &Session,
    deed: &'static str,
    command: &'static str,
) -> Result<(), AppError> {
    if may_approve(session, &context.actor) {
        return Ok(());
    }
    Err(AppError::Refused(Refusal::ApprovalRequired { deed, by: context.actor.clone(), command }))
}

/// Says what drifted, before anybody approves anything on top of it.
pub fn name_drift(context: &mut Context<'_>, session: &Session) -> Result<Session, AppError> {
    let (session, found) = context.name_drift(session);
    if let Some(found) = found.filter(|found| !found.is_clean()) {
        context.voice.say(&Reply::Drifted(Box::new(found)))?;
    }
    Ok(session)
}

/// Asks for a yes, while the session is as it was.
fn confirm_unmoved(
    context: &mut Context<'_>,
    session: &Session,
    question: &str,
    deed: &'static str,
) -> Result<(), AppError> {
    // What is outside of the output phase may have been recorded since.
    let now = context.dispatcher.store.load(&session.id)?.session;
    match unless_moved(context, &now, deed, |context| context.prompter.confirm(question))? {
        Ok(true) => Ok(()),
        Ok(false) => Err(AppError::Cancelled(deed)),
        Err(_) => Err(AppError::Declined {
            code: "settled_elsewhere",
            message: format!("{deed} was left: the session was moved on elsewhere meanwhile"),
            causes: Vec::new(),
            hint: "git grill status shows where it is".to_owned(),
        }),
    }
}

pub fn confirm(context: &mut Context<'_>, question: &str, deed: &'static str) -> Result<(), AppError> {
    let granted = context.prompter.confirm(question).answered().map_err(not_answered(deed))?;
    if granted { Ok(()) } else { Err(AppError::Cancelled(deed)) }
}
