//! What everyone outside an event's subsystem knows of it: the commit that records it, the files that hold its texts,
//! and the line that tells a person. They ask here and match on no event, so that a new event touches its own folder.

use super::checkpoint::Checkpoint;
use super::command::Ending;
use super::event::Event;
use super::facts::RepoFacts;
use super::ids::{AnswerId, QuestionId};
use super::interview::Answer;
use super::production::{Draft, TargetPath};
use super::question::Question;
use super::settings::Setting;
use super::text::{Line, Prose};

/// An event, as the commit that records it says it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facets<'e> {
    /// The operation, as the `Grill-Op` trailer names it.
    pub op: &'static str,
    /// What happened in one line, as a commit's subject says it.
    pub subject: String,
    pub question: Option<&'e QuestionId>,
    pub answer: Option<&'e AnswerId>,
    /// What a person said beside its point.
    pub note: Option<&'e Prose>,
    /// The text that has a file of its own.
    pub filed: Option<Filed<'e>>,
    /// The file of the user's that was written.
    pub written: Option<&'e TargetPath>,
}

impl<'e> Facets<'e> {
    /// An operation and its subject, about nothing else.
    pub fn of(op: &'static str, subject: impl Into<String>) -> Self {
        Self { op, subject: subject.into(), question: None, answer: None, note: None, filed: None, written: None }
    }

    pub(super) fn about(self, question: &'e QuestionId) -> Self {
        Self { question: Some(question), ..self }
    }

    pub(super) fn filed(self, text: Filed<'e>) -> Self {
        Self { filed: Some(text), ..self }
    }
}

/// A text of an event that has a file of its own in the commit, so that `git log -p` shows it once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Filed<'e> {
    Question(&'e Question),
    Answer(&'e Answer),
    Checkpoint(&'e Checkpoint),
    Evidence(&'e RepoFacts),
    /// A draft, with what it would replace.
    Draft(&'e Draft),
    /// Texts of a subsystem, by their paths below its folder.
    Texts {
        of: &'static str,
        texts: Vec<(String, &'e str)>,
    },
}

/// The same, to be put back into an event that was read. Questions and answers are put back before it is parsed.
#[derive(Debug)]
pub enum Unfilled<'e> {
    Checkpoint(&'e mut Checkpoint),
    Evidence(&'e mut RepoFacts),
    /// A draft, with what it would replace.
    Draft(&'e mut Draft),
    /// Texts of a subsystem, by their paths below its folder.
    Texts {
        of: &'static str,
        texts: Vec<(String, &'e mut String)>,
    },
}

/// The names of events whose `question` has a file of its own.
pub const QUESTION_IS_FILED: [&str; 2] = ["question-asked", "question-reopened"];
/// The names of events whose `answer` has a file of its own.
pub const ANSWER_IS_FILED: [&str; 1] = ["question-answered"];

impl Event {
    /// What the commit that records it says.
    pub fn facets(&self) -> Facets<'_> {
        match self {
            Self::Started(started) => Facets::of("start", format!("start: {}", Line::clipped(started.topic.as_str()))),
            Self::SettingChanged { setting } => Facets::of("configure", in_words(setting)),
            Self::Verified { verification } => Facets::of("verify", format!("verify: {}", verification.in_words())),
            Self::ServerAsked { asked } => Facets::of("server-asked", asked.in_words()),
            Self::AuthorityLapsed { lapse } => Facets::of("lapse", format!("lapse: {}", lapse.in_words())),
            Self::Closed { ending: Ending::WithoutOutput, .. } => Facets::of("close", "stop without output"),
            Self::Closed { ending: Ending::AfterOutputs, .. } => Facets::of("close", "stop"),
            Self::Of(event) => event.facets(),
        }
    }

    /// The place of the text that it does not carry itself.
    pub fn unfilled(&mut self) -> Option<Unfilled<'_>> {
        if let Self::Of(event) = self { event.unfilled() } else { None }
    }
}

fn in_words(setting: &Setting) -> String {
    match setting {
        Setting::Intent(intent) => format!("intent {intent}"),
        Setting::Intensity(intensity) => format!("intensity {intensity}"),
        Setting::Research(research) => format!("research {research}"),
        Setting::OutputPreference(list) if list.is_empty() => "output preference taken back".to_owned(),
        Setting::OutputPreference(list) => {
            let names: Vec<String> = list.iter().map(ToString::to_string).collect();
            format!("output preference {}", names.join(", "))
        }
        Setting::Interviewer(interviewer) => format!("interviewer {interviewer}"),
    }
}
