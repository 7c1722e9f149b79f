//! What a person is told of an event, right after it happened: a line, something that is drawn, or nothing where what
//! follows shows it anyway.

use super::checkpoint::{Checkpoint, CheckpointSource};
use super::citations::ChangedCitation;
use super::drift::Verification;
use super::event::Event;
use super::session::Session;
use super::settings::{Research, Setting};

/// Where a person is told of an event.
#[derive(Clone, Copy, Debug)]
pub struct Scene<'s> {
    /// The session before everything that is told; none if it began with it.
    pub before: Option<&'s Session>,
    pub after: &'s Session,
    /// Whether a prompt asks what comes next. It leaves what was typed into it just above, and verbs are typed with a
    /// slash there.
    pub by_prompt: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Told<'e> {
    /// Nothing: what follows shows it, or whoever did it knows.
    Nothing,
    Line(String),
    /// A new version of the checkpoint, as the lines that changed.
    Checkpoint {
        checkpoint: &'e Checkpoint,
        summary: &'e str,
        source: CheckpointSource,
        /// True if it was merged with newer changes.
        merged: bool,
    },
    /// What is not as the baseline has it.
    Drift(&'e Verification),
    /// Cited places that are not as they were read.
    Cited(&'e [ChangedCitation]),
}

impl Event {
    pub fn told(&self, scene: Scene<'_>) -> Told<'_> {
        Told::Line(match self {
            Self::Started(_) => return Told::Nothing,
            Self::SettingChanged { setting: Setting::Research(Research::Ask) } if !scene.after.evidence.looked => {
                format!("{}; {}", self.facets().subject, scene.after.how_to_look().unwrap_or_default())
            }
            Self::SettingChanged { .. } | Self::ServerAsked { .. } => self.facets().subject,
            Self::Verified { verification } => return Told::Drift(verification),
            Self::AuthorityLapsed { lapse } => lapse.in_words(),
            Self::Closed { .. } => "the session ended".to_owned(),
            Self::Of(event) => return event.told(scene),
        })
    }
}
