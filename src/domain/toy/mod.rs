//! A subsystem that exists in tests alone: it proves that a newcomer needs its own folder and a line in each registry.
//! It is a bell that is wound up before it rings.

mod tests;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::actor::Actor;
use super::facets::Facets;
use super::refusal;
use super::session::Session;
use super::subsystem::{Call, Folded, Happened, Hold, Refused, Shown, Tooled, Wanted};
use super::text::Line;
use super::told::{Scene, Told};
use super::tool::{BadRequest, Row, Tool};

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    pub turns: u32,
    pub rang: Vec<Line>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "event")]
pub enum Event {
    ToyWound { turns: u32 },
    ToyRang { because: Line },
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Command {
    #[serde(skip)]
    Wind { turns: u32 },
    #[serde(skip)]
    Ring { because: Line },
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("the bell does not ring: nobody wound it up")]
    RunDown,
}

impl Happened for Event {
    fn facets(&self) -> Facets<'_> {
        match self {
            Self::ToyWound { turns } => Facets::of("toy-wind", format!("wind the bell up: {turns}")),
            Self::ToyRang { because } => Facets::of("toy-ring", format!("ring: {because}")),
        }
    }

    fn told(&self, _: Scene<'_>) -> Told<'_> {
        match self {
            Self::ToyWound { .. } => Told::Nothing,
            Self::ToyRang { because } => Told::Line(format!("the bell rang: {because}")),
        }
    }
}

impl Folded<Event> for State {
    const LAPSED: &'static str = "the bell is run down";

    fn grants(&self) -> Vec<String> {
        if self.turns == 0 { Vec::new() } else { vec![format!("{} turns", self.turns)] }
    }

    fn hold(&self) -> Option<Hold> {
        None
    }

    fn lapse(&mut self, grants: &[&str]) {
        if !grants.is_empty() {
            self.turns = 0;
        }
    }

    fn evolve(&mut self, _: &Actor, _: Timestamp, event: &Event) {
        match event {
            Event::ToyWound { turns } => self.turns = self.turns.saturating_add(*turns),
            Event::ToyRang { because } => {
                self.turns = self.turns.saturating_sub(1);
                self.rang.push(because.clone());
            }
        }
    }
}

impl Shown for State {
    type View<'s> = &'s Self;

    fn view<'s>(&'s self, _: &'s Session) -> Option<&'s Self> {
        (*self != Self::default()).then_some(self)
    }

    fn rows(&self) -> Vec<(&'static str, String)> {
        self.rang.iter().map(|because| ("rang", because.to_string())).collect()
    }

    fn words(&self) -> Option<String> {
        (self.turns > 0).then(|| format!("bell {}", self.turns))
    }

    fn instructions(&self) -> Option<String> {
        (self.turns > 0).then(|| "The bell is wound up.".to_owned())
    }

    fn widget(&self) -> Vec<String> {
        Vec::new()
    }
}

impl Wanted for Command {
    type Event = Event;

    fn deed(&self) -> &'static str {
        "ringing the bell"
    }

    fn decide(&self, session: &Session, _: &Actor, _: Timestamp) -> Result<Vec<Event>, refusal::Refusal> {
        match self {
            Self::Wind { turns } => Ok(vec![Event::ToyWound { turns: *turns }]),
            Self::Ring { .. } if session.own.toy.turns == 0 => Err(Refusal::RunDown.into()),
            Self::Ring { because } => Ok(vec![Event::ToyRang { because: because.clone() }]),
        }
    }
}

/// What `toy_ring` is called with.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RingRequest {
    because: String,
}

impl Tooled for Command {
    const TOOLS: &'static [Row] = &[Row {
        tool: Tool::Own("toy_ring"),
        name: "toy_ring",
        schema: r#"{"name":"toy_ring","description":"Ring the bell.","inputSchema":{"type":"object","properties":{"because":{"type":"string"}},"required":["because"],"additionalProperties":false}}"#,
        example: r#"{"because":"lunch"}"#,
        records: true,
        led: true,
    }];

    fn of_call<C: Call>(_: &str, call: &C) -> Result<Self, C::Error> {
        let RingRequest { because } = call.read()?;
        Ok(Self::Ring { because: Line::parse("the reason", &because).map_err(BadRequest::from)? })
    }
}

impl Refused for Refusal {
    fn code(&self) -> &'static str {
        "toy_run_down"
    }

    fn hint(&self) -> String {
        "git grill toy --wind 3 winds it up".to_owned()
    }

    fn advice(&self, _: &str) -> String {
        "Call toy_ring once it is wound up.".to_owned()
    }
}
