//! Deciding: one pure function from (session, who, command) to events or a refusal. An empty list of events means that
//! there is nothing to do.

#[cfg(test)]
mod held;
#[cfg(test)]
mod parked;
#[cfg(test)]
mod questions;
#[cfg(test)]
pub(in crate::domain) mod staged;
#[cfg(test)]
mod table;

use jiff::Timestamp;

pub use super::production::gate::openable;

use super::actor::Actor;
use super::command::{Command, Ending};
use super::debate;
use super::drift::Verification;
use super::event::Event;
use super::production::gate;
use super::refusal::Refusal;
use super::selection::Wanted;
use super::server_question::ServerQuestion;
use super::session::{Floor, Phase, Session};
use super::settings::{Approval, Setting};
use super::text::Line;

pub type Decision = Result<Vec<Event>, Refusal>;

pub fn decide(session: &Session, actor: &Actor, at: Timestamp, command: &Command) -> Decision {
    let deed = command.deed();
    if session.is_closed() {
        return Err(Refusal::SessionClosed { deed });
    }
    match command {
        Command::Configure(setting) => configure(session, actor, setting),
        Command::RecordVerification(verification) => {
            only_system(actor, deed)?;
            Ok(verified(session, verification))
        }
        Command::RecordServerQuestion(asked) => server_asked(actor, asked),
        Command::Stop { ending, summary } => stop(session, actor, *ending, summary.as_ref()),
        Command::Of(wanted) => {
            debate::waiting(session, command)?;
            wanted.decide(session, actor, at)
        }
    }
}

/// Whether this actor's word is an approval in this session (G30).
pub fn may_approve(session: &Session, actor: &Actor) -> bool {
    match actor {
        Actor::Human => true,
        Actor::Unattended => matches!(session.settings.approval, Approval::Script | Approval::Agent),
        Actor::Agent(_) => session.settings.approval == Approval::Agent,
        Actor::System => false,
    }
}

pub(super) fn only_system(actor: &Actor, deed: &'static str) -> Result<(), Refusal> {
    match actor {
        Actor::System => Ok(()),
        Actor::Human | Actor::Unattended | Actor::Agent(_) => Err(Refusal::NotYours { deed, by: actor.clone() }),
    }
}

/// What the user said to another server's question is theirs alone to say; what was not shown to them is ours.
fn server_asked(actor: &Actor, asked: &ServerQuestion) -> Decision {
    const DEED: &str = "answering another server's question";
    match (actor, asked.outcome.is_the_users()) {
        (Actor::Human, true) | (Actor::System, false) => {
            Ok(vec![Event::ServerAsked { asked: Box::new(asked.clone()) }])
        }
        (Actor::Human | Actor::System | Actor::Unattended | Actor::Agent(_), _) => {
            Err(Refusal::NotYours { deed: DEED, by: actor.clone() })
        }
    }
}

/// The way out of a session in which nothing is asked: one that works with a plan, or without one.
pub fn out_of_no_interview(session: &Session) -> &'static str {
    if session.own.plan.steps.is_empty() {
        "git grill plan set sets a plan; git grill stop ends this session, which asks nothing"
    } else {
        "git grill plan show shows the plan; git grill stop ends this session, which asks nothing"
    }
}

/// A refusal because of the phase, with what leads on from there.
pub fn wrong_phase(session: &Session, deed: &'static str) -> Refusal {
    let way_out = match &session.phase {
        Phase::Interview(Floor::Free | Floor::Question { .. }) => {
            "git grill select opens the output selection; git grill next goes on asking"
        }
        Phase::Interview(Floor::Discussion { .. }) => {
            "git grill discuss --done \"<what it came to>\" ends the discussion"
        }
        Phase::Selection(_) => "git grill next goes on with the interview; git grill select <output> chooses",
        Phase::Production(_) => "git grill finish returns to the interview",
        Phase::NoInterview { .. } => out_of_no_interview(session),
        Phase::Closed { .. } => "git grill start \"<topic>\" begins a new session",
    };
    Refusal::WrongPhase { deed, phase: session.phase.name(), way_out }
}

/// The same findings again are nothing new; the history names a drift when it is first seen and when it is gone.
fn verified(session: &Session, verification: &Verification) -> Vec<Event> {
    if session.verified.as_ref().is_some_and(|known| known.same_findings(verification)) {
        return vec![];
    }
    vec![Event::Verified { verification: Box::new(verification.kept()) }]
}

/// The settings are the person's: an agent that could turn research on or intensity down would decide for them.
fn configure(session: &Session, actor: &Actor, setting: &Setting) -> Decision {
    match actor {
        Actor::Human | Actor::Unattended | Actor::System => {}
        Actor::Agent(_) => {
            return Err(Refusal::NotYours { deed: "changing a setting", by: actor.clone() });
        }
    }
    if session.settings.clone().with(setting) == session.settings {
        return Ok(vec![]);
    }
    Ok(vec![Event::SettingChanged { setting: setting.clone() }])
}

/// Ending (G17, G40). A person may always stop; an agent only where it may decide, else its wish waits at the gate.
fn stop(session: &Session, actor: &Actor, ending: Ending, summary: Option<&Line>) -> Decision {
    let close = || match ending {
        Ending::AfterOutputs if !produced_something(session) => Err(Refusal::NothingProduced),
        // A debate that goes on ends with its session.
        Ending::AfterOutputs | Ending::WithoutOutput => {
            let open =
                session.own.debate.open().map(|_| debate::Event::DebateDecided { decision: debate::Decision::Kill });
            let closed = Event::Closed { ending, summary: summary.cloned() };
            Ok(open.into_iter().map(Event::from).chain([closed]).collect())
        }
    };
    match (actor, &session.phase) {
        (Actor::System, _) => Err(Refusal::NotYours { deed: "ending the session", by: actor.clone() }),
        (_, Phase::Closed { .. }) => Err(Refusal::SessionClosed { deed: "ending the session" }),
        (Actor::Agent(_), Phase::Selection(_) | Phase::NoInterview { .. }) if may_approve(session, actor) => close(),
        (Actor::Agent(_), Phase::NoInterview { .. }) => {
            Err(Refusal::NotYours { deed: "ending the session", by: actor.clone() })
        }
        (Actor::Agent(_), Phase::Selection(selection)) => {
            Ok(gate::request(selection, Wanted::Stop { summary: summary.cloned() }, actor)
                .into_iter()
                .map(Into::into)
                .collect())
        }
        (Actor::Agent(_), Phase::Interview(_) | Phase::Production(_)) => Err(Refusal::SelectionRequired),
        (
            Actor::Human | Actor::Unattended,
            Phase::Interview(_) | Phase::Selection(_) | Phase::Production(_) | Phase::NoInterview { .. },
        ) => close(),
    }
}

/// Whether a file was written or an issue created in this session, in a finished output phase or in the one that is open.
pub fn produced_something(session: &Session) -> bool {
    let open = match &session.phase {
        Phase::Production(production) => production.written().next().is_some() || production.created().next().is_some(),
        Phase::Interview(_) | Phase::Selection(_) | Phase::NoInterview { .. } | Phase::Closed { .. } => false,
    };
    open || !session.produced.is_empty() || !session.created.is_empty()
}
