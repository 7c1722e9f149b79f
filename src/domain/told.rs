//! What a person is told of an event, right after it happened: a line, something that is drawn, or nothing where what
//! follows shows it anyway.

use super::checkpoint::{Checkpoint, CheckpointSource};
use super::citations::ChangedCitation;
use super::drift::Verification;
use super::event::Event;
use super::harmless::harmless;
use super::ids::QuestionId;
use super::interview::{AnswerKind, gist};
use super::session::{Floor, Phase, Session};
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

/// The way out of a discussion that comes to nothing, where verbs are typed with a slash.
const LEAVES: &str = "/back leaves it with nothing recorded";

impl Event {
    pub fn told(&self, scene: Scene<'_>) -> Told<'_> {
        let numbered = |question: &QuestionId| scene.after.transcript.get(question).map_or(0, |asked| asked.number);
        Told::Line(match self {
            // Whoever is told knows it.
            Self::QuestionAsked { .. } | Self::Started(_) | Self::AnswerTold { .. } => return Told::Nothing,
            Self::QuestionReopened { question } => format!("question {} is asked again", numbered(&question.id)),
            Self::QuestionAnswered { answer } if scene.by_prompt && answer.kind != AnswerKind::Unknown => {
                format!("answered {}", numbered(&answer.question))
            }
            Self::QuestionAnswered { answer } => {
                format!("answered {}: {}", numbered(&answer.question), harmless(gist(answer).as_str()))
            }
            Self::QuestionDeferred { question } => {
                format!("question {} is put off; it stands among the open questions", numbered(question))
            }
            Self::QuestionPushedBack { question, .. } => {
                format!("noted why question {} is the wrong one", numbered(question))
            }
            Self::DiscussionOpened { about } => discussing(about.as_ref(), scene),
            Self::DiscussionEnded { summary } => format!("discussion summed up: {}", harmless(summary.first_line())),
            Self::WentBack { to } if scene.before.is_some_and(is_talking) => {
                format!("nothing of the discussion was recorded; question {} is open again", numbered(to))
            }
            Self::WentBack { .. } => "back at an earlier question; the answers stay in the history".to_owned(),
            Self::CheckpointUpdated { checkpoint, summary, source, merged } => {
                return Told::Checkpoint { checkpoint, summary: summary.as_str(), source: *source, merged: *merged };
            }
            Self::SettingChanged { setting: Setting::Research(Research::Ask) } if !scene.after.evidence.looked => {
                format!("{}; {}", self.facets().subject, scene.after.how_to_look().unwrap_or_default())
            }
            Self::EvidenceRecorded { facts } => facts.in_words(),
            Self::ConcernsWaived { concerns } => {
                let names: Vec<&str> = concerns.iter().map(|one| one.name.as_str()).collect();
                format!("waived: {}", harmless(&names.join(", ")))
            }
            Self::SettingChanged { .. } | Self::ServerAsked { .. } => self.facets().subject,
            Self::Verified { verification } => return Told::Drift(verification),
            Self::CitationsChecked { changed } => return Told::Cited(changed),
            Self::AuthorityLapsed { lapse } => lapse.in_words(),
            Self::Closed { .. } => "the session ended".to_owned(),
            Self::Of(event) => return event.told(scene),
        })
    }
}

fn discussing(about: Option<&QuestionId>, scene: Scene<'_>) -> String {
    if !scene.by_prompt {
        let leaves = about.map(|_| "; git grill back leaves it with nothing recorded");
        let sums_up = "in discussion; git grill discuss --done \"<what it came to>\" returns to the questions";
        return format!("{sums_up}{}", leaves.unwrap_or_default());
    }
    match about.and_then(|id| scene.after.transcript.get(id)) {
        // Whoever asked it goes on from what the discussion came to (Q12).
        Some(asked) if asked.question.is_from_a_tool() => {
            format!("in discussion; what it comes to answers question {}; {LEAVES}", asked.number)
        }
        Some(_) => format!("in discussion; the question stays open; {LEAVES}"),
        None => "in discussion".to_owned(),
    }
}

fn is_talking(session: &Session) -> bool {
    matches!(session.phase, Phase::Interview(Floor::Discussion { .. }))
}
