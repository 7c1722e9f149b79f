//! `grill_enter_output_phase`, `grill_submit_draft` and `grill_finish_output_phase`: nothing is written here. A plan waits
//! for a person, and so does every draft (G30 to G34, G41, G42).

use crate::domain::actor::Actor;
use crate::domain::decide::may_approve;
use crate::domain::production::{self, Plan, PlannedOutput, Production, TargetPath};
use crate::domain::refusal::{APPROVE, Refusal};
use crate::domain::selection::Selection;
use crate::domain::session::{Phase, Session};
use crate::domain::text::Line;
use crate::domain::tool::{Tool, WantedOutput, WantedPlan};

use super::super::context::{Context, no_working_tree};
use super::super::dispatcher::Envelope;
use super::super::drafting::Wanted;
use super::super::error::AppError;
use super::super::error::advice::of_refusal;
use super::super::kept_edits::kept_behind;
use super::super::prompt::Unanswered;
use super::super::{drafting, gate, outside};
use super::recording::{by_the_caller, led_on};
use super::{Kind, ToolReply, ToolResult, caller, done};

/// Asks for the output phase.
pub(super) fn enter(context: &mut Context<'_>, wanted: WantedPlan) -> Result<ToolReply, AppError> {
    const TOOL: Tool = Tool::EnterOutput;
    let session = context.session()?;
    match &session.phase {
        // The person has chosen already: what they chose is the plan.
        Phase::Production(production) => {
            within(production, &wanted)?;
            let plan = gate::in_words(&production.plan);
            let text = format!("The output phase is open, with the plan that the user chose: {plan}. {HAND_IN}");
            Ok(done(context, TOOL, Kind::Producing, text, session).with_instructions())
        }
        Phase::Selection(selection) => {
            let plan = plan(context, &session, selection, wanted)?;
            let asked = by_the_caller(context, &session, production::Command::SelectOutputs(plan).into())?.after;
            if matches!(asked.phase, Phase::Production(_)) {
                return Ok(produced(context, TOOL, &asked));
            }
            match granted(context, TOOL, &asked, "opening the output phase")? {
                Ok(after) => Ok(produced(context, TOOL, &after)),
                Err(reply) => Ok(reply),
            }
        }
        Phase::Interview(_) | Phase::NoInterview { .. } | Phase::Closed { .. } => {
            Err(AppError::Refused(Refusal::WrongPhase {
                deed: "opening the output phase",
                phase: session.phase.name(),
                way_out: "grill_enter_output_selection_phase first, and the user chooses there",
            }))
        }
    }
}

const HAND_IN: &str =
    "Hand drafts in with grill_submit_draft; the user sees each and approves it with git grill approve.";

/// What an agent adds to a plan that a person chose must lie within it (G41).
fn within(production: &Production, wanted: &WantedPlan) -> Result<(), AppError> {
    for output in &wanted.outputs {
        let chosen = production.plan.outputs.iter().find(|one| one.destination == output.destination);
        let Some(chosen) = chosen else {
            return Err(AppError::from(production::Refusal::OutputNotChosen {
                destination: output.destination.clone(),
            }));
        };
        if let Some(path) = output.paths.iter().find(|path| !chosen.paths.contains(path)) {
            return Err(AppError::from(production::Refusal::NotPlanned { target: path.clone().into() }));
        }
    }
    Ok(())
}

/// The plan that a person is to grant: what was named, else what is recommended at the gate. What is left out is as
/// recommended there.
fn plan(
    context: &mut Context<'_>,
    session: &Session,
    selection: &Selection,
    wanted: WantedPlan,
) -> Result<Plan, AppError> {
    let recommended = selection.gate.recommended_strategy.as_ref();
    let mut outputs: Vec<PlannedOutput> = Vec::new();
    let named: Vec<WantedOutput> = if wanted.outputs.is_empty() {
        let bare = |destination: &crate::domain::settings::Destination| WantedOutput {
            destination: destination.clone(),
            strategy: None,
            paths: Vec::new(),
            repository: None,
        };
        selection.gate.recommended_outputs.iter().map(bare).collect()
    } else {
        wanted.outputs
    };
    for output in named {
        let strategy = output.strategy.as_ref().or(recommended);
        let path = if let [only] = output.paths.as_slice() { Some(only) } else { None };
        let destination = std::slice::from_ref(&output.destination);
        let repository = output.repository.as_ref();
        let as_wanted = Wanted { strategy, path, repository, beside: &outputs, ..Wanted::default() };
        let one = drafting::plan(context, session, destination, as_wanted)?;
        outputs.extend(one.outputs.into_iter().map(|one| PlannedOutput {
            paths: if output.paths.is_empty() { one.paths } else { output.paths.clone() },
            ..one
        }));
    }
    if outputs.is_empty() {
        return Err(AppError::from(production::Refusal::EmptyPlan));
    }
    let plan = Plan { outputs, prose: Some(wanted.prose), permitted: Vec::new() };
    drafting::check(&plan, context.targets.ok_or_else(no_working_tree)?)?;
    gate::none_ignored(context, &plan)?;
    Ok(plan)
}

/// Has a person grant what waits at the gate: the session after it, or what to tell where nobody did.
pub(super) fn granted(
    context: &mut Context<'_>,
    tool: Tool,
    session: &Session,
    deed: &'static str,
) -> Result<Result<Session, ToolReply>, AppError> {
    // Nobody approves on top of a drift that they were not told of (G38).
    let (session, drift) = context.name_drift(session);
    let drift =
        drift.filter(|found| !found.is_clean()).map(|found| format!("\nSince the start: {}.", found.in_words()));
    let by = caller(context, &session);
    let Some(request) = session.request() else {
        return Err(AppError::from(production::Refusal::NothingRequested));
    };
    let shown = Box::new(request.clone());
    let question = format!("{}{}", gate::granting(&session, &shown), drift.unwrap_or_default());
    match context.prompter.confirm(&question).answered() {
        Ok(true) => {
            let grant = Envelope { actor: Actor::Human, command: production::Command::GrantRequest { shown }.into() };
            Ok(Ok(context.handle_each(&session.id, &[grant])?.after))
        }
        Ok(false) | Err(Unanswered::Cancelled { .. }) => {
            let text = "The user said no. Ask them what they want instead; the gate stays open.";
            Ok(Err(done(context, tool, Kind::Declined, text, session)))
        }
        Err(Unanswered::Interrupted { .. }) => Err(AppError::Interrupted),
        Err(Unanswered::Unavailable(_) | Unanswered::Lost { .. } | Unanswered::TimedOut { .. }) => {
            let refused = Refusal::ApprovalRequired { deed, by, command: APPROVE };
            let text = format!("{} {refused}.", of_refusal(&refused, tool.name()));
            let mut reply = done(context, tool, Kind::ApprovalRequired, text, session);
            if let ToolResult::Done(done) = &mut reply.result {
                done.refused = Some(refused);
            }
            Ok(Err(reply))
        }
    }
}

/// The output phase opened: what our generators make of it is drafted, so that nobody begins with an empty page.
pub(super) fn produced(context: &mut Context<'_>, tool: Tool, session: &Session) -> ToolReply {
    // Whoever called can hand in what we cannot make of it.
    let (drafted, remarks): (Session, Vec<String>) = match drafting::draft_all(context, session) {
        Ok(made) => {
            let waits = |error: &AppError| format!("submit it with grill_submit_draft: {error}");
            let outdated = made.outdated.iter().map(ToString::to_string);
            let kept = kept_behind(&made.outcome.after).map(|kept| kept.to_string());
            let remarks = made.unwritten.iter().map(waits).chain(outdated).chain(kept).collect();
            (made.outcome.after, remarks)
        }
        Err(error) => (session.clone(), vec![format!("git grill itself drafted nothing: {error}")]),
    };
    let Phase::Production(production) = &drafted.phase else {
        return done(context, tool, Kind::Status, "The output phase was left meanwhile.", drafted);
    };
    let text = format!(
        "The user chose: {}. What git grill itself makes of it is drafted; better it with grill_submit_draft. The user \
         sees each draft and approves it with git grill approve.",
        gate::in_words(&production.plan)
    );
    let mut reply = done(context, tool, Kind::Producing, text, drafted).with_instructions();
    reply.remarks.extend(remarks);
    reply
}

/// Closes the output phase; the interview is read-only again (G34).
pub(super) fn finish(context: &mut Context<'_>, summary: Option<Line>) -> Result<ToolReply, AppError> {
    let session = context.session()?;
    let left: Vec<String> = match &session.phase {
        Phase::Production(production) => production.waiting().map(|draft| draft.target.to_string()).collect(),
        Phase::Interview(_) | Phase::Selection(_) | Phase::NoInterview { .. } | Phase::Closed { .. } => Vec::new(),
    };
    let session = match unshown(context, Tool::FinishOutput, &session)? {
        Ok(session) => session,
        Err(reply) => return Ok(*reply),
    };
    context.expect(&session)?;
    let after = by_the_caller(context, &session, production::Command::FinishProduction { summary }.into())?.after;
    let after = led_on(context, after);
    let written: Vec<&str> = after.produced.iter().map(|one| TargetPath::as_str(&one.path)).collect();
    let text = if written.is_empty() {
        "The output phase is over, and nothing was written. The repository is read-only again.".to_owned()
    } else {
        format!("The output phase is over. Written: {}. The repository is read-only again.", written.join(", "))
    };
    let reply = done(context, Tool::FinishOutput, Kind::Finished, text, after).with_instructions();
    Ok(if left.is_empty() {
        reply
    } else {
        reply.remarking([format!("never approved, so never written: {}", left.join(", "))])
    })
}

/// The session, unless somebody other than git grill changed a planned file: then a person looks at that first (G42).
pub(super) fn unshown(
    context: &mut Context<'_>,
    tool: Tool,
    session: &Session,
) -> Result<Result<Session, Box<ToolReply>>, AppError> {
    let (session, found) = outside::look(context, session)?;
    let by = caller(context, &session);
    if found.is_empty() || may_approve(&session, &by) {
        return Ok(Ok(session));
    }
    let names: Vec<&str> = found.iter().map(|one| one.change.path.as_str()).collect();
    let refused = Refusal::ApprovalRequired {
        deed: "leaving the output phase with files that you changed yourself",
        by,
        command: "git grill finish",
    };
    let text = format!(
        "Ask the user to run git grill finish at a terminal, which shows them what changed; then call {} again. \
         {refused}: {} is not as git grill left it.",
        tool.name(),
        names.join(", ")
    );
    let mut reply = done(context, tool, Kind::ApprovalRequired, text, session);
    if let ToolResult::Done(done) = &mut reply.result {
        done.refused = Some(refused);
    }
    Ok(Err(Box::new(reply)))
}
