//! The registry of subsystems: a line each, and everything else in the subsystem's own folder. Nobody else matches on
//! their events, beyond asking for those of one subsystem.
//!
//! A subsystem `x` has `x::Event`, `x::Command` and `x::Refusal`, which implement the traits of `part`. What it knows is part
//! of the session, which its events change; or it has `x::State`, one file of every commit, `.grill/x.yaml`, as long as it
//! is not empty.

mod part;

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::actor::Actor;
use super::decide::Decision;
use super::event::Recorded;
use super::facets::{Facets, Unfilled};
use super::from_inside::{BadWish, Outside};
use super::session::{Grip, Session};
use super::told::{Scene, Told};
use super::tool::Row;

pub use self::part::{Call, Folded, Grant, Happened, Hold, Refused, Shown, Tooled, Wanted};

macro_rules! subsystems {
    // Asks whichever it is.
    (@each $it:expr; [$($(#[$only:meta])* $variant:ident)*] $one:ident => $answer:expr) => {
        match $it { $($(#[$only])* Self::$variant($one) => $answer,)* }
    };
    (
        in_the_session { $($part:ident = $there:ident;)* }
        beside_it { $($(#[$only:meta])* $variant:ident = $room:ident;)* }
    ) => {
        #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(untagged)]
        pub enum Event {
            $(#[doc = "Of this subsystem."] $part(super::$there::Event),)*
            $($(#[$only])* #[doc = "Of this subsystem."] $variant(super::$room::Event),)*
        }

        /// What somebody wants of one of them.
        #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(untagged)]
        pub enum Command {
            $(#[doc = "Of this subsystem."] $part(super::$there::Command),)*
            $($(#[$only])* #[doc = "Of this subsystem."] $variant(super::$room::Command),)*
        }

        #[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
        pub enum Refusal {
            $(#[error(transparent)] #[doc = "Of this subsystem."] $part(super::$there::Refusal),)*
            $($(#[$only])* #[error(transparent)] #[doc = "Of this subsystem."] $variant(super::$room::Refusal),)*
        }

        /// What they know; what is empty is not stored.
        #[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(default, rename_all = "kebab-case")]
        pub struct States {
            $($(#[$only])* #[doc = "Of this subsystem."]
            #[serde(skip_serializing_if = "is_empty")] pub $room: super::$room::State,)*
        }

        /// What programs read of them.
        #[derive(Serialize)]
        #[serde(rename_all = "camelCase")]
        pub struct Views<'s> {
            $($(#[$only])* #[serde(skip_serializing_if = "Option::is_none")]
            $room: Option<<super::$room::State as Shown>::View<'s>>,)*
        }

        impl States {
            /// Their parts of the session's JSON.
            pub fn views<'s>(&'s self, session: &'s Session) -> Views<'s> {
                Views { $($(#[$only])* $room: self.$room.view(session),)* }
            }

            /// The names of those with a file of their own.
            pub const NAMES: &'static [&'static str] = &[$($(#[$only])* stringify!($room),)*];

            /// The name of the first that is not empty; its file is `.grill/<name>.yaml`.
            pub fn used(&self) -> Option<&'static str> {
                let all: [Option<&'static str>; Self::NAMES.len()] =
                    [$($(#[$only])* name_of(&self.$room, stringify!($room)),)*];
                all.into_iter().flatten().next()
            }

            /// The texts of each that has some, with its name.
            pub fn texts(&self) -> Vec<(&'static str, &BTreeMap<String, String>)> {
                let all: [Option<&BTreeMap<String, String>>; Self::NAMES.len()] =
                    [$($(#[$only])* self.$room.texts(),)*];
                Self::NAMES.iter().copied().zip(all).filter_map(|(name, texts)| Some((name, texts?))).collect()
            }

            /// The same, to be read back. One that is empty has none.
            pub fn texts_mut(&mut self) -> Vec<(&'static str, &mut BTreeMap<String, String>)> {
                let mut found = Vec::new();
                $($(#[$only])* if !is_empty(&self.$room) && let Some(texts) = self.$room.texts_mut() {
                    found.push((stringify!($room), texts));
                })*
                found
            }

            /// A text that one of them rests on and lacks: its name, and the text's path.
            pub fn lacks(&self) -> Option<(&'static str, String)> {
                let all: [Option<String>; Self::NAMES.len()] = [$($(#[$only])* self.$room.lacks(),)*];
                Self::NAMES.iter().copied().zip(all).find_map(|(name, path)| Some((name, path?)))
            }

            /// What they let somebody act on.
            pub fn grants(&self) -> Vec<Grant> {
                let mut grants: Vec<Grant> = Vec::new();
                $($(#[$only])* grants.extend(self.$room.grants().into_iter().map(|what| {
                    Grant { of: stringify!($room).to_owned(), what }
                }));)*
                grants
            }

            pub fn lapse(&mut self, grants: &[Grant]) {
                let of = |name: &str| -> Vec<&str> {
                    grants.iter().filter(|grant| grant.of == name).map(|grant| grant.what.as_str()).collect()
                };
                $($(#[$only])* self.$room.lapse(&of(stringify!($room)));)*
            }

            /// What `git grill status` shows of them.
            pub fn rows(&self) -> Vec<(&'static str, String)> {
                let all: [Vec<(&'static str, String)>; Self::NAMES.len()] = [$($(#[$only])* self.$room.rows(),)*];
                all.into_iter().flatten().collect()
            }

            /// A few words for a status line.
            pub fn words(&self) -> Option<String> {
                let all: [Option<String>; Self::NAMES.len()] = [$($(#[$only])* self.$room.words(),)*];
                Some(all.into_iter().flatten().collect::<Vec<_>>().join(" ")).filter(|words| !words.is_empty())
            }

            /// The name of a session without an interview.
            pub fn called(&self) -> Option<&'static str> {
                let all: [Option<&'static str>; Self::NAMES.len()] = [$($(#[$only])* self.$room.called(),)*];
                all.into_iter().flatten().next()
            }

            /// A few lines below the status.
            pub fn widget(&self) -> Vec<String> {
                let all: [Vec<String>; Self::NAMES.len()] = [$($(#[$only])* self.$room.widget(),)*];
                all.into_iter().flatten().collect()
            }

            /// The signs in those lines, each with its meaning.
            pub fn legend(&self) -> Vec<(char, &'static str)> {
                let all: [Vec<(char, &'static str)>; Self::NAMES.len()] = [$($(#[$only])* self.$room.legend(),)*];
                all.into_iter().flatten().collect()
            }

            /// What an agent is told of them, each in a paragraph.
            pub fn instructions(&self) -> Option<String> {
                let all: [Option<String>; Self::NAMES.len()] = [$($(#[$only])* self.$room.instructions(),)*];
                Some(all.into_iter().flatten().collect::<Vec<_>>().join("\n\n")).filter(|told| !told.is_empty())
            }

            /// How tightly they hold the worktree in a session without an interview. Where none of them says so, nothing
            /// may change.
            pub fn hold(&self) -> Grip {
                let holds: [Option<Grip>; Self::NAMES.len()] = [$($(#[$only])* self.$room.hold().map(|hold| match hold {
                    Hold::ReadOnly => Grip::ReadOnly,
                    Hold::Lifted { by } => Grip::Lifted { by: Grant { of: stringify!($room).to_owned(), what: by } },
                }),)*];
                holds.into_iter().flatten().next().unwrap_or(Grip::ReadOnly)
            }
        }

        /// What a person is told of grants that do not count here, once for each subsystem.
        pub fn lapsed(grants: &[Grant]) -> Vec<String> {
            let fell = |name: &str| grants.iter().any(|grant| grant.of == name);
            let mut told: Vec<String> = Vec::new();
            $($(#[$only])* if fell(stringify!($room)) {
                told.push(<super::$room::State as Folded<super::$room::Event>>::LAPSED.to_owned());
            })*
            told
        }

        impl Event {
            /// Takes it into the session.
            pub fn evolve(&self, session: &mut Session, recorded: &Recorded) {
                match *self {
                    $(Self::$part(ref event) => event.evolve(session, recorded),)*
                    $($(#[$only])* Self::$variant(ref event) => {
                        session.own.$room.evolve(&recorded.by, recorded.at, event);
                        session.regrip();
                    })*
                }
            }

            pub fn facets(&self) -> Facets<'_> {
                subsystems!(@each self; [$($part)* $($(#[$only])* $variant)*] event => event.facets())
            }

            pub fn unfilled(&mut self) -> Option<Unfilled<'_>> {
                subsystems!(@each self; [$($part)* $($(#[$only])* $variant)*] event => event.unfilled())
            }

            pub fn told(&self, scene: Scene<'_>) -> Told<'_> {
                subsystems!(@each self; [$($part)* $($(#[$only])* $variant)*] event => event.told(scene))
            }
        }

        pub const TOOLS: &[&[Row]] = &[$($(#[$only])* <super::$room::Command as Tooled>::TOOLS,)*];

        impl Command {
            /// What a call of a subsystem's tool wants; none if no subsystem has this tool.
            pub fn of_call<C: Call>(tool: &str, call: &C) -> Result<Option<Self>, C::Error> {
                $($(#[$only])* if <super::$room::Command as Tooled>::TOOLS.iter().any(|row| row.name == tool) {
                    return super::$room::Command::of_call(tool, call).map(Self::$variant).map(Some);
                })*
                Ok(None)
            }

            pub fn deed(&self) -> &'static str {
                subsystems!(@each self; [$($part)* $($(#[$only])* $variant)*] command => command.deed())
            }

            pub fn decide(&self, session: &Session, actor: &Actor, at: Timestamp) -> Decision {
                match *self {
                    $(Self::$part(ref command) => command.decide(session, actor, at),)*
                    $($(#[$only])* Self::$variant(ref command) => {
                        let events = command.decide(session, actor, at)?;
                        Ok(events.into_iter().map(Into::into).collect())
                    })*
                }
            }

            pub fn settle(&mut self, outside: &Outside<'_>) -> Result<(), BadWish> {
                subsystems!(@each self; [$($part)* $($(#[$only])* $variant)*] command => command.settle(outside))
            }
        }

        impl Refusal {
            /// The code that machines compare.
            pub fn code(&self) -> &'static str {
                subsystems!(@each self; [$($part)* $($(#[$only])* $variant)*] refusal => refusal.code())
            }

            /// What can be done about it, as a command to type.
            pub fn hint(&self) -> String {
                subsystems!(@each self; [$($part)* $($(#[$only])* $variant)*] refusal => refusal.hint())
            }

            /// The same for an agent that called a tool.
            pub fn advice(&self, tool: &str) -> String {
                subsystems!(@each self; [$($part)* $($(#[$only])* $variant)*] refusal => refusal.advice(tool))
            }
        }

        $(
            impl super::event::Event {
                /// The event, if it is of this subsystem.
                pub fn $there(&self) -> Option<&super::$there::Event> {
                    if let Self::Of(Event::$part(event)) = self { Some(event) } else { None }
                }
            }
            impl super::command::Command {
                /// The command, if it is of this subsystem.
                pub fn $there(&self) -> Option<&super::$there::Command> {
                    if let Self::Of(Command::$part(command)) = self { Some(command) } else { None }
                }
            }
            impl super::refusal::Refusal {
                /// The refusal, if it is of this subsystem.
                pub fn $there(&self) -> Option<&super::$there::Refusal> {
                    if let Self::Of(Refusal::$part(refusal)) = self { Some(refusal) } else { None }
                }
            }
            impl From<super::$there::Event> for super::event::Event {
                fn from(event: super::$there::Event) -> Self { Self::Of(Event::$part(event)) }
            }
            impl From<super::$there::Refusal> for super::refusal::Refusal {
                fn from(refusal: super::$there::Refusal) -> Self { Self::Of(Refusal::$part(refusal)) }
            }
            impl From<super::$there::Command> for super::command::Command {
                fn from(command: super::$there::Command) -> Self { Self::Of(Command::$part(command)) }
            }
        )*

        $(
            $(#[$only])* impl From<super::$room::Event> for super::event::Event {
                fn from(event: super::$room::Event) -> Self { Self::Of(Event::$variant(event)) }
            }
            $(#[$only])* impl From<super::$room::Refusal> for super::refusal::Refusal {
                fn from(refusal: super::$room::Refusal) -> Self { Self::Of(Refusal::$variant(refusal)) }
            }
            $(#[$only])* impl From<super::$room::Command> for super::command::Command {
                fn from(command: super::$room::Command) -> Self { Self::Of(Command::$variant(command)) }
            }
        )*
    };
}

subsystems! {
    in_the_session {
        Interview = interview;
        Production = production;
    }
    beside_it {
        // First, since nothing is lifted while one goes on.
        Debate = debate;
        Plan = plan;
        Extension = extension;
        #[cfg(test)]
        Toy = toy;
    }
}

/// The name of a state that is not empty.
fn name_of<S: Default + PartialEq>(state: &S, name: &'static str) -> Option<&'static str> {
    (!is_empty(state)).then_some(name)
}

fn is_empty<S: Default + PartialEq>(state: &S) -> bool {
    *state == S::default()
}
