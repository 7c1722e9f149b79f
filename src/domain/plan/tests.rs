//! Plan mode, by the rules.

mod citing;
mod deciding;
mod deriving;
mod document;
mod hearing;
mod reading;
mod reviewing;
mod telling;

use super::{Command, PlanSource, Settlement, Steps};
use crate::domain::actor::Actor;
use crate::domain::decide::decide;
use crate::domain::decide::staged::{at, line, started};
use crate::domain::event::Recorded;
use crate::domain::session::Session;
use crate::domain::settings::Approval;

fn agent() -> Actor {
    Actor::Agent("claude".to_owned())
}

fn steps(texts: &[&str]) -> Steps {
    Steps::parse(texts).unwrap()
}

fn many(count: usize) -> Steps {
    let texts: Vec<String> = (1..=count).map(|number| format!("step number {number}")).collect();
    Steps::parse(&texts).unwrap()
}

/// A session without an interview.
fn fresh() -> Session {
    Session::begin(&started(Approval::Person, true), at(), 1)
}

fn set(steps: Steps) -> Command {
    Command::SetPlan { steps, source: PlanSource::Tool { name: line("grill_set_plan") } }
}

fn settle(step: u32, to: Settlement) -> Command {
    Command::Settle { step, to }
}

/// What a command comes to, each event with its place in the history.
fn recorded(session: &Session, by: &Actor, command: &Command) -> Vec<Recorded> {
    let events = decide(session, by, at(), &command.clone().into()).unwrap_or_default();
    let numbered = (session.seq + 1..).zip(events);
    numbered.map(|(seq, event)| Recorded { seq, at: at(), by: by.clone(), event }).collect()
}

fn after(session: Session, by: &Actor, command: &Command) -> Session {
    decide(&session, by, at(), &command.clone().into()).unwrap_or_else(|refusal| panic!("{command:?}: {refusal}"));
    recorded(&session, by, command).iter().fold(session, Session::evolve)
}

/// A session in which this plan is carried out.
fn executing(steps: Steps) -> Session {
    let on = after(fresh(), &Actor::Human, &Command::SetMode { on: true });
    let planned = after(on, &agent(), &set(steps.clone()));
    after(planned, &Actor::Human, &Command::Execute { shown: steps })
}
