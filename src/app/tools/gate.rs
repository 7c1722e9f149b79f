//! `grill_enter_output_selection_phase` and `grill_finish_output_selection_phase`: the gate that an agent opens, and
//! what the person says there (G26 to G30, G40).

use crate::domain::actor::Actor;
use crate::domain::command::{Command, Ending};
use crate::domain::fnv::fnv1a;
use crate::domain::harmless::harmless;
use crate::domain::ids::QuestionId;
use crate::domain::production::{self, Plan};
use crate::domain::selection::{Gate, Selection};
use crate::domain::session::{Phase, Session};
use crate::domain::settings::{CataloguedStrategy, Destination, Strategy};
use crate::domain::text::Line;
use crate::domain::tool::{Leaving, Tool};
use crate::output;

use super::super::context::Context;
use super::super::dispatcher::Envelope;
use super::super::drafting::Wanted;
use super::super::error::AppError;
use super::super::prompt::{AtGate, Choice, GatePrompt, Unanswered};
use super::super::{drafting, ending};
use super::late::{Unrecorded, file};
use super::phases::{granted, produced, unshown};
use super::recording::{by_the_caller, led_on};
use super::{Kind, ToolReply, done};

/// Opens the gate, and asks the person there.
pub(super) fn enter(context: &mut Context<'_>, gate: &Gate) -> Result<ToolReply, AppError> {
    let session = context.session()?;
    let session = match unshown(context, Tool::EnterSelection, &session)? {
        Ok(session) => session,
        Err(reply) => return Ok(*reply),
    };
    let session = context.recheck(&session)?.after;
    let open = |context: &mut Context<'_>, session: &Session| {
        by_the_caller(context, session, production::Command::OpenSelection(Box::new(gate.clone())).into())
            .map(|outcome| outcome.after)
    };
    let opened = match open(context, &session) {
        Ok(opened) => opened,
        Err(error) => {
            let Some(production::Refusal::Held { intensity, concerns, .. }) = error.production() else {
                return Err(error);
            };
            match super::super::waiving::ask(context, &session, *intensity, concerns)? {
                // Those that were left hold it still.
                Some(session) => open(context, &session)?,
                None => return Err(error),
            }
        }
    };
    let Phase::Selection(selection) = &opened.phase else {
        return Ok(done(
            context,
            Tool::EnterSelection,
            Kind::Status,
            "The output selection was left meanwhile.",
            opened,
        ));
    };
    let named = named(&selection.gate);
    let reply = match context.prompter.gate(&prompt(selection, &opened)).answered() {
        Ok(said) => answered(context, &opened, selection, said),
        Err(unanswered) => unasked(context, opened.clone(), &unanswered),
    };
    Ok(reply?.remarking(named))
}

/// The concerns that the open gate shows to the user, for the agent that opened it.
fn named(gate: &Gate) -> Option<String> {
    const MOST: usize = 6;
    let concerns = &gate.findings.concerns;
    let mut lines: Vec<String> =
        concerns.iter().take(MOST).map(|one| format!("\n- {}: {}", one.name, harmless(one.says.as_str()))).collect();
    if concerns.len() > MOST {
        lines.push(format!("\n- and {} more; git grill waive lists them all", concerns.len() - MOST));
    }
    (!lines.is_empty()).then(|| format!("the user sees these concerns at the gate:{}", lines.concat()))
}

fn prompt(selection: &Selection, session: &Session) -> GatePrompt {
    let gate = &selection.gate;
    let choice = |value: String, description: Option<String>, recommended| Choice {
        label: value.clone(),
        value,
        description,
        recommended,
    };
    let ours = output::catalogue().map(|(output, entry)| (Destination::Known(output), Some(entry.about.to_owned())));
    let custom = gate.recommended_outputs.iter().filter(|one| matches!(one, Destination::Custom(_)));
    // Not by what stands in the repository: the list has to be the same when the answer comes.
    let theirs = custom.filter(|one| output::check_name(one).is_ok());
    let strategies = gate.recommended_strategy.iter().filter(|one| matches!(one, Strategy::Custom(_)));
    GatePrompt {
        heading: std::iter::once(gate.rationale.to_string())
            .chain(gate.findings.in_words())
            .collect::<Vec<_>>()
            .join("\n"),
        question: gate.question.to_string(),
        replies: super::super::putting::choices(&gate.alternatives),
        outputs: ours
            .chain(theirs.map(|one| (one.clone(), None)))
            .map(|(output, about)| choice(output.to_string(), about, gate.recommended_outputs.contains(&output)))
            .collect(),
        strategies: strategies
            .cloned()
            .chain(CataloguedStrategy::ALL.iter().map(|one| Strategy::Known(*one)))
            .map(|one| {
                let recommended = gate.recommended_strategy.as_ref() == Some(&one);
                choice(one.to_string(), None, recommended)
            })
            .collect(),
        background: gate
            .recommended_strategy
            .iter()
            .map(|strategy| format!("Recommended strategy: {strategy}"))
            .chain([format!("The interview is about: {}", session.topic)])
            .collect(),
        checkpoint: session.checkpoint.as_str().to_owned(),
    }
}

/// Records what the person said, whoever called.
fn answered(
    context: &mut Context<'_>,
    session: &Session,
    selection: &Selection,
    said: AtGate,
) -> Result<ToolReply, AppError> {
    const TOOL: Tool = Tool::EnterSelection;
    let by_person = |command| [Envelope { actor: Actor::Human, command }];
    match said {
        AtGate::Wrote(text) => {
            // No event holds them, and whoever called may be gone before it reads them.
            let (named, question) = (Some(&session.id), QuestionId::from_nonce(fnv1a(text.bytes())));
            let words = Unrecorded { session: named, question: &question, because: "", again: None, text: &text };
            let kept = match file(context, &words, None) {
                Ok(kept) => format!("these words are kept in {}", kept.display()),
                Err(error) => format!("these words could not be kept: {error}"),
            };
            let text = format!("User wrote: {text}\nNothing was decided; the output selection stays open.");
            Ok(done(context, TOOL, Kind::Wrote, text, session.clone()).remarking([kept]))
        }
        AtGate::Continue => {
            let after = context
                .handle_each(&session.id, &by_person(production::Command::ContinueInterview { summary: None }.into()))?
                .after;
            let after = led_on(context, after);
            let text = "The user goes on with the interview. Ask the next question.";
            Ok(done(context, TOOL, Kind::Continued, text, after).with_instructions())
        }
        AtGate::Stop => {
            let command = Command::Stop { ending: Ending::WithoutOutput, summary: None };
            let outcome = context.handle_each(&session.id, &by_person(command))?;
            stopped(context, TOOL, outcome.after)
        }
        AtGate::Outputs { outputs, strategy } => {
            let offered = prompt(selection, session);
            let named: Result<Vec<Destination>, _> =
                outputs.iter().filter_map(|index| offered.outputs.get(*index)).map(|one| one.value.parse()).collect();
            let strategy = strategy.and_then(|index| offered.strategies.get(index)).map(|one| one.value.parse());
            let strategy = strategy.transpose()?.or_else(|| selection.gate.recommended_strategy.clone());
            let wanted = Wanted { strategy: strategy.as_ref(), ..Wanted::default() };
            let plan: Plan = drafting::plan(context, session, &named?, wanted)?;
            super::super::gate::none_ignored(context, &plan)?;
            let after =
                context.handle_each(&session.id, &by_person(production::Command::SelectOutputs(plan).into()))?.after;
            Ok(produced(context, TOOL, &after))
        }
    }
}

/// Nobody said anything: the gate stays open, and waits.
fn unasked(context: &Context<'_>, session: Session, unanswered: &Unanswered) -> Result<ToolReply, AppError> {
    let (kind, why) = match unanswered {
        Unanswered::Interrupted { .. } => return Err(AppError::Interrupted),
        Unanswered::Cancelled { .. } => (Kind::Declined, "The user closed the question."),
        Unanswered::Unavailable(_) | Unanswered::Lost { .. } | Unanswered::TimedOut { .. } => {
            (Kind::Waiting, "The output selection is open, and the user has yet to decide.")
        }
    };
    let text = format!(
        "{why} Show them why it is ready and the concrete choices, and wait. More questions: \
         grill_finish_output_selection_phase with continue-grilling. Outputs: grill_enter_output_phase, which they grant \
         with git grill approve; or git grill select at their terminal. No output: stop-without-output."
    );
    Ok(done(context, Tool::EnterSelection, kind, text, session).with_instructions())
}

/// Leaves the gate. Going on with the interview only makes things stricter; ending it takes the person's word (G40).
pub(super) fn leave(context: &mut Context<'_>, leaving: Leaving, summary: Option<Line>) -> Result<ToolReply, AppError> {
    const TOOL: Tool = Tool::FinishSelection;
    let session = context.session()?;
    match leaving {
        Leaving::ContinueGrilling => {
            let after =
                by_the_caller(context, &session, production::Command::ContinueInterview { summary }.into())?.after;
            let after = led_on(context, after);
            Ok(done(context, TOOL, Kind::Continued, "The interview goes on.", after).with_instructions())
        }
        Leaving::StopWithoutOutput => {
            let command = Command::Stop { ending: Ending::WithoutOutput, summary };
            let asked = by_the_caller(context, &session, command)?.after;
            if asked.is_closed() {
                return stopped(context, TOOL, asked);
            }
            let deed = "ending the session without output";
            match granted(context, TOOL, &asked, deed)? {
                Ok(after) => stopped(context, TOOL, after),
                Err(reply) => Ok(reply),
            }
        }
    }
}

/// The session ended: what only served it is taken away.
fn stopped(context: &mut Context<'_>, tool: Tool, session: Session) -> Result<ToolReply, AppError> {
    let warnings = ending::free_the_worktree(context, Some(&session))?;
    let text = format!(
        "The session has ended without output, and the repository is writable again. Its history: git log {}",
        session.id.ref_name()
    );
    let mut reply = done(context, tool, Kind::Stopped, text, session);
    reply.remarks.extend(warnings);
    Ok(reply)
}
