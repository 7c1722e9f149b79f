//! How an agent is started and spoken to over the Agent Client Protocol: its command, its modes, and how it names our tools.

use std::ffi::OsString;
use std::path::Path;

use super::Preset;
use super::version::is_older;
use crate::domain::agents::profile::{Asks, Terms};

/// All that is known of how one agent speaks ACP.
#[derive(Debug)]
pub struct Acp {
    /// The command that speaks ACP.
    pub command: &'static [&'static str],
    /// Variables that it is started with.
    pub variables: &'static [(&'static str, &'static str)],
    /// Those that make it ask before it writes, where no walls hold.
    pub bare_variables: &'static [(&'static str, &'static str)],
    /// What the agent is told with the request for a session, in its own words: JSON, for `_meta`.
    pub opening: Option<&'static str>,
    /// What is set right after the session began, behind our walls and without them; the first one that the agent
    /// offers.
    pub settings: Settings,
    /// How it is started for work that is lent to it, under a profile with these terms (A4).
    pub lent: fn(&Terms) -> Lent,
    /// Whether a tool of its own is used for lent work only after git grill has ruled on it.
    pub asks: Asks,
    /// Where a call of one of our tools has the tool's name, each exactly.
    pub ours: &'static [OurCall],
    /// Whether a refusal ends its turn, which then has to go on with another prompt.
    pub refusal: Refusal,
    pub leads: Leads,
    /// The agent's own program, where the command is an adapter that speaks ACP for it.
    pub adapts: Option<&'static str>,
    /// The version of the command that led an interview here, with a scripted model.
    pub tried: Option<&'static str>,
    /// The oldest version of the command that will do.
    pub least: Option<Least>,
    pub elicits: Elicits,
    /// The variables that can hold its key.
    pub keys: &'static [&'static str],
    /// The command that installs it.
    pub install: &'static str,
    pub log_in: &'static str,
}

/// What is set right after the session began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Behind walls that hold.
    pub walled: Option<Setting>,
    /// Without them.
    pub bare: Option<Setting>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    pub option: &'static str,
    pub value: &'static str,
}

/// What a refusal does to a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    GoesOn,
    EndsTheTurn,
}

/// A version, and why an older one will not do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Least {
    pub version: &'static str,
    /// In words that follow a colon.
    pub because: &'static str,
    pub lacks: Lacks,
}

/// What an older version goes without.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lacks {
    /// It does not know the command, so it leads nothing. One that speaks all the same lacks nothing.
    Start,
    /// It leads, and cannot do all that a newer one does.
    Part,
}

/// Whether a tool of its own that asks the user, or another server, has a form shown at our terminal (A18, A36).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Elicits {
    Yes,
    /// Only where this variable is set. In an interview git grill does not set it: the agent has our tools to ask with.
    WithVariable(&'static str),
    No,
    Unknown,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leads {
    OverAcp,
    /// It leads only from inside, for this reason.
    FromInside(&'static str),
}

/// The field of a call that has the name of our tool, and what stands around it; `{server}` is the name of our server. The
/// tool's name is all the rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OurCall {
    /// Its `name` is the tool's behind this.
    Name(&'static str),
    /// Its `title` is.
    Title(&'static str),
    /// Its `title` is the tool's before this.
    TitleBefore(&'static str),
}

impl OurCall {
    /// The name of our tool that a call of this name and title is of, where our server has this name.
    pub fn tool<'c>(self, name: Option<&'c str>, title: Option<&'c str>, server: &str) -> Option<&'c str> {
        let around = |words: &str| words.replacen("{server}", server, 1);
        match self {
            Self::Name(before) => name?.strip_prefix(&*around(before)),
            Self::Title(before) => title?.strip_prefix(&*around(before)),
            Self::TitleBefore(after) => title?.strip_suffix(&*around(after)),
        }
    }
}

/// What an agent is started with and set to under a profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lent {
    /// The command, where it is another one.
    pub command: Option<&'static [Word]>,
    /// Variables besides those that it is always started with.
    pub variables: &'static [(&'static str, &'static str)],
    /// What is set right after the session began, in place of what is set in an interview.
    pub settings: Settings,
}

/// A word of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    Is(&'static str),
    /// The folder that it works in.
    Cwd,
    /// This word where our walls hold, and the other one where they do not.
    Walled(&'static str, &'static str),
}

impl Lent {
    /// Nothing that an interview has not: it asks for each thing, and is ruled on by what it may do.
    pub const PLAIN: Self = Self { command: None, variables: &[], settings: NOTHING };
}

impl Word {
    pub fn spelled(self, cwd: &Path, walled: bool) -> OsString {
        match self {
            Self::Is(word) => word.into(),
            Self::Walled(word, bare) => if walled { word } else { bare }.into(),
            Self::Cwd => cwd.into(),
        }
    }
}

impl Preset {
    /// The least version, where this one is older and lacks what that is about. `speaks` is whether it was started, and
    /// answered.
    pub fn asks_for_newer(&self, version: &str, speaks: bool) -> Option<Least> {
        let least = self.least.filter(|least| is_older(version, least.version) == Some(true))?;
        match least.lacks {
            Lacks::Start if speaks => None,
            Lacks::Start | Lacks::Part => Some(least),
        }
    }
}

/// Nothing is set.
pub const NOTHING: Settings = Settings { walled: None, bare: None };

#[cfg(test)]
mod tests;
