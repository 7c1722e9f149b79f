//! What a subsystem brings: its events, its commands, its refusals, and what it knows.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::domain::actor::Actor;
use crate::domain::facets::{Facets, Unfilled};
use crate::domain::from_inside::{BadWish, Outside};
use crate::domain::refusal::Refusal;
use crate::domain::session::Session;
use crate::domain::told::{Scene, Told};
use crate::domain::tool::{BadRequest, Row};

/// What happened in a subsystem. It is stored under a name of its own (`#[serde(tag = "event")]`), which no other
/// subsystem uses.
pub trait Happened {
    /// What the commit that records it says.
    fn facets(&self) -> Facets<'_>;
    /// What a person is told of it.
    fn told(&self, scene: Scene<'_>) -> Told<'_>;
    /// The place of the text that it does not carry itself, if it has one.
    fn unfilled(&mut self) -> Option<Unfilled<'_>> {
        None
    }
}

/// What a subsystem knows.
pub trait Folded<Event>: Default + PartialEq {
    /// What a person is told of a grant that does not count here.
    const LAPSED: &'static str;

    /// What it lets somebody act on: each in words that name all of its content. Such words count in the clone that
    /// recorded them (see `authority`).
    fn grants(&self) -> Vec<String>;

    /// Withdraws these grants. Idempotent.
    fn lapse(&mut self, grants: &[&str]);

    /// How tightly it holds the worktree in a session without an interview; none if that is not its business. What lifts
    /// the hold is one of its grants.
    fn hold(&self) -> Option<Hold>;

    /// Its texts that have files of their own in the commit, by their paths below `.grill/<name>/`; `None` where it has
    /// none ever.
    fn texts(&self) -> Option<&BTreeMap<String, String>> {
        None
    }

    fn texts_mut(&mut self) -> Option<&mut BTreeMap<String, String>> {
        None
    }

    /// The path of a text that it rests on and that is not among them, if there is one.
    fn lacks(&self) -> Option<String> {
        None
    }

    /// What it knows after one more event, which may not fit. Then nothing changes.
    fn evolve(&mut self, by: &Actor, at: Timestamp, event: &Event);
}

/// What everybody sees of a subsystem, wherever a session is shown.
pub trait Shown {
    /// What programs read of it.
    type View<'s>: Serialize
    where
        Self: 's;

    /// Its part of the session's JSON; none as long as it was never used.
    fn view<'s>(&'s self, session: &'s Session) -> Option<Self::View<'s>>;

    /// Rows of `git grill status`: keys and values.
    fn rows(&self) -> Vec<(&'static str, String)>;

    /// A few words for a status line; none while there is nothing to tell.
    fn words(&self) -> Option<String>;

    /// The name that it gives to a session without an interview, if it gives one.
    fn called(&self) -> Option<&'static str> {
        None
    }

    /// A few lines below the status, each cut where the window ends.
    fn widget(&self) -> Vec<String>;

    /// The signs in those lines, each with its meaning.
    fn legend(&self) -> Vec<(char, &'static str)> {
        Vec::new()
    }

    /// What an agent is told of it beside what its phase says, on every way on which it is instructed.
    fn instructions(&self) -> Option<String>;
}

/// Something that a subsystem lets somebody act on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grant {
    /// The subsystem's name.
    pub of: String,
    /// Everything that was granted, in words that name its content.
    pub what: String,
}

/// How tightly a subsystem holds the worktree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hold {
    /// Nothing may change.
    ReadOnly,
    /// Nothing is refused.
    Lifted {
        /// The grant that says so.
        by: String,
    },
}

/// What somebody wants of a subsystem.
pub trait Wanted {
    /// What comes of it.
    type Event;
    /// What it is, in words that fit "… is not possible".
    fn deed(&self) -> &'static str;
    /// Decides on it. Pure, and never fails otherwise.
    fn decide(&self, session: &Session, actor: &Actor, at: Timestamp) -> Result<Vec<Self::Event>, Refusal>;
    /// Sets what a caller inside of a read-only run has no say in, and refuses what such a caller may not want.
    fn settle(&mut self, _: &Outside<'_>) -> Result<(), BadWish> {
        Err(BadWish::ours(self.deed()))
    }
}

/// The tools of a subsystem: what an agent wants of it.
pub trait Tooled: Sized {
    /// A row each.
    const TOOLS: &'static [Row];

    /// What a call of this tool wants; the tool is one of these rows.
    fn of_call<C: Call>(tool: &str, call: &C) -> Result<Self, C::Error>;
}

pub trait Call {
    /// Why they are not taken.
    type Error: From<BadRequest>;

    /// Reads them; a key that is unknown is an error.
    fn read<T: DeserializeOwned>(&self) -> Result<T, Self::Error>;
}

/// Why the rules of a subsystem say no, for reasons that are its own; those that all share are the session's refusals.
pub trait Refused: std::error::Error {
    /// The code that machines compare.
    fn code(&self) -> &'static str;
    /// What can be done about it, as a command to type.
    fn hint(&self) -> String;
    /// The same for an agent that called a tool: what to do first, and the tool that does it.
    fn advice(&self, tool: &str) -> String;
}
