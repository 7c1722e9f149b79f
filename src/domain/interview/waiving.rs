//! Deciding on concerns of the referee (G57).

use super::Event;
use super::answering::Interviewing;
use crate::domain::actor::Actor;
use crate::domain::concern::Waiver;
use crate::domain::decide::may_approve;
use crate::domain::refusal::Refusal;
use crate::domain::session::Session;

/// Waves concerns through. It is a decision about what is left out, so only those take it who may approve.
pub(super) fn waive(session: &Session, actor: &Actor, concerns: &[Waiver]) -> Interviewing {
    const DEED: &str = "waving a concern through";
    if !may_approve(session, actor) {
        return Err(Refusal::ApprovalRequired { deed: DEED, by: actor.clone(), command: "git grill waive" });
    }
    let known = |waiver: &&Waiver| session.waived.iter().any(|known| known.key == waiver.key);
    let concerns: Vec<Waiver> = concerns.iter().filter(|waiver| !known(waiver)).cloned().collect();
    Ok(if concerns.is_empty() { vec![] } else { vec![Event::ConcernsWaived { concerns }] })
}
