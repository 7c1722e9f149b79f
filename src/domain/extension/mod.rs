//! Answers to extensions outside an interview. They are recorded in the history and change nothing else: they approve
//! nothing and protect nothing, and only the line that reports an answer is shown.

mod event;
mod refusal;
#[cfg(test)]
mod tests;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::actor::Actor;
use super::refusal::Refusal as No;
use super::session::Session;
use super::subsystem::{Call, Folded, Hold, Shown, Tooled, Wanted};
use super::tool::{BadRequest, Row};

pub use event::{Event, ExtensionAnswer};
pub use refusal::Refusal;

/// The state of the answers. It is empty: they are in the history.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {}

/// A command about answers to extensions. None comes from inside of a read-only run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Command {
    #[serde(skip)]
    Answer(Box<ExtensionAnswer>),
}

impl Folded<Event> for State {
    const LAPSED: &'static str = "answers to extensions approve nothing";

    fn grants(&self) -> Vec<String> {
        Vec::new()
    }

    fn lapse(&mut self, _: &[&str]) {}

    fn hold(&self) -> Option<Hold> {
        None
    }

    fn evolve(&mut self, _: &Actor, _: Timestamp, _: &Event) {}
}

impl Shown for State {
    type View<'s> = ();

    fn view<'s>(&'s self, _session: &'s Session) -> Option<()> {
        None
    }

    fn rows(&self) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    fn words(&self) -> Option<String> {
        None
    }

    fn widget(&self) -> Vec<String> {
        Vec::new()
    }

    fn instructions(&self) -> Option<String> {
        None
    }
}

impl Wanted for Command {
    type Event = Event;

    fn deed(&self) -> &'static str {
        "recording the answer to an extension"
    }

    /// Only a person or a script answers; an agent cannot, and neither can git grill.
    fn decide(&self, _: &Session, actor: &Actor, _: Timestamp) -> Result<Vec<Event>, No> {
        let Self::Answer(answer) = self;
        match actor {
            Actor::Human | Actor::Unattended => Ok(vec![Event::ExtensionAnswered(answer.clone())]),
            Actor::Agent(_) | Actor::System => Err(Refusal::NotThePersons.into()),
        }
    }
}

impl Tooled for Command {
    const TOOLS: &'static [Row] = &[];

    /// There are no tools for this: an answer is recorded when it is given.
    fn of_call<C: Call>(_: &str, _: &C) -> Result<Self, C::Error> {
        let refusal = super::subsystem::Refusal::Extension(Refusal::NotThePersons);
        Err(BadRequest::Own(Box::new(refusal)).into())
    }
}
