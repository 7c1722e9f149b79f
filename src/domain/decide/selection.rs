//! Deciding at the gate: opening it, leaving it, and choosing outputs (G26 to G30).

use crate::domain::actor::Actor;
use crate::domain::command::Ending;
use crate::domain::event::Event;
use crate::domain::production::Plan;
use crate::domain::refusal::Refusal;
use crate::domain::selection::{Gate, Request, Selection, Wanted};
use crate::domain::session::{Floor, Phase, Session};
use crate::domain::text::Line;

use super::{Decision, may_approve, wrong_phase};

/// Opens the gate from the interview; from the output phase it replaces the plan, which stays in history (G35).
pub(super) fn open(session: &Session, gate: &Gate) -> Decision {
    const DEED: &str = "opening the output selection";
    let opened = vec![Event::SelectionOpened { gate: Box::new(gate.clone()) }];
    match &session.phase {
        Phase::Interview(Floor::Discussion { .. }) => Err(Refusal::InDiscussion { deed: DEED }),
        Phase::Interview(Floor::Free | Floor::Question { .. }) => Ok(opened),
        Phase::Selection(selection) => Ok(if selection.gate == *gate { vec![] } else { opened }),
        Phase::Production(production) => match production.owing() {
            0 => Ok(opened),
            count => Err(Refusal::StillOwed { count }),
        },
        Phase::Closed { .. } => Err(wrong_phase(session, DEED)),
    }
}

/// Goes on with the interview.
pub(super) fn leave(session: &Session, summary: Option<&Line>) -> Decision {
    match &session.phase {
        Phase::Selection(_) => Ok(vec![Event::SelectionLeft { summary: summary.cloned() }]),
        Phase::Interview(_) | Phase::Production(_) | Phase::Closed { .. } => {
            Err(wrong_phase(session, "going on with the interview"))
        }
    }
}

/// Leaves a wish for a person to decide on. The same wish again is nothing to do.
pub(super) fn request(selection: &Selection, wanted: Wanted, by: &Actor) -> Vec<Event> {
    let request = Request { wanted, by: by.clone() };
    if selection.request.as_ref() == Some(&request) {
        return vec![];
    }
    vec![Event::ApprovalRequested { request }]
}

/// Chooses outputs. A person's choice opens the output phase; anybody else's waits for one (G30).
pub(super) fn select(session: &Session, actor: &Actor, plan: &Plan) -> Decision {
    const DEED: &str = "choosing outputs";
    let Phase::Selection(selection) = &session.phase else {
        return Err(wrong_phase(session, DEED));
    };
    if plan.outputs.is_empty() {
        return Err(Refusal::EmptyPlan);
    }
    if may_approve(session, actor) {
        return Ok(vec![Event::OutputsSelected { plan: plan.clone() }]);
    }
    match actor {
        Actor::System => Err(Refusal::NotYours { deed: DEED, by: actor.clone() }),
        Actor::Human | Actor::Unattended | Actor::Agent(_) => {
            Ok(request(selection, Wanted::Outputs(plan.clone()), actor))
        }
    }
}

/// Grants what somebody asked for at the gate.
pub(super) fn grant(session: &Session, actor: &Actor) -> Decision {
    const DEED: &str = "granting a request";
    let Phase::Selection(selection) = &session.phase else {
        return Err(wrong_phase(session, DEED));
    };
    let Some(request) = &selection.request else {
        return Err(Refusal::NothingRequested);
    };
    if !may_approve(session, actor) {
        return Err(Refusal::ApprovalRequired { deed: DEED, by: actor.clone() });
    }
    Ok(vec![match &request.wanted {
        Wanted::Outputs(plan) => Event::OutputsSelected { plan: plan.clone() },
        Wanted::Stop { summary } => Event::Closed { ending: Ending::WithoutOutput, summary: summary.clone() },
    }])
}
