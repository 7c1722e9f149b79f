//! Deciding at the gate: opening it, leaving it, and choosing outputs (G26 to G30).

use super::drafting::Drafting;
use super::{Event, Plan, Refusal as Own};
use crate::domain::actor::Actor;
use crate::domain::command::Ending;
use crate::domain::concern::Concern;
use crate::domain::danger::danger;
use crate::domain::decide::{Decision, may_approve, wrong_phase};
use crate::domain::event;
use crate::domain::interview;
use crate::domain::refusal::{APPROVE, Refusal, SELECT};
use crate::domain::selection::{Gate, Request, Selection, Wanted};
use crate::domain::session::{Floor, Phase, Session};
use crate::domain::text::Line;

/// Refuses where the gate cannot be opened, whoever asks for it: said before a person is asked for a yes, too.
pub fn openable(session: &Session) -> Result<(), Refusal> {
    const DEED: &str = "opening the output selection";
    match &session.phase {
        Phase::Interview(Floor::Discussion { .. }) => Err(interview::Refusal::InDiscussion { deed: DEED }.into()),
        Phase::Production(production) => match production.owing() {
            0 => Ok(()),
            count => Err(Own::StillOwed { count }.into()),
        },
        Phase::NoInterview { .. } | Phase::Closed { .. } => Err(wrong_phase(session, DEED)),
        Phase::Interview(Floor::Free | Floor::Question { .. }) | Phase::Selection(_) => Ok(()),
    }
}

/// Opens the gate from the interview; from the output phase it replaces the plan, which stays in history (G35), and takes
/// the word of who may choose outputs (G30).
pub(super) fn open(session: &Session, actor: &Actor, gate: &Gate) -> Drafting {
    openable(session)?;
    let opened = vec![Event::SelectionOpened { gate: Box::new(gate.clone()) }];
    match &session.phase {
        Phase::Interview(_) => {
            let (concerns, named) = held(session, actor, gate);
            if concerns.is_empty() {
                return Ok(opened);
            }
            Err(Own::Held { intensity: session.settings.intensity, concerns, named }.into())
        }
        Phase::Selection(selection) => Ok(if selection.gate == *gate { vec![] } else { opened }),
        Phase::Production(_) if *actor != Actor::System && !may_approve(session, actor) => {
            Err(Refusal::ApprovalRequired { deed: "choosing other outputs", by: actor.clone(), command: SELECT })
        }
        Phase::Production(_) | Phase::NoInterview { .. } | Phase::Closed { .. } => Ok(opened),
    }
}

/// The concerns that hold the gate which an agent opens out of the interview: at `hard` and above, until they are dealt
/// with or a person waved them through; and those that are only named. A person's own way to the gate is never held.
fn held(session: &Session, actor: &Actor, gate: &Gate) -> (Vec<Concern>, Vec<Concern>) {
    match actor {
        Actor::Human | Actor::Unattended | Actor::System => return (Vec::new(), Vec::new()),
        Actor::Agent(_) => {}
    }
    let waived = |concern: &Concern| session.waived.iter().any(|waiver| waiver.key == concern.key);
    let open = gate.findings.concerns.iter().filter(|one| !waived(one)).cloned();
    open.partition(|one| one.kind.holds(session.settings.intensity))
}

/// Goes on with the interview.
pub(super) fn leave(session: &Session, summary: Option<&Line>) -> Drafting {
    match &session.phase {
        Phase::Selection(_) => Ok(vec![Event::SelectionLeft { summary: summary.cloned() }]),
        Phase::Interview(_) | Phase::Production(_) | Phase::NoInterview { .. } | Phase::Closed { .. } => {
            Err(wrong_phase(session, "going on with the interview"))
        }
    }
}

/// Leaves a wish for a person to decide on. The same wish again is nothing to do.
pub(in crate::domain) fn request(selection: &Selection, wanted: Wanted, by: &Actor) -> Vec<Event> {
    let request = Request { wanted, by: by.clone() };
    if selection.request.as_ref() == Some(&request) {
        return vec![];
    }
    vec![Event::ApprovalRequested { request }]
}

/// Chooses outputs. A person's choice opens the output phase; anybody else's waits for one (G30).
pub(super) fn select(session: &Session, actor: &Actor, plan: &Plan) -> Drafting {
    const DEED: &str = "choosing outputs";
    let Phase::Selection(selection) = &session.phase else {
        return Err(wrong_phase(session, DEED));
    };
    if plan.outputs.is_empty() {
        return Err(Own::EmptyPlan.into());
    }
    plan.check_apart()?;
    harmless(plan, actor)?;
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

/// Grants what somebody asked for at the gate: the very request that was shown, word for word. A yes is no yes to whatever
/// took its place since.
pub(super) fn grant(session: &Session, actor: &Actor, shown: &Request) -> Decision {
    const DEED: &str = "granting a request";
    let Phase::Selection(selection) = &session.phase else {
        return Err(wrong_phase(session, DEED));
    };
    let Some(request) = &selection.request else {
        return Err(Own::RequestChanged.into());
    };
    if !may_approve(session, actor) {
        return Err(Refusal::ApprovalRequired { deed: DEED, by: actor.clone(), command: APPROVE });
    }
    if request != shown {
        return Err(Own::RequestChanged.into());
    }
    // What waits at the gate was asked for by somebody else, so no permission in it is a person's.
    if let Wanted::Outputs(plan) = &request.wanted {
        plan.check_apart()?;
        harmless(plan, &Actor::System)?;
    }
    Ok(vec![match &request.wanted {
        Wanted::Outputs(plan) => Event::OutputsSelected { plan: plan.clone() }.into(),
        Wanted::Stop { summary } => event::Event::Closed { ending: Ending::WithoutOutput, summary: summary.clone() },
    }])
}

/// Refuses a plan that names a file which makes programs run, unless a person chooses it and permitted that very file.
fn harmless(plan: &Plan, actor: &Actor) -> Result<(), Refusal> {
    let forbidden = match actor {
        Actor::Human => plan.dangerous(),
        Actor::Unattended | Actor::Agent(_) | Actor::System => {
            let paths = plan.outputs.iter().flat_map(|output| &output.paths);
            paths.chain(&plan.permitted).find_map(|path| Some((path, danger(path)?)))
        }
    };
    forbidden.map_or(Ok(()), |(path, danger)| Err(Own::MakesProgramsRun { path: path.clone(), danger }.into()))
}
